import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { APIS } from '#apis';
import {
  type Clause,
  type ClauseLedger,
  type ClauseTally,
  claimedShare,
  keepLedger,
  type LostClause,
  projectContract,
  splitClauses,
} from '#contract';
import { checksClaiming } from '#run';
import { EXIT_CODES, Trouble } from '#trouble';
import type { CliCommand } from '../arguments.ts';

const DOCUMENTS = APIS.map(({ document }) => document).join(' and ');

/** `assay ledger`: every clause of the documents against the register, and the other way round. */
export const ledgerCommand: CliCommand = {
  name: 'ledger',
  help: 'Accounts for every clause of the documents: claimed by a rule, by a hole, or context. Says how much of it rests on rules that nobody can test, and which clauses of several statements are covered in part. Exits 1 when something is left over.',
  positionals: [],
  flags: {
    documents: { value: 'DIR', help: `folder that holds ${DOCUMENTS}; default: only the documents of own rules` },
    list: { help: 'print every clause with its hash and who claims it, for authors of rules' },
    json: { help: 'as one object; holds hashes, never the text of a clause' },
  },
  async run(given) {
    const folder = given.flag('documents');
    const known = projectContract();
    const own = [...known.own.documents];
    if (folder === undefined && own.length === 0)
      throw new Trouble('usage', 'ledger needs --documents DIR', { fix: `name the folder that holds ${DOCUMENTS}` });
    const house = APIS.map(({ name, document }) => [name, document] as const);
    const paths = [
      ...(folder === undefined ? [] : house.map(([name, file]) => [name, join(folder, file)] as const)),
      ...own,
    ];
    const read = paths.flatMap(([name, path]) => splitClauses(name, readDocument(path)));
    const names = new Set<string>(paths.map(([name]) => name));
    const whole = keepLedger(known, read);
    const kept = { ...whole, lost: whole.lost.filter(({ source }) => names.has(source.document)) };
    const sound = kept.unclaimed.length === 0 && kept.lost.length === 0;
    if (given.has('json')) console.log(JSON.stringify(plain(kept, read, given.has('list')), null, 2));
    else console.log((given.has('list') ? read.map((clause) => listed(kept, clause)) : account(kept)).join('\n'));
    return sound ? EXIT_CODES.kept : EXIT_CODES.broken;
  },
};

function readDocument(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new Trouble('usage', 'the document cannot be read', {
      place: { file },
      reason: (error as Error).message,
      fix: `name the folder that holds ${DOCUMENTS}`,
    });
  }
}

function account({ tallies, unclaimed, lost, several, partly }: ClauseLedger): string[] {
  const row = (cells: readonly (string | number)[]) =>
    cells.map((cell, i) => (i === 0 ? String(cell).padEnd(10) : String(cell).padStart(i === 3 ? 17 : 9))).join('');
  const numbers = (name: string, list: readonly ClauseTally[]) => {
    const sum = (field: Exclude<keyof ClauseTally, 'document'>) => list.reduce((all, tally) => all + tally[field], 0);
    const parts = [sum('rule'), sum('untestable'), sum('hole'), sum('context'), sum('unclaimed')];
    return row([name, sum('clauses'), ...parts, `${claimedShare(list)} %`]);
  };
  return [
    row(['document', 'clauses', 'by rule', 'untestable only', 'by hole', 'context', 'open', 'claimed']),
    ...tallies.map((tally) => numbers(tally.document, [tally])),
    numbers('total', tallies),
    ...section(
      'nobody claims',
      unclaimed.map((clause) => `${place(clause)}  ${clause.kind}  ${clause.section || 'preface'}`),
    ),
    ...section('claimed, but no longer there', lost.flatMap(told)),
    ...section(
      `name several things, and not all of them stand in the words or at the place of a rule (${partly.length} of ${several})`,
      partly.map(
        ({ clause, missing }) =>
          `${place(clause)}  ${clause.names.length - missing.length} of ${clause.names.length}; not ${missing.join(', ')}`,
      ),
    ),
  ];
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ['', `${title}:`, ...lines.map((line) => `  ${line}`)];
}

/** What became of a claimed clause, and the rules and checks that hang on it. */
function told({ source, claims, fate, now }: LostClause): string[] {
  const where = `${source.document}: ${source.section || 'preface'} (clause ${source.sha256.slice(0, 12)})`;
  const fates = { changed: `changed to line ${now?.line}`, moved: `moved to line ${now?.line}`, gone: 'gone' };
  return [
    `${where}  ${fates[fate]}`,
    ...claims.flatMap(({ way, name }) => [
      `  ${way} ${name}`,
      ...(way === 'rule' ? checksClaiming(name).map((check) => `    check ${check.title}  (${check.place})`) : []),
    ]),
  ];
}

function listed(kept: ClauseLedger, clause: Clause): string {
  const who = kept.claimsOf(clause).map(({ name }) => name);
  return [
    `${place(clause)}  ${clause.kind}  ${clause.section || 'preface'}`,
    `  ${clause.sha256}  ${[...new Set(who)].join(', ') || 'nobody claims it'}`,
    `  ${clause.text}`,
  ].join('\n');
}

function plain(kept: ClauseLedger, read: readonly Clause[], withClauses: boolean): object {
  const bare = ({ text: _, names: __, ...rest }: Clause) => rest;
  return {
    documents: kept.tallies.map((tally) => ({ ...tally, percent: Number(claimedShare([tally])) })),
    percent: Number(claimedShare(kept.tallies)),
    unclaimed: kept.unclaimed.map(bare),
    several: kept.several,
    partly: kept.partly.map(({ clause, missing }) => ({ ...bare(clause), missing })),
    lost: kept.lost.map(({ source, claims, fate, now }) => ({
      source: { document: source.document, section: source.section, sha256: source.sha256 },
      fate,
      ...(now ? { line: now.line } : {}),
      claims: claims.map(({ way, name }) => ({
        way,
        name,
        ...(way === 'rule' ? { checks: checksClaiming(name) } : {}),
      })),
    })),
    ...(withClauses
      ? {
          clauses: read.map((one) => ({
            ...bare(one),
            claims: kept.claimsOf(one).map(({ way, name }) => ({ way, name })),
          })),
        }
      : {}),
  };
}

function place({ document, line }: Clause): string {
  return `${document}:${line}`;
}
