import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CORE_SCHEMA, load } from 'js-yaml';
import { LineCounter, parseDocument } from 'yaml';
import { byApi } from '#apis';
import { type FilePlace, Trouble } from '#trouble';
import { parseCached } from './parse-cache.ts';
import type { Api } from './types.ts';

/** One spec as read: its text is kept so that a trouble can name a line. */
export interface SpecFile {
  readonly api: Api;
  /** As a user would type it, relative to the working directory. */
  readonly file: string;
  readonly text: string;
  readonly sha256: string;
  readonly root: Record<string, unknown>;
}

/**
 * Throws the Trouble of a spec that is broken at a pointer, naming file and line.
 * @param fix what to do about it
 * @param reason why it is wrong
 */
export type FailAtPointer = (pointer: string, message: string, fix?: string, reason?: string) => never;

/** A {@link FailAtPointer} for one spec. */
export function failForSpec(spec: SpecFile): FailAtPointer {
  return (pointer, message, fix, reason) => {
    throw new Trouble('usage', message, {
      place: locatePointer(spec, pointer),
      ...(fix ? { fix } : {}),
      ...(reason ? { reason } : {}),
    });
  };
}

const HERE = new URL('../../specs/', import.meta.url);

/** Where the project keeps its specs. */
export const SPEC_FILES: Readonly<Record<Api, string>> = byApi(({ spec }) => fileURLToPath(new URL(spec, HERE)));

/**
 * Reads one spec.
 * @throws Trouble (usage) when the file is missing or is not YAML, with the line
 */
export function readSpec(api: Api, path: string): SpecFile {
  const file = relative(process.cwd(), path) || path;
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw new Trouble('usage', 'the spec cannot be read', {
      place: { file },
      reason: (error as Error).message,
      fix: 'restore the file or name another one',
    });
  }
  if (text.trim() === '') throw new Trouble('usage', 'the spec is empty', { place: { file, line: 1 } });
  const sha256 = createHash('sha256').update(text, 'utf8').digest('hex');
  let root: unknown;
  try {
    root = parseCached(sha256, () => load(text, { schema: CORE_SCHEMA }));
  } catch (error) {
    const { mark } = error as { mark?: { line: number } };
    const line = (mark?.line ?? 0) + 1;
    throw new Trouble('usage', 'the spec is not valid YAML', {
      place: { file, line },
      reason: (error as Error).message.split('\n')[0]!,
      fix: 'correct the YAML on that line',
    });
  }
  if (typeof root !== 'object' || root === null || Array.isArray(root)) {
    throw new Trouble('usage', 'the spec is not a mapping', { place: { file, line: 1 } });
  }
  return { api, file, text, sha256, root: root as Record<string, unknown> };
}

/** File and line of the value at a JSON Pointer; the nearest existing ancestor when it is absent. */
export function locatePointer(spec: Pick<SpecFile, 'file' | 'text'>, pointer: string): FilePlace {
  const lines = new LineCounter();
  const document = parseDocument(spec.text, { lineCounter: lines, keepSourceTokens: false });
  const keys = pointerTokens(pointer);
  for (let length = keys.length; length > 0; length -= 1) {
    const path = keys.slice(0, length);
    const node = document.getIn(path, true) as { range?: [number, number, number] } | undefined;
    if (node?.range) return { file: spec.file, line: lines.linePos(node.range[0]).line };
  }
  return { file: spec.file, line: 1 };
}

/** Tokens of a JSON Pointer (RFC 6901), a leading `#` allowed. */
export function pointerTokens(pointer: string): string[] {
  const tokens = pointer.split('/').slice(1);
  return /[%~]/.test(pointer) ? tokens.map(unescaped) : tokens;
}

function unescaped(token: string): string {
  return decodeURIComponent(token).replaceAll('~1', '/').replaceAll('~0', '~');
}

/** One token appended to a JSON Pointer (RFC 6901). */
export function appendPointer(pointer: string, token: string | number): string {
  const text = String(token);
  return /[~/]/.test(text) ? `${pointer}/${text.replaceAll('~', '~0').replaceAll('/', '~1')}` : `${pointer}/${text}`;
}

/** The value at a JSON Pointer, or undefined. */
export function valueAt(root: unknown, pointer: string): unknown {
  let value = root;
  for (const token of pointerTokens(pointer)) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = (value as Record<string, unknown>)[token];
  }
  return value;
}
