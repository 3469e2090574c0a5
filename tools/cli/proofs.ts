import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { LieResult } from '#proof';
import { BASELINE, PROOF, readBaseline } from '#report';
import { ROOT } from './play.ts';
import { suiteHash } from './suite.ts';

/** Lies by rule, as the audit page shows them beside the verdicts. */
type Shelf = Record<string, { lies: { name: string; caught: boolean; by: readonly string[] }[] }>;

interface Kept {
  readonly suite: string;
  readonly rules: Shelf;
}

const FILES = [join(ROOT, 'reports', PROOF), join(ROOT, 'reports/baseline', PROOF)];

/** Keeps what a proof found, beside what earlier proofs of the very same suite found about other lies. */
export function keepProof(results: readonly LieResult[]): void {
  const [file] = FILES as [string, string];
  const suite = suiteHash();
  const before = read(file);
  const rules: Shelf = before?.suite === suite ? before.rules : {};
  for (const { name, rule, by } of results) {
    const others = (rules[rule]?.lies ?? []).filter((lie) => lie.name !== name);
    rules[rule] = {
      lies: [...others, { name, caught: by.length > 0, by }].sort((a, b) => a.name.localeCompare(b.name)),
    };
  }
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify({ suite, rules }, null, 1)}\n`);
}

/** Lays the proof of this very suite, when one is kept, into a run folder for its page. @returns whether there was one */
export function layProof(folder: string): boolean {
  const suite = suiteHash();
  const kept = FILES.map(read).find((one) => one?.suite === suite);
  if (kept === undefined) return false;
  writeFileSync(join(folder, PROOF), `${JSON.stringify(kept.rules, null, 1)}\n`);
  return true;
}

/** What the accepted baseline promised, rule by rule, and the lies that were told about it; undefined where none is accepted. */
export function baseline(): { promises: Readonly<Record<string, string>>; lies: ReadonlySet<string> } | undefined {
  const folder = join(ROOT, 'reports/baseline');
  if (!existsSync(join(folder, BASELINE))) return undefined;
  const kept = read(join(folder, PROOF));
  const lies = Object.values(kept?.rules ?? {}).flatMap((rule) => rule.lies.map(({ name }) => name));
  return { promises: readBaseline(folder).promises ?? {}, lies: new Set(lies) };
}

function read(file: string): Kept | undefined {
  if (!existsSync(file)) return undefined;
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Kept;
  } catch {
    return undefined;
  }
}
