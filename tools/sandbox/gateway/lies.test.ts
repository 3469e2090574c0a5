import { readFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { parse } from 'yaml';
import { lies } from '../decision.ts';
import { type Sandbox, startSandbox } from '../start.ts';
import { access } from './probes/access.ts';
import { balances } from './probes/balances.ts';
import { callbacks } from './probes/callbacks.ts';
import { lookups } from './probes/lookups.ts';
import { oauth } from './probes/oauth.ts';
import { payments } from './probes/payments.ts';
import type { Probe } from './probes/probe.ts';
import { records } from './probes/records.ts';
import { states } from './probes/states.ts';
import { threeDS } from './probes/three-ds.ts';
import { Wire } from './probes/wire.ts';

const probes: readonly Probe[] = [
  ...payments,
  ...states,
  ...records,
  ...threeDS,
  ...lookups,
  ...balances,
  ...access,
  ...callbacks,
  ...oauth,
];
const told = lies().filter(({ rule }) => /^(GW|OA)-/.test(rule));

let sandbox: Sandbox;

test.beforeAll(async () => {
  sandbox = await startSandbox({ control: true, seed: 'lies' });
});

test.afterAll(() => sandbox.close());

async function look(probe: Probe, names: string[]): Promise<unknown> {
  sandbox.reset();
  sandbox.tell(names);
  const wire = new Wire(sandbox);
  try {
    return await probe.look(wire);
  } catch (broken) {
    // A lie may take away what the probe looks into; that shows as well.
    return `broken: ${(broken as Error).message}`;
  } finally {
    wire.close();
    sandbox.tell([]);
  }
}

for (const probe of probes) {
  test(`keeps ${probe.rule}, and each lie about it shows`, async () => {
    expect(await look(probe, []), 'honest').toEqual(probe.honest);
    const names = told.filter(({ rule }) => rule === probe.rule).map(({ name }) => name);
    expect(names, 'lies about the rule').not.toEqual([]);
    for (const name of names) expect(await look(probe, [name]), name).not.toEqual(probe.honest);
    expect(await look(probe, []), 'honest again').toEqual(probe.honest);
  });
}

test('has lies about every testable rule of the gateway, and about no other', () => {
  const testable = new Set<string>();
  const walk = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    const rules = (node as { 'x-rules'?: { id: string; untestable?: string; retired?: string }[] })['x-rules'];
    if (Array.isArray(rules)) for (const rule of rules) if (!rule.untestable && !rule.retired) testable.add(rule.id);
    for (const child of Object.values(node)) walk(child);
  };
  walk(parse(readFileSync(new URL('../../../specs/gateway.yaml', import.meta.url), 'utf8')));
  expect([...new Set(told.map(({ rule }) => rule))].sort()).toEqual([...testable].sort());
  expect(probes.map(({ rule }) => rule).sort()).toEqual([...testable].sort());
});
