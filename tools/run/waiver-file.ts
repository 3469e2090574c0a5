import { type LoadedContract, readYaml } from '#contract';
import type { Waiver } from '#evidence';
import { workspaceFile } from '#folders';
import { type FilePlace, suggestWord, Trouble } from '#trouble';

/** The workspace's own waivers; `ASSAY_WAIVERS` names another file. */
export const WAIVERS_FILE = workspaceFile('waivers.yaml');

const REST = ['reason', 'owner', 'until'] as const;

/** Whatever is waived: why, by whom, and until when. */
type Entry<Key extends string> = Readonly<Record<Key | (typeof REST)[number], string>>;

/** Says what is wrong with the value of a key, and what to do about it. */
type Refuse = (pointer: string, message: string, fix: string) => never;

/**
 * Reads the accepted failures: a list of rule, reason, owner and last day. A file without any entry gives none. A waiver whose day is
 * over is read all the same: that it is over is a finding of the run.
 * @throws Trouble (usage) with file and line: unreadable, not YAML, not a list, an unknown, missing or empty key, an unknown or retired
 *   rule (with the nearest), no such day, a rule waived twice
 */
export function readWaivers(known: LoadedContract, path = process.env.ASSAY_WAIVERS || WAIVERS_FILE): Waiver[] {
  const entries = readEntries(path, 'rule', path === WAIVERS_FILE, (rule, pointer, refuse) => {
    const promise = known.rules.get(rule);
    if (promise === undefined)
      refuse(pointer, `no rule is called ${rule}`, suggestWord(rule, known.rules.keys()) || 'assay rules lists them');
    if (promise?.retired !== undefined) refuse(pointer, `${rule} is retired`, 'take the waiver out');
  });
  return entries.map(({ place: _, ...waiver }) => waiver);
}

/**
 * Reads the accepted changes of an upgrade: a list of fingerprint, reason, owner and last day.
 * @param isFingerprint what a fingerprint looks like
 * @throws Trouble (usage) as {@link readWaivers} does; for a fingerprint that is none
 */
export function readChangeWaivers(
  path: string,
  isFingerprint: (text: string) => boolean,
): (Entry<'fingerprint'> & { place: FilePlace })[] {
  return readEntries(path, 'fingerprint', false, (fingerprint, pointer, refuse) => {
    if (!isFingerprint(fingerprint))
      refuse(pointer, `${fingerprint} is no fingerprint`, 'upgrade.json and the page give twelve letters');
  });
}

function readEntries<Key extends string>(
  path: string,
  first: Key,
  optional: boolean,
  judge: (value: string, pointer: string, refuse: Refuse) => void,
): (Entry<Key> & { place: FilePlace })[] {
  const keys: readonly string[] = [first, ...REST];
  const { value: entries, place } = readYaml(path, 'waivers', optional);
  if (entries === null || entries === undefined) return [];
  const refuse: Refuse = (pointer, message, fix) => {
    throw new Trouble('usage', message, { place: place(pointer), fix });
  };
  if (!Array.isArray(entries))
    return refuse('', 'the waivers are not a list', `- ${keys.map((key) => `${key}: …`).join(', ')}`);
  const waived = new Set<string>();
  return entries.map((entry: unknown, i) => {
    if (typeof entry !== 'object' || entry === null || Array.isArray(entry))
      return refuse(`/${i}`, 'a waiver is no mapping', `give ${keys.join(', ')}`);
    const fields = entry as Record<string, unknown>;
    for (const key of Object.keys(fields))
      if (!keys.includes(key))
        refuse(`/${i}/${key}`, `unknown key ${key}`, suggestWord(key, keys) || `a waiver has ${keys.join(', ')}`);
    for (const key of keys)
      if (typeof fields[key] !== 'string' || fields[key].trim() === '')
        refuse(key in fields ? `/${i}/${key}` : `/${i}`, `the waiver has no ${key}`, `write ${key} as text`);
    const waiver = fields as Entry<Key>;
    const what = waiver[first];
    judge(what, `/${i}/${first}`, refuse);
    if (!isDay(waiver.until)) refuse(`/${i}/until`, `${waiver.until} is no day`, 'write the last day as YYYY-MM-DD');
    if (waived.has(what)) refuse(`/${i}/${first}`, `${what} is waived twice`, 'leave one of the two');
    waived.add(what);
    return { ...waiver, place: place(`/${i}`) };
  });
}

/** Whether a text is a day, YYYY-MM-DD. */
export function isDay(text: string): boolean {
  return (
    /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)) && new Date(text).toISOString().startsWith(text)
  );
}
