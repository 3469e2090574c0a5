import type { TrafficLack } from '../traffic.ts';
import type { RecordedExchange } from './recorded-exchange.ts';

/** What no output of `curl -v` tells: bodies of requests, times, and what others did. */
export const CURL_LACKS: readonly TrafficLack[] = ['bytes', 'bodies', 'times', 'receiver'];

const REQUEST_LINE = /^> ([A-Z]+) (\S+) HTTP\/[\d.]+$/;

/** Whether a text is what `curl -v` prints. */
export function isCurlOutput(text: string): boolean {
  return /^> [A-Z]+ \S+ HTTP\/[\d.]+\r?$/m.test(text);
}

interface Draft {
  readonly method: string;
  readonly path: string;
  readonly scheme: string;
  readonly sent: (readonly [string, string])[];
  status?: number;
  got: (readonly [string, string])[];
  readonly body: string[];
}

/** Reads what `curl -v` printed of one or more requests, with the answers where they were kept in the same file. */
export function readCurlOutput(text: string): RecordedExchange[] {
  const drafts: Draft[] = [];
  let scheme = 'http';
  for (const raw of text.split('\n')) {
    const line = raw.replace(/\r$/, '');
    const asked = REQUEST_LINE.exec(line);
    const last = drafts.at(-1);
    if (asked !== null) drafts.push({ method: asked[1]!, path: asked[2]!, scheme, sent: [], got: [], body: [] });
    else if (line.startsWith('* ') || /^[{}] \[\d+ bytes data\]$/.test(line)) {
      if (/SSL connection using|using HTTPS/i.test(line)) scheme = 'https';
      else if (/^\*\s+Trying /.test(line)) scheme = 'http';
    } else if (last === undefined) continue;
    else if (line.startsWith('> ')) last.sent.push(readHeader(line));
    else if (line.startsWith('< HTTP/')) {
      // A 100 goes before the answer.
      last.status = Number(line.split(' ')[2]);
      last.got = [];
    } else if (line.startsWith('< ')) last.got.push(readHeader(line));
    else if (last.status !== undefined && line !== '<' && line !== '>') last.body.push(line);
  }
  return drafts.map(describeDraft);
}

function readHeader(line: string): readonly [string, string] {
  const [, name = '', value = ''] = /^[<>] ([^:]*):?\s*(.*)$/.exec(line) ?? [];
  return [name, value];
}

function describeDraft({ method, path, scheme, sent, status, got, body }: Draft): RecordedExchange {
  const host = sent.find(([name]) => name.toLowerCase() === 'host')?.[1] ?? 'localhost';
  const base = {
    at: undefined,
    duration: 0,
    request: { method, url: `${scheme}://${host}${path}`, headers: sent.filter(([name]) => name !== '') },
  };
  if (status === undefined) return { ...base, failure: 'no answer was recorded' };
  const headers = got.filter(([name]) => name !== '');
  return { ...base, response: { status, headers, body: Buffer.from(body.join('\n').trim()) } };
}
