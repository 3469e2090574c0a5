import { API_NAMES, type Api } from '#apis';
import { appendPointer } from '#json-pointer';
import { suggestWord } from '#trouble';
import { CLAUSE_HASH_DIGITS } from './clause.ts';
import { type FailAtPointer, failForSpec, type SpecFile } from './spec-file.ts';
import type { ClauseSource } from './types.ts';

/** The members of an entry as they are written. */
export type EntryFields = Record<string, unknown>;

/** Reads the members that the entries of one spec's register are made of. Each throws Trouble (usage) with file and line. */
export class RegisterFields {
  readonly api: Api;
  readonly fail: FailAtPointer;
  readonly #documents: readonly string[];
  readonly #document: string;

  /**
   * @param documents names of those that a source may stand in
   * @param document that of a source which names none
   */
  constructor(spec: SpecFile, documents: readonly string[] = API_NAMES, document: string = spec.api) {
    this.api = spec.api;
    this.fail = failForSpec(spec);
    this.#documents = documents;
    this.#document = document;
  }

  /** A sentence, its white space made one. */
  readText(value: unknown, pointer: string, name: string): string {
    return typeof value === 'string' && value.trim() !== ''
      ? value.trim().replace(/\s+/g, ' ')
      : this.fail(appendPointer(pointer, name), `${name} must be a sentence`, `write a non-empty ${name}`);
  }

  /** Refuses members that an entry does not have. */
  refuseUnknownKeys(entry: EntryFields, pointer: string, keys: readonly string[]): void {
    for (const key of Object.keys(entry)) {
      if (!keys.includes(key))
        this.fail(
          appendPointer(pointer, key),
          `unknown key ${key}`,
          suggestWord(key, keys) || `use one of ${keys.join(', ')}`,
        );
    }
  }

  /** Where in a document a promise stands. */
  readSource(value: unknown, pointer: string): ClauseSource {
    const entry = readRecord(value) ?? this.fail(pointer, 'a source is a mapping of section and sha256');
    if (typeof entry.section !== 'string') this.fail(pointer, 'a source needs its section');
    if (typeof entry.sha256 !== 'string' || !/^[0-9a-f]{12,64}$/.test(entry.sha256)) {
      this.fail(
        pointer,
        'a source needs the SHA-256 of its clause, its first 12 hex digits',
        typeof entry.sha256 === 'number'
          ? 'put it in quotes'
          : `assay ledger${this.#documents === API_NAMES ? ' --documents DIR' : ''} --list prints them`,
      );
    }
    const document = String(entry.document ?? this.#document);
    if (!this.#documents.includes(document)) {
      this.fail(
        appendPointer(pointer, 'document'),
        `unknown document ${document}`,
        `document is ${this.#documents.join(' or ')}`,
      );
    }
    return {
      document,
      section: entry.section as string,
      sha256: (entry.sha256 as string).slice(0, CLAUSE_HASH_DIGITS),
    };
  }

  /** One such place, or several. */
  readSources(value: unknown, pointer: string): ClauseSource[] {
    return (Array.isArray(value) ? value : [value]).map((one, i) =>
      this.readSource(one, Array.isArray(value) ? appendPointer(pointer, i) : pointer),
    );
  }

  /** A list of texts. */
  readWords(value: unknown, pointer: string, name: string): string[] {
    return Array.isArray(value) ? value.map(String) : this.fail(appendPointer(pointer, name), `${name} must be a list`);
  }

  /** A list of entries. */
  readList(value: unknown, pointer: string): EntryFields[] {
    return Array.isArray(value)
      ? value.map((entry, i) => readRecord(entry) ?? this.fail(appendPointer(pointer, i), 'an entry must be a mapping'))
      : this.fail(pointer, 'must be a list');
  }
}

/** A mapping; undefined for anything else. */
export function readRecord(value: unknown): EntryFields | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as EntryFields) : undefined;
}
