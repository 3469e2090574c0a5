import { appendPointer, referencePointer, valueAt } from '#json-pointer';

import type { ChangeDirection } from '../types.ts';

type Fields = Record<string, unknown>;

/** One body that a description knows. */
export interface BodySlot {
  /** Operation id, or name of a webhook or callback. */
  readonly operation: string;
  /** `request`: what a client sends, `response`: what it receives; a message of the service is received. */
  readonly direction: ChangeDirection;
  readonly event: boolean;
  readonly status?: string;
  readonly media: string;
  /** Pointer of its schema. */
  readonly schema: string;
}

/** A parameter, or a header of an answer. */
export interface CallField {
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  readonly schema: string | undefined;
  readonly at: string;
}

/** One operation, or one message of the service. */
export interface DescribedCall {
  readonly id: string;
  readonly event: boolean;
  readonly method: string;
  readonly path: string;
  readonly at: string;
  readonly parameters: readonly CallField[];
  readonly slots: readonly BodySlot[];
  readonly answers: ReadonlyMap<string, { readonly at: string; readonly headers: readonly CallField[] }>;
}

const METHODS = ['get', 'put', 'post', 'delete', 'head', 'patch', 'options', 'trace'];

const CALLS = new WeakMap<object, readonly DescribedCall[]>();

/** Every operation, webhook and callback of a description, references followed; read once. */
export function callsOf(root: Fields): readonly DescribedCall[] {
  const calls = CALLS.get(root) ?? readCalls(root);
  CALLS.set(root, calls);
  return calls;
}

function readCalls(root: Fields): DescribedCall[] {
  const calls: DescribedCall[] = [];
  const within = new Set<string>();
  const items = (group: string, event: boolean) => {
    for (const path of Object.keys(fields(root[group])))
      readItem(root, appendPointer(`/${group}`, path), { event, path, name: path, within }, calls);
  };
  items('paths', false);
  items('webhooks', true);
  return calls;
}

/** The call of another description that is the same: by id, else by method and path whatever its parameters are called. */
export function sameCall(call: DescribedCall, others: readonly DescribedCall[]): DescribedCall | undefined {
  const shape = ({ method, path, event }: DescribedCall) => `${event} ${method} ${path.replace(/\{[^}]*\}/g, '{}')}`;
  const byId = others.find(({ id, event }) => id === call.id && event === call.event);
  return byId ?? others.find((one) => shape(one) === shape(call));
}

interface Item {
  readonly event: boolean;
  readonly path: string;
  readonly name: string;
  /** Operations whose callbacks are being read: a callback may lead back to one of them. */
  readonly within: Set<string>;
}

function readItem(root: Fields, pointer: string, item: Item, calls: DescribedCall[]): void {
  const { value, pointer: here } = follow(root, pointer);
  for (const method of METHODS) {
    if (value[method] === undefined) continue;
    const place = `${here}/${method}`;
    if (item.within.has(place)) continue;
    item.within.add(place);
    const operation = follow(root, place).value;
    const id =
      typeof operation.operationId === 'string' ? operation.operationId : `${method.toUpperCase()} ${item.path}`;
    calls.push(
      readCall(root, place, { ...item, id: item.event ? item.name : id, method: method.toUpperCase() }, value),
    );
    for (const name of Object.keys(fields(operation.callbacks))) {
      const callback = follow(root, appendPointer(`${place}/callbacks`, name));
      for (const expression of Object.keys(callback.value).filter((key) => !key.startsWith('x-')))
        readItem(
          root,
          appendPointer(callback.pointer, expression),
          { ...item, event: true, path: expression, name },
          calls,
        );
    }
    item.within.delete(place);
  }
}

function readCall(
  root: Fields,
  place: string,
  call: Item & { id: string; method: string },
  item: Fields,
): DescribedCall {
  const { id, event, method, path } = call;
  const operation = follow(root, place).value;
  const above = place.split('/').slice(0, -1).join('/');
  const listed = [
    ...list(item.parameters).map((_, i) => `${above}/parameters/${i}`),
    ...list(operation.parameters).map((_, i) => `${place}/parameters/${i}`),
  ].map((pointer) => readField(root, pointer));
  const parameters = [...new Map(listed.map((one) => [`${one.in} ${one.name}`, one])).values()];
  const slots = bodies(root, `${place}/requestBody`).map(
    (body): BodySlot => ({
      operation: id,
      event,
      direction: event ? 'response' : 'request',
      ...body,
    }),
  );
  const answers = new Map<string, { at: string; headers: CallField[] }>();
  for (const status of Object.keys(fields(operation.responses)).filter((key) => !key.startsWith('x-'))) {
    const answer = follow(root, appendPointer(`${place}/responses`, status));
    const headers = Object.keys(fields(answer.value.headers)).map((name) => ({
      ...readField(root, appendPointer(`${answer.pointer}/headers`, name)),
      name,
    }));
    answers.set(status, { at: answer.pointer, headers });
    for (const body of bodies(root, answer.pointer))
      slots.push({ operation: id, event, direction: event ? 'request' : 'response', status, ...body });
  }
  return { id, event, method, path, at: place, parameters, slots, answers };
}

function bodies(root: Fields, pointer: string): Pick<BodySlot, 'media' | 'schema'>[] {
  if (valueAt(root, pointer) === undefined) return [];
  const { value, pointer: here } = follow(root, pointer);
  return Object.entries(fields(value.content)).flatMap(([media, content]) =>
    fields(content).schema === undefined
      ? []
      : [{ media, schema: `${appendPointer(`${here}/content`, media)}/schema` }],
  );
}

function readField(root: Fields, given: string): CallField {
  const { value, pointer } = follow(root, given);
  return {
    name: String(value.name ?? ''),
    in: String(value.in ?? 'header'),
    required: value.required === true,
    schema: value.schema === undefined ? undefined : `${pointer}/schema`,
    at: pointer,
  };
}

/** The object that a reference stands for, and where it really is; an empty one where nothing is. */
function follow(root: Fields, pointer: string, depth = 0): { value: Fields; pointer: string } {
  const value = fields(valueAt(root, pointer));
  const referred = typeof value.$ref === 'string' ? referencePointer(value.$ref) : undefined;
  return referred === undefined || depth > 20 ? { value, pointer } : follow(root, referred, depth + 1);
}

const fields = (value: unknown) => (typeof value === 'object' && value !== null ? (value as Fields) : {});
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
