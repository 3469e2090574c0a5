import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { Trouble } from '#trouble';
import { at, locate, point, type SpecFile, unpoint } from './spec-file.ts';
import type { Answer, Event, Operation } from './types.ts';

type Fields = Record<string, unknown>;

const METHODS = ['get', 'put', 'post', 'delete', 'head', 'patch', 'options'];
const ANNOTATIONS = ['x-rules', 'x-unknowns', 'x-open', 'x-removed', 'example', 'discriminator', 'xml', 'externalDocs'];

/** Operations and events of one spec, every schema compiled. */
export interface Compiled {
  readonly operations: Operation[];
  readonly events: Event[];
  /** The rule that an ajv error is charged to: nearest above the keyword, else along the instance path, else the response. */
  charge(answerAt: string, schemaAt: string | undefined, error?: ErrorObject): string | undefined;
}

/**
 * Compiles every schema of a spec in ajv's strict mode and resolves every reference.
 * @throws Trouble (usage) naming file and line of an unresolved reference or an invalid schema
 */
export function compileSpec(spec: SpecFile): Compiled {
  const base = `${spec.api}.yaml`;
  const ajv = new Ajv2020({
    strict: true,
    strictRequired: false,
    strictTypes: true,
    allowUnionTypes: true,
    allErrors: true,
    verbose: true,
    inlineRefs: false,
    validateSchema: false,
    logger: false,
  });
  addFormats.default(ajv);
  // A pointer into the description makes ajv look at its root as a schema, so the root's own keys must be known to it.
  ajv.addVocabulary([...new Set([...ANNOTATIONS, ...Object.keys(spec.root)])]);
  ajv.addSchema(spec.root as object, base);

  const meta = ajv.getSchema('https://json-schema.org/draft/2020-12/schema') as ValidateFunction;
  const fail = (pointer: string, message: string, reason?: string): never => {
    throw new Trouble('usage', message, { place: locate(spec, pointer), ...(reason ? { reason } : {}) });
  };
  /** The object a reference object stands for, and where it really is. */
  const follow = (pointer: string): { value: Fields; pointer: string } => {
    const value = at(spec.root, pointer) as Fields | undefined;
    if (value && typeof value.$ref === 'string') {
      if (!value.$ref.startsWith('#/') || at(spec.root, value.$ref) === undefined) {
        return fail(pointer, `unresolved reference ${value.$ref}`);
      }
      return follow(point0(value.$ref));
    }
    return value === undefined ? fail(pointer, 'nothing here') : { value, pointer };
  };
  const known = new Map<string, ValidateFunction>();
  const compile = (pointer: string): ValidateFunction => {
    try {
      const schema = { $ref: `${base}#${pointer.split('/').map(encodeURIComponent).join('/')}` };
      const validate = known.get(pointer) ?? ajv.compile(schema);
      known.set(pointer, validate);
      return validate;
    } catch (error) {
      return fail(pointer, 'the schema does not compile', (error as Error).message);
    }
  };
  checkSchemas(spec, meta, fail);

  const answer = (status: number, pointer: string): Answer => {
    const { value, pointer: real } = follow(pointer);
    const media = Object.keys((value.content as Fields | undefined) ?? {})[0];
    const schema = media === undefined ? undefined : point(point(point(real, 'content'), media), 'schema');
    const headers = new Map<string, { required: boolean; validate: ValidateFunction | undefined; at: string }>();
    for (const name of Object.keys((value.headers as Fields | undefined) ?? {})) {
      const header = follow(point(point(real, 'headers'), name));
      headers.set(name.toLowerCase(), {
        required: header.value.required === true,
        validate: header.value.schema === undefined ? undefined : compile(point(header.pointer, 'schema')),
        at: header.pointer,
      });
    }
    const body = schema !== undefined && at(spec.root, schema) !== undefined ? compile(schema) : undefined;
    return { status, media, validate: body, at: real, headers };
  };

  const operations: Operation[] = [];
  for (const [path, item] of Object.entries((spec.root.paths as Fields | undefined) ?? {})) {
    for (const method of METHODS) {
      const operation = (item as Fields)[method] as Fields | undefined;
      if (operation === undefined) continue;
      const here = point(point('/paths', path), method);
      if (typeof operation.operationId !== 'string') fail(here, 'an operation needs its operationId');
      const answers = new Map<number, Answer>();
      for (const status of Object.keys((operation.responses as Fields | undefined) ?? {})) {
        answers.set(Number(status), answer(Number(status), point(point(here, 'responses'), status)));
      }
      const security = (operation.security ?? spec.root.security ?? []) as Fields[];
      operations.push({
        id: operation.operationId as string,
        api: spec.api,
        method: method.toUpperCase(),
        path,
        security: security.flatMap((one) => Object.keys(one)),
        request: operation.requestBody === undefined ? undefined : request(point(here, 'requestBody')),
        answers,
        at: here,
      });
    }
  }
  function request(pointer: string): Operation['request'] {
    const { value, pointer: real } = follow(pointer);
    const media =
      Object.keys((value.content as Fields | undefined) ?? {})[0] ?? fail(real, 'a request body needs its media type');
    const schema = point(point(point(real, 'content'), media), 'schema');
    return { media, required: value.required === true, validate: compile(schema) };
  }
  const events = Object.entries((spec.root.webhooks as Fields | undefined) ?? {}).map(([name, item]): Event => {
    const here = point(point('/webhooks', name), 'post');
    const body = (item as { post?: { requestBody?: Fields } }).post?.requestBody;
    return {
      name,
      api: spec.api,
      validate: body === undefined ? undefined : request(point(here, 'requestBody'))?.validate,
      at: here,
    };
  });

  const places = placesOf(spec.root);
  return {
    operations,
    events,
    charge: (answerAt, schemaAt, error) =>
      (error && nearest(spec.root, places.get(error.parentSchema as object) ?? '')) ??
      (error && schemaAt && along(spec.root, schemaAt, error.instancePath)) ??
      nearest(spec.root, answerAt),
  };
}

