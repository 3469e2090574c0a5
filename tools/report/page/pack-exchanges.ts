import { deflateRawSync } from 'node:zlib';
import { type ExchangeLine, inLetters, type Message } from '#evidence';
import { Trouble } from '#trouble';
import type { ExchangeHead, JournalIndex } from '../journal-index.ts';
import type { RunResult } from '../types.ts';
import { TextColumns } from './text-columns.ts';

const PACK = 150;
const WRITTEN = 300;
const BODY = 4096;
const ORPHANS = 100;

/** Evidence as the page carries it: the loud exchanges written out, the quiet ones packed. */
export interface PackedExchanges {
  readonly written: ReadonlySet<string>;
  /** Those written out and those that other parts of the page repeat, as a whole. */
  readonly whole: ReadonlyMap<string, ExchangeLine>;
  readonly packsOf: ReadonlyMap<string, readonly number[]>;
  /** Base64 of raw deflate of a JSON table of columns. */
  readonly packs: readonly Buffer[];
}

/** One pack: exchanges as numbers of texts without their values, and the values by text, gap and exchange ({@link TextColumns}). */
export interface ExchangePack {
  /** The number of an exchange's text and of the texts of its bodies. */
  readonly rows: readonly (readonly [outline: number, ...bodies: number[]])[];
  readonly texts: readonly string[];
  /** For each text, for each of its gaps, the values one a line. */
  readonly columns: readonly (readonly string[])[];
}

/**
 * Decides which exchanges are written out and packs the others, in the order of the journal, which is gone through once more and never
 * held.
 * @throws Trouble (incomplete) when the journal does not give the exchanges again that it gave at first
 */
export function packExchanges(run: RunResult, { exchanges, lines }: JournalIndex): PackedExchanges {
  const written = loud(run, exchanges);
  const repeated = listRepeated(run, exchanges);
  const whole = new Map<string, ExchangeLine>();
  const packsOf = new Map<string, number[]>();
  // They outlive what they are made of: outside the heap they do not let it grow.
  const packs: Buffer[] = [];
  let pack = new GrowingPack();
  const close = () => {
    if (pack.rows.length > 0) packs.push(deflate(pack));
    pack = new GrowingPack();
  };
  let count = 0;
  for (const line of lines) {
    if (line.kind !== 'exchange') continue;
    count += 1;
    if (written.has(line.id) || repeated.has(line.id)) whole.set(line.id, line);
    if (written.has(line.id)) continue;
    const numbers = packsOf.get(line.check) ?? [];
    packsOf.set(line.check, numbers);
    if (numbers.at(-1) !== packs.length) numbers.push(packs.length);
    if (pack.add(line) === PACK) close();
  }
  close();
  if (count !== exchanges.length)
    throw new Trouble('incomplete', 'the journal changed while it was read', { fix: 'draw the folder anew' });
  return { written, whole, packsOf, packs };
}

/** Numbers of packs, with blanks between, in letters: one after the other they would make a card number now and then. */
export function packNames(numbers: readonly number[]): string {
  return inLetters(numbers.join(' '));
}

const OPEN = '<script type="text/plain" class="pack">';

/** A pack as a part of the page, in which a browser sees a text and nothing to run. */
export function renderPack(base64: Buffer): Buffer {
  return Buffer.concat([Buffer.from(OPEN), base64, Buffer.from('</script>\n')]);
}

/** Whether a piece of the page is a pack and nothing else. */
export function isPack(piece: string | Buffer): boolean {
  return Buffer.isBuffer(piece) && piece.indexOf(OPEN) === 0 && piece.indexOf('<', 1) === piece.length - 10;
}

/** What stands beside a finding, and the beginning of what no check that ended has asked for. */
function listRepeated(run: RunResult, exchanges: readonly ExchangeHead[]): Set<string> {
  const behind = run.rules.flatMap(({ failures: [first] }) => first?.exchanges.slice(0, 1) ?? []);
  return new Set([...behind, ...listOrphans(run, exchanges).map(({ id }) => id)]);
}

/** Exchanges of no check that ended, as many as a page shows. */
export function listOrphans(run: RunResult, exchanges: readonly ExchangeHead[]): ExchangeHead[] {
  const known = new Set(run.checks.map(({ id }) => id));
  return exchanges.filter(({ check }) => !known.has(check)).slice(0, ORPHANS);
}

/** All of a small run; of a large one what findings name first, then what else belongs to loud checks. */
function loud(run: RunResult, exchanges: readonly ExchangeHead[]): Set<string> {
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

/** A pack that exchanges are still put into. */
class GrowingPack {
  readonly rows: (readonly [outline: number, ...bodies: number[]])[] = [];
  readonly texts = new TextColumns();

  /** @returns how many it holds now */
  add(one: ExchangeLine): number {
    const bodies = [one.request.body, one.response?.body].filter((body) => body !== undefined);
    return this.rows.push([outline(one, this.texts), ...bodies.map((body) => this.texts.add(body.slice(0, BODY)))]);
  }
}

function deflate({ rows, texts: { texts, columns } }: GrowingPack): Buffer {
  const pack: ExchangePack = { rows, texts, columns: columns.map((list) => list.map((values) => values.join('\n'))) };
  return Buffer.from(deflateRawSync(JSON.stringify(pack), { level: 9, memLevel: 9 }).toString('base64'));
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
