import { createRequire } from 'node:module';
import type { Document } from 'yaml';
import { pointerTokens } from '#json-pointer';

const require = createRequire(import.meta.url);
/** Loaded when a line is asked for. */
const loadYaml = () => require('yaml') as typeof import('yaml');

/** A YAML text with the line of everything in it. */
export interface LocatedYaml {
  readonly document: Document;
  /** Line, from 1, of the entry at a JSON Pointer: where its name stands; of its nearest ancestor when it is absent. */
  lineOf(pointer: string): number;
}

/** Parses a YAML text so that lines can be asked for; what is wrong with it stands in `document.errors`. */
export function parseLocatedYaml(text: string): LocatedYaml {
  const { LineCounter, parseDocument } = loadYaml();
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, keepSourceTokens: false });
  const lineOf = (pointer: string) => lines.linePos(offsetOf(document, pointerTokens(pointer))).line || 1;
  return { document, lineOf };
}

function offsetOf(document: Document, tokens: readonly string[]): number {
  const { isAlias, isMap, isSeq } = loadYaml();
  let node: unknown = document.contents;
  let offset = 0;
  for (const token of tokens) {
    if (isAlias(node)) node = node.resolve(document);
    if (isMap(node)) {
      const pair = node.items.find(({ key }) => String((key as { value?: unknown }).value) === token);
      if (!pair) break;
      offset = startOf(pair.key) ?? offset;
      node = pair.value;
    } else if (isSeq(node)) {
      const item = node.items[Number(token)];
      if (item === undefined) break;
      offset = startOf(item) ?? offset;
      node = item;
    } else break;
  }
  return offset;
}

function startOf(node: unknown): number | undefined {
  return (node as { range?: readonly number[] | null }).range?.[0];
}
