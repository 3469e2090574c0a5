import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseDocument } from 'yaml';
import { contract } from '#contract';
import type { CheckLine } from '#evidence';
import { EMBEDDED } from '#harness';
import { DOZEN, differences, drawVariation, lies, targetLines, type VariationId } from '#sandbox';
import { parseTarget } from '#target';
import { EXIT, Trouble } from '#trouble';
import type { Given } from './arguments.ts';
import { readSeed, runLine } from './commands/run.ts';
import { ROOT, rehearse } from './play.ts';
import { selected } from './select.ts';

/** What became of one variation. */
export interface VariationResult extends VariationId {
  /** Free choices in which it differs from the plain sandbox. */
  readonly varied: readonly string[];
  readonly passed: number;
  readonly failed: number;
  readonly broken: number;
  readonly skipped: number;
  readonly seconds: number;
  /** Checks that were skipped, with the reason of each. */
  readonly skips: readonly { readonly title: string; readonly reason: string }[];
  /** Checks that failed or broke, with the first reason of each. */
  readonly red: readonly { readonly title: string; readonly rules: readonly string[]; readonly reason: string }[];
}

/** Where the file of a red variation is kept, so that it can be run again. */
const KEPT = join(ROOT, 'reports/variations');

/** Checks that ask a server something; the other laws of signing do not. */
const FILES = ['tests/gateway/', 'tests/v1/', 'tests/oauth/errors.spec.ts', 'tests/oauth/signing.spec.ts'];

/** Choices that say most about a variation, in a line for people. */
const TELLING = [
  'gateway.amount',
  'gateway.systemIdAs',
  'gateway.systemIdAt',
  'gateway.entriesListed',
  'gateway.refusal',
  'gateway.outcomeAfter',
  'v1.uuids',
  'v1.transactionMembers',
  'v1.repeatedRequest',
  'v1.delivery',
];

/**
 * Reads a variation's name.
 * @param text `seed/number`, e.g. `7/3`
 * @throws Trouble (usage) for anything else
 */
export function readVariation(text: string): VariationId {
  const parts = /^(\d{1,10})\/([1-9]\d{0,5})$/.exec(text);
  if (parts === null) throw new Trouble('usage', `no variation is called ${text}`, { fix: 'seed/number, e.g. 7/3' });
  return { seed: Number(parts[1]), number: Number(parts[2]) };
}

/** The target file of a variation: the embedded one, with every line that the variation decides. */
export function variationTarget(id: VariationId): string {
  const file = parseDocument(readFileSync(EMBEDDED, 'utf8'));
  file.set('name', `embedded sandbox, variation ${id.seed}/${id.number}`);
  file.set('variation', file.createNode({ seed: id.seed, number: id.number }));
  for (const [path, value] of targetLines(drawVariation(id))) file.setIn(path, file.createNode(value));
  return file.toString({ lineWidth: 0 });
}

/**
 * `assay prove --variations`: the whole suite against variations of the honest sandbox. Whatever turns red is a false alarm: each
 * variation keeps the documents. A lie named with --lie is told all along, and has to turn its check red here, too.
 * @returns the exit code: 4 when a check is red or broken
 */
export async function proveVariations(given: Given): Promise<number> {
  const text = given.flag('variations') ?? '';
  const asked = text.includes('/') ? readVariation(text) : undefined;
  const count = asked === undefined ? Number(text) : 1;
  if (!Number.isInteger(count) || count < 1)
    throw new Trouble('usage', `--variations ${text} is not a number of variations`, { fix: `--variations ${DOZEN}` });
  const seed = asked?.seed ?? readSeed(given);
  for (const name of given.flags('lie'))
    if (!lies().some((lie) => lie.name === name))
      throw new Trouble('usage', `no lie is called ${name}`, { fix: 'assay lies lists them' });
  const results: VariationResult[] = [];
  for (let i = 0; i < count; i += 1) {
    const result = await examine({ seed, number: asked?.number ?? i + 1 }, given);
    results.push(result);
    if (!given.has('json')) print(result, given);
  }
  const red = results.filter((one) => one.red.length > 0).length;
  const whole = { format: 'assay.variations/1', finishedAt: new Date().toISOString(), seed, variations: results };
  const out = given.flag('out');
  if (out !== undefined) writeFileSync(resolve(out), `${JSON.stringify(whole, null, 1)}\n`);
  if (given.has('json')) console.log(JSON.stringify(whole, null, 2));
  else console.log(`${count - red} of ${count} variations of seed ${seed} without a false alarm`);
  return red === 0 ? EXIT.kept : EXIT.unprovable;
}