/** Every schema of the document against the 2020-12 meta-schema, every reference against the document. */
function checkSchemas(
  spec: SpecFile,
  meta: ValidateFunction,
  fail: (pointer: string, message: string, reason?: string) => never,
) {
  const check = (pointer: string, schema: unknown) => {
    if (!meta(schema)) {
      const [error] = meta.errors as ErrorObject[];
      fail(
        `${pointer}${error!.instancePath}`,
        'the schema is not valid JSON Schema 2020-12',
        `${error!.instancePath || 'it'} ${error!.message}`,
      );
    }
  };
  const walk = (node: unknown, pointer: string) => {
    if (typeof node !== 'object' || node === null) return;
    const { $ref } = node as Fields;
    if (typeof $ref === 'string' && (!$ref.startsWith('#/') || at(spec.root, $ref) === undefined)) {
      fail(pointer, `unresolved reference ${$ref}`, 'nothing stands at that place of the file');
    }
    for (const [key, value] of Object.entries(node)) {
      const here = point(pointer, key);
      if (key === 'schema' || pointer === '/components/schemas') check(here, value);
      if (key !== 'example' && key !== 'examples' && key !== 'x-context') walk(value, here);
    }
  };
  walk(spec.root, '');
}

/** Where each schema object stands: ajv names the failing schema itself, its path only within the last reference. */
function placesOf(root: object): ReadonlyMap<object, string> {
  const places = new Map<object, string>();
  const walk = (node: unknown, pointer: string) => {
    if (typeof node !== 'object' || node === null || places.has(node)) return;
    places.set(node, pointer);
    for (const [key, value] of Object.entries(node)) {
      if (key !== 'examples' && !key.startsWith('x-')) walk(value, point(pointer, key));
    }
  };
  walk(root, '');
  return places;
}

/** The first rule at the pointer or at its nearest ancestor, not above the response, schema or header it belongs to. */
function nearest(root: unknown, pointer: string): string | undefined {
  const tokens = unpoint(pointer);
  for (let length = tokens.length; length > 1; length -= 1) {
    const rule = first(at(root, tokens.slice(0, length).reduce<string>(point, '')));
    if (rule !== undefined) return rule;
    const [grand, parent] = tokens.slice(Math.max(0, length - 3), length - 1);
    if (parent === 'responses' || grand === 'responses' || (grand === 'components' && parent !== undefined))
      return undefined;
  }
  return undefined;
}

/** The last rule met on the way from a schema down an instance path; members of an allOf show the way, their rules are their own. */
function along(root: unknown, schemaAt: string, instancePath: string): string | undefined {
  let found: string | undefined;
  let nodes = [at(root, schemaAt)];
  const open = (node: unknown, member = false): unknown[] => {
    if (typeof node !== 'object' || node === null) return [];
    const { $ref, allOf } = node as { $ref?: string; allOf?: unknown[] };
    if (!member) found = first(node) ?? found;
    return [node, ...($ref ? open(at(root, $ref), member) : []), ...(allOf ?? []).flatMap((one) => open(one, true))];
  };
  for (const token of [...unpoint(instancePath), undefined]) {
    const opened = nodes.flatMap((node) => open(node)) as {
      properties?: Fields;
      items?: unknown;
      additionalProperties?: unknown;
    }[];
    if (token === undefined) break;
    nodes = opened.flatMap(({ properties, items, additionalProperties }) => [
      properties?.[token] ?? additionalProperties,
      ...(/^\d+$/.test(token) ? [items] : []),
    ]);
  }
  return found;
}

function first(node: unknown): string | undefined {
  const rules = typeof node === 'object' && node !== null ? (node as Fields)['x-rules'] : undefined;
  return Array.isArray(rules) ? (rules[0] as { id?: string } | undefined)?.id : undefined;
}

function point0(ref: string): string {
  return unpoint(ref).reduce<string>(point, '');
}
