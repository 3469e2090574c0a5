import type { AttackTally } from './attack-tally.ts';

/** What attacks came to, as Markdown: a table, then every survivor by name. */
export function renderAttack(tallies: readonly AttackTally[]): string {
  const rows = tallies.map(({ kind, tries, survivors, seconds, megabytes, longest, heaviest }) => {
    const slow = longest === undefined ? '' : `${longest.seconds.toFixed(1)} s: ${longest.name}`;
    const cells = [
      kind,
      tries,
      survivors.length,
      `${seconds.toFixed(0)} s`,
      `${megabytes} MiB`,
      slow,
      heaviest?.name ?? '',
    ];
    return `| ${cells.map((cell) => String(cell).replaceAll('|', '\\|')).join(' | ')} |`;
  });
  const survivors = tallies.flatMap(({ kind, survivors }) =>
    survivors.map((one) => `- ${kind}: ${one.replaceAll('\n', ' ')}`),
  );
  return `${[
    '# Attacks on the suite',
    '',
    '| Attack | Tries | Survivors | Time | Memory | Longest try | Heaviest try |',
    '|---|--:|--:|--:|--:|---|---|',
    ...rows,
    '',
    ...(survivors.length === 0 ? ['Nothing got through.'] : ['## What got through', '', ...survivors]),
  ].join('\n')}\n`;
}
