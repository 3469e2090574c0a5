import type { FileSpot } from '../types.ts';

const MOST = 7;
/** How far a change is looked for in a long entry. */
const FARTHEST = 200;
const REGISTER = /^\s*x-(?:rules|holes|unknowns):/;

/**
 * The lines of a description that belong to a spot: its name, and what is indented below it, without the register.
 * @param lines of the description
 * @param names what the change is about: where more is there than is shown, the lines that name it are
 */
export function excerptLines(
  lines: readonly string[],
  { line }: Pick<FileSpot, 'line'>,
  names: readonly string[] = [],
): string {
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
    if (own.length > FARTHEST) break;
  }
  const plain = own.map((one) => one.slice(depth).trimEnd());
  if (plain.length <= MOST) return plain.join('\n');
  const said = (one: string) => names.some((word) => new RegExp(`(?<!\\w)${literal(word)}(?!\\w)`).test(one));
  const about = plain.flatMap((one, i) => (i > 0 && said(one) ? [i] : [])).slice(0, MOST - 1);
  const first = plain.map((_, i) => i).slice(0, MOST - about.length);
  const chosen = [...new Set([...first, ...about])].sort((a, b) => a - b);
  const gaps = chosen.flatMap((i, k) => (k > 0 && i > chosen[k - 1]! + 1 ? ['…', plain[i]!] : [plain[i]!]));
  return [...gaps, ...(chosen.at(-1)! < plain.length - 1 ? ['…'] : [])].join('\n');
}

const literal = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

function indent(line: string): number {
  return line.length - line.trimStart().length;
}
