import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { readYaml } from '#contract';
import { Trouble } from '#trouble';

/** Mutants that stay green for a reason: the documents allow them, or no check judges them yet. */
export interface PermittedMutants {
  /** Their ids; `*` stands for any text, `{a,b}` for one of several. */
  readonly mutants: readonly string[];
  /** Why they are allowed: what the document says, or leaves open, and where. */
  readonly because?: string;
  /** Why they are not, and what a check would have to do; they count as survivors, but are no news. */
  readonly open?: string;
  readonly patterns: readonly RegExp[];
}

/** The project's own list; `ASSAY_PERMITTED` names another file. */
const FILE = fileURLToPath(new URL('../../tests/permitted.yaml', import.meta.url));

const text = { type: 'string', minLength: 1 };
const LIST = {
  type: 'array',
  items: {
    type: 'object',
    required: ['mutants'],
    oneOf: [{ required: ['because'] }, { required: ['open'] }],
    additionalProperties: false,
    properties: { mutants: { type: 'array', minItems: 1, items: text }, because: text, open: text },
  },
};

/**
 * Reads which mutants the documents allow.
 * @throws Trouble (usage) with file and line: unreadable, not YAML, another shape
 */
export function readPermittedMutants(path = process.env.ASSAY_PERMITTED || FILE): readonly PermittedMutants[] {
  const { Ajv2020 } = createRequire(import.meta.url)('ajv/dist/2020.js') as typeof import('ajv/dist/2020.js');
  const isList = new Ajv2020().compile<Omit<PermittedMutants, 'patterns'>[]>(LIST);
  const { value, place } = readYaml(path, 'permitted mutants');
  const list = value ?? [];
  if (isList(list)) return list.map((one) => ({ ...one, patterns: one.mutants.map(mutantPattern) }));
  const [error] = isList.errors ?? [];
  throw new Trouble('usage', `a permitted mutant ${error?.message ?? 'is malformed'}`, {
    place: place(error?.instancePath ?? ''),
    fix: 'write { mutants: [<id; * for any text, {a,b} for one of several>], because: <what the document says> } or open: <what is missing> instead of because',
  });
}

/** Finds the line of the list that allows a mutant. */
export function permissionFor(list: readonly PermittedMutants[], id: string): PermittedMutants | undefined {
  return list.find(({ patterns }) => patterns.some((pattern) => pattern.test(id)));
}

/** The ids that a text stands for; `*` is any text, `{a,b}` one of several. */
export function mutantPattern(text: string): RegExp {
  const inWords = (part: string): string =>
    part
      .split('*')
      .map((plain) => plain.replace(/[.+?^${}()|[\]\\]/g, '\\$&'))
      .join('.*');
  const parts = text
    .split(/\{([^}]*)\}/)
    .map((part, i) => (i % 2 === 0 ? inWords(part) : `(?:${part.split(',').map(inWords).join('|')})`));
  return new RegExp(`^${parts.join('')}$`);
}
