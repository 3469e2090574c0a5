import { type ExchangeLine, isMaskedText, type Line, type Message } from '#evidence';
import { type CallField, callsOf, type DescribedCall, sameCall } from '../read/calls.ts';
import { rulerOf, type SchemaFault, type SchemaRuler } from '../read/ruler.ts';
import type { SpecPair } from '../read/sides.ts';
import { certainFaults, maskedPlaces } from './masked.ts';

/** Something recorded that the old description allows and the new one does not. */
export interface ReplayRefusal {
  readonly operation: string;
  /** `request`: what we sent; `response`: what came, as an answer or as a message. */
  readonly side: 'request' | 'response';
  readonly status?: string;
  /** JSON Pointer into the body with `*` for entries, or `query parameter x`, `header x`, `status`. */
  readonly where: string;
  readonly problem: string;
  /** Pointer into the new description, where there is one. */
  readonly at: string;
  /** Keyword of a schema that is not kept, and the member it is about. */
  readonly keyword?: string;
  readonly member?: string;
  readonly exchanges: readonly string[];
}

/** What holding a run against both descriptions came to. */
export interface ReplayedRun {
  readonly run: string;
  readonly requests: number;
  readonly responses: number;
  /** What was left out, by why. */
  readonly left: Readonly<Record<string, number>>;
  readonly refusals: readonly ReplayRefusal[];
}

interface Bench {
  readonly pair: SpecPair;
  readonly old: { readonly calls: readonly DescribedCall[]; readonly ruler: SchemaRuler };
  readonly new: { readonly calls: readonly DescribedCall[]; readonly ruler: SchemaRuler };
}

type Found = Omit<ReplayRefusal, 'operation' | 'side' | 'exchanges'>;

/**
 * Holds every recorded request and answer against the new description. What the old one does not allow either was wrong before, what the
 * service refused was meant to be refused, and a value that was redacted can break nothing: all of that is left out and counted.
 */
export function replayRun(pairs: readonly SpecPair[], lines: readonly Line[], run: string): ReplayedRun {
  const benches = pairs.map(
    (pair): Bench => ({
      pair,
      old: { calls: callsOf(pair.old.root), ruler: rulerOf(pair.old) },
      new: { calls: callsOf(pair.new.root), ruler: rulerOf(pair.new) },
    }),
  );
  const left: Record<string, number> = {};
  const skip = (why: string) => {
    left[why] = (left[why] ?? 0) + 1;
  };
  const refusals = new Map<string, ReplayRefusal & { exchanges: string[] }>();
  let requests = 0;
  let responses = 0;
  for (const line of lines) {
    if (line.kind !== 'exchange' || line.direction === 'browser') continue;
    const bench = benches.find(({ pair }) => pair.api === line.api);
    const before = bench?.old.calls.find(({ id }) => id === line.operation);
    if (!bench || !before) {
      skip('not in the old description');
      continue;
    }
    const after = sameCall(before, bench.new.calls);
    const keep = (side: ReplayRefusal['side'], found: readonly Found[]) => {
      for (const one of found) {
        const key = [before.id, side, one.status, one.where, one.problem].join('\n');
        const known = refusals.get(key);
        if (known) known.exchanges.push(line.id);
        else refusals.set(key, { operation: before.id, side, ...one, exchanges: [line.id] });
      }
    };
    const own = before.event ? 'response' : 'request';
    const mine = judgeRequest(bench, before, after, line);
    if (typeof mine === 'string') skip(mine);
    else {
      if (own === 'request') requests += 1;
      else responses += 1;
      keep(own, mine);
    }
    if (before.event || line.response === undefined || after === undefined) continue;
    const theirs = judgeAnswer(bench, before, after, line.response);
    if (typeof theirs === 'string') skip(theirs);
    else {
      responses += 1;
      keep('response', theirs);
    }
  }
  return { run, requests, responses, left, refusals: [...refusals.values()] };
}

function judgeRequest(
  bench: Bench,
  before: DescribedCall,
  after: DescribedCall | undefined,
  line: ExchangeLine,
): Found[] | string {
  const status = line.response?.status;
  if (!before.event && (status === undefined || status >= 400)) return 'requests that were not served';
  if (after === undefined)
    return [{ where: before.event ? 'message' : 'operation', problem: 'is no longer described', at: '' }];
  const wrongBefore = parameterFaults(bench.old.ruler, before, line);
  if (wrongBefore.length > 0) return 'requests against the old description';
  const found = parameterFaults(bench.new.ruler, after, line);
  const slot = (call: DescribedCall) => call.slots.find(({ status: of }) => of === undefined);
  const [old, now] = [slot(before), slot(after)];
  if (!old || !now || line.request.body === undefined) return found;
  const body = parsed(line.request);
  if (body === undefined) return found.length > 0 ? found : 'bodies that are cut or no JSON';
  const places = maskedPlaces(body.value);
  if (certainFaults(bench.old.ruler.allFaults(old.schema, body.value), places).length > 0)
    return 'requests against the old description';
  return [
    ...found,
    ...certainFaults(bench.new.ruler.allFaults(now.schema, body.value), places).map((one) => told(one)),
  ];
}

