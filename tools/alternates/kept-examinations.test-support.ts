import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { test } from '@playwright/test';
import { listFilesBelow, SUITE_FOLDER } from '#folders';
import { hashFiles } from '#run';

/** A check that did not pass, and the rules that its failures name. */
export interface RedCheck {
  readonly title: string;
  readonly rules: readonly string[];
  readonly outcome: string;
  readonly charged: readonly string[];
  /** For whoever reads the test; not kept. */
  readonly reasons?: readonly string[];
}

/** What an examination of an independent service came to. */
export interface Examined {
  /** Exit code. */
  readonly code: number | null;
  /** Checks of each service: how many there were, and how many of them passed. */
  readonly tallies: Readonly<Record<'v1' | 'gateway', { readonly checks: number; readonly passed: number }>>;
  /** Those that failed or broke. */
  readonly red: readonly RedCheck[];
  /** Names of what was learned, each once. */
  readonly learned: readonly string[];
}

/** What was examined of one tree, by title: an {@link Examined}, or what a test makes of a play. */
export interface KeptExaminations {
  readonly tree: string;
  readonly examined: Readonly<Record<string, unknown>>;
}

/** Committed, so that what was examined of these very files need not be examined again. */
export const KEPT_FILE = join(SUITE_FOLDER, 'reports/baseline/examinations.json');

/** Whether all is examined anew, and kept (`npm run examinations`). */
export const EXAMINES_ALL = process.env.ASSAY_EXAMINE === 'all';

/** All that an examination comes from: promises, checks and every program, own tests left out but for those that examine. */
const TREE =
  /^(specs|targets|tests)\/(?!secrets\/)|^tools\/(?!.*\.test\.ts$)|^tools\/(?:alternates\/alternates|run\/(?:prove-variations|hollow-service))\.test\.ts$/;

/** SHA-256 over the files that an examination comes from. @param read what stands in a file, by its path from the root */
export function hashTree(read = (path: string): Uint8Array => readFileSync(join(SUITE_FOLDER, path))): string {
  const files = ['specs', 'targets', 'tests', 'tools'].flatMap((folder) => listFilesBelow(folder));
  const all = [...files.filter((one) => TREE.test(one)), 'package-lock.json', 'playwright.config.ts'].sort();
  return hashFiles(all.map((path) => [path, read(path)]));
}

/** What was examined of a tree; undefined when what is kept is of another, or nothing is. */
export function readExaminations(tree: string, file = KEPT_FILE): KeptExaminations['examined'] | undefined {
  if (!existsSync(file)) return undefined;
  const kept = JSON.parse(readFileSync(file, 'utf8')) as KeptExaminations;
  return kept.tree === tree ? kept.examined : undefined;
}

/** Keeps what was examined of a tree in place of what is kept. */
export function keepExaminations(kept: KeptExaminations, file = KEPT_FILE): void {
  const withoutReasons = (name: string, value: unknown) => (name === 'reasons' ? undefined : value);
  writeFileSync(file, `${JSON.stringify(kept, withoutReasons, 1)}\n`);
}

/** The tree of this process, and what was kept of it. */
let here: ReturnType<typeof readHere> | undefined;

function readHere() {
  const tree = hashTree();
  return { tree, kept: EXAMINES_ALL ? undefined : readExaminations(tree) };
}

/**
 * What comes of the play that a test is about: made now, or kept of this very tree. Of those of a file one is made anew, whichever the tree
 * draws, and so is one that the test was not content with.
 * @param play gives what JSON holds, without what differs from play to play; members called `reasons` are not kept
 */
export async function examineOnce<Outcome>(play: () => Promise<Outcome>): Promise<Outcome> {
  here ??= readHere();
  const { tree, kept = {} } = here;
  const { file, title, retry } = test.info();
  const kind = `${basename(file)}: `;
  const name = `${kind}${title}`;
  const drawn = drawExamination(
    Object.keys(kept).filter((one) => one.startsWith(kind)),
    tree,
  );
  if (name in kept && name !== drawn && retry === 0) return kept[name] as Outcome;
  const outcome = await play();
  if (EXAMINES_ALL) keepExaminations({ tree, examined: { ...readExaminations(tree), [name]: outcome } });
  return outcome;
}

/** The examination that a tree draws from some. */
export function drawExamination(names: readonly string[], tree: string): string | undefined {
  return [...names].sort()[Number(BigInt(`0x${tree}`) % BigInt(Math.max(1, names.length)))];
}
