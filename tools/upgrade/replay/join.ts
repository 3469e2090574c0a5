type Fields = Record<string, unknown>;

/** More ways through unions and conditions than this are not tried. */
const MOST = 64;

/** Takes one keyword into a schema that is to say what several say. */
export function joinKeyword(into: Fields, key: string, value: unknown): void {
  const there = into[key];
  if (there === undefined) into[key] = value;
  else if (key === 'required') into[key] = [...new Set([...(there as string[]), ...(value as string[])])];
  else if (key === 'properties') {
    const both = { ...(there as Fields) };
    for (const [name, one] of Object.entries(value as Fields))
      both[name] = both[name] === undefined ? one : { allOf: [both[name], one] };
    into[key] = both;
  } else if (key === 'items' || key === 'additionalProperties')
    into[key] = there === false || value === false ? false : { allOf: [there, value] };
  else if (key === 'type') into[key] = both(typeList(there), typeList(value));
  else if (/^(?:min|exclusiveMin)/.test(key)) into[key] = Math.max(Number(there), Number(value));
  else if (/^(?:max|exclusiveMax)/.test(key)) into[key] = Math.min(Number(there), Number(value));
  else if (key === 'anyOf') {
    // Two unions at once: each member of one with each of the other.
    const pairs = (there as unknown[]).flatMap((a) => (value as unknown[]).map((b) => ({ allOf: [a, b] })));
    into[key] = pairs.slice(0, MOST);
  } else into[key] = value;
}

/** Types of a schema as a list. */
export const typeList = (value: unknown) => (Array.isArray(value) ? value : [value]) as string[];

const both = (a: readonly string[], b: readonly string[]) =>
  [...a, ...b].filter(
    (type, i, all) =>
      all.indexOf(type) === i &&
      (a.includes(type) || (type === 'integer' && a.includes('number'))) &&
      (b.includes(type) || (type === 'integer' && b.includes('number'))),
  );
