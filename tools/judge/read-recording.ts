import { readFileSync, statSync } from 'node:fs';
import { relative } from 'node:path';
import type { Contract } from '#contract';
import { Trouble } from '#trouble';
import { guessApi, recogniseOperation } from './recognise-exchange.ts';
import { MESSAGE_READERS } from './services.ts';
import { CURL_LACKS, isCurlOutput, readCurlOutput } from './sources/curl.ts';
import { HAR_LACKS, readHar } from './sources/har.ts';
import { readEvidence } from './sources/journal.ts';
import type { RecordedExchange } from './sources/recorded-exchange.ts';
import type { Traffic, TrafficExchange, TrafficLack } from './traffic.ts';

/** Bytes of a recording that is read at all: what is larger does not become one text. */
const MOST = 256 * 1024 * 1024;

/**
 * Reads recordings into one piece of traffic, in the order of time.
 * @param files HAR, our own evidence.ndjson, or what curl -v printed
 * @throws Trouble (usage) naming the file: it cannot be read, is too large, is none of these, is broken, holds nothing of a service
 */
export function readRecordings(
  contract: Contract,
  files: readonly string[],
  parts: Pick<Traffic, 'isWhole' | 'publicKeys'>,
): Traffic {
  const lacks = new Set<TrafficLack>();
  const recorded = files.flatMap((path) => {
    const file = relative(process.cwd(), path) || path;
    const { exchanges, lacks: lacking } = readRecording(path, file);
    for (const one of lacking) lacks.add(one);
    return exchanges;
  });
  if (recorded.some(({ at }) => at === undefined)) lacks.add('times');
  else recorded.sort((a, b) => a.at! - b.at!);
  const exchanges = placeAll(contract, recorded);
  if (!exchanges.some(({ operation }) => operation !== undefined))
    throw new Trouble('usage', 'nothing in the recording is for a documented operation', {
      place: { file: files.join(', ') },
      reason: `${recorded.length} exchanges, and none has the path of one`,
      fix: 'record the backend that calls the services, not the shop that a customer sees',
    });
  for (const lack of missing(exchanges)) lacks.add(lack);
  return { ...parts, exchanges, lacks };
}

function readRecording(path: string, file: string): { exchanges: RecordedExchange[]; lacks: readonly TrafficLack[] } {
  const text = readText(path, file);
  const first = text.slice(0, 400);
  if (/^\s*\{\s*"kind"\s*:\s*"run"/.test(first)) return readEvidence(text, file);
  if (!/^\s*[[{]/.test(first) && isCurlOutput(text)) return { exchanges: readCurlOutput(text), lacks: CURL_LACKS };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new Trouble('usage', 'the recording is not JSON', {
      place: { file, ...lineOf(text, (error as Error).message) },
      // The message of the parser repeats what stands there, which may be a secret.
      reason: text.trim() === '' ? 'it is empty' : 'it is cut off or damaged',
      fix: 'name a HAR, the evidence.ndjson of a run, or what curl -v printed',
    });
  }
  return { exchanges: readHar(value, file), lacks: HAR_LACKS };
}

function readText(path: string, file: string): string {
  try {
    const { size } = statSync(path);
    if (size > MOST)
      throw new Trouble('usage', 'the recording is too large', {
        place: { file },
        reason: `it has ${Math.ceil(size / 1024 / 1024)} MiB, and ${MOST / 1024 / 1024} are read`,
        fix: 'record less at once, and name several files',
      });
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof Trouble) throw error;
    throw new Trouble('usage', 'the recording cannot be read', {
      place: { file },
      reason: (error as { code?: string }).code ?? (error as Error).name,
      fix: 'name a file that is there',
    });
  }
}

function lineOf(text: string, message: string): { line?: number } {
  const [, position] = /position (\d+)/.exec(message) ?? [];
  return position === undefined ? {} : { line: text.slice(0, Number(position)).split('\n').length };
}

/** Says of each exchange whose it is; what has nothing to do with a service is left out, pages apart. */
function placeAll(contract: Contract, recorded: readonly RecordedExchange[]): TrafficExchange[] {
  const placed: TrafficExchange[] = [];
  for (const one of recorded) {
    const { api, direction, operation, ...exchange } = { ...one, at: one.at ?? 0 };
    if (api !== undefined && direction !== undefined) {
      placed.push({ ...exchange, api, direction, operation });
      continue;
    }
    const known = recogniseOperation(contract, exchange.request.method, exchange.request.url);
    if (known !== undefined) {
      const id = known.isMethodRight ? known.operation.id : undefined;
      placed.push({ ...exchange, api: known.operation.api, direction: 'out', operation: id });
      continue;
    }
    const page: TrafficExchange = {
      ...exchange,
      api: guessApi(contract, exchange.request.url) ?? firstApi(contract),
      direction: 'browser',
    };
    const message = MESSAGE_READERS.map(([of, read]) => [of, read(page, placed)] as const).find(([, name]) => name);
    placed.push(message === undefined ? page : { ...page, api: message[0], direction: 'in', operation: message[1] });
  }
  return placed;
}

function firstApi(contract: Contract): TrafficExchange['api'] {
  return contract.specs[0]!.api;
}

/** What these exchanges themselves show to be missing: tools take headers out, and few see the customer's browser as well. */
function missing(exchanges: readonly TrafficExchange[]): TrafficLack[] {
  const asked = exchanges.filter(({ direction }) => direction === 'out');
  const headers = asked.flatMap(({ request }) => request.headers.map(([name]) => name.toLowerCase()));
  return [
    ...(headers.includes('authorization') ? [] : (['authorization'] as const)),
    ...(headers.length === 0 ? (['headers'] as const) : []),
    ...(exchanges.some(({ direction }) => direction === 'browser') ? [] : (['browser'] as const)),
  ];
}
