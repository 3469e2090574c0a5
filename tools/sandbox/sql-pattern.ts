/**
 * Whether a text is one that a pattern of SQL stands for: a percent sign in it for any letters, an underscore for one. Only lies read what
 * is sent as a pattern.
 */
export function isLike(text: string, pattern: string): boolean {
  const literal = pattern.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`^${literal.replaceAll('%', '.*').replaceAll('_', '.')}$`, 's').test(text);
}
