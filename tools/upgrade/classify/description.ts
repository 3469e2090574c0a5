import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import type { OpenAPIV3, OpenAPIV3_1 } from 'openapi-types';
import { type Document, isAlias, isMap, isSeq, LineCounter, parseDocument } from 'yaml';
import { pointerTokens, type SpecFile } from '#contract';
import { Trouble } from '#trouble';

/** A description of a service as read; a SpecFile of the contract is one. */
export type Description = Pick<SpecFile, 'file' | 'text' | 'root'>;

/** What the root of a description is once it was checked. */
export type Root = OpenAPIV3_1.Document | OpenAPIV3.Document;

interface Parsed {
  readonly document: Document;
  readonly lines: LineCounter;
}

/** Parsed on first use: lines are needed only where something changed. */
const PARSED = new WeakMap<Description, Parsed>();

/**
 * Reads an OpenAPI 3 description, YAML or JSON.
 * @throws Trouble (usage) with file and line: missing, not YAML, not a mapping, not OpenAPI 3
 */
export function readDescription(path: string): Description {
  const file = relative(process.cwd(), path) || path;
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw new Trouble('usage', 'the description cannot be read', {
      place: { file },
      reason: (error as Error).message,
      fix: 'name an OpenAPI file that exists',
    });
  }
  return parseDescription(file, text);
}

/** As {@link readDescription}, from a text at hand. */
export function parseDescription(file: string, text: string): Description {
  const parsed = parse(text);
  const [error] = parsed.document.errors;
  const refuse = (line: number, message: string, reason: string, fix: string): never => {
    throw new Trouble('usage', message, { place: { file, line }, reason, fix });
  };
  if (error)
    refuse(
      error.linePos?.[0].line ?? 1,
      'the description is not valid YAML',
      error.message.split('\n')[0]!,
      'correct the YAML on that line',
    );
  let root: unknown;
  try {
    root = parsed.document.toJS();
  } catch (cause) {
    refuse(1, 'the description cannot be unfolded', (cause as Error).message, 'write out what the aliases stand for');
  }
  if (typeof root !== 'object' || root === null || Array.isArray(root))
    refuse(
      1,
      'the description is not a mapping',
      'an OpenAPI file starts with openapi, info and paths',
      'name another file',
    );
  const description: Description = { file, text, root: root as Record<string, unknown> };
  PARSED.set(description, parsed);
  return description;
}

/** Line of the entry at a JSON Pointer, or of its nearest ancestor that exists. */
export function lineOf(description: Description, pointer: string): number {
  const parsed = PARSED.get(description) ?? parse(description.text);
  PARSED.set(description, parsed);
  const { document, lines } = parsed;
  let node: unknown = document.contents;
  let offset = 0;
  for (const token of pointerTokens(pointer)) {
    if (isAlias(node)) node = node.resolve(document);
    if (isMap(node)) {
      const pair = node.items.find(({ key }) => String((key as { value?: unknown }).value) === token);
      if (!pair) break;
      offset = (pair.key as { range?: readonly number[] }).range?.[0] ?? offset;
      node = pair.value;
    } else if (isSeq(node)) {
      const item = node.items[Number(token)];
      if (item === undefined) break;
      offset = (item as { range?: readonly number[] }).range?.[0] ?? offset;
      node = item;
    } else break;
  }
  return lines.linePos(offset).line || 1;
}

function parse(text: string): Parsed {
  const lines = new LineCounter();
  return { document: parseDocument(text, { lineCounter: lines, keepSourceTokens: false }), lines };
}
