import type { Template } from './types.ts';

/** Values for `${name}` placeholders; an absent one drops the member it stands in. */
export type Values = Readonly<Record<string, string | number | boolean | undefined>>;

/**
 * Fills a request template. A string that is nothing but one placeholder takes the value's own type.
 * @returns a new value; members whose placeholder has no value are left out
 */
export function fill(template: Template, values: Values): unknown {
  if (typeof template === 'string') {
    const whole = /^\$\{(\w+)\}$/.exec(template);
    if (whole) return values[whole[1]!];
    let missing = false;
    const text = template.replace(/\$\{(\w+)\}/g, (_, name: string) => {
      missing ||= values[name] === undefined;
      return String(values[name]);
    });
    return missing ? undefined : text;
  }
  if (Array.isArray(template))
    return template.map((one) => fill(one as Template, values)).filter((one) => one !== undefined);
  if (typeof template !== 'object' || template === null) return template;
  return Object.fromEntries(
    Object.entries(template)
      .map(([key, one]) => [key, fill(one as Template, values)] as const)
      .filter(([, one]) => one !== undefined),
  );
}

/** Minor units as the target writes an amount. */
export function money(
  minor: number,
  style: 'decimal-string' | 'decimal-number' | 'minor-number' | 'minor-string',
): string | number {
  if (style === 'minor-number') return minor;
  if (style === 'minor-string') return String(minor);
  return style === 'decimal-number' ? minor / 100 : (minor / 100).toFixed(2);
}

/** An amount as a service wrote it, in minor units; undefined when it is no amount. */
export function minor(
  written: unknown,
  style: 'decimal-string' | 'decimal-number' | 'minor-number' | 'minor-string',
): number | undefined {
  const value =
    typeof written === 'number'
      ? written
      : typeof written === 'string' && /^-?\d+(\.\d+)?$/.test(written.trim())
        ? Number(written)
        : Number.NaN;
  if (!Number.isFinite(value)) return undefined;
  return style.startsWith('minor') ? value : Math.round(value * 100);
}
