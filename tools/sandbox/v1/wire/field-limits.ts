import { type ActiveLies, decision } from '../../decision.ts';
import { countCharacters } from './request-form.ts';

/**
 * The decision whether a text is short enough.
 * @param rule rule that promises the limit
 * @param name prefix of the lies' names
 * @param most characters that are still accepted
 * @param freed lies that forget the limit beside something else in the request, by the end of their names
 * @param tightened lies that halve the limit beside something else, in the same way
 */
export function maximumLength<Beside = void>(
  rule: string,
  name: string,
  most: number,
  freed: Readonly<Record<string, (beside: Beside) => boolean>> = {},
  tightened: Readonly<Record<string, (beside: Beside) => boolean>> = {},
) {
  const fits = (text: string) => countCharacters(text) <= most;
  const forgetting = Object.entries(freed).map(([when, isFreed]) => [
    `${name}-limit-absent-${when}`,
    (text: string, beside: Beside) => isFreed(beside) || fits(text),
  ]);
  const halving = Object.entries(tightened).map(([when, isTightened]) => [
    `${name}-limit-halved-${when}`,
    (text: string, beside: Beside) => countCharacters(text) <= (isTightened(beside) ? most / 2 : most),
  ]);
  return decision({
    rule,
    honest: (text: string, _beside: Beside) => fits(text),
    lies: {
      ...Object.fromEntries([...forgetting, ...halving]),
      [`${name}-limit-one-more`]: (text) => countCharacters(text) <= most + 1,
      [`${name}-limit-one-less`]: (text) => countCharacters(text) <= most - 1,
      [`${name}-limit-absent`]: () => true,
    },
  });
}

/**
 * As {@link maximumLength}, for texts that may hold any script; here a server can also go wrong by counting bytes.
 */
export function maximumLengthAnyScript<Beside = void>(...limits: Parameters<typeof maximumLength<Beside>>) {
  const [rule, name, most] = limits;
  const limit = maximumLength(...limits);
  const counting = decision({
    rule,
    honest: (_text: string) => true,
    lies: { [`${name}-limit-in-bytes`]: (text) => Buffer.byteLength(text) <= most },
  });
  return (activeLies: ActiveLies, text: string, beside: Beside) =>
    limit(activeLies, text, beside) && counting(activeLies, text);
}

/** The decision whether a text is long enough; parameters as for {@link maximumLength}. */
export function minimumLength(rule: string, name: string, least: number) {
  return decision({
    rule,
    honest: (text: string) => countCharacters(text) >= least,
    lies: {
      [`${name}-minimum-absent-for-none`]: (text) => text === '' || countCharacters(text) >= least,
      [`${name}-minimum-in-bytes`]: (text) => Buffer.byteLength(text) >= least,
      [`${name}-minimum-one-less`]: (text) => countCharacters(text) >= least - 1,
      [`${name}-minimum-one-more`]: (text) => countCharacters(text) >= least + 1,
    },
  });
}

/**
 * The decision whether a field must be there.
 * @param rule rule that says so
 * @param name name of the one lie, which does without the field
 */
export function requiredField(rule: string, name: string) {
  return decision({ rule, honest: () => true, lies: { [name]: () => false } });
}
