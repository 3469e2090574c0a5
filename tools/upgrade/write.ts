import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ArtifactLeak, findLeaks } from '#evidence';
import { Trouble } from '#trouble';
import { renderMarkdown } from './markdown.ts';
import { renderUpgradePage } from './page/page.ts';
import type { Upgrade } from './result.ts';
import { renderSarif } from './sarif.ts';

/**
 * Writes the answer into a folder: `index.html`, `upgrade.json`, `upgrade.md`, `upgrade.sarif`.
 * @param command with which it is made again
 * @throws Trouble (incomplete) when a secret would be written: then nothing is
 */
export function writeUpgrade(upgrade: Upgrade, folder: string, command: string): void {
  const spots = upgrade.changes.flatMap(({ old, new: now }) =>
    [old?.file, now?.file].filter((file) => file !== undefined),
  );
  const files = [...new Set([...upgrade.specs.flatMap(({ from, to }) => [from.file, to.file]), ...spots])];
  const sources = new Map(files.filter(existsSync).map((file) => [file, readFileSync(file, 'utf8').split('\n')]));
  const written: Record<string, string> = {
    'index.html': renderUpgradePage({ upgrade, sources, command }),
    'upgrade.json': `${JSON.stringify(upgrade, undefined, 1)}\n`,
    'upgrade.md': renderMarkdown(upgrade),
    'upgrade.sarif': renderSarif(upgrade),
  };
  const [leak] = Object.entries(written).flatMap(([name, text]) => findLeaks(name, text));
  if (leak) {
    for (const name of Object.keys(written)) rmSync(join(folder, name), { force: true });
    throw withheld(leak, folder, [
      ...sources.keys(),
      ...(upgrade.changelog ? [upgrade.changelog.file] : []),
      ...(upgrade.documents?.files ?? []),
    ]);
  }
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(written)) writeFileSync(join(folder, name), text);
}

/** Says what would be written where, and which of the files that were given it comes from, if it comes from one. */
function withheld({ name, kind, line }: ArtifactLeak, folder: string, inputs: readonly string[]): Trouble {
  const [cause] = inputs.flatMap((file) =>
    findLeaks(file, readFileSync(file, 'utf8')).filter((one) => one.kind === kind),
  );
  return new Trouble('incomplete', `the answer is withheld: it would hold ${kind}`, {
    place: { file: join(folder, name), ...(line > 0 ? { line } : {}) },
    ...(cause
      ? {
          reason: `${cause.name}:${cause.line} holds ${kind}`,
          fix: `take it out of ${cause.name}`,
        }
      : {
          reason: 'none of the descriptions, the changelog and the documents holds one: it came about here',
          fix: 'run again with another --seed, and report it',
        }),
  });
}
