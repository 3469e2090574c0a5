import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Trouble } from '#trouble';
import { verdictsOf } from './baseline.ts';
import { hashFile } from './bundle-limits.ts';
import { checkSignature } from './cms-signature.ts';
import { renderRunsPage } from './page/runs-page.ts';
import type { PublishedRun } from './published-run.ts';
import { SIGNATURE_FILE, SUMS_FILE } from './sign-run.ts';
import { readStoredFile } from './stored-file.ts';
import { type SignerPin, verifyRun } from './verify-run.ts';

/** Name of the list that the index is drawn from. */
export const PUBLISHED_FILE = 'runs.json';

interface PublishedList {
  readonly format: 'assay.published/1';
  readonly runs: readonly PublishedRun[];
}

/**
 * Copies run folders into a folder of static files and draws its index anew. Each has to verify; those that lie there are held against
 * their sums, and one that was changed since says so on the index.
 * @param pin the certificate that must have signed
 * @param keep how many runs of a target and selection stay, the latest; absent: all
 * @returns the runs of the index, the latest first
 * @throws Trouble (usage) for a folder that holds something else, or a damaged list; (incomplete) for a run that is not signed or does not verify
 */
export function publishRuns(
  folders: readonly string[],
  to: string,
  { pin, keep }: { readonly pin?: SignerPin | undefined; readonly keep?: number | undefined } = {},
): readonly PublishedRun[] {
  const words = { what: 'list of published runs', fix: 'publish into a new folder' };
  const list = readStoredFile<PublishedList>(join(to, PUBLISHED_FILE), 'assay.published/1', words);
  if (list === undefined && existsSync(to) && readdirSync(to).some((name) => !name.startsWith('.')))
    throw new Trouble('usage', 'the folder holds something else', {
      place: { file: to },
      reason: `it has no ${PUBLISHED_FILE}`,
      fix: 'name an empty folder, or one that was published into before',
    });
  const fresh = folders.map((folder) => ({ folder, run: verified(folder, pin) }));
  mkdirSync(to, { recursive: true });
  for (const { folder, run } of fresh) {
    rmSync(join(to, run.id), { recursive: true, force: true });
    cpSync(folder, join(to, run.id), { recursive: true });
  }
  const again = new Set(fresh.map(({ run }) => run.id));
  const before = (list?.runs ?? []).filter(({ id }) => !again.has(id)).map((run) => heldAgainstSums(to, run));
  const all = [...before, ...fresh.map(({ run }) => run)].sort((a, b) => (a.startedAt < b.startedAt ? 1 : -1));
  const kept =
    keep === undefined ? all : all.filter((run) => all.filter((one) => isAlike(one, run)).indexOf(run) < keep);
  for (const { id } of all.filter((run) => !kept.includes(run))) rmSync(join(to, id), { recursive: true, force: true });
  const written: PublishedList = { format: 'assay.published/1', runs: kept.map(({ changed: _, ...run }) => run) };
  writeFileSync(join(to, PUBLISHED_FILE), `${JSON.stringify(written)}\n`);
  writeFileSync(join(to, 'index.html'), renderRunsPage(kept));
  // Some hosts would run the files through a generator of pages, and leave some of them out.
  writeFileSync(join(to, '.nojekyll'), '');
  return kept;
}

/** Whether two runs asked the same of the same target. */
function isAlike(one: PublishedRun, other: PublishedRun): boolean {
  const key = ({ target, selection }: PublishedRun) => JSON.stringify([target.name, target.kind, selection]);
  return key(one) === key(other);
}

function verified(folder: string, pin: SignerPin | undefined): PublishedRun {
  const { run, findings } = verifyRun(folder, pin);
  if (findings.length > 0 || run === undefined)
    throw new Trouble('incomplete', 'the run folder does not verify', {
      place: { file: folder },
      reason: findings[0] ?? 'it holds no run',
      fix: 'assay verify says all of it',
    });
  if (!/^[\w.-]+$/.test(run.id) || run.id.startsWith('.'))
    throw new Trouble('usage', 'the id of the run is no name of a folder', { place: { file: folder } });
  const sums = readFileSync(join(folder, SUMS_FILE));
  const { certificate, signedAt } = checkSignature(readFileSync(join(folder, SIGNATURE_FILE)), sums);
  const { id, startedAt, verdict, complete, target, selection, counts } = run;
  return {
    id,
    startedAt,
    verdict,
    complete,
    target,
    ...(selection === undefined ? {} : { selection }),
    counts: counts.rules,
    rules: verdictsOf(run),
    signature: {
      fingerprint: certificate.fingerprint256,
      signedAt: signedAt.toISOString(),
      named: pin !== undefined,
    },
    sums: hashFile(join(folder, SUMS_FILE)),
  };
}

function heldAgainstSums(to: string, run: PublishedRun): PublishedRun {
  const folder = join(to, run.id);
  const wrong = findChange(folder, run.sums);
  return wrong === undefined ? run : { ...run, changed: wrong };
}

/** The first file of a published run that is not as it was. */
function findChange(folder: string, sums: string): string | undefined {
  const list = join(folder, SUMS_FILE);
  if (!existsSync(list) || hashFile(list) !== sums) return `${SUMS_FILE} is not as it was published`;
  const lines = readFileSync(list, 'utf8').trimEnd().split('\n');
  const changed = lines
    .map((line) => ({ sum: line.slice(0, 64), name: line.slice(66) }))
    .find(({ sum, name }) => !existsSync(join(folder, name)) || hashFile(join(folder, name)) !== sum);
  return changed && `${changed.name} is not as it was signed`;
}
