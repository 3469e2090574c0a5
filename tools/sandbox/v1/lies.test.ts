import { readFileSync } from 'node:fs';
import { test as base, expect } from '@playwright/test';
import { parse } from 'yaml';
import { lies, type Sandbox, startSandbox } from '../index.ts';
import { Client } from './trials/client.ts';
import { documentTrials, lookupTrials } from './trials/documents.ts';
import { generalTrials } from './trials/general.ts';
import { listsTrials } from './trials/lists.ts';
import { rateTrials } from './trials/rate.ts';
import { transactionTrials } from './trials/transactions.ts';
import { webhookTrials } from './trials/webhooks.ts';

const trials = [
  ...generalTrials,
  ...rateTrials,
  ...transactionTrials,
  ...listsTrials,
  ...documentTrials,
  ...lookupTrials,
  ...webhookTrials,
];

const told = lies().filter(({ rule }) => rule.startsWith('V1-'));

const test = base.extend<object, { sandbox: Sandbox }>({
  sandbox: [
    async ({}, use) => {
      const sandbox = await startSandbox({ control: true });
      await use(sandbox);
      await sandbox.close();
    },
    { scope: 'worker' },
  ],
});

/** Every rule of the v1 spec, with whether it can be tested. */
function rules(): Map<string, boolean> {
  const found = new Map<string, boolean>();
  const walk = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    const entries = (value as Record<string, unknown>)['x-rules'];
    for (const rule of Array.isArray(entries) ? entries : [])
      found.set(rule.id, rule.untestable === undefined && rule.retired === undefined);
    for (const part of Object.values(value)) walk(part);
  };
  walk(parse(readFileSync(new URL('../../../specs/v1.yaml', import.meta.url), 'utf8')));
  return found;
}

test('tells no lie about a rule that does not exist', () => {
  const known = rules();
  expect(told.filter(({ rule }) => !known.has(rule))).toEqual([]);
});

test('has a lie for every rule that can be tested', () => {
  const covered = new Set(told.map(({ rule }) => rule));
  const testable = [...rules()].filter(([, can]) => can).map(([id]) => id);
  expect(testable.length).toBeGreaterThan(100);
  expect(testable.filter((id) => !covered.has(id))).toEqual([]);
});

test('has a trial for every lie, and none besides', () => {
  const tried = new Set(trials.flatMap(({ lying }) => Object.keys(lying)));
  const names = told.map(({ name }) => name);
  expect(names.filter((name) => !tried.has(name))).toEqual([]);
  expect([...tried].filter((name) => !names.includes(name))).toEqual([]);
});

for (const [index, { probe, honest, lying }] of trials.entries()) {
  const about = new Set(told.filter(({ name }) => name in lying).map(({ rule }) => rule));
  test(`trial ${index + 1} sees through lies about ${[...about].join(', ')}`, async ({ sandbox }) => {
    const look = (...names: string[]) => {
      sandbox.tell(names);
      sandbox.reset();
      return probe(new Client(sandbox));
    };
    expect(await look(), 'without a lie').toEqual(honest);
    for (const [lie, seen] of Object.entries(lying)) {
      expect(seen, lie).not.toEqual(honest);
      expect(await look(lie), lie).toEqual(seen);
    }
  });
}
