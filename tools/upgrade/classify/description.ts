import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import type { OpenAPIV3, OpenAPIV3_1 } from 'openapi-types';
import { type LocatedYaml, parseLocatedYaml, type SpecFile } from '#contract';
import { Trouble } from '#trouble';

/** A description of a service as read; a SpecFile of the contract is one. */
export type Description = Pick<SpecFile, 'file' | 'text' | 'root'>;

/** What the root of a description is once it was checked. */
export type Root = OpenAPIV3_1.Document | OpenAPIV3.Document;

/** Parsed on first use: lines are needed only where something changed. */
const PARSED = new WeakMap<Description, LocatedYaml>();

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
  const parsed = parseLocatedYaml(text);
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
  const parsed = PARSED.get(description) ?? parseLocatedYaml(description.text);
  PARSED.set(description, parsed);
  return parsed.lineOf(pointer);
}
