import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CORE_SCHEMA, load } from 'js-yaml';
import { byApi } from '#apis';
import { type FilePlace, Trouble } from '#trouble';
import { parseCached } from './parse-cache.ts';
import type { Api } from './types.ts';
import { parseLocatedYaml } from './yaml-lines.ts';

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

/** Where the rules stand that bind the users of the service whose spec this is. */
export function clientSpecPath(path: string): string {
  return path.replace(/\.yaml$/, '.client.yaml');
}

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

/** File and line of the entry at a JSON Pointer; of the nearest existing ancestor when it is absent. */
export function locatePointer(spec: Pick<SpecFile, 'file' | 'text'>, pointer: string): FilePlace {
  return { file: spec.file, line: parseLocatedYaml(spec.text).lineOf(pointer) };
}
