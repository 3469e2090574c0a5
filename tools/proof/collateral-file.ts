import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { type Contract, readYaml } from '#contract';
import { listLies } from '#sandbox';
import { suggestWord, Trouble } from '#trouble';
import type { DeclaredCollateral } from './collateral.ts';

/** The project's own declarations; `ASSAY_COLLATERAL` names another file. */
const FILE = fileURLToPath(new URL('../../tests/collateral.yaml', import.meta.url));

const word = { type: 'string', minLength: 1 };
const LIST = {
  type: 'array',
  items: {
    type: 'object',
    required: ['lie', 'reds', 'reason'],
    additionalProperties: false,
    properties: { lie: word, reds: { type: 'array', minItems: 1, items: word }, reason: word },
  },
};

/**
 * Reads which rules a lie about another rule may turn red, and why.
 * @throws Trouble (usage) with file and line: unreadable, not YAML, another shape, an unknown lie, rule or area (with the nearest)
 */
export function readCollateral(
  known: Contract,
  path = process.env.ASSAY_COLLATERAL || FILE,
): readonly DeclaredCollateral[] {
  const { Ajv2020 } = createRequire(import.meta.url)('ajv/dist/2020.js') as typeof import('ajv/dist/2020.js');
  const isList = new Ajv2020().compile<DeclaredCollateral[]>(LIST);
  const { value, place } = readYaml(path, 'declarations of collateral');
  const read = value ?? [];
  if (!isList(read)) {
    const { instancePath = '', message = '' } = isList.errors?.[0] ?? {};
    throw new Trouble('usage', `declared collateral: ${instancePath || 'the file'} ${message}`, {
      place: place(instancePath),
      fix: '- lie: a lie, rule or area; reds: [rules or areas]; reason: why',
    });
  }
  const promises = [...known.rules.keys(), ...known.areas.keys()];
  const liars = [...promises, ...listLies().map(({ name }) => name)];
  read.forEach(({ lie, reds }, i) => {
    for (const [name, all, at] of [
      [lie, liars, `/${i}/lie`],
      ...reds.map((red, n) => [red, promises, `/${i}/reds/${n}`] as const),
    ] as const)
      if (!all.includes(name))
        throw new Trouble('usage', `nothing is called ${name}`, { place: place(at), fix: suggestWord(name, all) });
  });
  return read;
}
