import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { API_NAMES } from '#apis';
import { projectContract } from '#contract';
import { IS_INSTALLED } from '#folders';
import {
  proveLies,
  proveMutants,
  proveVariations,
  readVariation,
  readyRunner,
  suiteHash,
  type VariationResult,
  type WaitingRunner,
  watchRules,
} from '#run';
import { EXIT_CODES, Trouble } from '#trouble';
import type { CliCommand, GivenArguments } from '../arguments.ts';
import { exitCodeOfMutants, printMutants, printProof } from '../print-proof.ts';
import { readSeed } from '../read-seed.ts';
import { readWorkers } from '../read-workers.ts';

/** `assay prove`: every lie told in turn; the checks of its rule must turn red. */
export const proveCommand: CliCommand = {
  name: 'prove',
  help: 'Switches every lie of the embedded sandbox on, one at a time, and shows that checks of exactly that rule turn red: first those that caught it before, the others where these do not; and that each check of a rule turns red at one of its lies.',
  positionals: [],
  flags: {
    rule: { value: 'ID|AREA', repeatable: true, help: 'only lies about these rules' },
    api: { value: 'NAME', help: `only lies about one service: ${API_NAMES.join(' or ')}` },
    lie: { value: 'NAME', repeatable: true, help: 'only this lie' },
    sample: { value: 'N', help: 'only N lies, the same ones each time, spread over the rules' },
    changed: {
      help: 'only lies that were not caught yet, or not since something was changed that the proof of their rule rests on: those that an interrupted proof left, too; with --sample: these as well',
    },
    check: { help: 'tell no lie; say which rules the accepted proof does not prove as they are now (exit 4 when any)' },
    watch: { help: 'in a clone: prove the rules that each edit touches, as files are saved, until it is stopped' },
    variations: {
      value: 'N',
      help: 'instead of lies: run the suite against N honest sandboxes that choose otherwise where the documents leave them free, against SEED/NUMBER, or against live[/MILLISECONDS][/full], a slow sandbox in use by others of which the least is known, or all',
    },
    in: {
      value: 'SEED/NUMBER',
      help: 'tell the lies in this variation of the sandbox; a lie about what it does not have is missed there, and nothing is kept',
    },
    mutants: {
      help: 'instead of lies: mutate what the contract describes, place by place, and see whether a check turns red; --sample, --shard, --operation',
    },
    operation: {
      value: 'ID',
      repeatable: true,
      needs: 'mutants',
      help: 'with --mutants: only those of this operation',
    },
    mutant: {
      value: 'ID',
      repeatable: true,
      needs: 'mutants',
      help: 'with --mutants: only this one, as it is listed; * stands for any text, {a,b} for one of several',
    },
    fresh: {
      needs: 'mutants',
      help: 'with --mutants: try those again whose fate is known of this very suite',
    },
    full: { help: 'run every check of the service against each lie, to see which other rules turn red: hours for all' },
    shard: {
      value: 'I/N',
      help: 'only this share of the work, for one of N machines; with --seed and --out, assay merge makes one proof of all',
    },
    out: { value: 'FILE', help: 'where the result goes as JSON' },
    html: { value: 'FILE', help: 'where its page goes, besides reports/proof.html' },
    seed: { value: 'N', help: 'seed of ids and of property tests' },
    workers: { value: 'N', help: 'checks at the same time; default 2' },
    json: { help: 'print the result as JSON' },
  },
  async run(given) {
    if (given.has('check')) return checked();
    if (given.has('watch')) return watched();
    if (given.has('variations')) return varied(given);
    if (given.has('mutants')) return mutated(given);
    const runner = readyRunner();
    try {
      return await proved(given, runner);
    } finally {
      runner?.dismiss();
    }
  },
};

async function proved(given: GivenArguments, runner: WaitingRunner | undefined): Promise<number> {
  // Loaded once the runner loads itself as well.
  const { describeShare, pickLies, proofHolds } = await import('#proof');
  const picked = await pickLies({
    api: given.flag('api'),
    rules: given.flags('rule'),
    lies: given.flags('lie'),
    sample: given.flag('sample'),
    changed: given.has('changed'),
    shard: given.flag('shard'),
  });
  if (picked.lies.length === 0) {
    console.log('every rule is proven as it is now: nothing to prove');
    return EXIT_CODES.kept;
  }
  const seed = readSeed(given);
  const variation = given.flag('in');
  const { proof, numbers, unused, honestChecks } = await proveLies({
    picked,
    seed,
    full: given.has('full'),
    workers: readWorkers(given),
    argv: given.argv,
    html: given.flag('html'),
    variation: variation === undefined ? undefined : await readVariation(variation),
    runner,
  });
  const out = given.flag('out');
  const names = picked.whole.lies.map(({ name }) => name);
  const share = describeShare(given.flag('shard'), names, { suite: suiteHash(), seed, full: proof.full });
  const { rules, complete } = picked.whole;
  const part = share && {
    share,
    whole: { rules, complete },
    honestChecks: honestChecks.map(({ id, file, title, rules, outcome }) => ({ id, file, title, rules, outcome })),
  };
  if (out !== undefined) writeFileSync(resolve(out), `${JSON.stringify({ ...proof, numbers, ...part }, null, 1)}\n`);
  if (given.has('json')) console.log(JSON.stringify({ ...proof, numbers }, null, 2));
  else printProof(proof, numbers, unused);
  return proofHolds(proof) ? EXIT_CODES.kept : EXIT_CODES.unprovable;
}

