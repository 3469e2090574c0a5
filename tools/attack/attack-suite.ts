import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SUITE_FOLDER } from '#folders';
import { Trouble } from '#trouble';
import { answerTries } from './answer-attack.ts';
import { type AttackBounds, type AttackTally, type AttackTry, sampleOf, tallyAttack } from './attack-tally.ts';
import { bundleTries } from './bundle-attack.ts';
import { callbackTries } from './callback-attack.ts';
import { killTries } from './kill-attack.ts';
import { openPageAttack } from './page-attack.ts';
import { attackSpellings } from './spelling-attack.ts';

/** How much is tried. */
export interface AttackSize {
  /** Only every n-th spelling, and every n-th try of the others. */
  readonly spellings: number;
  readonly every: number;
  readonly kills: number;
  readonly seed: number;
  /** Only kinds whose name holds this word. */
  readonly only?: string | undefined;
}

/** The kinds of attack there are, in the order they are made in. */
const ATTACK_KINDS = ['spellings', 'answers', 'pages', 'callbacks', 'bundles', 'kills'] as const;

/**
 * Makes every attack of that size, one kind after the other, and gives each kind as soon as it is done.
 * @param say told what is under way
 * @throws Trouble (usage) for a word that no kind holds: nothing tried is nothing shown
 */
export async function* attackSuite(size: AttackSize, say: (text: string) => void): AsyncGenerator<AttackTally> {
  const { only } = size;
  const isAsked = (kind: (typeof ATTACK_KINDS)[number]) => only === undefined || kind.includes(only);
  if (!ATTACK_KINDS.some(isAsked))
    throw new Trouble('usage', `no kind of attack is called ${only}`, { fix: `one of ${ATTACK_KINDS.join(', ')}` });
  const attack = (kind: string, tries: readonly AttackTry[], bounds: AttackBounds) => {
    say(`${kind}: ${tries.length} tries`);
    return tallyAttack(kind, tries, bounds, say);
  };
  if (isAsked('spellings')) yield* attackSpellings(size.spellings);
  if (isAsked('answers'))
    yield await attack('answers', sampleOf(answerTries(), size.every), { seconds: 60, work: 20, megabytes: 1024 });
  if (isAsked('pages')) {
    const pages = await openPageAttack();
    if (pages === undefined) say('pages: there is no browser here');
    else
      try {
        yield await attack('pages', sampleOf(pages.tries, size.every), { seconds: 120, work: 20, megabytes: 512 });
      } finally {
        await pages.close();
      }
  }
  if (isAsked('callbacks')) yield await attack('callbacks', callbackTries(), { seconds: 60, work: 20, megabytes: 256 });
  if (isAsked('bundles')) {
    const folder = mkdtempSync(join(tmpdir(), 'assay-sealed-'));
    try {
      const { run, fingerprint } = makeBundle(folder);
      yield await attack('bundles', sampleOf(bundleTries(run, fingerprint), size.every), {
        seconds: 60,
        work: 20,
        megabytes: 1024,
      });
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
  if (isAsked('kills') && process.platform === 'linux')
    yield await attack('kills', killTries(size.kills, size.seed), { seconds: 180, work: 20, megabytes: 256 });
}

/** A run folder as the program signs it. */
function makeBundle(folder: string): { run: string; fingerprint: string } {
  const run = join(folder, 'run');
  const { ASSAY_RUN: _run, ASSAY_PROOF: _proof, ...env } = process.env;
  const argv = [join(SUITE_FOLDER, 'tools/cli/assay.mjs'), 'run', '--rule', 'V1-IBN', '--workers', '1', '--out', run];
  const { stdout, status } = spawnSync(process.execPath, argv, { cwd: SUITE_FOLDER, env, encoding: 'utf8' });
  const fingerprint = /certificate ((?:[0-9A-F]{2}:){31}[0-9A-F]{2})/.exec(stdout)?.[1];
  if (status !== 0 || fingerprint === undefined) throw new Error(`no bundle was made: ${stdout}`);
  readFileSync(join(run, 'SHA256SUMS.p7s'));
  return { run, fingerprint };
}
