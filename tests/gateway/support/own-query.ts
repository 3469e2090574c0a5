/** A query such as shops have in their addresses: with letters of either case, with escapes, and with a name that comes twice. */
export const OWN_QUERY = '?Shop=7&basket=A%26b&basket=c%C3%A9';

/** Whether a message or a visit came with the query of its address; what a service adds is its own affair. */
export function keepsQuery({ path }: { readonly path: string }): boolean {
  const { searchParams } = new URL(path, 'https://merchant.example');
  return [...new URLSearchParams(OWN_QUERY)].every(([name, value]) => searchParams.getAll(name).includes(value));
}
