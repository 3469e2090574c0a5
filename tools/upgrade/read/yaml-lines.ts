import {
  CORE_SCHEMA,
  constructFromEvents,
  EVENT_ID,
  type Event,
  getScalarValue,
  parseEvents,
  YAMLException,
} from 'js-yaml';
import { pointerTokens } from '#json-pointer';
import { JsonOffsets } from './json-lines.ts';

/** Deeper than this nobody nests on purpose. */
const DEEPEST = 1000;
/** Aliases may stand for more than is written, up to this many values. */
const MOST_VALUES = 3_000_000;

/** A text that is no YAML, or none that can be used; the line is counted from 1. */
export class UnreadableYaml extends Error {
  readonly line: number;
  readonly problem: 'syntax' | 'aliases';

  constructor(message: string, line: number, problem: 'syntax' | 'aliases' = 'syntax') {
    super(message);
    this.line = line;
    this.problem = problem;
  }
}

/** A YAML or JSON text: what it says, and on which line. */
export class YamlText {
  readonly value: unknown;
  readonly #offsets: { offsetOf(tokens: readonly string[]): number };
  readonly #lines: LineEnds;

  /** @throws UnreadableYaml */
  constructor(text: string) {
    this.#lines = new LineEnds(text);
    const json = /^\s*\{/.test(text) ? parsedJson(text) : undefined;
    if (json !== undefined) {
      this.value = json;
      this.#offsets = new JsonOffsets(text);
      return;
    }
    let index: YamlOffsets;
    try {
      const events = parseEvents(text, { maxDepth: DEEPEST });
      const documents = constructFromEvents(events, { source: text, schema: CORE_SCHEMA });
      if (documents.length > 1) throw new UnreadableYaml('it holds several documents', 1);
      this.value = documents[0];
      index = new YamlOffsets(text, events);
    } catch (error) {
      if (!(error instanceof YAMLException)) throw error;
      const { mark } = error as { mark?: { line: number } };
      throw new UnreadableYaml(error.message.split('\n')[0]!, (mark?.line ?? 0) + 1);
    }
    this.#offsets = index;
    const problem = index.hasAliases ? unfolding(this.value) : undefined;
    if (problem !== undefined) throw new UnreadableYaml(problem, 1, 'aliases');
  }

  /** Line of the entry at a JSON Pointer, or of its nearest ancestor that exists. */
  lineOf(pointer: string): number {
    return this.#lines.lineOf(this.#offsets.offsetOf(pointerTokens(pointer)));
  }
}

/** Finds the line of an offset. */
class LineEnds {
  readonly #text: string;
  #ends: number[] | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  /** Line of an offset, counted from 1. */
  lineOf(offset: number): number {
    this.#ends ??= [...this.#text.matchAll(/\n/g)].map(({ index }) => index);
    let [low, high] = [0, this.#ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#ends[middle]! < offset) low = middle + 1;
      else high = middle;
    }
    return low + 1;
  }
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Why what the aliases stand for cannot be unfolded. */
function unfolding(root: unknown): string | undefined {
  const sizes = new Map<object, number>();
  const open = new Set<object>();
  let endless = false;
  const size = (node: unknown): number => {
    if (typeof node !== 'object' || node === null) return 1;
    if (open.has(node)) endless = true;
    if (open.has(node) || endless) return 1;
    const known = sizes.get(node);
    if (known !== undefined) return known;
    open.add(node);
    let sum = 1;
    for (const below of Object.values(node)) sum += size(below);
    open.delete(node);
    sizes.set(node, sum);
    return sum;
  };
  const all = size(root);
  if (endless) return 'an alias stands for something that holds it';
  return all > MOST_VALUES ? `its aliases stand for ${all.toExponential(1)} values` : undefined;
}

/** Finds where things stand in a YAML text. */
class YamlOffsets {
  readonly hasAliases: boolean;
  readonly #text: string;
  readonly #events: readonly Event[];
  /** For each event the index of the first one behind its node. */
  readonly #over: Int32Array;
  readonly #anchors = new Map<string, number>();
  readonly #keys = new Map<number, ReadonlyMap<string, number>>();

  constructor(text: string, events: readonly Event[]) {
    this.#text = text;
    this.#events = events;
    this.#over = new Int32Array(events.length);
    const open: number[] = [];
    let aliases = false;
    events.forEach((event, i) => {
      this.#over[i] = i + 1;
      if (event.type === EVENT_ID.POP) this.#over[open.pop()!] = i + 1;
      else if (event.type === EVENT_ID.ALIAS) aliases = true;
      else {
        if (event.type !== EVENT_ID.SCALAR) open.push(i);
        if (event.type !== EVENT_ID.DOCUMENT && event.anchorStart >= 0)
          this.#anchors.set(text.slice(event.anchorStart, event.anchorEnd), i);
      }
    });
    this.hasAliases = aliases;
  }

  offsetOf(tokens: readonly string[]): number {
    let node = this.#behind(1);
    let offset = 0;
    for (const token of tokens) {
      const event = this.#events[node];
      let next: number | undefined;
      if (event?.type === EVENT_ID.MAPPING) {
        const key = this.#keysOf(node).get(token);
        if (key === undefined) break;
        offset = this.#start(key);
        next = this.#over[key]!;
      } else if (event?.type === EVENT_ID.SEQUENCE) {
        next = this.#item(node, Number(token));
        if (next === undefined) break;
        offset = this.#start(next);
      } else break;
      node = this.#behind(next);
    }
    return offset;
  }

  /** The node itself, or what it is an alias of. */
  #behind(node: number): number {
    const event = this.#events[node];
    if (event?.type !== EVENT_ID.ALIAS) return node;
    return this.#anchors.get(this.#text.slice(event.anchorStart, event.anchorEnd)) ?? node;
  }

  #keysOf(mapping: number): ReadonlyMap<string, number> {
    const known = this.#keys.get(mapping);
    if (known) return known;
    const keys = new Map<string, number>();
    for (let i = mapping + 1; this.#events[i]!.type !== EVENT_ID.POP; i = this.#over[this.#over[i]!]!) {
      const key = this.#events[i]!;
      if (key.type === EVENT_ID.SCALAR) keys.set(getScalarValue(this.#text, key), i);
    }
    this.#keys.set(mapping, keys);
    return keys;
  }

  #item(sequence: number, index: number): number | undefined {
    let i = sequence + 1;
    for (let left = index; left > 0 && this.#events[i]!.type !== EVENT_ID.POP; left -= 1) i = this.#over[i]!;
    return index >= 0 && this.#events[i]!.type !== EVENT_ID.POP ? i : undefined;
  }

  #start(node: number): number {
    const event = this.#events[node]!;
    if (event.type === EVENT_ID.SCALAR) return Math.max(0, event.valueStart);
    if (event.type === EVENT_ID.ALIAS) return event.anchorStart;
    return event.type === EVENT_ID.MAPPING || event.type === EVENT_ID.SEQUENCE ? event.start : 0;
  }
}
