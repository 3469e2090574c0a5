/** Takes note of something. @returns whether it was noted before */
export function takeNote(notes: Set<string>, what: string): boolean {
  const isThere = notes.has(what);
  notes.add(what);
  return isThere;
}
