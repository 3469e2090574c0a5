import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Clause, clauses, contract, keepLedger, type Ledger, type Lost, share, type Tally } from '#contract';
import { EXIT, Trouble } from '#trouble';
import type { Command } from '../arguments.ts';
import { checksOf } from '../checks.ts';

/** `assay ledger`: every clause of the documents against the register, and the other way round. */
export const ledger: Command = {
  name: 'ledger',
  usage: 'ledger --documents DIR [--list] [--json]',
  help: 'Accounts for every clause of the documents: claimed by a rule, by a hole, or context. Says how much of it rests on rules that nobody can test, and which clauses of several statements are covered in part. Exits 1 when something is left over.',
  takes: [],
  flags: {
    documents: { value: 'DIR', help: 'folder that holds gateway.md and v1.md' },
    list: { help: 'print every clause with its hash and who claims it, for authors of rules' },
    json: { help: 'as one object; holds hashes, never the text of a clause' },
  },
  async run(given) {
    const folder = given.flag('documents');
    if (folder === undefined)
      throw new Trouble('usage', 'ledger needs --documents DIR', {
        fix: 'name the folder that holds gateway.md and v1.md',
      });
    const known = contract();
    const read = known.specs.flatMap(({ api }) => clauses(api, readDocument(join(folder, `${api}.md`))));
    const kept = keepLedger(known, read);
    const sound = kept.unclaimed.length === 0 && kept.lost.length === 0;
    if (given.has('json')) console.log(JSON.stringify(plain(kept, read, given.has('list')), null, 2));
    else console.log((given.has('list') ? read.map((clause) => listed(kept, clause)) : account(kept)).join('\n'));
    return sound ? EXIT.kept : EXIT.broken;
  },
};

function readDocument(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new Trouble('usage', 'the document cannot be read', {
      place: { file },
      reason: (error as Error).message,
      fix: 'name the folder that holds gateway.md and v1.md',
    });
  }
}

function account({ tallies, unclaimed, lost, several, partly }: Ledger): string[] {
  const row = (cells: readonly (string | number)[]) =>
    cells.map((cell, i) => (i === 0 ? String(cell).padEnd(10) : String(cell).padStart(i === 3 ? 17 : 9))).join('');
  const numbers = (name: string, list: readonly Tally[]) => {
    const sum = (field: Exclude<keyof Tally, 'document'>) => list.reduce((all, tally) => all + tally[field], 0);
    const parts = [sum('rule'), sum('untestable'), sum('hole'), sum('context'), sum('unclaimed')];
    return row([name, sum('clauses'), ...parts, `${share(list)} %`]);
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
function told({ source, claims, fate, now }: Lost): string[] {
  const where = `${source.document}: ${source.section || 'preface'} (clause ${source.sha256.slice(0, 12)})`;
  const fates = { changed: `changed to line ${now?.line}`, moved: `moved to line ${now?.line}`, gone: 'gone' };
  return [
    `${where}  ${fates[fate]}`,
    ...claims.flatMap(({ way, name }) => [
      `  ${way} ${name}`,
      ...(way === 'rule' ? checksOf(name).map((check) => `    check ${check.title}  (${check.place})`) : []),
    ]),
  ];
}

function listed(kept: Ledger, clause: Clause): string {
  const who = kept.claimsOf(clause).map(({ name }) => name);
  return [
    `${place(clause)}  ${clause.kind}  ${clause.section || 'preface'}`,
    `  ${clause.sha256}  ${[...new Set(who)].join(', ') || 'nobody claims it'}`,
    `  ${clause.text}`,
  ].join('\n');
}

function plain(kept: Ledger, read: readonly Clause[], withClauses: boolean): object {
  const bare = ({ text: _, names: __, ...rest }: Clause) => rest;
  return {
    documents: kept.tallies.map((tally) => ({ ...tally, percent: Number(share([tally])) })),
    percent: Number(share(kept.tallies)),
    unclaimed: kept.unclaimed.map(bare),
    several: kept.several,
    partly: kept.partly.map(({ clause, missing }) => ({ ...bare(clause), missing })),
    lost: kept.lost.map(({ source, claims, fate, now }) => ({
      source: { document: source.document, section: source.section, sha256: source.sha256 },
      fate,
      ...(now ? { line: now.line } : {}),
      claims: claims.map(({ way, name }) => ({ way, name, ...(way === 'rule' ? { checks: checksOf(name) } : {}) })),
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
