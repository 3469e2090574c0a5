import { isMaskedText } from '#evidence';
import { appendPointer } from '#json-pointer';
import type { SchemaFault } from '../read/ruler.ts';

/** Keywords whose verdict on a value hangs on all that is in it. */
const WHOLE = ['anyOf', 'oneOf', 'not', 'if', 'contains', 'uniqueItems', 'const', 'enum', 'unevaluatedProperties'];

/** Pointers of the values of a body of which something was taken out; of an object also when a name was. */
export function maskedPlaces(value: unknown, pointer = ''): string[] {
  if (typeof value === 'string') return isMaskedText(value) ? [pointer] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, one]) => [
    ...(isMaskedText(key) ? [pointer] : []),
    ...maskedPlaces(one, appendPointer(pointer, key)),
  ]);
}

/**
 * The faults that would be faults whatever stood in the masked places: none at such a place, and none that comes from a condition or a
 * union over one, nor any that such a condition brought along.
 * @param faults with those of conditions themselves
 */
export function certainFaults(faults: readonly SchemaFault[], places: readonly string[]): SchemaFault[] {
  const holds = (path: string) => places.some((place) => place === path || place.startsWith(`${path}/`));
  const doubtful = faults.filter(({ keyword, path }) => WHOLE.includes(keyword) && holds(path)).map(({ path }) => path);
  return faults.filter(
    ({ path, keyword }) =>
      !['if', 'allOf', '$ref'].includes(keyword) &&
      !places.includes(path) &&
      !doubtful.some((above) => path === above || path.startsWith(`${above}/`)),
  );
}
