import type { GrowthFigure, GrowthPoint } from './bench-figure.ts';
import { judgeGoal } from './take-turns.ts';

/** What is nothing but linear, measured, lies below this. */
export const STEEPEST = 1.1;
const MOST_MEMORY = 300;

/**
 * Says how time grows with size. The last tenfold step has the say, since what takes long at every size (a start, a compilation) flattens
 * a fit; the fit is told besides.
 * @param points at least two, sizes growing
 */
export function fitGrowth(
  of: Pick<GrowthFigure, 'id' | 'title' | 'what'>,
  points: readonly GrowthPoint[],
  mostMemory = MOST_MEMORY,
): GrowthFigure {
  const [before, last] = points.slice(-2) as [GrowthPoint, GrowthPoint];
  const exponent = Math.log(last.seconds / before.seconds) / Math.log(last.size / before.size);
  const memory = Math.max(...points.map((one) => one.memory ?? 0));
  return {
    ...of,
    points,
    exponent,
    fitted: slopeOf(points.map(({ size, seconds }) => [Math.log(size), Math.log(seconds)])),
    goals: [
      judgeGoal({ text: `grows as size does: exponent at most ${STEEPEST}`, atMost: STEEPEST }, exponent),
      ...(memory === 0
        ? []
        : [judgeGoal({ text: `holds at most ${mostMemory} MB at any size`, atMost: mostMemory }, memory)]),
    ],
  };
}

/** Slope of the line that lies nearest to some points, by least squares. */
function slopeOf(points: readonly (readonly [number, number])[]): number {
  const mean = (values: readonly number[]) => values.reduce((sum, one) => sum + one, 0) / values.length;
  const [x, y] = [mean(points.map(([one]) => one)), mean(points.map(([, one]) => one))];
  const up = points.reduce((sum, [one, other]) => sum + (one - x) * (other - y), 0);
  return up / points.reduce((sum, [one]) => sum + (one - x) ** 2, 0);
}
