import { decision } from '../decision.ts';
import { characters } from './form.ts';

/**
 * The decision whether a text is short enough.
 * @param rule rule that promises the limit
 * @param name prefix of the lies' names
 * @param most characters that are still accepted
 */
export function atMost(rule: string, name: string, most: number) {
  return decision({
    rule,
    honest: (text: string) => characters(text) <= most,
    lies: {
      [`${name}-limit-one-more`]: (text) => characters(text) <= most + 1,
      [`${name}-limit-one-less`]: (text) => characters(text) <= most - 1,
      [`${name}-limit-absent`]: () => true,
    },
  });
}

/**
 * As {@link atMost}, for texts that may hold any script; here a server can also go wrong by counting bytes.
 */
export function atMostOfAnyScript(rule: string, name: string, most: number) {
  const limit = atMost(rule, name, most);
  const counting = decision({
    rule,
    honest: (_text: string) => true,
    lies: { [`${name}-limit-in-bytes`]: (text) => Buffer.byteLength(text) <= most },
  });
  return (faults: Parameters<typeof limit>[0], text: string) => limit(faults, text) && counting(faults, text);
}

/** The decision whether a text is long enough; parameters as for {@link atMost}. */
export function atLeast(rule: string, name: string, least: number) {
  return decision({
    rule,
    honest: (text: string) => characters(text) >= least,
    lies: {
      [`${name}-minimum-one-less`]: (text) => characters(text) >= least - 1,
      [`${name}-minimum-one-more`]: (text) => characters(text) >= least + 1,
    },
  });
}

/**
 * The decision whether a field must be there.
 * @param rule rule that says so
 * @param name name of the one lie, which does without the field
 */
export function needed(rule: string, name: string) {
  return decision({ rule, honest: () => true, lies: { [name]: () => false } });
}
