import { contract } from '#contract';
import { lies } from '#sandbox';
import { EXIT } from '#trouble';
import type { Command } from '../arguments.ts';
import { selected } from '../select.ts';

/** `assay lies`: what the embedded sandbox can get wrong on purpose. */
export const liesCommand: Command = {
  name: 'lies',
  usage: 'lies [--rule ID|AREA] [--json]',
  help: 'Lists the lies the embedded sandbox can tell, each about exactly one rule.',
  takes: [],
  flags: {
    rule: { value: 'ID|AREA', many: true, help: 'only lies about these rules' },
    json: { help: 'a plain array of name and rule' },
  },
  async run(given) {
    const named = given.flags('rule');
    const wanted = named.length === 0 ? undefined : new Set(selected(contract(), named).map(({ id }) => id));
    const found = lies().filter(({ rule }) => wanted === undefined || wanted.has(rule));
    if (given.has('json')) console.log(JSON.stringify(found, null, 2));
    else for (const { name, rule } of found) console.log(`${rule}  ${name}`);
    return EXIT.kept;
  },
};
