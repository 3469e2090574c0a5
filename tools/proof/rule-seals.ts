import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { API_NAMES, type Api, RULE_PREFIXES } from '#apis';
import type { Contract, Rule } from '#contract';
import { inLetters } from '#evidence';
import { CACHE_FOLDER, readBuiltFrom } from '#folders';
import { referencePointer, valueAt } from '#json-pointer';
import { keepFile } from '#kept-files';
import { listLies } from '#sandbox';
import { sealOwnRules } from './own-seals.ts';
import {
  readSealingTexts,
  readSuiteSources,
  readSuiteTexts,
  type SuiteSource,
  splitStatements,
} from './suite-sources.ts';

/** What the proof of each rule rests on: sixteen letters that change with any of it. */
export type RuleSeals = ReadonlyMap<string, string>;

/** Files of a suite by path. */
type Sources = ReadonlyMap<string, SuiteSource>;

const SANDBOX = 'tools/sandbox/';
const RULE_ID = new RegExp(`\\b(?:${RULE_PREFIXES.join('|')})-[A-Z]+-\\d+\\b`, 'g');

/** A statement that is a check or draws up several: the rules that it names are those it is about. */
const CHECK = /^(?:test|for)\b/;

/**
 * Seals every rule with a hash over what its proof rests on: its promise and the part of the spec where it stands; its lies, the
 * files of the sandbox that decide about it and what these load; its checks, with all of their files that is no check about other
 * rules, and what these load; and the engine. What lies in the folders of one service is of no concern to the others, and a file of
 * the sandbox that decides about other rules only is of none to this one. Comments and layout count for nothing.
 * A package tells the seals of the sources it was built from.
 */
export async function sealRules(contract: Contract): Promise<RuleSeals> {
  const built = readBuiltFrom();
  const house = built === undefined ? await sealSuite(contract) : new Map(Object.entries(built.seals));
  const own = sealOwnRules(contract, house).map(([id, content]) => [id, digest(content)] as const);
  return new Map([...house, ...own]);
}

/** Seals the suite as it stands; kept by the hash of all that decides, since nearly every command asks for it. */
async function sealSuite(contract: Contract): Promise<RuleSeals> {
  const texts = readSuiteTexts();
  const hash = createHash('sha256').update(JSON.stringify([...texts, contract.specs, readSealingTexts()]));
  const file = join(CACHE_FOLDER, 'seals', `${hash.digest('hex')}.json`);
  try {
    return new Map(JSON.parse(readFileSync(file, 'utf8')) as [string, string][]);
  } catch {
    const house = [...contract.rules].filter(([id]) => !contract.own.rules.has(id));
    const seals = sealSources({ ...contract, rules: new Map(house) }, await readSuiteSources(texts));
    keepFile(file, JSON.stringify([...seals]));
    return seals;
  }
}

/** As {@link sealRules}, over sources that were read already. */
export function sealSources(contract: Contract, sources: Sources): RuleSeals {
  const engine = digest([...sources.values()].filter(({ path }) => isEngine(path)).map(contentOf));
  const services = new Map(API_NAMES.map((api) => [api, digest(serviceSources(sources, api).map(contentOf))]));
  const lies = listLies();
  const deciding = filesByRule(sources);
  const checks = checksByRule(sources);
  return new Map(
    [...contract.rules.values()].map((rule) => [
      rule.id,
      digest([
        engine,
        services.get(rule.api),
        promiseOf(contract, rule),
        lies.filter((lie) => lie.rule === rule.id).map(({ name }) => name),
        closureOf(sources, deciding.get(rule.id) ?? [], SANDBOX).map(contentOf),
        checks.get(rule.id) ?? [],
      ]),
    ]),
  );
}

/** Whether a file is common to all services. */
function isEngine(path: string): boolean {
  return !path.startsWith('tests/') && serviceOf(path) === undefined;
}

function serviceOf(path: string): Api | undefined {
  return API_NAMES.find((api) => path.split('/')[2] === api);
}

