/** Whether an entry of a list is an object that shows these values. */
export function hasValues(entry: unknown, values: Readonly<Record<string, unknown>>): boolean {
  if (typeof entry !== 'object' || entry === null) return false;
  return Object.entries(values).every(([name, value]) => (entry as Record<string, unknown>)[name] === value);
}

/** The uuids of the entries of a list, in its order; entries without one are left out. */
export function listUuids(entries: readonly unknown[]): string[] {
  return entries.map((entry) => (entry as { uuid?: unknown } | null)?.uuid).filter((one) => typeof one === 'string');
}
