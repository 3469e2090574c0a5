import { Trouble } from '#trouble';
import type { TrafficLack } from '../traffic.ts';
import type { RecordedExchange } from './recorded-exchange.ts';

interface HarMessage {
  readonly headers?: unknown;
  readonly postData?: { readonly text?: unknown; readonly params?: unknown; readonly encoding?: unknown };
  readonly content?: { readonly text?: unknown; readonly encoding?: unknown };
  readonly method?: unknown;
  readonly url?: unknown;
  readonly status?: unknown;
}

/** What no HAR tells: its texts are decoded, so that the bytes that went over the wire are lost. */
export const HAR_LACKS: readonly TrafficLack[] = ['bytes'];

/**
 * Reads a HAR 1.2 as browsers, Playwright, mitmproxy and Postman write it.
 * @param value the parsed file
 * @throws Trouble (usage) naming the entry that is none
 */
export function readHar(value: unknown, file: string): RecordedExchange[] {
  const entries = (value as { log?: { entries?: unknown } } | null)?.log?.entries;
  if (!Array.isArray(entries)) throw broken(file, 'it has no list log.entries');
  return entries.map((entry: unknown, i) => readEntry(entry, i, file));
}

function readEntry(entry: unknown, i: number, file: string): RecordedExchange {
  const { request, response, startedDateTime, time } = (entry ?? {}) as Record<string, unknown>;
  const { method, url, ...asked } = (request ?? {}) as HarMessage;
  if (typeof method !== 'string' || typeof url !== 'string') throw broken(file, `log.entries[${i}] has no request`);
  const at = Date.parse(String(startedDateTime));
  const answered = (response ?? {}) as HarMessage;
  const status = Number(answered.status);
  const body = textOf(asked.postData) ?? formOf(asked.postData?.params);
  const base = {
    at: Number.isNaN(at) ? undefined : at,
    duration: Number(time) > 0 ? Number(time) : 0,
    request: { method, url, headers: headersOf(asked.headers), ...(body === undefined ? {} : { body }) },
  };
  // Browsers write 0 and Playwright -1 where nothing came back.
  if (!(status >= 100)) return { ...base, failure: 'no answer was recorded' };
  const content = textOf(answered.content) ?? new Uint8Array();
  return { ...base, response: { status, headers: headersOf(answered.headers), body: content } };
}

function headersOf(list: unknown): (readonly [string, string])[] {
  if (!Array.isArray(list)) return [];
  return list.flatMap((one: { name?: unknown; value?: unknown } | null) =>
    // Names that begin with a colon are pseudo-headers of HTTP/2.
    typeof one?.name === 'string' && !one.name.startsWith(':') ? [[one.name, String(one.value ?? '')] as const] : [],
  );
}

function textOf(part: { readonly text?: unknown; readonly encoding?: unknown } | undefined): Uint8Array | undefined {
  if (typeof part?.text !== 'string' || part.text === '') return undefined;
  return Buffer.from(part.text, part.encoding === 'base64' ? 'base64' : 'utf8');
}

function formOf(params: unknown): Uint8Array | undefined {
  if (!Array.isArray(params) || params.length === 0) return undefined;
  const pairs = params.map((one: { name?: unknown; value?: unknown } | null) => [
    String(one?.name ?? ''),
    String(one?.value ?? ''),
  ]);
  return Buffer.from(new URLSearchParams(pairs).toString());
}

function broken(file: string, reason: string): Trouble {
  return new Trouble('usage', 'the recording is no HAR', {
    place: { file },
    reason,
    fix: 'save it again from the tool that recorded it',
  });
}