/** Stays until it is stopped; what was red meanwhile has been said. */
async function watched(): Promise<number> {
  if (IS_INSTALLED)
    throw new Trouble('usage', 'there is nothing to edit in an installed package', { fix: 'clone the suite' });
  await watchRules();
  return EXIT_CODES.kept;
}

/** Says which rules the committed proof does not prove as they are now. */
async function checked(): Promise<number> {
  const { readAcceptedProof, rulesByProof } = await import('#proof');
  const { proven, ...open } = rulesByProof(await readAcceptedProof());
  for (const [state, ids] of Object.entries(open)) if (ids.length > 0) console.log(`${state}: ${ids.join(', ')}`);
  const stale = Object.values(open).flat().length;
  console.log(`the accepted proof proves ${proven.length} of ${proven.length + stale} rules as they are now`);
  if (stale > 0) console.log('npx assay prove --changed, then npx assay accept RUN, and commit reports/baseline');
  return stale === 0 ? EXIT_CODES.kept : EXIT_CODES.unprovable;
}

async function mutated(given: GivenArguments): Promise<number> {
  const { describeShare, keepMutants, readKeptMutants, sealRules } = await import('#proof');
  const ground = { suite: suiteHash(), seals: await sealRules(projectContract()) };
  const html = given.flag('html');
  const seed = readSeed(given);
  const { results, whole } = await proveMutants({
    operations: given.flags('operation'),
    ids: given.flags('mutant'),
    sample: given.has('sample') ? wholeNumber(given.flag('sample'), 'sample') : undefined,
    shard: given.flag('shard'),
    known: given.has('fresh') ? new Map() : readKeptMutants(ground),
    seed,
    workers: readWorkers(given),
    argv: given.argv,
    quiet: given.has('json'),
    keep: (known) => keepMutants(known, ground, html),
  });
  const out = given.flag('out');
  const share = describeShare(given.flag('shard'), whole, { suite: ground.suite, seed });
  if (out !== undefined)
    writeFileSync(resolve(out), `${JSON.stringify({ format: 'assay.mutants/2', share, results })}\n`);
  if (given.has('json')) console.log(JSON.stringify(results, null, 2));
  else printMutants(results);
  return exitCodeOfMutants(results);
}

function wholeNumber(text: string | undefined, flag: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1)
    throw new Trouble('usage', `--${flag} ${text} is not a number of mutants`, { fix: `--${flag} 100` });
  return value;
}

async function varied(given: GivenArguments): Promise<number> {
  const rules = given.flags('rule');
  const { TELLING_CHOICES } = await import('#sandbox');
  const { seed, results } = await proveVariations({
    variations: given.flag('variations') ?? '',
    seed: readSeed(given),
    rules,
    lies: given.flags('lie'),
    workers: readWorkers(given),
    argv: given.argv,
    quiet: given.has('json'),
    report: (result) => given.has('json') || printVariation(result, rules, TELLING_CHOICES),
  });
  const red = results.filter((one) => one.red.length > 0).length;
  const whole = { format: 'assay.variations/1', finishedAt: new Date().toISOString(), seed, variations: results };
  const out = given.flag('out');
  if (out !== undefined) writeFileSync(resolve(out), `${JSON.stringify(whole, null, 1)}\n`);
  if (given.has('json')) console.log(JSON.stringify(whole, null, 2));
  else console.log(`${results.length - red} of ${results.length} variations of seed ${seed} without a false alarm`);
  return red === 0 ? EXIT_CODES.kept : EXIT_CODES.unprovable;
}

function printVariation(
  { name, seed, varied, red, skips, seconds, reach, ...counts }: VariationResult,
  named: readonly string[],
  telling: readonly string[],
): void {
  const leading = [...telling.map((name) => `${name}:`), 'target file without '];
  const told = varied.filter((one) => leading.some((text) => one.startsWith(text)));
  console.log(
    `${name}  ${counts.passed} passed, ${counts.failed} failed, ${counts.warned} warned, ${counts.broken} could not run, ${counts.skipped} skipped, ${seconds} s`,
  );
  if (reach === undefined) {
    console.log(`     ${varied.length} choices otherwise, among them ${told.join(', ')}`);
    for (const { title, reason } of skips) console.log(`     skipped  ${title}: ${reason}`);
  } else {
    const { rules, judged, partly, requests, foreign, calls, total } = reach;
    console.log(
      `     such a target lets ${judged} of ${rules} rules be judged (${Math.round((100 * judged) / rules)} %), ${partly} more in part: ${requests} requests beside ${foreign} of colleagues, ${calls} of them moving money, ${total.toFixed(2)} paid`,
    );
    const reasons = new Map<string, number>();
    for (const { reason } of skips) reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
    for (const [reason, checks] of [...reasons].sort(([, one], [, other]) => other - one))
      console.log(`     skipped  ${checks} checks: ${reason}`);
  }
  for (const { title, rules, reason } of red) console.log(`     red  ${rules.join(', ')}  ${title}: ${reason}`);
  if (red.length === 0) return;
  const rules = named.length > 0 ? named : [...new Set(red.flatMap((one) => one.rules))];
  // A live-like sandbox is gone with its addresses; of any other the target file is kept.
  const call =
    reach === undefined
      ? `run --target reports/variations/${name.replace('/', '-')}.yaml`
      : `prove --variations ${name}`;
  console.log(`     again: npx assay ${call} --seed ${seed} ${rules.map((rule) => `--rule ${rule}`).join(' ')}`);
}
