import { type Line, Recorder, Redactor } from '#evidence';
import type { ExchangeLog, ExchangeObserver, LoggedExchange } from '#sandbox';

/** Exchanges kept, and characters kept of a body. */
const MOST = 500;
const LONGEST = 8 * 1024;

/** What a sandbox exchanged lately, as evidence is kept: redacted before it is remembered, and left out where a secret is still seen. */
export interface SandboxLog extends ExchangeLog {
  /** Takes an exchange as it was; soon after, it is in the log. */
  readonly observe: ExchangeObserver;
}

/** Makes an empty log. */
export function createSandboxLog(): SandboxLog {
  const kept: LoggedExchange[] = [];
  let count = 0;
  let written: Line | undefined;
  const redactor = new Redactor();
  const recorder = new Recorder('log', redactor, {
    write: (line) => {
      written = line;
    },
    note: () => {},
  });
  const keep: ExchangeObserver = (exchange) => {
    const { api, message, duration } = exchange;
    count += 1;
    const known = { number: count, api, message, at: new Date(exchange.at).toISOString(), duration };
    written = undefined;
    const { request, response } = exchange;
    try {
      recorder.exchange({
        ...exchange,
        request: { ...request, body: window(redactor, request.body) },
        ...(response && { response: { ...response, body: window(redactor, response.body) } }),
        direction: message === 'request' ? 'in' : 'out',
        violations: [],
      });
    } catch (error) {
      kept.push({
        ...known,
        request: { method: request.method, url: '', headers: [] },
        failure: `left out: ${(error as Error).message}`,
      });
    }
    if (written !== undefined && (written as Line).kind === 'exchange') kept.push({ ...known, ...show(written) });
    if (kept.length > MOST) kept.shift();
  };
  return {
    // After the answer has gone out: redacting takes longer than answering.
    observe: (exchange) => void setImmediate(keep, exchange),
    since: (number) => kept.filter((one) => one.number > number),
  };
}

/** The beginning of a long body, not cut within a secret. */
function window(redactor: Redactor, body: Uint8Array): Uint8Array {
  if (body.byteLength <= LONGEST) return body;
  return Buffer.from(`${redactor.window(new TextDecoder().decode(body.subarray(0, 4 * LONGEST)), LONGEST)}…`);
}

/** What the log shows of a line of evidence. */
function show(line: Line): Pick<LoggedExchange, 'request' | 'response' | 'failure'> {
  const { request, response, failure } = line as Extract<Line, { kind: 'exchange' }>;
  return { request, ...(response && { response }), ...(failure === undefined ? {} : { failure }) };
}
