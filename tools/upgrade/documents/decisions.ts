import { existsSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { parseDocument } from 'yaml';
import { locatePointer } from '#contract';
import { appendPointer, pointerTokens } from '#json-pointer';
import { type FilePlace, suggestWord, Trouble } from '#trouble';

/** What a person decided about one changed clause. */
export interface DocumentDecision {
  /** Twelve letters over both wordings of the clause. */
  readonly clause: string;
  readonly decided: string;
  readonly owner: string;
  /** YYYY-MM-DD. */
  readonly date: string;
  readonly place: FilePlace;
}

const SCHEMA = JSON.parse(readFileSync(new URL('./decisions.schema.json', import.meta.url), 'utf8')) as {
  items: { properties: object };
};
const KEYS = Object.keys(SCHEMA.items.properties);
const WANTED: Readonly<Record<string, string>> = {
  clause: 'give the twelve letters that the page shows beside the clause',
  decided: 'say in a sentence what was decided',
  owner: 'name who answers for it',
  date: 'write the day of the decision as YYYY-MM-DD',
};

/**
 * Reads the decisions on changed clauses, a YAML list held against `decisions.schema.json`.
 * @param optional whether the file may be missing: then there are none
 * @throws Trouble (usage) with file and line: unreadable, not YAML, not as the schema says, a clause decided twice
 */
export function readDecisions(path: string, optional = false): DocumentDecision[] {
  if (optional && !existsSync(path)) return [];
  const file = relative(process.cwd(), path) || path;
  const refuse = (message: string, line: number | undefined, more: { reason?: string; fix?: string }): never => {
    throw new Trouble('usage', message, { place: { file, ...(line ? { line } : {}) }, ...more });
  };
  let text = '';
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    const reason = String((error as NodeJS.ErrnoException).code);
    refuse('the decisions on clauses cannot be read', undefined, { reason, fix: 'name a YAML file that exists' });
  }
  // Days stay texts.
  const document = parseDocument(text, { schema: 'core' });
  const [error] = document.errors;
  if (error)
    refuse('the decisions on clauses are not valid YAML', error.linePos?.[0].line, {
      reason: error.message.split('\n')[0]!,
      fix: 'correct the YAML on that line',
    });
  const entries = document.toJS() as Omit<DocumentDecision, 'place'>[] | null;
  if (Array.isArray(entries) && entries.length === 0) return [];
  // The own tests hold the schema against the meta-schema; compiling that takes ten times as long.
  const ajv = new Ajv2020({ allowUnionTypes: true, validateSchema: false, meta: false });
  addFormats.default(ajv);
  const validate = ajv.compile(SCHEMA);
  const place = (pointer: string) => locatePointer({ file, text }, pointer);
  if (!validate(entries)) {
    const { pointer, message, fix } = wordsOf(validate.errors![0]!);
    refuse(message, place(pointer).line, { fix });
  }
  const seen = new Set<string>();
  return (entries ?? []).map((entry, i) => {
    if (seen.has(entry.clause))
      refuse(`${entry.clause} is decided twice`, place(`/${i}/clause`).line, { fix: 'leave one of the two' });
    seen.add(entry.clause);
    return { ...entry, place: place(`/${i}`) };
  });
}

function wordsOf({ instancePath, keyword, params }: ErrorObject): { pointer: string; message: string; fix: string } {
  const [index, key = ''] = pointerTokens(instancePath);
  const { missingProperty, additionalProperty } = params as Record<string, string>;
  if (index === undefined)
    return {
      pointer: '',
      message: 'the decisions on clauses are not a list',
      fix: `- ${KEYS.map((one) => `${one}: …`).join(', ')}`,
    };
  if (key === '' && keyword === 'type')
    return { pointer: instancePath, message: 'a decision is no mapping', fix: `give ${KEYS.join(', ')}` };
  if (missingProperty !== undefined)
    return { pointer: instancePath, message: `the decision has no ${missingProperty}`, fix: WANTED[missingProperty]! };
  if (additionalProperty !== undefined)
    return {
      pointer: appendPointer(instancePath, additionalProperty),
      message: `unknown key ${additionalProperty}`,
      fix: suggestWord(additionalProperty, KEYS) || `a decision has ${KEYS.join(', ')}`,
    };
  return { pointer: instancePath, message: `the ${key} of the decision is not as it must be`, fix: WANTED[key] ?? '' };
}
