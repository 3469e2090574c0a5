import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import type { OpenAPIV3, OpenAPIV3_1 } from 'openapi-types';
import type { SpecFile } from '#contract';
import { appendPointer, pointerTokens } from '#json-pointer';
import { Trouble } from '#trouble';
import { BESIDE_KEY, gatherBeside } from './beside.ts';
import { UnreadableYaml, YamlText } from './yaml-lines.ts';

/** A description of a service as read; a SpecFile of the contract is one. */
export type Description = Pick<SpecFile, 'file' | 'text' | 'root'>;

/** What the root of a description is once it was checked. */
export type DescriptionRoot = OpenAPIV3_1.Document | OpenAPIV3.Document;

/** Texts of a description by its root, and of the files beside it that it refers to. */
const TEXTS = new WeakMap<object, { own: YamlText; beside: ReadonlyMap<string, { file: string; text: YamlText }> }>();

/**
 * Reads an OpenAPI 3 description, YAML or JSON, with the files beside it that it refers to.
 * @throws Trouble (usage) with file and line: missing, not YAML, not a mapping, aliases without end, a file it refers to that cannot be read
 */
export function readDescription(path: string): Description & Pick<SpecFile, 'sha256'> {
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
  const read = parseDescription(file, text, path);
  const { beside } = TEXTS.get(read.root)!;
  const hash = createHash('sha256').update(text, 'utf8');
  for (const { text: other } of [...beside.values()]) hash.update(JSON.stringify(other.value));
  return { ...read, sha256: hash.digest('hex') };
}

/**
 * As {@link readDescription}, from a text at hand.
 * @param path where it was read: without it, references to other files stay as they are
 */
export function parseDescription(file: string, text: string, path?: string): Description {
  const own = parse(file, text, 'the description');
  const { value } = own;
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Trouble('usage', 'the description is not a mapping', {
      place: { file, line: 1 },
      reason: 'an OpenAPI file starts with openapi, info and paths',
      fix: 'name another file',
    });
  const beside = new Map<string, { file: string; text: YamlText }>();
  const root = gatherBeside(value as Record<string, unknown>, path, (name, at) => {
    const other = { file: relative(process.cwd(), at) || at, text: readBeside(at, name, { file, text }) };
    beside.set(name, other);
    return other.text.value;
  });
  const description: Description = { file, text, root };
  TEXTS.set(description.root, { own, beside });
  return description;
}

/**
 * Refuses what is not OpenAPI 3.0 or 3.1.
 * @throws Trouble (usage) with file and line, naming what it is
 */
export function checkVersion({ file, root, ...rest }: Description): void {
  const { openapi, swagger } = root;
  if (typeof openapi === 'string' && /^3\.[01](?:\.|$)/.test(openapi)) return;
  const known = typeof openapi === 'string' && openapi.startsWith('3.');
  throw new Trouble('usage', known ? `OpenAPI ${openapi} is not read` : 'the file is no OpenAPI 3 description', {
    place: { file, line: lineOf({ file, root, ...rest }, '/openapi') },
    reason: known
      ? 'it has operations and schemas that would be passed over (query, additionalOperations, itemSchema)'
      : swagger !== undefined
        ? 'it is written in Swagger 2'
        : openapi === undefined
          ? 'it has no openapi version'
          : `openapi is ${JSON.stringify(openapi)}`,
    fix: 'give a description in OpenAPI 3.0 or 3.1',
  });
}

/** File and line of the entry at a JSON Pointer, or of its nearest ancestor that exists. */
export function placeOf(description: Description, pointer: string): { file: string; line: number } {
  const texts = textsOf(description);
  if (pointer.startsWith(`/${BESIDE_KEY}/`)) {
    const [, name = '', ...rest] = pointerTokens(pointer);
    const other = texts.beside.get(name);
    if (other) return { file: other.file, line: other.text.lineOf(appendPointer('', ...rest)) };
  }
  return { file: description.file, line: texts.own.lineOf(pointer) };
}

/** The line of {@link placeOf}. */
export function lineOf(description: Description, pointer: string): number {
  return placeOf(description, pointer).line;
}

/** The texts of all files that a description consists of, by the name they are called by. */
export function filesOf(description: Description): string[] {
  return [description.file, ...[...textsOf(description).beside.values()].map(({ file }) => file)];
}

function textsOf(description: Description) {
  const known = TEXTS.get(description.root);
  if (known) return known;
  const made = { own: parse(description.file, description.text, 'the description'), beside: new Map() };
  TEXTS.set(description.root, made);
  return made;
}

function readBeside(at: string, name: string, from: { file: string; text: string }): YamlText {
  try {
    return parse(at, readFileSync(at, 'utf8'), 'a file beside the description');
  } catch (error) {
    if (error instanceof Trouble) throw error;
    throw new Trouble('usage', `the file ${name} that the description refers to cannot be read`, {
      place: { file: from.file, line: from.text.slice(0, Math.max(0, from.text.indexOf(name))).split('\n').length },
      reason: String((error as NodeJS.ErrnoException).code),
      fix: 'put it where the reference says, or correct the reference',
    });
  }
}

function parse(file: string, text: string, what: string): YamlText {
  try {
    return new YamlText(text);
  } catch (error) {
    if (!(error instanceof UnreadableYaml)) throw error;
    const { line, message, problem } = error;
    throw new Trouble('usage', `${what} ${problem === 'syntax' ? 'is not valid YAML' : 'cannot be unfolded'}`, {
      place: { file: relative(process.cwd(), file) || file, line },
      reason: message,
      fix: problem === 'syntax' ? 'correct the YAML on that line' : 'write out what the aliases stand for',
    });
  }
}
