import { type Decision, decision } from '../../decision.ts';

/**
 * The decision to take a uuid as it is spelled.
 * @param lies each by the place where it finds one that came without hyphens
 */
export function decideSpelling<Place extends string>(
  lies: Readonly<Record<string, Place>>,
): Decision<[text: unknown, place: Place], unknown> {
  const hyphenating = Object.entries<Place>(lies).map(
    ([name, there]) => [name, (text: unknown, place: Place) => (place === there ? hyphenate(text) : text)] as const,
  );
  return decision({
    rule: 'V1-GEN-04',
    honest: (text: unknown, _place: Place) => text,
    lies: Object.fromEntries(hyphenating),
  });
}

function hyphenate(text: unknown): string {
  return String(text).replace(/^(\w{8})(\w{4})(\w{4})(\w{4})(\w{12})$/, '$1-$2-$3-$4-$5');
}
