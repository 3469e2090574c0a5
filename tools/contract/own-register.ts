import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join, parse, relative } from 'node:path';
import { API_NAMES, type Api, RULE_PREFIXES } from '#apis';
import { appendPointer } from '#json-pointer';
import { readContext, readRule } from './register-entries.ts';
import { RegisterFields, readRecord } from './register-fields.ts';
import type { ContextClause, Contract, OwnLie, OwnRegister, Rule, RuleArea, WireChange } from './types.ts';
import { readWireChange } from './wire-change.ts';
import { readYaml } from './yaml-file.ts';

/** Form of an own area; its rules have two figures more. */
const AREA = /^([A-Z][A-Z0-9]{1,7})-[A-Z0-9]{3}$/;
const IDS = { form: /^[A-Z][A-Z0-9]{1,7}-[A-Z0-9]{3}-\d{2}$/, example: 'SHOP-CRD-01' };
const LIE = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

/** What the own rules of a workspace come to, before they stand in a contract. */
export interface OwnEntries extends Omit<OwnRegister, 'rules'> {
  readonly rules: readonly Rule[];
  readonly areas: readonly RuleArea[];
  readonly contexts: readonly ContextClause[];
}

/**
 * Reads every `*.yaml` of a folder of own rules; its documents are the `*.md` beside them.
 * @param house the contract without them, whose operations and messages they speak of
 * @throws Trouble (usage) with file and line: bad YAML, an unknown key, service or document, an id of the house's or given twice, a
 *   rule without source, a lie that cannot be told
 */
export function readOwnRegister(folder: string, house: Contract): OwnEntries {
  const files = readdirSync(folder).sort();
  const documents = new Map(
    files.filter((name) => name.endsWith('.md')).map((name) => [parse(name).name, join(folder, name)] as const),
  );
  const seen = new Set<string>();
  const read = files.filter((name) => /\.ya?ml$/.test(name)).map((name) => readFile(join(folder, name)));
  return {
    rules: read.flatMap(({ rules }) => rules),
    areas: read.flatMap(({ areas }) => areas),
    contexts: read.flatMap(({ contexts }) => contexts),
    lies: read.flatMap(({ lies }) => lies),
    sandbox: read.flatMap(({ sandbox }) => sandbox),
    documents,
  };

  function readFile(path: string): Omit<OwnEntries, 'documents'> {
    const file = relative(process.cwd(), path) || path;
    const root = readRecord(readYaml(path, 'rules').value ?? {}) ?? {};
    const text = readFileSync(path, 'utf8');
    const sha256 = createHash('sha256').update(text).digest('hex');
    const source = { api: root.api as Api, file, text, sha256, root };
    const fields = new RegisterFields(source, [...documents.keys()], parse(String(root.document ?? '')).name);
    const { fail } = fields;
    fields.refuseUnknownKeys(root, '', ['api', 'document', 'areas', 'rules', 'context', 'sandbox']);
    if (!API_NAMES.includes(source.api))
      fail('/api', `unknown service ${String(root.api)}`, `api is ${API_NAMES.join(' or ')}: whom the rules are about`);
    if (root.document !== undefined && !documents.has(parse(String(root.document)).name))
      fail('/document', `there is no document ${String(root.document)}`, 'it lies beside the rules, as Markdown');
    const of = <T extends { api: Api }>(all: ReadonlyMap<string, T>) =>
      new Map([...all].filter(([, { api }]) => api === source.api));
    const wire = { operations: of(house.operations), events: of(house.events) };
    const once = (id: string, pointer: string) => {
      if (seen.has(id)) fail(pointer, `${id} is given twice`, 'give one of them another name');
      seen.add(id);
    };
    const areas = Object.entries(readRecord(root.areas) ?? {}).map(([id, title]): RuleArea => {
      const pointer = appendPointer('/areas', id);
      const [, prefix = ''] = AREA.exec(id) ?? fail(pointer, `malformed area ${id}`, 'write it like SHOP-CRD');
      if (RULE_PREFIXES.includes(prefix))
        fail(pointer, `${prefix} begins the ids of the house`, `choose another word than ${RULE_PREFIXES.join(', ')}`);
      once(id, pointer);
      return { id, api: source.api, title: fields.readText(title, '/areas', id), file: '' };
    });
    const areaIds = areas.map(({ id }) => id);
    const lies: OwnLie[] = [];
    const rules = fields.readList(root.rules ?? [], '/rules').map((whole, i): Rule => {
      const pointer = appendPointer('/rules', i);
      const { lies: untruths, operation, ...entry } = whole;
      const [prefix = ''] = String(entry.id).split('-');
      if (RULE_PREFIXES.includes(prefix))
        fail(
          appendPointer(pointer, 'id'),
          `${String(entry.id)} is an id of the house`,
          `begin it with another word than ${RULE_PREFIXES.join(', ')}`,
        );
      if (entry.source === undefined)
        fail(pointer, `rule ${String(entry.id)} has no source`, 'source: { section, sha256 }');
      if (operation !== undefined && !wire.operations.has(String(operation)))
        fail(appendPointer(pointer, 'operation'), `no operation is called ${String(operation)}`);
      const rule = readRule(fields, entry, pointer, areaIds, operation as string | undefined, IDS);
      once(rule.id, pointer);
      const place = appendPointer(pointer, 'lies');
      for (const [name, change] of Object.entries(readRecord(untruths ?? {}) ?? fail(place, 'lies have names'))) {
        const at = appendPointer(place, name);
        if (!LIE.test(name)) fail(at, `malformed name of a lie ${name}`, 'write it like-this');
        lies.push({
          name: `${rule.id.toLowerCase()}-${name}`,
          rule: rule.id,
          wire: readWireChange(fields, change, at, wire),
        });
      }
      return { ...rule, at: '' };
    });
    const contexts = fields.readList(root.context ?? [], '/context').map((entry, i) => {
      fields.refuseUnknownKeys(entry, appendPointer('/context', i), ['document', 'section', 'sha256', 'why']);
      return readContext(fields, entry, appendPointer('/context', i));
    });
    const sandbox = fields
      .readList(root.sandbox ?? [], '/sandbox')
      .map((change, i): WireChange => readWireChange(fields, change, appendPointer('/sandbox', i), wire));
    return { rules, areas, contexts, lies, sandbox };
  }
}
