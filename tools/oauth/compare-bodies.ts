import { createHash, hash } from 'node:crypto';
import type { DifferenceCause } from './difference-causes.ts';

/**
 * What was done to a body so that its hash became another one: known mistakes are tried out one by one. The hash rule is that of
 * the oauth-bodyhash draft 00 section 3.2, with the parameter going into RFC 5849 section 3.4.1.3.
 * @param theirs the hash the other side shows
 * @param body what was sent, when known
 */
export function compareBodies(theirs: string, body: string | Uint8Array | undefined): DifferenceCause {
  const bytes = Buffer.from(body ?? '');
  if (notations(bytes).includes(theirs)) return 'body-hash-other-notation';
  if (['sha1', 'sha384', 'sha512', 'md5'].some((name) => digest(bytes, name) === theirs))
    return 'body-hash-other-algorithm';
  const text = bytes.toString('utf8');
  const found = attempts(text).find(([, versions]) => versions().some((version) => digest(version) === theirs));
  return found?.[0] ?? 'body-changed';
}

function attempts(text: string): [DifferenceCause, () => (string | Buffer)[]][] {
  const json = text.startsWith('\uFEFF') ? text.slice(1) : text;
  return [
    ['body-emptied', () => ['']],
    ['body-newlines-changed', () => lineEnds(text)],
    ['body-charset-changed', () => [Buffer.from(text, 'latin1'), Buffer.from(text, 'utf16le'), json, `\uFEFF${text}`]],
    ['body-reserialized', () => [...new Set(rewritten(json))]],
  ];
}

function notations(bytes: Buffer): string[] {
  const hash = createHash('sha256').update(bytes).digest();
  const hex = hash.toString('hex');
  return [hex, hex.toUpperCase(), Buffer.from(hex).toString('base64'), hash.toString('base64url')].concat(
    hash.toString('base64').replace(/=+$/, ''),
  );
}

function lineEnds(text: string): string[] {
  const lines = text.replaceAll('\r\n', '\n');
  const forms = [lines, lines.replaceAll('\n', '\r\n'), lines.trim()];
  return forms.flatMap((form) => [form, form.trimEnd(), `${form}\n`, `${form}\r\n`]);
}

function rewritten(text: string): string[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return ['{}', 'null'];
  }
  return [value, sorted(value)].flatMap((each) => {
    const forms = ['', 2, 4, '\t'].map((indent) => JSON.stringify(each, null, indent));
    forms.push(spaced(each));
    return forms.flatMap((form) => [
      form,
      form.replaceAll('/', '\\/'),
      inAscii(form),
      inAscii(form.replaceAll('/', '\\/')),
    ]);
  });
}

/** With a space after each colon and comma, as Python writes it. */
function spaced(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(spaced).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(([name, each]) => `${JSON.stringify(name)}: ${spaced(each)}`);
  return `{${members.join(', ')}}`;
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const names = Object.keys(value).sort();
  return Object.fromEntries(names.map((name) => [name, sorted((value as Record<string, unknown>)[name])]));
}

function inAscii(text: string): string {
  return text.replace(/[\u0080-\uFFFF]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

function digest(content: string | Buffer, name = 'sha256'): string {
  return hash(name, content, 'base64');
}
