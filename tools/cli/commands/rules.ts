import { EXAMPLE_RULE, RULE_PREFIXES } from '#apis';
import { isTestable, projectContract, type Rule, selectRules } from '#contract';
import { EXIT_CODES, Trouble } from '#trouble';
import type { CliCommand } from '../arguments.ts';

/** `assay rules`: the register of promises. */
export const rulesCommand: CliCommand = {
  name: 'rules',
  help: 'Lists every documented promise, in our own words.',
  positionals: [],
  flags: {
    area: { value: 'ID', help: `only an area (${EXAMPLE_RULE.slice(0, -3)}) or an API (${RULE_PREFIXES.join(', ')})` },
    side: { value: 'service|client', help: 'whom the rules bind: the services (default), or those who use them' },
    missing: { help: 'only testable rules that no check claims or no lie is about; exits 4 when there is one' },
    json: { help: 'a plain array' },
  },
  async run(given) {
    const known = projectContract();
    const area = given.flag('area');
    const side = readSide(given.flag('side'));
    const all = side === 'client' ? known.clientRules : known.rules;
    const areas = side === 'client' ? known.clientAreas : known.areas;
    const found = area === undefined ? [...all.values()] : selectRules(known, [area], side);
    if (given.has('missing')) return missing(found, given.has('json'));
    if (given.has('json')) {
      console.log(JSON.stringify(found, null, 2));
      return EXIT_CODES.kept;
    }
    let heading = '';
    for (const one of found) {
      const title = `${one.area}  ${areas.get(one.area)?.title ?? ''}`;
      if (title !== heading) console.log(`${heading === '' ? '' : '\n'}${title}`);
      heading = title;
      const mark = one.retired ? ' (retired)' : one.untestable ? ' (untestable)' : '';
      console.log(`  ${one.id}  ${one.level.padEnd(6)}  ${one.text}${mark}`);
    }
    return EXIT_CODES.kept;
  },
};

/** Whom rules bind, as a flag says. @throws Trouble (usage) for anybody else */
export function readSide(given = 'service'): 'service' | 'client' {
  if (given === 'service' || given === 'client') return given;
  throw new Trouble('usage', `--side ${given} is nobody`, { fix: '--side service or --side client' });
}

/** Names, for each rule, the one of the three files that was forgotten. */
async function missing(rules: readonly Rule[], json: boolean): Promise<number> {
  const [{ listKnownLies }, { checksClaiming }] = await Promise.all([import('#proof'), import('#run')]);
  const lied = new Set(listKnownLies().map(({ rule }) => rule));
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
