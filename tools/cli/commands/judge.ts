import { existsSync, readFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { projectContract } from '#contract';
import { readRecordings } from '#judge';
import { writeClientRun } from '#run';
import { Trouble } from '#trouble';
import type { CliCommand, GivenArguments } from '../arguments.ts';

/** `assay judge`: a client's recorded traffic against what the documents ask of clients. */
export const judgeCommand: CliCommand = {
  name: 'judge',
  help: 'Judges recorded traffic of a client (HAR, evidence.ndjson of a run, or what curl -v printed) and writes the audit page.',
  positionals: ['FILE...'],
  flags: {
    rule: {
      value: 'ID|AREA',
      repeatable: true,
      help: 'only these rules or areas; assay rules --side client lists them',
    },
    out: { value: 'DIR', help: 'run folder; default reports/clients/<run id>' },
    whole: {
      help: 'the recording has everything from first to last: what did not come by its end is held to be missing',
    },
    key: {
      value: 'CONSUMER_KEY=FILE',
      repeatable: true,
      help: 'public key (PEM) that transfers of a consumer key are signed for',
    },
  },
  async run(given) {
    if (given.positional.length === 0)
      throw new Trouble('usage', 'judge needs a recording', { fix: 'assay judge shop.har' });
    const contract = projectContract();
    const files = given.positional.map((file) => resolve(file));
    const traffic = readRecordings(contract, files, { isWhole: given.has('whole'), publicKeys: readPublicKeys(given) });
    const file = files.map((one) => relative(process.cwd(), one)).join(', ');
    return writeClientRun({
      contract,
      traffic,
      source: { name: 'recorded client', kind: 'sandbox', file },
      rules: given.flags('rule'),
      out: given.flag('out'),
      judgesService: true,
      argv: ['judge', ...given.argv],
    });
  },
};

/** Public keys by consumer key. @throws Trouble (usage) for one that cannot be read */
export function readPublicKeys(given: GivenArguments): ReadonlyMap<string, string> {
  return new Map(
    given.flags('key').map((pair) => {
      const cut = pair.indexOf('=');
      const file = pair.slice(cut + 1);
      const text = cut > 0 && existsSync(file) ? readFileSync(file, 'utf8') : '';
      if (!text.includes('BEGIN PUBLIC KEY'))
        throw new Trouble('usage', 'this is no public key', {
          place: { file: cut > 0 ? file : pair },
          fix: '--key CONSUMER_KEY=public.pem, with the public half of the pair',
        });
      return [pair.slice(0, cut), text] as const;
    }),
  );
}
