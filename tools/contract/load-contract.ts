import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { APIS, byApi } from '#apis';
import { ownFolder } from '#folders';
import { Trouble } from '#trouble';
import { type CompiledSpec, compileSpec } from './compile-spec.ts';
import { readOwnRegister } from './own-register.ts';
import { reachSchemas } from './schema-reach.ts';
import { clientSpecPath, locatePointer, readSpec, SPEC_FILES, type SpecFile } from './spec-file.ts';
import { readRegister } from './spec-register.ts';
import type { Api, Contract, DocumentedEvent, DocumentedOperation, OwnRegister, Rule, SpecIdentity } from './types.ts';

/** A contract together with what attributing a violation needs. */
export interface LoadedContract extends Contract {
  /** Compiled parts by service; for {@link judge} only. */
  readonly compiled: Readonly<Record<Api, CompiledSpec>>;
}

/**
 * Reads, checks and compiles every spec into one frozen contract.
 * @param paths other spec files than the project's own, by service
 * @throws Trouble (usage) naming file and line: bad YAML, malformed or doubled rule, unresolved reference, invalid schema
 */
export function loadContract(paths: Partial<Record<Api, string>> = {}): LoadedContract {
  const specs = APIS.map(({ name }) => readSpec(name, paths[name] ?? SPEC_FILES[name]));
  const registers = specs.map(readRegister);
  const clientSpecs = APIS.map(({ name }) => ({ name, path: clientSpecPath(paths[name] ?? SPEC_FILES[name]) }))
    .filter(({ path }) => existsSync(path))
    .map(({ name, path }) => readSpec(name, path));
  const clientRegisters = clientSpecs.map(readRegister);
  const compiled = specs.map(compileSpec);
  const operations = new Map<string, DocumentedOperation>();
  const events = new Map<string, DocumentedEvent>();
  compiled.forEach((part, i) => {
    for (const operation of part.operations) {
      if (operations.has(operation.id)) {
        throw new Trouble('usage', `operation ${operation.id} is described twice`, {
          place: locatePointer(specs[i]!, operation.at),
        });
      }
      operations.set(operation.id, Object.freeze(operation));
    }
    for (const event of part.events) events.set(event.name, Object.freeze(event));
  });
  const byId = <T extends { id: string }>(entries: T[]): ReadonlyMap<string, T> =>
    new Map(entries.sort((a, b) => (a.id < b.id ? -1 : 1)).map((entry) => [entry.id, Object.freeze(entry)]));
  return Object.freeze({
    specs: specs.map(identifySpec),
    rules: byId(registers.flatMap(({ rules }, i) => markTraced(rules, specs[i]!.root, compiled[i]!))),
    holes: byId(registers.flatMap(({ holes }) => holes)),
    readings: [...byId([...registers, ...clientRegisters].flatMap(({ readings }) => readings)).values()],
    contexts: registers.flatMap(({ contexts }) => contexts),
    areas: byId(registers.flatMap(({ areas }) => areas)),
    clientRules: byId(
      clientRegisters.flatMap(({ rules }) => rules.map((rule) => ({ ...rule, side: 'client' as const }))),
    ),
    clientAreas: byId(clientRegisters.flatMap(({ areas }) => areas)),
    clientSpecs: clientSpecs.map(identifySpec),
    operations,
    events,
    states: registers.flatMap(({ states }) => states),
    own: NOTHING_OWN,
    document: (api: Api) => specs.find((spec) => spec.api === api)!.root,
    compiled: byApi(({ name }) => compiled[specs.findIndex(({ api }) => api === name)]!),
  });
}

function identifySpec({ api, file, sha256, root }: SpecFile): SpecIdentity {
  return { api, file, sha256, version: String((root.info as { version?: unknown } | undefined)?.version ?? '') };
}

/** Marks the rules that stand at a place of an answer or event (beside a member, a header, or the answer itself) and speak of what comes there. */
function markTraced(rules: readonly Rule[], root: object, { operations, events }: CompiledSpec): Rule[] {
  const answers = operations.flatMap((operation) => [...operation.answers.values()]);
  const bodies = [...answers, ...events].flatMap(({ schema }) => (schema === undefined ? [] : [schema.at]));
  const places = new Set([
    ...answers.flatMap(({ at, headers }) => [at, ...[...headers.values()].map((header) => header.at)]),
    ...reachSchemas(root, bodies),
  ]);
  return rules.map((rule) => (places.has(rule.at) && !rule.absence ? { ...rule, traced: true } : rule));
}

const NOTHING_OWN: OwnRegister = { rules: new Set(), lies: [], sandbox: [], documents: new Map() };

let own: LoadedContract | undefined;

/**
 * The project's own contract with the rules of the workspace, loaded once per process; `ASSAY_SPECS` names another folder with all specs.
 * @throws Trouble (usage) as {@link loadContract} does, and for own rules that are wrong
 */
export function projectContract(): LoadedContract {
  const folder = process.env.ASSAY_SPECS;
  own ??= withOwnRules(loadContract(folder ? byApi(({ spec }) => join(folder, spec)) : {}), ownFolder('rules'));
  return own;
}

/** A contract and the rules of a workspace beside it. */
function withOwnRules(house: LoadedContract, folder: string | undefined): LoadedContract {
  if (folder === undefined) return house;
  const { rules, areas, contexts, ...more } = readOwnRegister(folder, house);
  const joined = <T extends { id: string }>(before: ReadonlyMap<string, T>, added: readonly T[]) =>
    new Map([...before, ...added.map((one) => [one.id, Object.freeze(one)] as const)]);
  return Object.freeze({
    ...house,
    rules: joined(house.rules, rules),
    areas: joined(house.areas, areas),
    contexts: [...house.contexts, ...contexts],
    own: { ...more, rules: new Set(rules.map(({ id }) => id)) },
  });
}
