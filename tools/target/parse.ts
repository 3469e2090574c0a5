import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import { parse } from 'yaml';
import { locate } from '#contract';
import { suggestion, Trouble } from '#trouble';

/** A target file as written: valid in form, nothing resolved. */
export interface Written {
  readonly file: string;
  readonly path: string;
  readonly text: string;
  readonly sha256: string;
  // biome-ignore lint/suspicious/noExplicitAny: the shape is what target.schema.json has just checked
  readonly root: any;
}

const SCHEMA = new URL('../../targets/target.schema.json', import.meta.url);

/**
 * Reads a target file and holds it against `targets/target.schema.json`.
 * @throws Trouble (usage) with file, line and the nearest known key: unreadable, not YAML, wrong shape, production said once only
 */
export function parseTarget(path: string): Written {
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
  let root: unknown;
  try {
    root = parse(text);
  } catch (error) {
    const line = (error as { linePos?: [{ line: number }] }).linePos?.[0].line;
    throw new Trouble('usage', 'the target file is not valid YAML', {
      place: { file, ...(line === undefined ? {} : { line }) },
      reason: (error as Error).message.split('\n')[0]!,
      fix: 'correct the YAML on that line',
    });
  }
  const ajv = new Ajv2020({ allErrors: false, strict: false, verbose: true });
  const valid = ajv.compile(JSON.parse(readFileSync(SCHEMA, 'utf8')) as object);
  if (!valid(root)) throw explain(valid.errors![0]!, file, text);
  const written = root as { kind: string; iKnowThisMovesMoney?: boolean; gateway?: unknown; v1?: unknown };
  if (written.kind === 'production' && written.iKnowThisMovesMoney !== true) {
    throw new Trouble('usage', 'a production target is refused', {
      place: locate({ file, text }, '/kind'),
      reason: 'the checks move money',
      fix: 'use a sandbox; if it must be, add iKnowThisMovesMoney: true as well',
    });
  }
  if (written.gateway === undefined && written.v1 === undefined) {
    throw new Trouble('usage', 'the target file names no service', {
      place: { file, line: 1 },
      fix: 'add gateway: or v1: with its address',
    });
  }
  return { file, path, text, sha256: createHash('sha256').update(text).digest('hex'), root };
}

function explain(error: ErrorObject, file: string, text: string): Trouble {
  const extra = (error.params as { additionalProperty?: string }).additionalProperty;
  const where = extra === undefined ? error.instancePath : `${error.instancePath}/${extra}`;
  const known = Object.keys((error.parentSchema as { properties?: object } | undefined)?.properties ?? {});
  const name = error.instancePath || 'the file';
  if (extra !== undefined) {
    return new Trouble('usage', `unknown key ${extra}`, {
      place: locate({ file, text }, where),
      fix: suggestion(extra, known) || `use one of ${known.join(', ')}`,
    });
  }
  const description = (error.parentSchema as { description?: string } | undefined)?.description;
  const allowed = (error.params as { allowedValues?: string[] }).allowedValues;
  return new Trouble('usage', `${name} ${error.message}`, {
    place: locate({ file, text }, where),
    fix: allowed ? `use one of ${allowed.join(', ')}` : (description ?? 'see targets/README.md'),
  });
}
