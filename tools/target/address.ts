/** An address as it is put in front of a path. */
export function trimAddress(address: unknown): string {
  return String(address).replace(/\/+$/, '');
}
