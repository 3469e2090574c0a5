import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { relative } from 'node:path';
import { locatePointer } from '#contract';
import { type FilePlace, Trouble } from '#trouble';

const require = createRequire(import.meta.url);

/** A YAML file of the project's own: what it says, and where. */
export interface YamlFile {
  readonly value: unknown;
  /** File and line of a JSON pointer into it. */
  place(pointer: string): FilePlace;
}

/**
 * Reads a YAML file.
 * @param what it holds, in the plural, for the trouble
 * @param optional whether it may be missing: then it is as good as empty
 * @throws Trouble (usage) with the file, and the line where there is one: it cannot be read, or is not YAML
 */
export function readYaml(path: string, what: string, optional = false): YamlFile {
  const file = relative(process.cwd(), path) || path;
  if (optional && !existsSync(path)) return { value: undefined, place: () => ({ file }) };
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    const reason = String((error as NodeJS.ErrnoException).code);
    throw new Trouble('usage', `the ${what} cannot be read`, { place: { file }, reason });
  }
  try {
    const { parse } = require('yaml') as typeof import('yaml');
    return { value: parse(text), place: (pointer) => locatePointer({ file, text }, pointer) };
  } catch (error) {
    const { linePos, message } = error as Error & { linePos?: [{ line: number }] };
    throw new Trouble('usage', `the ${what} are not valid YAML`, {
      place: { file, ...(linePos ? { line: linePos[0].line } : {}) },
      reason: message.split('\n')[0]!,
      fix: 'correct the YAML',
    });
  }
}
