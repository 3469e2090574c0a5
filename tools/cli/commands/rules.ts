import { contract, isTestable, type Rule } from '#contract';
import { EXIT } from '#trouble';
import type { Command } from '../arguments.ts';
import { checksOf } from '../checks.ts';
import { selected } from '../select.ts';

/** `assay rules`: the register of promises. */
export const rules: Command = {
  name: 'rules',
  usage: 'rules [--area ID] [--missing] [--json]',
  help: 'Lists every documented promise, in our own words.',
  takes: [],
  flags: {
    area: { value: 'ID', help: 'only an area (GW-CAP) or an API (GW, OA, V1)' },
    missing: { help: 'only testable rules that no check claims or no lie is about; exits 4 when there is one' },
    json: { help: 'a plain array' },
  },
  async run(given) {
    const known = contract();
    const area = given.flag('area');
    const found = area === undefined ? [...known.rules.values()] : selected(known, [area]);
    if (given.has('missing')) return missing(found, given.has('json'));
    if (given.has('json')) {
      console.log(JSON.stringify(found, null, 2));
      return EXIT.kept;
    }
    let heading = '';
    for (const one of found) {
      const title = `${one.area}  ${known.areas.get(one.area)?.title ?? ''}`;
      if (title !== heading) console.log(`${heading === '' ? '' : '\n'}${title}`);
      heading = title;
      const mark = one.retired ? ' (retired)' : one.untestable ? ' (untestable)' : '';
      console.log(`  ${one.id}  ${one.level.padEnd(6)}  ${one.text}${mark}`);
    }
    return EXIT.kept;
  },
};

/** Names, for each rule, the one of the three files that was forgotten. */
async function missing(rules: readonly Rule[], json: boolean): Promise<number> {
  const { lies } = await import('#sandbox');
  const lied = new Set(lies().map(({ rule }) => rule));
  const found = rules
    .filter(isTestable)
    .map(({ id, area }) => ({
      id,
      area,
      missing: [...(checksOf(id).length === 0 ? ['check'] : []), ...(lied.has(id) ? [] : ['lie'])],
    }))
    .filter((one) => one.missing.length > 0);
  if (json) console.log(JSON.stringify(found, null, 2));
  for (const one of json ? [] : found) console.log(`${one.id}  no ${one.missing.join(', no ')}`);
  return found.length === 0 ? EXIT.kept : EXIT.unprovable;
}
