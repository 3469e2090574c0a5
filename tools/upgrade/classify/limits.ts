import type { SchemaLayer } from './flatten.ts';
import type { HeldValue, ValueBound } from './held.ts';
import type { ValueSorts } from './sorts.ts';

const LOWER = ['minLength', 'minItems', 'minProperties', 'minContains'];
const UPPER = ['maxLength', 'maxItems', 'maxProperties', 'maxContains'];

/** The tightest bound of each kind; bounds that bound nothing are left out, those of whole numbers are written one way. */
export function readLimits(layers: readonly SchemaLayer[], sorts: ValueSorts): Map<string, HeldValue<ValueBound>> {
  const limits = new Map<string, HeldValue<ValueBound>>();
  const whole = sorts.types?.size === 1 && sorts.types.has('integer');
  const hold = (key: string, n: number, exclusive: boolean, at: string, upper: boolean) => {
    const sign = upper ? -1 : 1;
    const limit = whole && exclusive ? { n: n + sign, exclusive: false } : { n, exclusive };
    const held = limits.get(key)?.value;
    const tighter = !held || sign * (limit.n - held.n) > 0 || (limit.n === held.n && limit.exclusive);
    if (tighter) limits.set(key, { value: limit, at });
  };
  for (const { fields, pointer } of layers) {
    const number = (key: string) => (typeof fields[key] === 'number' ? (fields[key] as number) : undefined);
    for (const [key, other, upper] of [
      ['minimum', 'exclusiveMinimum', false],
      ['maximum', 'exclusiveMaximum', true],
    ] as const) {
      const bound = number(key);
      const beyond = number(other);
      if (bound !== undefined) hold(key, bound, fields[other] === true, `${pointer}/${key}`, upper);
      if (beyond !== undefined) hold(key, beyond, true, `${pointer}/${other}`, upper);
    }
    for (const key of LOWER) {
      const n = number(key);
      const trivial = key === 'minContains' ? n === 1 : n === 0;
      if (n !== undefined && !trivial) hold(key, n, false, `${pointer}/${key}`, false);
    }
    for (const key of UPPER) {
      const n = number(key);
      if (n !== undefined) hold(key, n, false, `${pointer}/${key}`, true);
    }
  }
  return limits;
}
