type Fields = Readonly<Record<string, unknown>>;

/**
 * The members in which two views of one resource contradict each other, by path. What only one of them shows does not count, nor
 * what one of them masks; of a moment it does not matter how it is written.
 */
export function findContradictions(one: unknown, other: unknown, path = ''): string[] {
  if (one === null || one === undefined || other === null || other === undefined) return [];
  if (isFields(one) && isFields(other))
    return Object.keys(one).flatMap((name) => findContradictions(one[name], other[name], `${path}/${name}`));
  return isSameValue(one, other) ? [] : [path];
}

function isSameValue(one: unknown, other: unknown): boolean {
  if (typeof one !== 'string' || typeof other !== 'string') return JSON.stringify(one) === JSON.stringify(other);
  // A BIC of a head office may end in XXX (ISO 9362).
  const isMasked = (text: string) => /[*•…]|x{3}/i.test(text) && !/^[A-Z]{6}[A-Z0-9]{2}XXX$/i.test(text);
  const isMoment = (text: string) => /^\d{4}-\d\d-\d\dT.*(?:Z|[+-]\d\d:?\d\d)$/i.test(text);
  if (isMasked(one) || isMasked(other)) return true;
  return one === other || (isMoment(one) && isMoment(other) && Date.parse(one) === Date.parse(other));
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