/** What is common to all rules of a service: its folders, but for files of the sandbox that decide about some of the rules. */
function serviceSources(sources: Sources, api: Api): SuiteSource[] {
  return [...sources.values()].filter(
    ({ path, code }) => serviceOf(path) === api && !(path.startsWith(SANDBOX) && idsIn(code).size > 0),
  );
}

/** The rule's own words, and the part of its spec where it stands, without what is said of other rules. */
function promiseOf(contract: Contract, { id, api, at, level, text, source, needs, operation }: Rule): unknown {
  const root = contract.document(api);
  const places = at === '' ? [] : [at, ...referredFrom(root, at)];
  return [
    id,
    level,
    text,
    source,
    needs,
    operation,
    places.sort().map((place) => [place, plain(valueAt(root, place))]),
  ];
}

/** Places of a spec that another place refers to, directly or by way of others. */
function referredFrom(root: unknown, at: string): string[] {
  const found = new Set<string>();
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    const { $ref } = value as { $ref?: unknown };
    const place = typeof $ref === 'string' ? referencePointer($ref) : undefined;
    if (place !== undefined && !found.has(place)) {
      found.add(place);
      visit(valueAt(root, place));
    }
    for (const one of Object.values(value)) visit(one);
  };
  visit(valueAt(root, at));
  return [...found];
}

/** A part of a spec as it binds: without notes and words. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, one]) => !key.startsWith('x-') && !(WORDS.has(key) && typeof one === 'string'))
      .map(([key, one]) => [key, plain(one)]),
  );
}

const WORDS = new Set(['description', 'summary', 'title']);

/** Files of the sandbox that decide about a rule. */
function filesByRule(sources: Sources): ReadonlyMap<string, string[]> {
  const found = new Map<string, string[]>();
  for (const { path, code } of sources.values())
    if (path.startsWith(SANDBOX)) for (const id of idsIn(code)) found.set(id, [...(found.get(id) ?? []), path]);
  return found;
}

/** By rule: the statements that name it, what else stands in a file that speaks of it, and what that file loads. */
function checksByRule(sources: Sources): ReadonlyMap<string, unknown[]> {
  const found = new Map<string, unknown[]>();
  for (const { path, code, loads } of sources.values()) {
    if (!path.endsWith('.spec.ts')) continue;
    const statements = splitStatements(code).map((text) => ({ text, ids: CHECK.test(text) ? idsIn(text) : NONE }));
    const rest = statements.filter(({ ids }) => ids.size === 0).map(({ text }) => text);
    const data = dataBeside(sources, path);
    const loaded = closureOf(sources, loads, 'tests/');
    for (const id of idsIn([code, ...loaded.map((one) => one.code)].join('\n'))) {
      const own = statements.filter(({ ids }) => ids.has(id)).map(({ text }) => text);
      found.set(id, [...(found.get(id) ?? []), [path, own, rest, [...loaded, ...data].map(contentOf)]]);
    }
  }
  return found;
}

const NONE: ReadonlySet<string> = new Set();

/** What lies among checks and is no code: they may read it. */
function dataBeside(sources: Sources, check: string): SuiteSource[] {
  const folder = check.slice(0, check.lastIndexOf('/') + 1);
  return [...sources.values()].filter(({ path }) => path.startsWith(folder) && !path.endsWith('.ts'));
}

/** Files and all that they load, as far as it lies below a folder. */
function closureOf(sources: Sources, paths: readonly string[], folder: string): SuiteSource[] {
  const found = new Map<string, SuiteSource>();
  const open = [...paths];
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    const source = path.startsWith(folder) && !found.has(path) ? sources.get(path) : undefined;
    if (source === undefined) continue;
    found.set(path, source);
    open.push(...source.loads);
  }
  return [...found.keys()].sort().map((path) => found.get(path)!);
}

function idsIn(code: string): ReadonlySet<string> {
  return new Set(code.match(RULE_ID) ?? []);
}

function contentOf({ path, code }: SuiteSource): string {
  return `${path}\n${code}`;
}

function digest(parts: unknown): string {
  return inLetters(createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 16));
}
