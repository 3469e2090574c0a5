import { expect, test } from '@playwright/test';
import { projectContract } from '#contract';
import { type RuleSeals, sealRules, sealSources } from './rule-seals.ts';
import { readSuiteSources, type SuiteSource } from './suite-sources.ts';

const contract = projectContract();
let sources: ReadonlyMap<string, SuiteSource>;
let before: RuleSeals;
test.beforeAll(async () => {
  sources = await readSuiteSources();
  before = sealSources(contract, sources);
});

/** Rules whose seal breaks when a file is changed. */
function broken(path: string, change: (code: string) => string): string[] {
  const source = sources.get(path)!;
  const code = change(source.code);
  expect(code).not.toBe(source.code);
  const after = sealSources(contract, new Map(sources).set(path, { ...source, code }));
  return [...before.keys()].filter((id) => after.get(id) !== before.get(id));
}

const more = (code: string) => `${code}\nconst more = 1;`;
const areasOf = (ids: readonly string[]) => [...new Set(ids.map((id) => contract.rules.get(id)!.area))].sort();
const apisOf = (ids: readonly string[]) => [...new Set(ids.map((id) => contract.rules.get(id)!.api))];

test('every rule has a seal, the same each time', async () => {
  expect([...before.keys()]).toEqual([...contract.rules.keys()]);
  expect(await sealRules(contract)).toEqual(before);
  // With digits among them, one in some ten thousand looks like a card number.
  expect([...before.values()].filter((seal) => !/^[a-p]{16}$/.test(seal))).toEqual([]);
});

test('a changed check breaks the seal of the rules that it names', () => {
  const ids = broken('tests/gateway/capture.spec.ts', (code) => code.replace('amount: 1999', 'amount: 1998'));
  expect(ids).toEqual(['GW-CAP-03']);
});

test('what stands beside the checks of a file breaks the seals of all of them', () => {
  const ids = broken('tests/gateway/bearer.spec.ts', (code) => code.replace('Access token not found', 'Not found'));
  expect(ids).toEqual(expect.arrayContaining(['GW-BEA-01', 'GW-BEA-04']));
  expect(ids).not.toContain('GW-CAP-01');
});

test('what checks load breaks the seals of those that load it', () => {
  const ids = broken('tests/gateway/support/order-commands.ts', more);
  expect(areasOf(ids)).toContain('GW-STA');
  expect(ids).not.toContain('GW-CAP-01');
});

test('a changed decision of the sandbox breaks the seals of the rules that it decides about', () => {
  const ids = broken('tools/sandbox/v1/documents/document-store.ts', more);
  expect(areasOf(ids)).toContain('V1-DOC');
  expect(ids).not.toContain('V1-WHK-01');
  expect(apisOf(ids)).toEqual(['v1']);
});

test('what is common to a service concerns its rules, what is common to all concerns all', () => {
  const ofService = broken('tools/harness/v1/v1-client.ts', more);
  expect(apisOf(ofService)).toEqual(['v1']);
  expect(ofService).toHaveLength([...contract.rules.values()].filter(({ api }) => api === 'v1').length);
  expect(broken('tools/harness/test.ts', more)).toHaveLength(contract.rules.size);
  expect(broken('tools/sandbox/decision.ts', more)).toHaveLength(contract.rules.size);
});

test('comments, layout and own tests are no part of what is sealed', () => {
  const code = [...sources.values()].filter(({ path }) => path.endsWith('.ts')).map((one) => one.code);
  expect(code.filter((text) => /^\s*(?:\/\*\*|\/\/ )/m.test(text))).toEqual([]);
  expect([...sources.keys()].filter((path) => /\.test(-support)?\.ts$/.test(path))).toEqual([]);
});

test('a changed promise, or the part of the spec where it stands, breaks its seal', () => {
  const rule = contract.rules.get('GW-CAP-05')!;
  const rules = new Map(contract.rules).set(rule.id, { ...rule, text: 'Another promise.' });
  const after = sealSources({ ...contract, rules, document: (api) => contract.document(api) }, sources);
  expect([...before.keys()].filter((id) => after.get(id) !== before.get(id))).toEqual(['GW-CAP-05']);
  const root = structuredClone(contract.document('v1')) as { components: { schemas: Record<string, object> } };
  root.components.schemas.IbanDetails = { ...root.components.schemas.IbanDetails, maxProperties: 9 };
  const spec = sealSources({ ...contract, document: (api) => (api === 'v1' ? root : contract.document(api)) }, sources);
  const voided = [...before.keys()].filter((id) => spec.get(id) !== before.get(id));
  expect(areasOf(voided)).toEqual(['V1-IBN']);
});
