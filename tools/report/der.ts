/** One value of DER. */
export interface DerValue {
  readonly tag: number;
  /** Tag, length and content. */
  readonly raw: Buffer;
  readonly content: Buffer;
}

/** Tags that a signature is made of. */
export const DER_TAGS = {
  integer: 0x02,
  octets: 0x04,
  oid: 0x06,
  utcTime: 0x17,
  generalizedTime: 0x18,
  sequence: 0x30,
  set: 0x31,
  first: 0xa0,
} as const;

/**
 * Reads one value that takes all the bytes; only the one encoding DER allows.
 * @throws RangeError for anything else, trailing bytes included
 */
export function readDer(bytes: Buffer): DerValue {
  const one = readAt(bytes, 0);
  if (one.raw.length !== bytes.length) throw new RangeError(`${bytes.length - one.raw.length} trailing bytes`);
  return one;
}

/** The values inside a constructed one. @throws RangeError */
export function derChildren({ tag, content }: DerValue): DerValue[] {
  if ((tag & 0x20) === 0) throw new RangeError('a primitive value where a constructed one belongs');
  const found: DerValue[] = [];
  for (let at = 0; at < content.length; at += found.at(-1)!.raw.length) found.push(readAt(content, at));
  return found;
}

/** The values inside a constructed one of that tag. @throws RangeError */
export function derChildrenTagged(one: DerValue | undefined, tag: number): DerValue[] {
  if (one?.tag !== tag)
    throw new RangeError(`tag ${one?.tag.toString(16) ?? 'none'} where ${tag.toString(16)} belongs`);
  return derChildren(one);
}

/** An object identifier in dots. @throws RangeError */
export function readOid(one: DerValue | undefined): string {
  if (one?.tag !== DER_TAGS.oid || one.content.length === 0)
    throw new RangeError('no object identifier where one belongs');
  const arcs: number[] = [];
  let value = 0;
  for (const byte of one.content) {
    value = value * 128 + (byte & 0x7f);
    if (byte & 0x80) continue;
    if (arcs.length === 0)
      arcs.push(Math.min(2, Math.floor(value / 40)), value - 40 * Math.min(2, Math.floor(value / 40)));
    else arcs.push(value);
    value = 0;
  }
  return arcs.join('.');
}

/** A point in time. @throws RangeError */
export function readDerTime({ tag, content }: DerValue): Date {
  const text = content.toString('latin1');
  const short = /^(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z$/.exec(text);
  const long = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z$/.exec(text);
  const match = tag === DER_TAGS.utcTime ? short : tag === DER_TAGS.generalizedTime ? long : null;
  if (match === null) throw new RangeError('no time where one belongs');
  const [year, ...rest] = match.slice(1).map(Number) as [number, number, number, number, number, number];
  const [month, day, hour, minute, second] = rest;
  const full = tag === DER_TAGS.utcTime ? (year < 50 ? 2000 + year : 1900 + year) : year;
  return new Date(Date.UTC(full, month - 1, day, hour, minute, second));
}

function readAt(bytes: Buffer, at: number): DerValue {
  const tag = bytes[at];
  const first = bytes[at + 1];
  if (tag === undefined || first === undefined) throw new RangeError('the bytes end too early');
  if ((tag & 0x1f) === 0x1f) throw new RangeError('a tag of several bytes');
  let length = first;
  let head = 2;
  if (first & 0x80) {
    const count = first & 0x7f;
    if (count === 0 || count > 4 || at + 2 + count > bytes.length)
      throw new RangeError('a length that DER does not know');
    length = bytes.readUIntBE(at + 2, count);
    head = 2 + count;
    if (length < 0x80 || (count > 1 && length < 2 ** (8 * (count - 1))))
      throw new RangeError('a length longer than need be');
  }
  if (at + head + length > bytes.length) throw new RangeError('the bytes end too early');
  return { tag, raw: bytes.subarray(at, at + head + length), content: bytes.subarray(at + head, at + head + length) };
}
