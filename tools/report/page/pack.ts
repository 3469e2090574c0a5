import { deflateRawSync } from 'node:zlib';
import type { ExchangeLine, Message } from '#evidence';
import { printable } from '../printable.ts';
import type { Shelf } from '../shelf.ts';
import type { Run } from '../types.ts';

const PACK = 600;
const WRITTEN = 300;
const BODY = 4096;

/** Evidence as the page carries it: the loud exchanges written out, the quiet ones packed. */
export interface Packed {
  readonly written: ReadonlySet<string>;
  readonly packsOf: ReadonlyMap<string, readonly number[]>;
  /** Base64 of raw deflate of a JSON table of columns. */
  readonly packs: readonly string[];
}

/** Decides which exchanges are written out and packs the others, in the order of the journal. */
export function pack(run: Run, { exchanges }: Shelf): Packed {
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
function loud(run: Run, exchanges: readonly ExchangeLine[]): Set<string> {
  if (exchanges.length <= WRITTEN) return new Set(exchanges.map(({ id }) => id));
  const picked = new Set<string>();
  const take = (ids: readonly string[]) => {
    for (const id of ids) if (picked.size < WRITTEN) picked.add(id);
  };
  const findings = run.rules.flatMap(({ failures }) => failures);
  take(findings.flatMap((finding) => finding.exchanges.slice(0, 1)));
  const loudChecks = run.checks.filter(({ verdict }) => verdict !== 'pass' && verdict !== 'skipped');
  take(loudChecks.flatMap((check) => check.exchanges.slice(-20)));
  const known = new Set(exchanges.map(({ id }) => id));
  return new Set([...picked].filter((id) => known.has(id)));
}

/** Turns exchanges into columns: equal things come to stand together, which is what makes them small. */
function columns(batch: readonly ExchangeLine[]): unknown {
  const checks: string[] = [];
  const table = new Table();
  const rows = batch.map((one) => {
    if (checks.at(-1) !== one.check && !checks.includes(one.check)) checks.push(one.check);
    return [
      checks.indexOf(one.check),
      one.id.startsWith(`${one.check}.`) ? one.id.slice(one.check.length + 1) : `=${one.id}`,
      table.word(one.api),
      table.word(one.direction),
      table.word(one.operation),
      Date.parse(one.at),
      Math.round(one.duration),
      one.redactions,
      table.word(one.request.method),
      show(one.request.url),
      table.heads(one.request),
      body(one.request),
      one.request.size,
      one.request.cut || long(one.request) ? 1 : 0,
      one.response?.status ?? 0,
      one.response ? table.heads(one.response) : -1,
      one.response ? body(one.response) : 0,
      one.response?.size ?? 0,
      one.response && (one.response.cut || long(one.response)) ? 1 : 0,
      one.failure === undefined ? 0 : show(one.failure),
      one.violations.length > 0 ? one.violations : 0,
    ];
  });
  const across = (rows[0] ?? []).map((_, column) => rows.map((row) => row[column]));
  across[5] = deltas(across[5] as number[]);
  return { checks, words: table.words, shapes: table.shapes, values: table.values, across };
}

const show = (text: string) => printable(text);
const long = ({ body: text = '' }: Message) => text.length > BODY;
const body = ({ body: text }: Message) => (text === undefined ? 0 : show(text.slice(0, BODY)));
const deltas = (numbers: number[]) => numbers.map((number, i) => (i === 0 ? number : number - numbers[i - 1]!));

/** Words and header shapes that repeat, kept once. */
class Table {
  readonly words: (string | 0)[] = [];
  readonly shapes: string[][] = [];
  /** For each shape, for each of its headers, the values in order. */
  readonly values: string[][][] = [];
  readonly #known = new Map<string, number>();

  word(text: string | undefined): number {
    const key = `w${text ?? '\u0000'}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    this.#known.set(key, this.words.length);
    return this.words.push(text === undefined ? 0 : show(text)) - 1;
  }

  heads({ headers }: Message): number {
    const key = `h${headers.map(([name]) => name).join('\n')}`;
    let shape = this.#known.get(key);
    if (shape === undefined) {
      shape = this.shapes.push(headers.map(([name]) => show(name))) - 1;
      this.values.push(headers.map(() => []));
      this.#known.set(key, shape);
    }
    headers.forEach(([, value], i) => void this.values[shape]![i]!.push(show(value)));
    return shape;
  }
}
