/** Decimals of a currency: ISO 4217 as far as `Intl` knows it. */
const decimals = new Map<string, number>();
const known = new Set(Intl.supportedValuesOf('currency'));

/** Whether this is a three-letter code of ISO 4217. */
export function isCurrencyCode(value: unknown): value is string {
  return typeof value === 'string' && known.has(value);
}

/** Number of decimals of a currency. */
export function currencyExponent(currency: string): number {
  let digits = decimals.get(currency);
  if (digits === undefined) {
    digits = new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2;
    decimals.set(currency, digits);
  }
  return digits;
}

/**
 * Reads an amount in major units, `"1"`, `"1.00"` or `1`, as minor units.
 * @returns undefined when it is no amount, or finer than the currency
 */
export function parseAmount(value: unknown, currency: string): number | undefined {
  const text = typeof value === 'number' ? String(value) : value;
  if (typeof text !== 'string') return undefined;
  const match = /^(\d{1,12})(?:\.(\d{1,8}))?$/.exec(text);
  if (match === null) return undefined;
  const digits = currencyExponent(currency);
  const fraction = (match[2] ?? '').replace(/0+$/, '');
  if (fraction.length > digits) return undefined;
  return Number(match[1]) * 10 ** digits + Number(fraction.padEnd(digits, '0') || 0);
}

/** Minor units as a decimal string in major units. */
export function formatAmount(minor: number, currency: string): string {
  const digits = currencyExponent(currency);
  return (minor / 10 ** digits).toFixed(digits);
}

/** Minor units as a number in major units. */
export function majorAmount(minor: number, currency: string): number {
  return Number(formatAmount(minor, currency));
}

/** Minor units that came through a float and were cut; only lies count so. */
export function loseCent(minor: number): number {
  return Math.floor((minor / 100) * 100);
}
