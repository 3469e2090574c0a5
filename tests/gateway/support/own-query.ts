/** A query such as shops have in their addresses. */
export const OWN_QUERY = '?shop=7&basket=a%26b';

/** Whether a message or a visit came with the query of its address; what a service adds is its own affair. */
export function keepsQuery({ path }: { readonly path: string }): boolean {
  const { searchParams } = new URL(path, 'https://merchant.example');
  return [...new URLSearchParams(OWN_QUERY)].every(([name, value]) => searchParams.getAll(name).includes(value));
}
