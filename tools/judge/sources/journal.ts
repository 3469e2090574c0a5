import { type ExchangeLine, type Line, type Message, parseJournal } from '#evidence';
import { Trouble } from '#trouble';
import type { TrafficLack } from '../traffic.ts';
import type { RecordedExchange } from './recorded-exchange.ts';

/** What no journal tells: what was sent under Authorization is taken out, and bodies may be. */
const LACKS: readonly TrafficLack[] = ['bytes', 'authorization'];

/**
 * Reads the exchanges of our own evidence.
 * @throws Trouble (usage) when the text is no journal
 */
export function readEvidence(text: string, file: string): { exchanges: RecordedExchange[]; lacks: TrafficLack[] } {
  let lines: Line[];
  try {
    lines = parseJournal(text, file);
  } catch (error) {
    if (!(error instanceof Trouble)) throw error;
    throw new Trouble('usage', 'the recording is no evidence of a run', {
      place: error.place ?? { file },
      reason: error.message,
      fix: 'name the evidence.ndjson of a run folder',
    });
  }
  const [first] = lines;
  // The clock of a sandbox can be moved: what lies seconds apart there was sent at once.
  const isTimeless = first?.kind === 'run' && ['embedded', 'mock'].includes(first.target.kind);
  return {
    exchanges: lines.filter((line) => line.kind === 'exchange').map(readExchange),
    lacks: [...LACKS, ...(isTimeless ? (['times'] as const) : [])],
  };
}

function readExchange({
  api,
  direction,
  operation,
  at,
  duration,
  request,
  response,
  failure,
}: ExchangeLine): RecordedExchange {
  return {
    api,
    direction,
    ...(operation === undefined ? {} : { operation }),
    at: Date.parse(at),
    duration,
    request: { method: request.method, url: request.url, headers: request.headers, ...bodyOf(request) },
    ...(response === undefined
      ? {}
      : {
          response: { status: response.status, headers: response.headers, body: new Uint8Array(), ...bodyOf(response) },
        }),
    ...(failure === undefined ? {} : { failure }),
  };
}

/** A body of which only the beginning was kept is none that could be judged. */
function bodyOf({ body, cut }: Message): { body?: Uint8Array } {
  return body === undefined || cut ? {} : { body: Buffer.from(body) };
}