async function examine(id: VariationId, given: Given): Promise<VariationResult> {
  const known = contract();
  const told = given.flags('lie');
  const scratch = mkdtempSync(join(tmpdir(), 'assay-variation-'));
  try {
    const path = join(scratch, 'target.yaml');
    writeFileSync(path, variationTarget(id));
    const written = parseTarget(path);
    const name = `variation-${id.seed}-${id.number}`;
    const first = runLine({ known, written, id: name, seed: id.seed, hosts: {}, given, told });
    const began = Date.now();
    const lines = await rehearse(first, `variation ${id.seed}/${id.number}`, {
      target: path,
      seed: id.seed,
      ids: selected(known, given.flags('rule')).map((rule) => rule.id),
      workers: given.flag('workers'),
      files: FILES,
      quiet: given.has('json'),
      env: { ASSAY_LIE: told.join(',') },
    });
    const checks = lines.filter((line) => line.kind === 'check');
    if (checks.length === 0) throw new Trouble('usage', 'no check touches a server for these rules');
    const result = sum(id, checks, Math.round((Date.now() - began) / 1000));
    if (result.red.length > 0) keep(id, path);
    return result;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

function sum(id: VariationId, checks: readonly CheckLine[], seconds: number): VariationResult {
  const count = (outcome: CheckLine['outcome']) => checks.filter((check) => check.outcome === outcome).length;
  const red = checks
    .filter(({ outcome }) => outcome === 'fail' || outcome === 'broken')
    .map(({ title, rules, failures, reason }) => ({
      title,
      rules,
      reason: (failures[0]?.message ?? reason?.text ?? '').slice(0, 400),
    }));
  return {
    ...id,
    varied: differences(drawVariation(id)),
    passed: count('pass'),
    failed: count('fail'),
    broken: count('broken'),
    skipped: count('skipped'),
    seconds,
    skips: checks
      .filter(({ outcome }) => outcome === 'skipped')
      .map(({ title, reason }) => ({ title, reason: reason?.text ?? '' })),
    red,
  };
}

function keep({ seed, number }: VariationId, path: string): void {
  mkdirSync(KEPT, { recursive: true });
  writeFileSync(join(KEPT, `${seed}-${number}.yaml`), readFileSync(path));
}

function print({ seed, number, varied, red, skips, seconds, ...counts }: VariationResult, given: Given): void {
  const told = varied.filter((one) => TELLING.some((name) => one.startsWith(`${name}:`)));
  console.log(
    `${seed}/${number}  ${counts.passed} passed, ${counts.failed} failed, ${counts.broken} broken, ${counts.skipped} skipped, ${seconds} s`,
  );
  console.log(`     ${varied.length} choices otherwise, among them ${told.join(', ')}`);
  for (const { title, reason } of skips) console.log(`     skipped  ${title}: ${reason}`);
  for (const { title, rules, reason } of red) console.log(`     red  ${rules.join(', ')}  ${title}: ${reason}`);
  if (red.length === 0) return;
  const rules = given.flags('rule').length > 0 ? given.flags('rule') : [...new Set(red.flatMap((one) => one.rules))];
  console.log(
    `     again: npx assay run --target reports/variations/${seed}-${number}.yaml --seed ${seed} ${rules.map((rule) => `--rule ${rule}`).join(' ')}`,
  );
}
