import type { PropertyStep } from '#harness';
import {
  collectParameters,
  hashBody,
  type ParameterPair,
  percentEncode,
  readQueryParameters,
  writeBaseString,
  writeBaseUri,
  writeParameterString,
} from '#oauth';

/** Where a law draws no method or address of its own. */
const METHOD = 'POST';
const ADDRESS = 'http://h.example/';

/**
 * What signing makes of a drawn case, step by step: its parameters as given, encoded, sorted and joined, and the base string (RFC 5849
 * section 3.4.1). A step that refuses the case is the last one and says why.
 */
export function workThroughCase(drawn: readonly unknown[]): PropertyStep[] {
  const values = drawn.flatMap((one) => (isPairs(one) || !Array.isArray(one) ? [one] : one));
  const texts = values.filter((one) => typeof one === 'string');
  const method = texts.find((one) => /^(?:GET|POST|PUT|DELETE|PATCH|X-own)$/i.test(one)) ?? METHOD;
  const address = texts.find((one) => /^https?:\/\/[^\s]+$/i.test(one)) ?? ADDRESS;
  const rest = texts.filter((one) => one !== method && one !== address);
  const [given = []] = values.filter(isPairs);
  const body = values.find((one) => one instanceof Uint8Array);
  const steps: PropertyStep[] = [];
  const step = <Made>(name: string, make: () => Made, write: (made: Made) => string): Made => {
    const made = make();
    steps.push({ name, value: write(made) });
    return made;
  };
  try {
    if (body !== undefined) step('Body hash', () => hashBody(body), String);
    if (body !== undefined && given.length + rest.length === 0 && address === ADDRESS) return steps;
    const own = given.length > 0 ? given : rest.length === 0 ? [] : [[rest[0]!, rest[1] ?? ''] as const];
    const all = step('Parameters', () => collectParameters(own, readQueryParameters(address)), writePairs);
    const encoded = step(
      'Encoded',
      () => all.map(([name, value]) => [percentEncode(name), percentEncode(value)] as const),
      writePairs,
    );
    step('Sorted', () => encoded.toSorted(byBytes), writePairs);
    const joined = step('Parameter string', () => writeParameterString(all), String);
    const base = step('Base URI', () => writeBaseUri(address), String);
    step('Base string', () => writeBaseString(method, base, joined), String);
  } catch (error) {
    steps.push({ name: 'Refused', value: (error as Error).message });
  }
  return steps;
}

function isPairs(value: unknown): value is ParameterPair[] {
  return (
    Array.isArray(value) &&
    value.length > 0 &&
    value.every((one) => Array.isArray(one) && one.length === 2 && one.every((part) => typeof part === 'string'))
  );
}

function byBytes(one: ParameterPair, other: ParameterPair): number {
  return (
    Buffer.compare(Buffer.from(one[0]), Buffer.from(other[0])) ||
    Buffer.compare(Buffer.from(one[1]), Buffer.from(other[1]))
  );
}

function writePairs(pairs: readonly ParameterPair[]): string {
  return pairs.length === 0 ? '(none)' : pairs.map(([name, value]) => `${name} = ${value}`).join('\n');
}
