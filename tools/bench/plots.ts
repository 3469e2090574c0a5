import { type Html, html } from '#report';
import type { BenchFigure, GrowthFigure } from './bench-figure.ts';
import { formatFigure } from './format-figure.ts';

const BARS = { left: 250, width: 300, right: 130, row: 26 } as const;
const GROWTH = { left: 62, width: 240, height: 190, top: 14, bottom: 40, right: 36 } as const;

/** The contestants of a figure as bars, the first one in the colour of the house; a line across is the best turn. */
export function drawBars({ title, contestants, unit }: BenchFigure): Html {
  const { left, width, right, row } = BARS;
  const most = Math.max(...contestants.map(({ median, best }) => Math.max(median, best)));
  const height = contestants.length * row + 4;
  const long = (value: number) => ((value / most) * width).toFixed(1);
  return html`<svg class="bars" viewBox="0 0 ${left + width + right} ${height}" width="${left + width + right}" height="${height}" role="img" aria-label="${title}: ${contestants.map(({ name, median }) => `${name} ${formatFigure(median)} ${unit}`).join(', ')}">${contestants.map(
    ({ name, median, best }, i) => {
      const y = i * row + 4;
      const at = (left + (best / most) * width).toFixed(1);
      return html`<text x="0" y="${y + 14}">${name}</text><rect class="${i === 0 ? 'own' : 'other'}" x="${left}" y="${y}" width="${long(median)}" height="18" rx="2"/><path class="best" d="M${at} ${y - 2}v22"/><text class="n" x="${(left + (Math.max(median, best) / most) * width + 8).toFixed(1)}" y="${y + 14}">${formatFigure(median)} ${unit}</text>`;
    },
  )}</svg>`;
}

/** Time by size, both by tens, with the line that linear growth from the last point would take; memory as words at each point. */
export function drawGrowth({ title, what, points }: GrowthFigure): Html {
  const { left, width, height, top, bottom, right } = GROWTH;
  const tens = (values: readonly number[]) => ({
    low: Math.floor(Math.log10(Math.min(...values))),
    high: Math.max(Math.ceil(Math.log10(Math.max(...values))), Math.floor(Math.log10(Math.min(...values))) + 1),
  });
  const [across, up] = [tens(points.map(({ size }) => size)), tens(points.map(({ seconds }) => seconds))];
  const x = (size: number) => left + ((Math.log10(size) - across.low) / (across.high - across.low)) * width;
  const y = (seconds: number) => top + height - ((Math.log10(seconds) - up.low) / (up.high - up.low)) * height;
  const way = (list: readonly (readonly [number, number])[]) =>
    list.map(([one, other], i) => `${i === 0 ? 'M' : 'L'}${one.toFixed(1)} ${other.toFixed(1)}`).join('');
  const last = points.at(-1)!;
  const first = Math.max(points[0]!.size, (last.size * 10 ** up.low) / last.seconds);
  const linear = [first, last.size].map((size) => [x(size), y((last.seconds * size) / last.size)] as const);
  const lines = (low: number, high: number) => Array.from({ length: high - low + 1 }, (_, i) => 10 ** (low + i));
  const said = points.map(
    ({ size, seconds, memory }) =>
      `${size} ${what} ${formatFigure(seconds)} s${memory === undefined ? '' : ` and ${formatFigure(memory)} MB`}`,
  );
  return html`<svg class="growth" viewBox="0 0 ${left + width + right} ${top + height + bottom}" width="${left + width + right}" height="${top + height + bottom}" role="img" aria-label="${title}: ${said.join(', ')}">${lines(
    up.low,
    up.high,
  ).map(
    (value) =>
      html`<path class="grid" d="M${left} ${y(value).toFixed(1)}h${width}"/><text class="soft" x="${left - 8}" y="${(y(value) + 4).toFixed(1)}" text-anchor="end">${secondsOf(value)}</text>`,
  )}${lines(across.low, across.high).map(
    (value) =>
      html`<path class="grid" d="M${x(value).toFixed(1)} ${top}v${height}"/><text class="soft" x="${x(value).toFixed(1)}" y="${top + height + 18}" text-anchor="middle">${value.toLocaleString('en-US')}</text>`,
  )}<text class="soft" x="${left + width / 2}" y="${top + height + 35}" text-anchor="middle">${what}</text><path class="linear" d="${way(linear)}"/><path class="line" d="${way(points.map(({ size, seconds }) => [x(size), y(seconds)]))}"/>${points.map(
    ({ size, seconds, memory }) =>
      html`<circle cx="${x(size).toFixed(1)}" cy="${y(seconds).toFixed(1)}" r="4"/><text x="${(x(size) + (size === last.size ? -9 : 9)).toFixed(1)}" y="${(y(seconds) + (size === last.size ? -8 : 16)).toFixed(1)}" text-anchor="${size === last.size ? 'end' : 'start'}">${secondsOf(seconds)}${memory !== undefined && `, ${formatFigure(memory)} MB`}</text>`,
  )}</svg>`;
}

function secondsOf(seconds: number): string {
  return seconds >= 1 ? `${formatFigure(seconds)} s` : `${formatFigure(seconds * 1000)} ms`;
}
