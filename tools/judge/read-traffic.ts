import type { Contract } from '#contract';
import { type RecognisedOperation, recogniseOperation } from './recognise-exchange.ts';
import type { Traffic, TrafficExchange } from './traffic.ts';

/** The members of a JSON object. */
export type JsonMembers = Readonly<Record<string, unknown>>;

/** An exchange with its parts read. */
export interface ReadExchange {
  readonly exchange: TrafficExchange;
  /** Position in the traffic, from 0. */
  readonly index: number;
  readonly known: RecognisedOperation | undefined;
  /** Names in lower case; of a repeated header all values. */
  readonly headers: ReadonlyMap<string, string>;
  readonly query: URLSearchParams;
  readonly text: string;
  /** The body as JSON; undefined when there is none or it is something else. */
  readonly body: unknown;
  readonly answer: unknown;
  readonly answerText: string;
  readonly answerHeaders: ReadonlyMap<string, string>;
  /** Of a form that a browser posted. */
  readonly form: URLSearchParams;
  /** When the answer was there, milliseconds since the epoch. */
  readonly endedAt: number;
}

/** A request for a documented operation, by the documented method. */
export interface AskedRequest extends ReadExchange {
  readonly known: RecognisedOperation;
  readonly operation: string;
}

/** Traffic with every part read once. */
export interface ReadTraffic extends Pick<Traffic, 'lacks' | 'isWhole' | 'publicKeys'> {
  readonly contract: Contract;
  readonly all: readonly ReadExchange[];
  /** What the client asked of documented operations. */
  readonly asked: readonly AskedRequest[];
  /** What a service sent to a receiver. */
  readonly messages: readonly ReadExchange[];
  /** What a customer's browser asked for. */
  readonly pages: readonly ReadExchange[];
}

/** Reads every part of traffic that a rule may look at. */
export function readTraffic(contract: Contract, traffic: Traffic): ReadTraffic {
  const all = traffic.exchanges.map((exchange, index) => readExchange(contract, exchange, index));
  const asked = all.flatMap((one): AskedRequest[] =>
    one.exchange.direction === 'out' && one.known?.isMethodRight
      ? [{ ...one, known: one.known, operation: one.known.operation.id }]
      : [],
  );
  return {
    contract,
    lacks: traffic.lacks,
    isWhole: traffic.isWhole,
    publicKeys: traffic.publicKeys,
    all,
    asked,
    messages: all.filter(({ exchange }) => exchange.direction === 'in'),
    pages: all.filter(({ exchange }) => exchange.direction === 'browser'),
  };
}

function readExchange(contract: Contract, exchange: TrafficExchange, index: number): ReadExchange {
  const { request, response, direction } = exchange;
  const text = plainText(decodeText(request.body));
  const answerText = plainText(decodeText(response?.body));
  const [, search = ''] = request.url.split('?');
  return {
    exchange,
    index,
    known: direction === 'out' ? recogniseOperation(contract, request.method, request.url) : undefined,
    headers: joinValues(request.headers),
    query: new URLSearchParams(search.replace(/#.*$/s, '')),
    text,
    body: parseJson(text),
    answer: parseJson(answerText),
    answerText,
    answerHeaders: joinValues(response?.headers ?? []),
    form: new URLSearchParams(direction === 'browser' ? text : ''),
    endedAt: exchange.at + exchange.duration,
  };
}

/** An object's members; of anything else none. */
export function membersOf(value: unknown): JsonMembers {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonMembers) : {};
}

/** Every value of a member of this name, at any depth. */
export function findMembers(value: unknown, name: string): unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, one]) => [
    ...(key === name && !Array.isArray(value) ? [one] : []),
    ...findMembers(one, name),
  ]);
}

/** Every text of a value, at any depth. */
export function findTexts(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(findTexts) : [];
}

/** Whether a member was given: neither left out, nor null, nor empty. */
export function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null && value !== '';
}

function decodeText(bytes: Uint8Array | undefined): string {
  return bytes === undefined ? '' : Buffer.from(bytes).toString('utf8');
}

/** Brackets within each other, beyond which no body of either service goes and no reader of members has to follow. */
const DEEPEST = 500;

/** A text that can be looked into; of one that is only there to be deep, nothing. */
function plainText(text: string): string {
  let depth = 0;
  for (let i = 0; i < text.length; i += 1) {
    const sign = text.charCodeAt(i);
    if (sign === 0x5b || sign === 0x7b) depth += 1;
    else if (sign === 0x5d || sign === 0x7d) depth -= 1;
    if (depth > DEEPEST) return '';
  }
  return text;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function joinValues(pairs: readonly (readonly [string, string])[]): ReadonlyMap<string, string> {
  const joined = new Map<string, string>();
  for (const [name, value] of pairs) {
    const key = name.toLowerCase();
    const before = joined.get(key);
    joined.set(key, before === undefined ? value : `${before}, ${value}`);
  }
  return joined;
}
