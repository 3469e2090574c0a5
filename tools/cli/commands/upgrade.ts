import { join, resolve } from 'node:path';
import { APIS } from '#apis';
import { REPORTS_FOLDER } from '#folders';
import { formatCount } from '#report';
import { readChangeWaivers } from '#run';
import { Trouble } from '#trouble';
import { isFingerprint, UPGRADE_EXIT_CODES, type Upgrade, writeUpgrade } from '#upgrade';
import { judgeGivenUpgrade, listReasons } from '../answer-upgrade.ts';
import type { CliCommand, GivenArguments } from '../arguments.ts';

/** `assay upgrade`: what changed upstream, what it touches, and whether it is safe to adopt. */
export const upgradeCommand: CliCommand = {
  name: 'upgrade',
  help: 'Compares two descriptions of the services (and documents, and runs), replays a run, and says what it touches. Exits 0 when it is safe, 5 when it needs work, 2 when it cannot tell.',
  positionals: [],
  flags: {
    from: {
      value: 'A',
      required: true,
      help: `the description in use: an OpenAPI file, or a folder with ${APIS.map(({ spec }) => spec).join(' or ')}`,
    },
    to: { value: 'B', required: true, help: 'the description to adopt' },
    changelog: { value: 'FILE', help: 'what the publisher says changed' },
    run: { value: 'DIR', help: 'run folder: which exchanges met what changed, and would they still fit' },
    baseline: { value: 'DIR', help: 'an earlier run folder, or reports/baseline, to compare the run with' },
    documents: { value: 'OLD NEW', pair: true, help: 'two versions of the documents: files, or folders' },
    decisions: {
      value: 'FILE',
      help: 'what was decided about changed clauses: a list of clause, decided, owner, date; default tests/document-decisions.yaml',
    },
    waivers: { value: 'FILE', help: 'accepted changes: a list of fingerprint, reason, owner, until' },
    out: { value: 'DIR', help: 'where page, JSON, Markdown and SARIF go; default reports/upgrade' },
    seed: { value: 'N', help: 'seed of the search for counterexamples; default 1' },
    today: { value: 'YYYY-MM-DD', help: 'the day by which dates are judged; default today' },
    json: { help: 'print the answer as one object' },
  },
  async run(given) {
    const [from, to] = [given.required('from'), given.required('to')];
    const out = resolve(given.flag('out') ?? join(REPORTS_FOLDER, 'upgrade'));
    const waivers = given.flag('waivers');
    const [old, now] = given.flags('documents');
    const found = judgeGivenUpgrade(given, {
      from,
      to,
      changelog: given.flag('changelog'),
      baseline: given.flag('baseline'),
      documents: old !== undefined && now !== undefined ? [old, now] : undefined,
      waivers: waivers === undefined ? [] : readChangeWaivers(waivers, isFingerprint),
      seed: seedOf(given),
    });
    writeUpgrade(found, out, `npx assay upgrade ${given.argv.map(quoted).join(' ')}`);
    console.log(given.has('json') ? JSON.stringify(found, null, 2) : words(found, out));
    return UPGRADE_EXIT_CODES[found.verdict];
  },
};

function words(found: Upgrade, out: string): string {
  const { counts, unexercised } = found;
  return [
    ...listReasons(found),
    `${formatCount(counts.total, 'change')} of the descriptions: ${counts.breaking} breaking, ${counts.unclear} cannot tell, ${counts.risky} risky, ${counts.note} notes, ${counts.safe} safe${counts.waived > 0 ? `; ${counts.waived} waived` : ''}${unexercised && unexercised.length > 0 ? `; ${unexercised.length} never exercised` : ''}`,
    join(out, 'index.html'),
  ].join('\n');
}

function seedOf(given: GivenArguments): number {
  const text = given.flag('seed') ?? '1';
  if (!/^\d{1,9}$/.test(text)) throw new Trouble('usage', `--seed ${text} is not a whole number`, { fix: '--seed 1' });
  return Number(text);
}

function quoted(word: string): string {
  return /^[\w./:=@-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
