import { projectContract, selectRules } from '#contract';
import { listKnownLies } from '#proof';
import { EXIT_CODES } from '#trouble';
import type { CliCommand } from '../arguments.ts';

/** `assay lies`: what the embedded sandbox can get wrong on purpose. */
export const liesCommand: CliCommand = {
  name: 'lies',
  help: 'Lists the lies the embedded sandbox can tell, each about exactly one rule.',
  positionals: [],
  flags: {
    rule: { value: 'ID|AREA', repeatable: true, help: 'only lies about these rules' },
    json: { help: 'a plain array of name and rule' },
  },
  async run(given) {
    const named = given.flags('rule');
    const wanted = named.length === 0 ? undefined : new Set(selectRules(projectContract(), named).map(({ id }) => id));
    const found = listKnownLies()
      .map(({ name, rule }) => ({ name, rule }))
      .filter(({ rule }) => wanted === undefined || wanted.has(rule));
    if (given.has('json')) console.log(JSON.stringify(found, null, 2));
    else for (const { name, rule } of found) console.log(`${rule}  ${name}`);
    return EXIT_CODES.kept;
  },
};
