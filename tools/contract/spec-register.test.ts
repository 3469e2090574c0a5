import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { loadContract } from '#contract';
import { addIds, checkIds, contractIds } from './ids.ts';

const contract = loadContract();
const TESTS = new URL('../../tests/', import.meta.url);
const APIS = ['gateway', 'v1'] as const;

test('ids have a fixed width and come sorted', () => {
  for (const [list, shape] of [
    [[...contract.rules.keys()], /^(GW|OA|V1)-[A-Z0-9]{3}-\d{2}$/],
    [[...contract.holes.keys()], /^(GW|V1)-HOLE-\d{2}$/],
    [contract.readings.map(({ id }) => id), /^(GW|V1)-READ-\d{2}$/],
  ] as const) {
    expect(list.filter((id) => !shape.test(id))).toEqual([]);
    expect(list).toEqual([...new Set(list)].sort());
  }
});

test('no number of an area is left out, so that no id has vanished', () => {
  const numbers = new Map<string, number[]>();
  for (const id of contractIds(contract))
    numbers.set(id.slice(0, -3), [...(numbers.get(id.slice(0, -3)) ?? []), Number(id.slice(-2))]);
  const gaps = [...numbers].filter(([, list]) => list.some((number, i) => number !== i + 1)).map(([area]) => area);
  expect(gaps).toEqual([]);
});

test('every id ever given is still listed, and every id is in the list of those given', () => {
  checkIds(contractIds(contract));
});

test('the list of ids takes in what is new, and what is wrong with it is said with its line', ({}, { outputDir }) => {
  mkdirSync(outputDir, { recursive: true });
  const file = join(outputDir, 'ids.txt');
  const list = (...ids: string[]) => writeFileSync(file, `${ids.join('\n')}\n`);
  list('A-01', 'B-01');
  expect(() => checkIds(['A-01', 'B-01', 'B-02'], file)).toThrow('B-02 is not listed');
  addIds(['A-01', 'B-02'], file);
  expect(readFileSync(file, 'utf8')).toBe('A-01\nB-01\nB-02\n');
  expect(() => checkIds(['A-01', 'B-02'], file)).toThrow(
    expect.objectContaining({ message: 'B-01 is in no spec', place: expect.objectContaining({ line: 2 }) }),
  );
  list('B-01', 'A-01', 'A-01');
  expect(() => checkIds(['A-01', 'B-01'], file)).toThrow(
    expect.objectContaining({ message: 'A-01 is out of order', place: expect.objectContaining({ line: 2 }) }),
  );
});

test('an area has its own file, in the folder of its API', () => {
  const folders = { GW: 'gateway', OA: 'oauth', V1: 'v1' } as const;
  const areas = [...contract.areas.values()];
  expect(areas.map(({ id }) => id)).toEqual(areas.map(({ id }) => id).sort());
  expect(new Set(areas.map(({ file }) => file)).size).toBe(areas.length);
  for (const { id, file } of areas) {
    const folder = folders[id.slice(0, 2) as keyof typeof folders];
    expect(file, id).toMatch(new RegExp(`^${folder}/[a-z0-9]+(-[a-z0-9]+)*$`));
  }
});

test('every area has rules, and every test file of a service is the file of an area', () => {
  const used = new Set([...contract.rules.values()].map(({ area }) => area));
  expect([...contract.areas.keys()].filter((id) => !used.has(id))).toEqual([]);
  const files = APIS.flatMap((api) => {
    const folder = new URL(`${api}/`, TESTS);
    return existsSync(folder)
      ? readdirSync(folder)
          .filter((name) => name.endsWith('.spec.ts'))
          .map((name) => `${api}/${name}`)
      : [];
  });
  const known = [...contract.areas.values()].map(({ file }) => `${file}.spec.ts`);
  expect(files.filter((file) => !known.includes(file))).toEqual([]);
});

test('a hole looks at operations, statuses and events that there are', () => {
  const wrong = [...contract.holes.values()].flatMap((hole) =>
    hole.where
      .filter(({ operation, event, status, body }) => {
        if (body !== undefined && body !== '' && !body.startsWith('/')) return true;
        if (event !== undefined) return operation !== undefined || contract.events.get(event)?.api !== hole.api;
        if (operation === '*') return false;
        const known = contract.operations.get(operation ?? '');
        return known?.api !== hole.api || (status !== undefined && !known.answers.has(Number(status)));
      })
      .map((sight) => `${hole.id}: ${JSON.stringify(sight)}`),
  );
  expect(wrong).toEqual([]);
});

test('a reading has two sides at least and names rules that there are', () => {
  expect(contract.readings.filter(({ readings }) => readings.length < 2)).toEqual([]);
  const noticed = contract.readings.flatMap(({ id, notices }) => notices.map((rule) => `${id}: ${rule}`));
  const isRule = (rule: string) => contract.rules.has(rule) || contract.clientRules.has(rule);
  expect(noticed.filter((one) => !isRule(one.split(': ')[1]!))).toEqual([]);
});

test('every promise, hole and context comes from one of the two documents', () => {
  const sources = [...contract.rules.values(), ...contract.holes.values()].flatMap(({ source }) => source);
  const documents = new Set([...sources, ...contract.contexts].map(({ document }) => document));
  expect([...documents].sort()).toEqual([...APIS].sort());
});

test('no rule is said twice in the same words', () => {
  const texts = [...contract.rules.values()].map(({ text }) => text);
  expect(texts.filter((text, i) => texts.indexOf(text) !== i)).toEqual([]);
});

test('says of every rule of the project what it costs when it is broken', () => {
  const { rules, clientRules } = loadContract();
  const silent = [...rules.values(), ...clientRules.values()]
    .filter(({ consequence }) => consequence === undefined)
    .map(({ id }) => id);
  expect(silent).toEqual([]);
});
