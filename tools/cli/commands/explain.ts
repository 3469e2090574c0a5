import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Contract, projectContract, selectRules } from '#contract';
import { REPORTS_FOLDER } from '#folders';
import { listKnownLies, readKeptProof } from '#proof';
import { type Proof, stateOfProof } from '#report';
import { checksClaiming } from '#run';
import { EXIT_CODES } from '#trouble';
import type { CliCommand } from '../arguments.ts';

/** `assay explain`: one rule with its source, checks, lies, last verdict and how to reproduce it. */
export const explainCommand: CliCommand = {
  name: 'explain',
  help: 'Says everything about one rule: text, source, checks, lies, last verdict, how to reproduce.',
  positionals: ['RULE'],
  flags: { json: { help: 'as one object' } },
  async run(given) {
    const known = projectContract();
    const kept = await readKeptProof();
    const name = given.positional[0]!;
    if (isOfClient(known, name)) return explainClientRules(known, name, given.has('json'));
    for (const rule of selectRules(known, [name])) {
      const area = known.areas.get(rule.area);
      const told = listKnownLies(known).filter((lie) => lie.rule === rule.id);
      const checks = checksClaiming(rule.id);
      const verdict = lastVerdict(rule.id);
      if (given.has('json')) {
        console.log(
          JSON.stringify(
            {
              ...rule,
              area,
              checks,
              lies: told.map(({ name }) => name),
              proof: stateOfProof(kept.rules[rule.id]),
              verdict,
            },
            null,
            2,
          ),
        );
        continue;
      }
      const row = (name: string, value: string) => console.log(`${name.padEnd(12)}${value}`);
      row(rule.id, `${rule.level}  ${area?.title ?? ''}`);
      row('promise', rule.text);
      if (rule.consequence) row('when broken', `${rule.consequence.harm}: ${rule.consequence.text}`);
      for (const source of rule.source)
        row('source', `${source.document}: ${source.section || 'preface'} (clause ${source.sha256.slice(0, 12)})`);
      if (rule.operation) row('operation', rule.operation);
      if (rule.needs.length > 0) row('needs', rule.needs.join(', '));
      if (rule.untestable) row('untestable', rule.untestable);
      for (const { title, place } of checks) row('check', `${title}  (${place})`);
      if (checks.length === 0 && !rule.untestable) row('check', 'none yet');
      for (const { name } of told) row('lie', name);
      row('proof', proofLine(kept.rules[rule.id]));
      row('verdict', verdict ?? 'no run yet');
      row('reproduce', `npx assay run --rule ${rule.id}`);
      for (const { name } of told.slice(0, 1)) row('', `npx assay run --rule ${rule.id} --lie ${name}`);
      console.log('');
    }
    return EXIT_CODES.kept;
  },
};

function proofLine(proof: Proof | undefined): string {
  if (proof === undefined) return 'not proven: no lie was told yet';
  const caught = proof.lies.filter((lie) => lie.caught).length;
  return `${stateOfProof(proof)}: ${caught} of ${proof.of ?? proof.lies.length} lies caught`;
}

function lastVerdict(id: string): string | undefined {
  const file = join(REPORTS_FOLDER, 'latest/run.json');
  if (!existsSync(file)) return undefined;
  const run = JSON.parse(readFileSync(file, 'utf8')) as { id: string; rules: { id: string; verdict: string }[] };
  const verdict = run.rules.find((rule) => rule.id === id)?.verdict;
  return verdict === undefined ? undefined : `${verdict} in run ${run.id}`;
}

/** Whether a rule or area binds those who use a service. */
function isOfClient({ clientRules, clientAreas }: Contract, name: string): boolean {
  return clientRules.has(name.toUpperCase()) || clientAreas.has(name.toUpperCase());
}

/** Rules that bind a client: no check of a service and no lie is about them; traffic shows them. */
function explainClientRules(known: Contract, name: string, asJson: boolean): number {
  const rules = selectRules(known, [name], 'client');
  if (asJson) console.log(JSON.stringify(rules, null, 2));
  for (const { id, level, area, text, source, untestable } of asJson ? [] : rules) {
    const { title, file } = known.clientAreas.get(area)!;
    const row = (left: string, right: string) => console.log(`${left.padEnd(12)}${right}`);
    row(id, `${level}  ${title}`);
    row('asked', text);
    for (const { document, section, sha256 } of source)
      row('source', `${document}: ${section || 'preface'} (clause ${sha256.slice(0, 12)})`);
    if (untestable !== undefined) row('untestable', untestable);
    else row('judged by', `tools/judge/${file}.ts`);
    row('see it', `npx assay judge RECORDING --rule ${id}`);
    console.log('');
  }
  return EXIT_CODES.kept;
}
