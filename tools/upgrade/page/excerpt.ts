const MOST = 7;

/** The lines of a description that belong to the one given: it, and what is indented below it, without the register. */
export function excerpt(text: string, line: number): string {
  const lines = text.split('\n');
  const first = lines[line - 1];
  if (first === undefined) return '';
  const depth = indent(first);
  const own = [first];
  let skipped = -1;
  for (const next of lines.slice(line)) {
    if (next.trim() === '' || indent(next) <= depth) break;
    if (skipped >= 0 && indent(next) > skipped) continue;
    skipped = /^\s*x-(?:rules|unknowns):/.test(next) ? indent(next) : -1;
    if (skipped < 0) own.push(next);
    if (own.length > MOST) break;
  }
  const shown = own.slice(0, MOST).map((one) => one.slice(Math.min(depth, indent(one))).trimEnd());
  return [...shown, ...(own.length > MOST ? ['…'] : [])].join('\n');
}

function indent(line: string): number {
  return line.length - line.trimStart().length;
}
