import { readFileSync } from 'node:fs';
import { splitClauses } from '#contract';
import { valueAt } from '#json-pointer';
import { Trouble } from '#trouble';
import { hasClue, saysInWords, wordsOfName, wordsOfRule } from './changelog-words.ts';
import { changedOperations } from './impact.ts';
import type { SpecChange } from './types.ts';

/** A sentence of a changelog and the changes it speaks of. */
export interface ChangelogSentence {
  readonly line: number;
  /** How it begins. */
  readonly begins: string;
  readonly matches: readonly { readonly fingerprint: string; readonly words: readonly string[] }[];
  /** Names in it that look like parts of an interface; without any it is taken for prose. */
  readonly names: readonly string[];
}

/** A changelog held against the changes. */
export interface ReadChangelog {
  readonly file: string;
  readonly sentences: readonly ChangelogSentence[];
  /** Fingerprints of the changes that no sentence speaks of. */
  readonly unannounced: readonly string[];
}

/** Names that are everyday words as well: they need another name beside them. */
const COMMON = /^[a-z]{1,12}$/;
const NAME =
  /`([^`\s]+)`|\b([A-Za-z]\w*_\w+|[a-z]+[A-Z]\w*|[A-Z][A-Z0-9]{2,}|[A-Z]\w*(?:-[A-Z]\w*)+)\b|(\/[\w{}/.-]*[\w}])/g;

/** What is known of both descriptions: path of each operation, and what stands in each file. */
export interface KnownNames {
  readonly paths: ReadonlyMap<string, string>;
  readonly roots: ReadonlyMap<string, unknown>;
}

/**
 * Finds for each sentence of a changelog the changes it speaks of: those of which it names the field, header, parameter, value, operation
 * or path, as code or in plain words. A name that is also an everyday word counts when it is written as code, when the operation is named
 * too, or when the sentence speaks of that kind of change.
 * @throws Trouble (usage) when the file cannot be read or holds no sentence
 */
export function readChangelog(
  file: string,
  changes: readonly SpecChange[],
  { paths, roots }: KnownNames,
): ReadChangelog {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new Trouble('usage', 'the changelog cannot be read', {
      place: { file },
      reason: String((error as NodeJS.ErrnoException).code),
      fix: 'name a Markdown or text file',
    });
  }
  const lines = text.split('\n');
  const told = splitClauses('changelog', text).filter(({ kind }) => kind !== 'heading');
  if (told.length === 0)
    throw new Trouble('usage', 'the changelog says nothing', {
      place: { file, line: 1 },
      reason: 'it holds no sentence below its headings',
      fix: 'name another file, or leave --changelog out',
    });
  const named = changes.map((change) => ({
    change,
    names: [...namesOf(change), ...valuesOf(change, roots)],
    places: placesOf(change, paths),
  }));
  const sentences = told.map(({ line, text: words }): ChangelogSentence => {
    const raw = lines.slice(line - 1, line + 3).join(' ');
    const code = [...raw.matchAll(/`([^`]+)`/g)].map(([, one]) => one!).filter((one) => words.includes(one));
    const says = (name: string) => contains(words, name);
    const matches = named.flatMap(({ change, names, places }) => {
      const place = places.filter((name) => says(name) || (wordsOfName(name).length > 1 && saysInWords(words, name)));
      const clue = hasClue(words, change);
      const found = names.filter((name) => {
        if (says(name) && (!COMMON.test(name) || code.includes(name) || place.length > 0)) return true;
        // In plain words a name of several counts by itself, an everyday word beside something that fits the change.
        return saysInWords(words, name) && (clue || (wordsOfName(name).length > 1 && !COMMON.test(name)));
      });
      // Something that is named as a whole: an operation that came, went or changed as such.
      const whole = names.length === 0 ? place : [];
      const rule = wordsOfRule(words, change);
      return found.length + whole.length + rule.length > 0
        ? [{ fingerprint: change.fingerprint, words: [...new Set([...found, ...place, ...rule])] }]
        : [];
    });
    const names = [...raw.matchAll(NAME)].map(([, a, b, c]) => (a ?? b ?? c)!).filter((one) => words.includes(one));
    return { line, begins: words.split(' ').slice(0, 12).join(' '), matches, names: [...new Set(names)] };
  });
  const announced = new Set(sentences.flatMap(({ matches }) => matches.map(({ fingerprint }) => fingerprint)));
  const unannounced = changes.filter(({ fingerprint }) => !announced.has(fingerprint)).map((one) => one.fingerprint);
  return { file, sentences, unannounced };
}

/** Words by which a change is known: its field, parameter, header, and the values it tells of. */
function namesOf({ subject, text, old, new: now }: SpecChange): string[] {
  const last = [subject, old?.pointer ?? '', now?.pointer ?? ''].flatMap((place) =>
    [...place.matchAll(/\/properties\/([^/]+)/g)].slice(-1).map(([, name]) => name!),
  );
  const own = subject.match(/[\w.-]+$/)?.[0];
  const values = [...text.matchAll(/["'`“]([\w.-]+)["'`”]/g)].map(([, value]) => value!);
  return [
    ...new Set([...(own && subject.includes(' ') === false ? [own] : []), ...named(subject), ...last, ...values]),
  ].filter((name) => name.length > 1 && !/^(?:\d|null$|true$|false$)/.test(name));
}

/** Texts that stand at the place of a change on one side only: what a list gained or lost. */
function valuesOf({ old, new: now }: SpecChange, roots: ReadonlyMap<string, unknown>): string[] {
  if (old === undefined || now === undefined) return [];
  const [before, after] = [old, now].map(({ file, pointer }) => {
    const value = valueAt(roots.get(file), pointer);
    return (Array.isArray(value) ? value : [value]).filter((one) => typeof one === 'string');
  }) as [string[], string[]];
  return [...before.filter((one) => !after.includes(one)), ...after.filter((one) => !before.includes(one))];
}

/** `query parameter per_page`, `header Retry-After`. */
function named(subject: string): string[] {
  const found = /(?:parameter|header|property|field)\s+`?([\w.-]+)/.exec(subject)?.[1];
  return found === undefined ? [] : [found];
}

function placesOf(change: SpecChange, paths: ReadonlyMap<string, string>): string[] {
  return changedOperations(change).flatMap((id) => [id, ...(paths.has(id) ? [paths.get(id)!] : [])]);
}

function contains(text: string, name: string): boolean {
  const at = name.startsWith('/') || !/[A-Z_]/.test(name) ? text.toLowerCase() : text;
  const wanted = at === text ? name : name.toLowerCase();
  for (let i = at.indexOf(wanted); i >= 0; i = at.indexOf(wanted, i + 1))
    if (!/[\w-]/.test(at[i - 1] ?? ' ') && !/[\w-]/.test(at[i + wanted.length] ?? ' ')) return true;
  return false;
}
