import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { parse } from 'yaml';
import { type Loaded, locate } from '#contract';
import type { Waiver } from '#evidence';
import { suggestion, Trouble } from '#trouble';
import { ROOT } from './play.ts';

const KEYS = ['rule', 'reason', 'owner', 'until'] as const;

/** The project's own waivers; `ASSAY_WAIVERS` names another file. */
export const WAIVERS = join(ROOT, 'tests/waivers.yaml');

/**
 * Reads the accepted failures: a list of rule, reason, owner and last day. A file without any entry gives none. A waiver whose day is
 * over is read all the same: that it is over is a finding of the run.
 * @throws Trouble (usage) with file and line: unreadable, not YAML, not a list, an unknown, missing or empty key, an unknown or retired
 *   rule (with the nearest), no such day, a rule waived twice
 */
export function readWaivers(known: Loaded, path = process.env.ASSAY_WAIVERS || WAIVERS): Waiver[] {
  const file = relative(process.cwd(), path) || path;
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT' && path === WAIVERS) return [];
    throw new Trouble('usage', 'the waivers cannot be read', {
      place: { file },
      reason: String((error as NodeJS.ErrnoException).code),
    });
  }
  let entries: unknown;
  try {
    entries = parse(text);
  } catch (error) {
    const line = (error as { linePos?: [{ line: number }] }).linePos?.[0].line;
    throw new Trouble('usage', 'the waivers are not valid YAML', {
      place: { file, ...(line ? { line } : {}) },
      fix: 'correct the YAML',
    });
  }
  if (entries === null || entries === undefined) return [];
  const refuse = (pointer: string, message: string, fix: string): never => {
    throw new Trouble('usage', message, { place: locate({ file, text }, pointer), fix });
  };
  if (!Array.isArray(entries))
    return refuse('', 'the waivers are not a list', `- ${KEYS.map((key) => `${key}: …`).join(', ')}`);
  const waived = new Set<string>();
  return entries.map((entry: unknown, i): Waiver => {
    if (typeof entry !== 'object' || entry === null || Array.isArray(entry))
      return refuse(`/${i}`, 'a waiver is no mapping', `give ${KEYS.join(', ')}`);
    const fields = entry as Record<string, unknown>;
    for (const key of Object.keys(fields))
      if (!(KEYS as readonly string[]).includes(key))
        refuse(`/${i}/${key}`, `unknown key ${key}`, suggestion(key, KEYS) || `a waiver has ${KEYS.join(', ')}`);
    for (const key of KEYS)
      if (typeof fields[key] !== 'string' || fields[key].trim() === '')
        refuse(key in fields ? `/${i}/${key}` : `/${i}`, `the waiver has no ${key}`, `write ${key} as text`);
    const { rule, reason, owner, until } = fields as unknown as Waiver;
    const promise = known.rules.get(rule);
    if (promise === undefined)
      refuse(
        `/${i}/rule`,
        `no rule is called ${rule}`,
        suggestion(rule, known.rules.keys()) || 'assay rules lists them',
      );
    if (promise?.retired !== undefined) refuse(`/${i}/rule`, `${rule} is retired`, 'take the waiver out');
    if (!isDay(until)) refuse(`/${i}/until`, `${until} is no day`, 'write the last day as YYYY-MM-DD');
    if (waived.has(rule)) refuse(`/${i}/rule`, `${rule} is waived twice`, 'leave one of the two');
    waived.add(rule);
    return { rule, reason, owner, until };
  });
}

function isDay(text: string): boolean {
  return (
    /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)) && new Date(text).toISOString().startsWith(text)
  );
}
