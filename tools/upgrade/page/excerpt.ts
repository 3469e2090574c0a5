import type { Spot } from '../types.ts';

const MOST = 7;
const REGISTER = /^\s*x-(?:rules|unknowns):/;

/** The lines of a description that belong to a spot: its name, and what is indented below it, without the register. */
export function excerpt(text: string, { line }: Pick<Spot, 'line'>): string {
  const lines = text.split('\n');
  if (lines[line - 1] === undefined) return '';
  const start = line - 1;
  const depth = indent(lines[start]!);
  const own = [lines[start]!];
  let skipped = -1;
  for (const next of lines.slice(start + 1)) {
    if (next.trim() === '' || indent(next) <= depth) break;
    if (skipped >= 0 && indent(next) > skipped) continue;
    skipped = REGISTER.test(next) ? indent(next) : -1;
    if (skipped < 0) own.push(next);
    if (own.length > MOST) break;
  }
  const shown = own.slice(0, MOST).map((one) => one.slice(depth).trimEnd());
  return [...shown, ...(own.length > MOST ? ['…'] : [])].join('\n');
}

function indent(line: string): number {
  return line.length - line.trimStart().length;
}
