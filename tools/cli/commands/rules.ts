import { contract } from '#contract';
import { EXIT } from '#trouble';
import type { Command } from '../arguments.ts';
import { selected } from '../select.ts';

/** `assay rules`: the register of promises. */
export const rules: Command = {
  name: 'rules',
  usage: 'rules [--area ID] [--json]',
  help: 'Lists every documented promise, in our own words.',
  takes: [],
  flags: {
    area: { value: 'ID', help: 'only an area (GW-CAP) or an API (GW, OA, V1)' },
    json: { help: 'a plain array' },
  },
  async run(given) {
    const known = contract();
    const area = given.flag('area');
    const found = area === undefined ? [...known.rules.values()] : selected(known, [area]);
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
