import { createHash, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type LoadedContract, type Reading, tallyRegister } from '#contract';
import type { RunGates, RunLine, RunShard, Waiver } from '#evidence';
import { readBuiltFrom, SUITE_FOLDER, type SuiteIdentity } from '#folders';
import type { WrittenTarget } from '#target';
import { ownHash, suiteHash } from './suite-hash.ts';

/** A new run's id: when it began, and what tells it from others of that second. */
export function drawRunId(): string {
  const moment = new Date().toISOString().slice(0, 19).replace(/[-:]/g, '').replace('T', '-');
  return `${moment}-${randomBytes(2).toString('hex')}`;
}

/** Readings as far as they are about some rules; those about none in particular stay. */
export function listReadings(readings: readonly Reading[], rules: Pick<ReadonlySet<string>, 'has'>): Reading[] {
  return readings.flatMap((reading) => {
    const notices = reading.notices.filter((id) => rules.has(id));
    return notices.length > 0 || reading.notices.length === 0 ? [{ ...reading, notices }] : [];
  });
}

/** The first line of a run's journal. */
export function createRunLine(parts: {
  known: LoadedContract;
  written: WrittenTarget;
  id: string;
  seed: number;
  hosts: RunLine['target']['hosts'];
  /** Names of rules and areas that were asked for; none: all. */
  selection: readonly string[];
  argv: readonly string[];
  lies: readonly string[];
  waivers?: readonly Waiver[];
  gates?: RunGates;
  shard?: RunShard | undefined;
}): RunLine {
  const { known, written, id, seed, hosts, selection, argv, lies, waivers = [], gates = {}, shard } = parts;
  return {
    kind: 'run',
    id,
    startedAt: new Date().toISOString(),
    target: { name: written.root.name, kind: written.root.kind, file: written.file, sha256: written.sha256, hosts },
    ...describeEngine(),
    specs: known.specs,
    seed,
    argv: ['run', ...argv],
    ...(selection.length === 0 ? {} : { selection: selection.join(', ') }),
    ...(shard === undefined ? {} : { shard }),
    ...(lies.length === 0 ? {} : { lie: lies.join(', ') }),
    register: {
      areas: [...known.areas.values()],
      rules: [...known.rules.values()],
      holes: [...known.holes.values()],
      readings: listReadings(known.readings, known.rules),
      states: known.states,
      clauses: tallyRegister(known),
      operations: [...known.operations.values()].map(({ id, api, method, path, answers }) => ({
        id,
        api,
        method,
        path,
        answers: [...answers.keys()],
      })),
    },
    waivers,
    ...(Object.keys(gates).length === 0 ? {} : { gates }),
  };
}

/** Commit, locked dependencies and hash of this suite. */
export function describeSuite(): SuiteIdentity {
  const built = readBuiltFrom();
  const own = ownHash();
  const judging = { sha256: suiteHash(), ...(own === undefined ? {} : { own }) };
  if (built !== undefined) return { ...built.suite, ...judging };
  const commit = readCommit();
  const lock = readFileSync(join(SUITE_FOLDER, 'package-lock.json'));
  return {
    ...(commit ? { commit } : {}),
    lock: createHash('sha256').update(lock).digest('hex'),
    ...judging,
  };
}

/** The commit this suite stands at, read from .git without a program. */
function readCommit(): string | undefined {
  try {
    const text = readFileSync(join(SUITE_FOLDER, '.git/HEAD'), 'utf8').trim();
    if (!text.startsWith('ref: ')) return text;
    return readFileSync(join(SUITE_FOLDER, '.git', text.slice(5)), 'utf8').trim();
  } catch {
    return undefined;
  }
}

/** Which suite judges, and on which machine. */
export function describeEngine(): Pick<RunLine, 'suite' | 'runtime'> {
  return {
    suite: {
      version: JSON.parse(readFileSync(join(SUITE_FOLDER, 'package.json'), 'utf8')).version,
      ...describeSuite(),
    },
    runtime: {
      node: process.version,
      openssl: process.versions.openssl ?? '',
      platform: `${process.platform} ${process.arch}`,
    },
  };
}
