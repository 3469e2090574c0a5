import { EXAMPLE_RULE, RULE_PREFIXES } from '#apis';
import { isTestable, projectContract, type Rule, selectRules } from '#contract';
import { EXIT_CODES } from '#trouble';
import type { CliCommand } from '../arguments.ts';

/** `assay rules`: the register of promises. */
export const rulesCommand: CliCommand = {
  name: 'rules',
  help: 'Lists every documented promise, in our own words.',
  positionals: [],
  flags: {
    area: { value: 'ID', help: `only an area (${EXAMPLE_RULE.slice(0, -3)}) or an API (${RULE_PREFIXES.join(', ')})` },
    missing: { help: 'only testable rules that no check claims or no lie is about; exits 4 when there is one' },
    json: { help: 'a plain array' },
  },
  async run(given) {
    const known = projectContract();
    const area = given.flag('area');
    const found = area === undefined ? [...known.rules.values()] : selectRules(known, [area]);
    if (given.has('missing')) return missing(found, given.has('json'));
    if (given.has('json')) {
      console.log(JSON.stringify(found, null, 2));
      return EXIT_CODES.kept;
    }
    let heading = '';
    for (const one of found) {
      const title = `${one.area}  ${known.areas.get(one.area)?.title ?? ''}`;
      if (title !== heading) console.log(`${heading === '' ? '' : '\n'}${title}`);
      heading = title;
      const mark = one.retired ? ' (retired)' : one.untestable ? ' (untestable)' : '';
      console.log(`  ${one.id}  ${one.level.padEnd(6)}  ${one.text}${mark}`);
    }
    return EXIT_CODES.kept;
  },
};

/** Names, for each rule, the one of the three files that was forgotten. */
async function missing(rules: readonly Rule[], json: boolean): Promise<number> {
  const [{ listLies }, { checksClaiming }] = await Promise.all([import('#sandbox'), import('#run')]);
  const lied = new Set(listLies().map(({ rule }) => rule));
  const found = rules
    .filter(isTestable)
    .map(({ id, area }) => ({
      id,
      area,
      missing: [...(checksClaiming(id).length === 0 ? ['check'] : []), ...(lied.has(id) ? [] : ['lie'])],
    }))
    .filter((one) => one.missing.length > 0);
  if (json) console.log(JSON.stringify(found, null, 2));
  for (const one of json ? [] : found) console.log(`${one.id}  no ${one.missing.join(', no ')}`);
  return found.length === 0 ? EXIT_CODES.kept : EXIT_CODES.unprovable;
}
