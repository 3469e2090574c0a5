import { deflateRawSync } from 'node:zlib';
import type { ExchangeLine, Message } from '#evidence';
import type { JournalIndex } from '../journal-index.ts';
import type { RunResult } from '../types.ts';
import { TextColumns } from './text-columns.ts';

const PACK = 600;
const WRITTEN = 300;
const BODY = 4096;

/** Evidence as the page carries it: the loud exchanges written out, the quiet ones packed. */
export interface PackedExchanges {
  readonly written: ReadonlySet<string>;
  readonly packsOf: ReadonlyMap<string, readonly number[]>;
  /** Base64 of raw deflate of a JSON table of columns. */
  readonly packs: readonly string[];
}

/** One pack: exchanges as numbers of texts without their values, and the values by text, gap and exchange ({@link TextColumns}). */
export interface ExchangePack {
  /** The number of an exchange's text and of the texts of its bodies. */
  readonly rows: readonly (readonly [outline: number, ...bodies: number[]])[];
  readonly texts: readonly string[];
  /** For each text, for each of its gaps, the values one a line. */
  readonly columns: readonly (readonly string[])[];
}

/** Decides which exchanges are written out and packs the others, in the order of the journal. */
export function packExchanges(run: RunResult, { exchanges }: JournalIndex): PackedExchanges {
  const written = loud(run, exchanges);
  const rest = exchanges.filter(({ id }) => !written.has(id));
  const packsOf = new Map<string, number[]>();
  const packs: string[] = [];
  for (let from = 0; from < rest.length; from += PACK) {
    const batch = rest.slice(from, from + PACK);
    for (const { check } of batch) {
      const numbers = packsOf.get(check) ?? [];
      packsOf.set(check, numbers);
      if (numbers.at(-1) !== packs.length) numbers.push(packs.length);
    }
    packs.push(deflateRawSync(JSON.stringify(columns(batch)), { level: 9, memLevel: 9 }).toString('base64'));
  }
  return { written, packsOf, packs };
}

/** All of a small run; of a large one what findings name first, then what else belongs to loud checks. */
function loud(run: RunResult, exchanges: readonly ExchangeLine[]): Set<string> {
  if (exchanges.length <= WRITTEN) return new Set(exchanges.map(({ id }) => id));
  const picked = new Set<string>();
  const take = (ids: readonly string[]) => {
    for (const id of ids) if (picked.size < WRITTEN) picked.add(id);
  };
  const findings = run.rules.flatMap(({ failures }) => failures);
  take(findings.flatMap((finding) => finding.exchanges.slice(0, 1)));
  const loudChecks = run.checks.filter(({ verdict }) => verdict !== 'pass' && verdict !== 'skipped');
  take(loudChecks.flatMap((check) => check.exchanges.slice(-6)));
  const known = new Set(exchanges.map(({ id }) => id));
  return new Set([...picked].filter((id) => known.has(id)));
}

/** Each exchange as the number of its text and of the texts of its bodies; see {@link TextColumns}. */
function columns(batch: readonly ExchangeLine[]): ExchangePack {
  const texts = new TextColumns();
  const rows = batch.map((one): [number, ...number[]] => {
    const bodies = [one.request.body, one.response?.body].filter((body) => body !== undefined);
    return [outline(one, texts), ...bodies.map((body) => texts.add(body.slice(0, BODY)))];
  });
  return { rows, texts: texts.texts, columns: texts.columns.map((list) => list.map((values) => values.join('\n'))) };
}

/** An exchange without its bodies; one that looks like an earlier one only adds its values. */
function outline(one: ExchangeLine, texts: TextColumns): number {
  const { id, api, direction, operation, at, duration, request, response, failure, violations, redactions } = one;
  const values: (string | number)[] = [id, api, direction];
  if (operation !== undefined) values.push(operation);
  values.push(at, Math.round(duration), request.method, request.url);
  const shape = [operation === undefined ? '' : 'o', head(request, values)];
  if (response) {
    values.push(response.status);
    shape.push('r', head(response, values));
  }
  if (failure !== undefined) values.push(failure);
  values.push(redactions);
  const known =
    failure === undefined && violations.length === 0 ? texts.addSimilar(shape.join('\n'), values) : undefined;
  if (known !== undefined) return known;
  const side = <M extends Message>({ headers, size, body, cut }: M) => ({
    headers,
    size,
    ...(body !== undefined && { body: '' }),
    ...((cut || (body?.length ?? 0) > BODY) && { cut: true }),
  });
  const { method, url } = request;
  const bare = JSON.stringify({
    id,
    api,
    direction,
    operation,
    at,
    duration: Math.round(duration),
    request: { method, url, ...side(request) },
    ...(response && { response: { status: response.status, ...side(response) } }),
    failure,
    redactions,
    ...(violations.length > 0 && { violations }),
  });
  return texts.add(bare, failure === undefined && violations.length === 0 ? shape.join('\n') : undefined);
}

/** Adds a message's values; says what it looks like. */
function head({ headers, size, body, cut }: Message, values: (string | number)[]): string {
  for (const [name, value] of headers) values.push(name, value);
  values.push(size);
  if (body !== undefined) values.push('');
  return `${headers.length}${body === undefined ? '' : 'b'}${cut || (body?.length ?? 0) > BODY ? 'c' : ''}`;
}
