import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { contract, isTestable } from '#contract';
import { EMBEDDED } from '#harness';
import { count, type Declared, holds, judgeLies, type Numbers, type ProofResult, settle, unlied } from '#proof';
import { parseTarget } from '#target';
import { EXIT } from '#trouble';
import type { Command } from '../arguments.ts';
import { readCollateral } from '../collateral.ts';
import { pickLies } from '../pick-lies.ts';
import { rehearse } from '../play.ts';
import { keepProof } from '../proofs.ts';
import { proveVariations } from '../variations.ts';
import { readSeed, runLine } from './run.ts';

/** `assay prove`: every lie told in turn; the checks of its rule must turn red. */
export const prove: Command = {
  name: 'prove',
  usage:
    'prove [--rule ID|AREA] [--api gateway|v1] [--lie NAME] [--sample N] [--changed] [--full] [--variations N] [--shard I/N] [--out FILE] [--html FILE]',
  help: 'Switches every lie of the embedded sandbox on, one at a time, and shows that the checks of exactly that rule turn red.',
  takes: [],
  flags: {
    rule: { value: 'ID|AREA', many: true, help: 'only lies about these rules' },
    api: { value: 'NAME', help: 'only lies about one service: gateway or v1' },
    lie: { value: 'NAME', many: true, help: 'only this lie' },
    sample: { value: 'N', help: 'only N lies, the same ones each time, spread over the rules' },
    changed: {
      help: 'only lies that are new, or whose rule changed, since the accepted baseline; with --sample: these as well',
    },
    variations: {
      value: 'N',
      help: 'instead of lies: run the suite against N honest sandboxes that choose otherwise where the documents leave them free, or against SEED/NUMBER',
    },
    full: { help: 'run every check of the service against each lie, to see which other rules turn red: hours for all' },
    shard: { value: 'I/N', help: 'only this share of the work' },
    out: { value: 'FILE', help: 'where the result goes as JSON' },
    html: { value: 'FILE', help: 'where its page goes, besides reports/proof.html' },
    seed: { value: 'N', help: 'seed of ids and of property tests' },
    workers: { value: 'N', help: 'checks at the same time; default 2' },
    json: { help: 'print the result as JSON' },
  },
  async run(given) {
    if (given.has('variations')) return proveVariations(given);
    const known = contract();
    const { told, rules, whole } = pickLies(given);
    if (told.length === 0) {
      console.log('no lie is new and no rule changed since the baseline: nothing to prove');
      return EXIT.kept;
    }
    const full = given.has('full');
    const every = [...known.rules.values()].filter(isTestable).map(({ id }) => id);
    const seed = readSeed(given);
    const declared = readCollateral(known);
    const began = performance.now();
    const scratch = mkdtempSync(join(tmpdir(), 'assay-proof-'));
    try {
      const plan = join(scratch, 'plan.json');
      writeFileSync(plan, JSON.stringify(told));
      const written = parseTarget(EMBEDDED);
      const first = runLine({ known, written, id: 'proof', seed, hosts: {}, given, told: [] });
      console.error(`assay: ${told.length} lies about ${rules.length} rules; each check once without a lie as well`);
      const lines = await rehearse(first, 'the proof', {
        target: EMBEDDED,
        seed,
        workers: given.flag('workers'),
        ids: full ? every : rules,
        env: { ASSAY_PROOF: plan, ...(full ? { ASSAY_FULL: '1' } : {}) },
      });
      const honest = lines.filter((line) => line.kind === 'check').filter(({ lie }) => lie === undefined);
      const results = judgeLies(told, lines);
      const { undeclared, unused } = settle(results, declared);
      const proof: ProofResult = {
        format: 'assay.proof/1',
        finishedAt: new Date().toISOString(),
        specs: known.specs.map(({ api, sha256 }) => ({ api, sha256 })),
        full,
        rules,
        lies: results,
        undeclared,
        dishonest: [
          ...new Set(
            honest.filter(({ outcome }) => outcome === 'fail' || outcome === 'broken').flatMap((check) => check.rules),
          ),
        ].sort(),
      };
      const { finishedAt } = proof;
      const seconds = (performance.now() - began) / 1000;
      keepProof({ results, honest, declared, finishedAt, seconds, full }, given.flag('html'));
      const numbers = count(proof, honest);
      const out = given.flag('out');
      if (out !== undefined) writeFileSync(resolve(out), `${JSON.stringify({ ...proof, numbers }, null, 1)}\n`);
      if (given.has('json')) console.log(JSON.stringify({ ...proof, numbers }, null, 2));
      else print(proof, numbers, full && whole ? unused : []);
      return holds(proof) ? EXIT.kept : EXIT.unprovable;
    } finally {
      rmSync(scratch, { recursive: true, force: true });
    }
  },
};

function print(proof: ProofResult, numbers: Numbers, unused: readonly Declared[]): void {
  for (const id of proof.dishonest) console.log(`dishonest  ${id}  the honest sandbox does not keep it`);
  for (const { name, rule, by, quiet } of proof.lies) {
    if (by.length > 0) continue;
    const why =
      quiet.length === 0
        ? 'no check claims the rule'
        : quiet
            .map(({ check, outcome, reason }) => `${check} ${outcome}${reason ? ` (${reason.slice(0, 120)})` : ''}`)
            .join(', ');
    console.log(`missed     ${rule}  ${name}: ${why}`);
  }
  for (const id of unlied(proof)) console.log(`no lie     ${id}`);
  for (const { lie, rule, red } of proof.undeclared)
    console.log(
      `collateral ${red} turned red under ${lie}, a lie about ${rule}: declare it in tests/collateral.yaml or mend it`,
    );
  for (const { lie, reds } of unused)
    console.log(`unused     collateral of ${lie} declared on ${reds.join(', ')} was not seen`);
  const percent = (share: number) => `${(share * 100).toFixed(1)} %`;
  console.log(
    `${numbers.proven} of ${numbers.rules} rules proven, ${numbers.caught} of ${numbers.lies} lies caught, ${numbers.checksPerRule.toFixed(2)} checks a rule, precision ${percent(numbers.precision)}`,
  );
}
