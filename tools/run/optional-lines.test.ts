import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { isMap, parseDocument } from 'yaml';
import { findBrowser } from '#browser';
import { SUITE_FOLDER } from '#folders';
import { NEED_OFFERS, parseTarget, resolveTarget, type Target } from '#target';
import { rehearseTarget } from './rehearse-target.test-support.ts';

const FULL = readFileSync(join(SUITE_FOLDER, 'targets/embedded.yaml'), 'utf8');
// biome-ignore lint/suspicious/noExplicitAny: a target file of any shape
const WHOLE = parseDocument(FULL).toJS() as Record<string, any>;
const SCHEMA = JSON.parse(readFileSync(join(SUITE_FOLDER, 'targets/target.schema.json'), 'utf8'));

interface SchemaNode {
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly required?: readonly string[];
}

/** Every line of the full target file that the schema lets one leave out, as the keys that lead to it. */
function optionalLines(): string[][] {
  const file = parseDocument(FULL);
  const found: string[][] = [];
  const walk = (written: SchemaNode, path: string[]) => {
    const node: SchemaNode = written.$ref ? SCHEMA.$defs[written.$ref.split('/').at(-1)!] : written;
    for (const [key, inner] of Object.entries(node.properties ?? {})) {
      const here = [...path, key];
      if (!file.hasIn(here)) continue;
      if (!node.required?.includes(key)) found.push(here);
      if (isMap(file.getIn(here))) walk(inner, here);
    }
  };
  walk(SCHEMA, []);
  return found;
}

/** The full target file without these lines; JSON is YAML. */
function without(lines: readonly (readonly string[])[]): string {
  const root = structuredClone(WHOLE);
  for (const line of lines) {
    const above = line.slice(0, -1).reduce((node, key) => node[key], root);
    delete above[line.at(-1)!];
  }
  return JSON.stringify(root);
}

let folder: string;
test.beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-optional-'));
});
test.afterEach(() => rmSync(folder, { recursive: true, force: true }));

function resolved(text: string): Target {
  const path = join(folder, 'target.yaml');
  writeFileSync(path, text);
  return resolveTarget(parseTarget(path), { embedded: (name) => (/id$/.test(name) ? 7 : `http://127.0.0.1/${name}`) });
}

/** Lines that no need names and that have no default: the check that wants one says so itself. */
const ASKED_FOR = [
  'connection.secondAddress',
  'gateway.wire.provider',
  'gateway.oauth.second',
  'gateway.form.number',
  'gateway.form.cancel',
  'v1.history',
  'v1.history.lastDay',
  'v1.wire.message',
];

/** Lines that only say more: without them a check looks at less, or everywhere. */
const SAY_MORE = [
  /^gateway\.(balances?|acs|cards\.unlisted2)$/,
  /^gateway\.wire\.(report\.(body|row\.\w+)|recurring\.body|read\.history)/,
  /^gateway\.(form|acs)\.(code|month|year|holder|answer|text|cancel)$/,
  /^gateway\.requestors\.allowlisted\.consumerKey$/,
  /^v1\.wire\.(token|samples|paging)/,
  /^v1\.ibans\.further$/,
  /^v1\.history\.account$/,
  // Whoever performs an action that is missing is skipped and told of control and its name.
  /^control\.\w+(\.(method|body))?$/,
];

const SOURCES = ['tests', 'tools/harness'].flatMap((root) =>
  readdirSync(join(SUITE_FOLDER, root), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => readFileSync(join(SUITE_FOLDER, root, name), 'utf8')),
);

test('every optional line that is missing costs what its needs say, has a default, or is asked for by name', () => {
  test.setTimeout(120_000);
  const full = resolved(FULL);
  const open: string[] = [];
  for (const line of optionalLines()) {
    const name = line.join('.');
    if (line.length === 1 && (name === 'gateway' || name === 'v1')) continue;
    const target = resolved(without([line]));
    const lost = [...full.offers].filter((need) => !target.offers.has(need));
    for (const need of lost) {
      const named = NEED_OFFERS[need].lines.join(' ');
      const parts = line.map((_, i) => line.slice(0, i + 1).join('.'));
      if (!parts.some((part) => named.includes(part)) && !named.includes(line.at(-1)!))
        open.push(`${name}: ${need} is lost, and one is told of ${named}`);
    }
    const value = line.reduce<unknown>((node, key) => (node as Record<string, unknown> | undefined)?.[key], target);
    const isAsked = ASKED_FOR.includes(name) && SOURCES.some((text) => text.includes(`${name}`));
    const settled = lost.length > 0 || value !== undefined || isAsked || SAY_MORE.some((one) => one.test(name));
    if (!settled) open.push(name);
  }
  expect(open, 'nobody says what follows where these are missing').toEqual([]);
});

test('a run without the lines that checks ask for by name skips and says which', async () => {
  test.setTimeout(300_000);
  const path = join(folder, 'target.yaml');
  const missing = ['gateway.wire.provider', 'v1.history', 'v1.wire.message', 'v1.wire.token', 'v1.ibans.further'];
  writeFileSync(path, without(missing.map((name) => name.split('.'))));
  const { code, lines } = await rehearseTarget(path, ['GW-RAT', 'V1-TRL', 'V1-IBN-07', 'V1-EVT-07', 'V1-EVT-09']);
  const checks = lines.filter((line) => line.kind === 'check');
  const red = checks.filter(({ outcome }) => outcome === 'fail' || outcome === 'broken');
  expect(red.map(({ title, reason }) => ({ title, reason }))).toEqual([]);
  const reasons = checks.map(({ reason }) => reason?.text ?? '').join('\n');
  for (const name of ['gateway.wire.provider', 'v1.history', 'v1.wire.message']) expect(reasons).toContain(name);
  expect(code).toBe(0);
});

test('addresses that a target file gives with each form instead of with every payment are the ones customers come back to', async () => {
  test.skip(findBrowser() === undefined, 'there is no browser here');
  const root = structuredClone(WHOLE);
  // biome-ignore lint/suspicious/noTemplateCurlyInString: placeholders of a request template
  const urls = { resultUrl: '${returnUrl}', cancelUrl: '${cancelUrl}' };
  Object.assign(root.gateway.wire, { urls: {}, extra: { saleForm: { urls }, authForm: { urls } } });
  const path = join(folder, 'target.yaml');
  writeFileSync(path, JSON.stringify(root));
  const { code, lines } = await rehearseTarget(path, ['GW-FRM-06']);
  const ends = lines.flatMap((line) => (line.kind === 'check' ? [line.outcome] : []));
  expect([code, [...new Set(ends)]]).toEqual([0, ['pass']]);
});
