import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { relative } from 'node:path';
import type { ValidateFunction } from 'ajv';
import { API_NAMES, type Api } from '#apis';
import { locatePointer, parseCached } from '#contract';
import { appendPointer } from '#json-pointer';
import { suggestWord, Trouble } from '#trouble';
import { EMBEDDED_TARGET } from './embedded-target.ts';
import { KNOWN_PLACEHOLDERS } from './placeholders.ts';
import { explainSchemaErrors } from './schema-errors.ts';
import type { WrittenTargetFile } from './written-target.generated.ts';

const require = createRequire(import.meta.url);

/** A target file as written: valid in form, nothing resolved. */
export interface WrittenTarget {
  readonly file: string;
  readonly path: string;
  readonly text: string;
  /** Of what the file says, its secrets blanked: layout and comments do not count, and no card number can be found by trying. */
  readonly sha256: string;
  readonly root: WrittenTargetFile;
}

const SCHEMA = new URL('../../targets/target.schema.json', import.meta.url);

/**
 * Reads a target file and holds it against `targets/target.schema.json`.
 * @throws Trouble (usage) with file, line and the nearest known key: unreadable, not YAML, wrong shape, production said once only
 */
export function parseTarget(path: string): WrittenTarget {
  const file = relative(process.cwd(), path) || path;
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw new Trouble('usage', 'the target file cannot be read', {
      place: { file },
      reason: (error as Error).message,
      fix: 'name an existing file with --target',
    });
  }
  const schema = readFileSync(SCHEMA, 'utf8');
  const read = () => readTarget({ file, text }, schema);
  // Every worker reads that of the embedded sandbox. A file of the user's own is not kept: it may hold the number of a card.
  const root =
    path === EMBEDDED_TARGET
      ? parseCached(createHash('sha256').update(schema).update(text).digest('hex'), read)
      : read();
  const written = root as {
    kind: string;
    iKnowThisMovesMoney?: boolean;
    variation?: unknown;
  } & Partial<Record<Api, unknown>>;
  if (written.kind === 'production' && written.iKnowThisMovesMoney !== true) {
    throw new Trouble('usage', 'a production target is refused', {
      place: locatePointer({ file, text }, '/kind'),
      reason: 'the checks move money',
      fix: 'use a sandbox; if it must be, add iKnowThisMovesMoney: true as well',
    });
  }
  if (written.variation !== undefined && written.kind !== 'embedded') {
    throw new Trouble('usage', 'only the embedded sandbox has variations', {
      place: locatePointer({ file, text }, '/variation'),
      fix: 'leave variation out',
    });
  }
  if (API_NAMES.every((name) => written[name] === undefined)) {
    throw new Trouble('usage', 'the target file names no service', {
      place: { file, line: 1 },
      fix: `add ${API_NAMES.map((name) => `${name}:`).join(' or ')} with its address`,
    });
  }
  checkPlaceholders(root, '', file, text);
  return { file, path, text, sha256: fingerprintOf(root), root: root as WrittenTargetFile };
}

const compiled = new Map<string, ValidateFunction>();

/** The schema, as text, compiled once. */
function validatorOf(schema: string): ValidateFunction {
  const known = compiled.get(schema);
  if (known !== undefined) return known;
  const { Ajv2020 } = require('ajv/dist/2020.js') as typeof import('ajv/dist/2020.js');
  // It is used a time or two in a process: what makes it quicker to use takes twice as long as all the rest of making it.
  const plain = { inlineRefs: false, code: { optimize: false }, validateSchema: false, meta: false } as const;
  const validator = new Ajv2020({ allErrors: true, strict: false, verbose: true, ...plain }).compile(
    JSON.parse(schema),
  );
  compiled.set(schema, validator);
  return validator;
}

/** Parses a target file and holds it against its schema. @throws Trouble (usage) */
function readTarget({ file, text }: { file: string; text: string }, schema: string): unknown {
  let root: unknown;
  try {
    root = (require('yaml') as typeof import('yaml')).parse(text);
  } catch (error) {
    const line = (error as { linePos?: [{ line: number }] }).linePos?.[0].line;
    throw new Trouble('usage', 'the target file is not valid YAML', {
      place: { file, ...(line === undefined ? {} : { line }) },
      reason: (error as Error).message.split('\n')[0]!.replace(/:$/, ''),
      fix: adviceFor(text.split('\n').slice(0, line).at(-1) ?? '', line),
    });
  }
  if (typeof root !== 'object' || root === null || Array.isArray(root))
    throw new Trouble('usage', root === null ? 'the target file is empty' : 'the target file is no mapping', {
      place: { file, line: 1 },
      fix: 'assay init writes one to start from',
    });
  const valid = validatorOf(schema);
  if (!valid(root)) {
    throw explainSchemaErrors(valid.errors!, { file, text }, 'see targets/README.md');
  }
  return root;
}

/** What other tools allow and YAML does not. */
function adviceFor(wrong: string, line: number | undefined): string {
  const [, variable] = /\$\{?(\w+)\}?/.exec(wrong) ?? [];
  if (variable !== undefined) return `write env:${variable} for an environment variable`;
  if (/(?:^|[\s,{[])\/\//.test(wrong)) return 'a comment begins with #';
  return line === undefined ? 'correct the YAML' : 'correct the YAML on that line';
}

/** Members of a target file whose value is a secret when it is written out instead of referred to. */
const BLANKED = /^(?:code|text|token|unprivileged|newcomer|webhookToken|consumerKey|privateKey|passphrase|key|proxy)$/;

/**
 * The SHA-256 of what a target file says, in hex. A hash of the file itself would give its card numbers away to whoever tries them all, so
 * they count as blanks, and so does anything that has the digits of one.
 */
function fingerprintOf(root: unknown): string {
  const blanked = (node: unknown, key = '', above = ''): unknown => {
    if (Array.isArray(node)) return node.map((one) => blanked(one, key, above));
    if (typeof node === 'object' && node !== null)
      return Object.fromEntries(Object.entries(node).map(([name, one]) => [name, blanked(one, name, key)]));
    const said = String(node);
    if (/^(?:env|file|embedded):/.test(said)) return node;
    return BLANKED.test(key) || above === 'headers' || said.replace(/\D/g, '').length >= 12 ? '' : node;
  };
  return createHash('sha256')
    .update(JSON.stringify(blanked(root)))
    .digest('hex');
}

/** @throws Trouble (usage) for a `${name}` that no check fills */
function checkPlaceholders(node: unknown, pointer: string, file: string, text: string): void {
  if (typeof node === 'string') {
    for (const match of node.matchAll(/\$\{([^}]*)\}?/g)) {
      const [whole, inside] = match as unknown as [string, string];
      const [name, type] = inside.split(':') as [string, string | undefined];
      if (
        name in KNOWN_PLACEHOLDERS &&
        whole.endsWith('}') &&
        (type === undefined || type === 'number' || type === 'string')
      )
        continue;
      throw new Trouble('usage', `nothing fills ${whole}`, {
        place: locatePointer({ file, text }, pointer),
        fix:
          name in KNOWN_PLACEHOLDERS
            ? `write \${${name}}, \${${name}:number} or \${${name}:string}`
            : suggestWord(name, Object.keys(KNOWN_PLACEHOLDERS)) ||
              `use one of ${Object.keys(KNOWN_PLACEHOLDERS).join(', ')}`,
      });
    }
  } else if (typeof node === 'object' && node !== null) {
    for (const [key, one] of Object.entries(node)) checkPlaceholders(one, appendPointer(pointer, key), file, text);
  }
}
