import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import fc from 'fast-check';
import { reachSchemas, readSpec, SPEC_FILES } from '#contract';
import { callsOf } from '../read/calls.ts';
import { SchemaRuler } from '../read/ruler.ts';
import { readSides } from '../read/sides.ts';
import { change, description } from '../sample.test-support.ts';
import { bodiesOf } from './bodies.ts';
import { hintsOf } from './hints.ts';
import { BodySearcher } from './search.ts';

let folder: string;
test.beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-search-'));
});
test.afterEach(() => rmSync(folder, { recursive: true }));

function searcher(old: Readonly<Record<string, string>>, now: Readonly<Record<string, string>>): BodySearcher {
  writeFileSync(join(folder, 'old.yaml'), description(old));
  writeFileSync(join(folder, 'new.yaml'), description(now));
  return new BodySearcher(readSides(join(folder, 'old.yaml'), join(folder, 'new.yaml')).pairs[0]!);
}

const EFFORT = { seed: 7, bodies: 300 };
const NOTE = 'note: { type: string, maxLength: 40 }';

test('finds the smallest body that was allowed and is refused, and nothing where nothing changed', () => {
  const found = searcher({}, { 'maxLength: 40': 'maxLength: 39' }).all(EFFORT);
  expect(found).toHaveLength(1);
  expect(found[0]).toMatchObject({ operation: 'createOrder', direction: 'request' });
  expect(JSON.parse(found[0]!.counterexample!.body)).toEqual({ amount: 1, note: 'x'.repeat(40) });
  expect(found[0]!.counterexample!.where).toBe('/note');
  expect(searcher({}, { 'title: Orders': 'title: Others' }).all(EFFORT)).toEqual([]);
});

test('looks the other way in what is received', () => {
  const wider = searcher({}, { 'enum: [open, closed]': 'enum: [open, closed, held]' }).all(EFFORT);
  expect(JSON.parse(wider[0]!.counterexample!.body)).toMatchObject({ state: 'held' });
  const narrower = searcher({}, { 'enum: [open, closed]': 'enum: [open]' }).all(EFFORT);
  expect(narrower.map(({ counterexample, bodies }) => [counterexample, bodies])).toEqual([[undefined, 300]]);
  const message = searcher({}, { 'enum: [made, gone]': 'enum: [made, gone, back]' }).all(EFFORT);
  expect(message[0]).toMatchObject({ operation: 'orderEvent', direction: 'response' });
});

test('finds the same again by its seed', () => {
  const once = () =>
    JSON.stringify(searcher({}, { [NOTE]: "note: { type: string, pattern: '^[a-f]*$' }" }).all(EFFORT));
  expect(once()).toBe(once());
});

test('blames a change only for what comes from its place', () => {
  const both = searcher({}, { 'maxLength: 40': 'maxLength: 39', 'required: [amount]': 'required: [amount, purpose]' });
  const spot = (pointer: string) => change({ new: { file: 'new.yaml', line: 1, pointer } });
  const note = both.because(spot('/components/schemas/NewOrder/properties/note/maxLength'), EFFORT);
  expect(note!.counterexample!.where).toBe('/note');
  const purpose = both.because(spot('/components/schemas/NewOrder/properties/purpose'), EFFORT);
  expect(purpose!.counterexample!.problem).toContain('purpose');
  expect(both.because(spot('/components/schemas/Elsewhere'), EFFORT)).toBeUndefined();
  const required = both.because(spot('/components/schemas/NewOrder/required'), EFFORT);
  expect(required!.counterexample!.problem).toContain('purpose');
  const amount = both.because(spot('/components/schemas/NewOrder/properties/amount/minimum'), EFFORT);
  expect([amount!.bodies, amount!.counterexample]).toEqual([300, undefined]);
});

test.describe('settles what structure cannot', () => {
  const cases: readonly [name: string, old: string, now: string, parts: boolean][] = [
    [
      'a pattern that says less',
      "note: { type: string, pattern: '^[a-c]{2}$' }",
      "note: { type: string, pattern: '^[ab]{2}$' }",
      true,
    ],
    [
      'a pattern said otherwise',
      "note: { type: string, pattern: '^[0-9]{2}$' }",
      "note: { type: string, pattern: '^\\d\\d$' }",
      false,
    ],
    [
      'a union that lost a member',
      'note: { anyOf: [{ type: string }, { type: integer }] }',
      'note: { oneOf: [{ type: string }] }',
      true,
    ],
    [
      'a union said otherwise',
      'note: { anyOf: [{ type: string }, { type: integer }] }',
      'note: { type: [string, integer] }',
      false,
    ],
    [
      'a condition that was added',
      'note: { type: object }',
      'note: { type: object, if: { required: [extra] }, then: { properties: { extra: { type: string } } } }',
      true,
    ],
    [
      'a condition that was turned round',
      'note: { if: { type: string }, then: { maxLength: 3 } }',
      'note: { if: { not: { type: string } }, else: { maxLength: 3 } }',
      false,
    ],
  ];
  for (const [name, old, now, parts] of cases)
    test(name, () => {
      const [found] = searcher({ [NOTE]: old }, { [NOTE]: now }).all({ seed: 1, bodies: 1000 });
      expect(found!.counterexample !== undefined).toBe(parts);
      if (!parts) expect(found!.bodies).toBe(1000);
    });
});

test('makes bodies that fit, for nearly every body of our own descriptions', () => {
  test.slow();
  const poor: string[] = [];
  for (const api of ['gateway', 'v1'] as const) {
    const spec = readSpec(api, SPEC_FILES[api]);
    const ruler = new SchemaRuler(spec);
    const schemas = new Set(callsOf(spec.root).flatMap(({ slots }) => slots.map(({ schema }) => schema)));
    for (const schema of schemas) {
      const made = fc.sample(bodiesOf(spec.root, schema, hintsOf(spec.root, reachSchemas(spec.root, schema))), {
        seed: 3,
        numRuns: 40,
      });
      const fit = made.filter((one) => ruler.keeps(schema, JSON.parse(JSON.stringify(one) ?? 'null'))).length;
      if (fit < 4) poor.push(`${schema}: ${fit} of 40`);
    }
  }
  expect(poor).toEqual([]);
});
