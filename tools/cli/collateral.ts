import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { parse } from 'yaml';
import { type Contract, locate } from '#contract';
import type { Declared } from '#proof';
import { lies } from '#sandbox';
import { suggestion, Trouble } from '#trouble';
import { ROOT } from './play.ts';

/** The project's own declarations; `ASSAY_COLLATERAL` names another file. */
const FILE = join(ROOT, 'tests/collateral.yaml');

const word = { type: 'string', minLength: 1 };
const isList = new Ajv2020().compile<Declared[]>({
  type: 'array',
  items: {
    type: 'object',
    required: ['lie', 'reds', 'reason'],
    additionalProperties: false,
    properties: { lie: word, reds: { type: 'array', minItems: 1, items: word }, reason: word },
  },
});

/**
 * Reads which rules a lie about another rule may turn red, and why.
 * @throws Trouble (usage) with file and line: unreadable, not YAML, another shape, an unknown lie, rule or area (with the nearest)
 */
export function readCollateral(known: Contract, path = process.env.ASSAY_COLLATERAL || FILE): readonly Declared[] {
  const file = relative(process.cwd(), path) || path;
  let text = '';
  let read: unknown;
  try {
    text = readFileSync(path, 'utf8');
    read = parse(text) ?? [];
  } catch (error) {
    const line = (error as { linePos?: [{ line: number }] }).linePos?.[0].line;
    throw new Trouble('usage', 'the declared collateral cannot be read', {
      place: { file, ...(line ? { line } : {}) },
      reason: (error as Error).message.split('\n')[0]!,
    });
  }
  const place = (pointer: string) => locate({ file, text }, pointer);
  if (!isList(read)) {
    const { instancePath = '', message = '' } = isList.errors?.[0] ?? {};
    throw new Trouble('usage', `declared collateral: ${instancePath || 'the file'} ${message}`, {
      place: place(instancePath),
      fix: '- lie: a lie, rule or area; reds: [rules or areas]; reason: why',
    });
  }
  const promises = [...known.rules.keys(), ...known.areas.keys()];
  const liars = [...promises, ...lies().map(({ name }) => name)];
  read.forEach(({ lie, reds }, i) => {
    for (const [name, all, at] of [
      [lie, liars, `/${i}/lie`],
      ...reds.map((red, n) => [red, promises, `/${i}/reds/${n}`] as const),
    ] as const)
      if (!all.includes(name))
        throw new Trouble('usage', `nothing is called ${name}`, { place: place(at), fix: suggestion(name, all) });
  });
  return read;
}
