import { existsSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { publishRuns } from '#report';
import { EXIT_CODES, Trouble } from '#trouble';
import type { CliCommand, GivenArguments } from '../arguments.ts';
import { PIN_FLAGS, readSignerPin } from '../signer-pin.ts';

/** `assay publish`: runs as static pages with an index, for whatever serves files. */
export const publishCommand: CliCommand = {
  name: 'publish',
  help: 'Copies a run folder, or every signed run in a folder of reports, into a folder of static files and draws its index: verdict, trend, signature. A run that does not verify is refused (exit 3); one that lies there and was changed since says so on the index (exit 1).',
  positionals: ['DIR'],
  flags: {
    to: { value: 'FOLDER', required: true, help: 'where they go: empty, or published into before' },
    keep: { value: 'N', help: 'how many runs of a target and selection stay there, the latest; default all' },
    ...PIN_FLAGS,
  },
  async run(given) {
    const folders = runFolders(resolve(given.positional[0]!));
    const to = resolve(given.required('to'));
    const runs = publishRuns(folders, to, { pin: readSignerPin(given), keep: readKeep(given) });
    for (const { id, changed } of runs)
      if (changed !== undefined) console.log(`WRONG  run ${id} does not verify any more: ${changed}`);
    const [latest] = runs;
    console.log(`published ${folders.length}, ${runs.length} there; the latest is ${latest?.verdict ?? 'none'}`);
    console.log(join(to, 'index.html'));
    return runs.some(({ changed }) => changed !== undefined) ? EXIT_CODES.broken : EXIT_CODES.kept;
  },
};

/** The folder itself when it is a run; else the signed runs in it. */
function runFolders(folder: string): string[] {
  const isRun = (path: string) => existsSync(join(path, 'evidence.ndjson'));
  if (isRun(folder)) return [folder];
  const inside = existsSync(folder)
    ? readdirSync(folder, { withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .map(({ name }) => join(folder, name))
        .filter((path) => isRun(path) && existsSync(join(path, 'SHA256SUMS')))
    : [];
  if (inside.length === 0)
    throw new Trouble('usage', 'there is no signed run to publish', {
      place: { file: folder },
      fix: 'name a run folder, or a folder that holds some',
    });
  return inside.sort();
}

function readKeep(given: GivenArguments): number | undefined {
  const text = given.flag('keep');
  if (text === undefined) return undefined;
  if (!/^[1-9]\d{0,5}$/.test(text))
    throw new Trouble('usage', `--keep ${text} is not a number of runs`, { fix: '--keep 30' });
  return Number(text);
}
