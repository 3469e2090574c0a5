import { Trouble } from '#trouble';
import { percentDecode } from './percent-encode.ts';
import type { ParameterPair } from './types.ts';

const SCHEME = /^[ \t]*OAuth(?:[ \t\r\n]+|$)/i;
const GAP = /[ \t\r\n,]*/y;
const ITEM =
  /([!#$%&'*+.^_`|~0-9A-Za-z-]+)[ \t\r\n]*=[ \t\r\n]*(?:"((?:[^"\\]|\\[\s\S])*)"|([^\s",\\]+))[ \t\r\n]*(?=,|$)/y;

/**
 * Reads an OAuth Authorization header in any legal quoting and spacing: scheme in any case, white space around `=` and commas,
 * folded lines, empty list members, quoted strings with backslashes, plain tokens (RFC 5849 section 3.5.1, RFC 9110 section 11.2).
 * @returns names and values, decoded, in order, duplicates kept; `realm` is among them and is not percent-decoded
 * @throws Trouble when the header is of another scheme or cannot be read
 */
export function parseHeader(header: string): ParameterPair[] {
  const scheme = SCHEME.exec(header);
  if (!scheme) throw unreadable('it does not start with the word OAuth and a space');
  const pairs: ParameterPair[] = [];
  for (let at = skip(header, scheme[0].length); at < header.length; ) {
    ITEM.lastIndex = at;
    const item = ITEM.exec(header);
    if (!item) throw unreadable(`no name="value" can be read at character ${at + 1}`);
    const value = item[3] ?? item[2]!.replace(/\\([\s\S])/g, '$1');
    const name = percentDecode(item[1]!);
    pairs.push([name, name.toLowerCase() === 'realm' ? value : percentDecode(value)]);
    at = skip(header, ITEM.lastIndex);
  }
  return pairs;
}

function skip(header: string, from: number): number {
  GAP.lastIndex = from;
  return from + GAP.exec(header)![0].length;
}

function unreadable(reason: string): Trouble {
  return new Trouble('usage', 'This is not an OAuth Authorization header.', {
    reason,
    fix: 'write OAuth name="value", name="value"',
  });
}