function judgeAnswer(
  bench: Bench,
  before: DescribedCall,
  after: DescribedCall,
  { status, headers, ...message }: NonNullable<ExchangeLine['response']>,
): Found[] | string {
  const [was, is] = [before, after].map((call) => statusOf(call, status));
  if (was === undefined) return 'answers that are not in the old description';
  if (is === undefined)
    return [{ status: String(status), where: 'status', problem: 'is no longer described', at: after.at }];
  const came = new Map(headers.map(([name, value]) => [name.toLowerCase(), value]));
  const lacking = (call: DescribedCall, key: string) =>
    call.answers.get(key)!.headers.filter(({ name, required }) => required && !came.has(name.toLowerCase()));
  if (lacking(before, was).length > 0) return 'answers against the old description';
  const found: Found[] = lacking(after, is).map(({ name, at }) => ({
    status: is,
    where: `header ${name}`,
    problem: 'must be there',
    at,
  }));
  const slot = (call: DescribedCall, key: string) => call.slots.find(({ status: of }) => of === key);
  const [old, now] = [slot(before, was), slot(after, is)];
  if (!old || !now || message.body === undefined) return found;
  const body = parsed({ headers, ...message });
  if (body === undefined) return found.length > 0 ? found : 'bodies that are cut or no JSON';
  const places = maskedPlaces(body.value);
  if (certainFaults(bench.old.ruler.allFaults(old.schema, body.value), places).length > 0)
    return 'answers against the old description';
  const faults = certainFaults(bench.new.ruler.allFaults(now.schema, body.value), places);
  return [...found, ...faults.map((one) => told(one, is))];
}

function told({ path, message, at, keyword, member }: SchemaFault, status?: string): Found {
  const where = path.replace(/\/\d+(?=\/|$)/g, '/*') || '/';
  return {
    ...(status === undefined ? {} : { status }),
    where,
    problem: message,
    at,
    keyword,
    ...(member === undefined ? {} : { member }),
  };
}

/** The status as a description writes it: exact, as a class, or `default`. */
function statusOf({ answers }: DescribedCall, status: number): string | undefined {
  const ways = [String(status), `${String(status)[0]}XX`, `${String(status)[0]}xx`, 'default'];
  return ways.find((way) => answers.has(way));
}

function parsed({ body = '', cut }: Message): { value: unknown } | undefined {
  if (cut || body.includes('\ufffd')) return undefined;
  try {
    return { value: JSON.parse(body) };
  } catch {
    return undefined;
  }
}

/** Parameters that are missing or that the schema does not take; in which of several spellings a list is given is not looked at. */
function parameterFaults(ruler: SchemaRuler, call: DescribedCall, { request }: ExchangeLine): Found[] {
  if (call.event) return [];
  const [path = '', query = ''] = request.url.split('#')[0]!.split(/\?(.*)/s);
  const asked = new URLSearchParams(query);
  const names = call.path.split('/').slice(1);
  const segments = path.split('/').slice(-names.length);
  const value = ({ name, in: place }: CallField) =>
    place === 'query'
      ? (asked.get(name) ?? undefined)
      : place === 'header'
        ? request.headers.find(([one]) => one.toLowerCase() === name.toLowerCase())?.[1]
        : decode(segments[names.indexOf(`{${name}}`)] ?? '');
  return call.parameters
    .filter(({ in: place }) => place !== 'cookie')
    .flatMap((field): Found[] => {
      const given = value(field);
      const where = `${field.in} parameter ${field.name}`;
      if (given === undefined) return field.required ? [{ where, problem: 'must be there', at: field.at }] : [];
      if (field.schema === undefined || isMaskedText(given)) return [];
      const { schema } = field;
      if (readings(given).some((one) => ruler.keeps(schema, one))) return [];
      return [{ where, problem: ruler.faults(schema, given)[0]?.message ?? 'is not taken', at: field.at }];
    });
}

/** What a text on the wire may stand for. */
function readings(text: string): unknown[] {
  const scalar = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(text)
    ? [Number(text)]
    : text === 'true' || text === 'false'
      ? [text === 'true']
      : text === 'null'
        ? [null]
        : [];
  return [text, ...scalar, text.split(',')];
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
