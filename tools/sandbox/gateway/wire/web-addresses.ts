/** An http(s) address out of a request, else undefined. */
export function readWebAddress(value: unknown): string | undefined {
  if (typeof value !== 'string' || !URL.canParse(value)) return undefined;
  return /^https?:$/.test(new URL(value).protocol) ? value : undefined;
}

/** An address without its query. */
export const withoutQuery = (address: string | undefined): string | undefined => address?.replace(/\?.*$/, '');

/** An address in small letters, as if it were a host name as a whole. */
export const inSmallLetters = (address: string | undefined): string | undefined => address?.toLowerCase();

/** An address in whose query each name comes once. */
export function withoutRepeats(address: string | undefined): string | undefined {
  if (address === undefined) return undefined;
  const url = new URL(address);
  for (const [name, value] of [...url.searchParams]) url.searchParams.set(name, value);
  return url.href;
}

/** An address whose escapes were undone once too often. */
export const unescaped = (address: string | undefined): string | undefined =>
  address === undefined ? undefined : decodeURIComponent(address);
