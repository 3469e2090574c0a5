import type { PlaceholderValues } from '../template.ts';
import type { AmountStyle, TargetCard } from './types.ts';

/** Values of the placeholders that a card fills; none for no card. */
export function cardPlaceholders(card: TargetCard | undefined): PlaceholderValues {
  if (card === undefined) return {};
  return {
    cardNumber: card.number,
    cardCode: card.code,
    cardMonth: card.month,
    cardYear: card.year,
    cardYear2: card.year.slice(-2),
    cardHolder: card.holder,
    cardFirstDigits: card.number.slice(0, 6),
    cardLastDigits: card.number.slice(-4),
  };
}

/** Minor units as the target writes an amount. */
export function writeStyledAmount(minor: number, style: AmountStyle): string | number {
  if (style === 'minor-number') return minor;
  if (style === 'minor-string') return String(minor);
  return style === 'decimal-number' ? minor / 100 : (minor / 100).toFixed(2);
}

/** An amount as a service wrote it, in minor units; undefined when it is no amount. */
export function readStyledAmount(written: unknown, style: AmountStyle): number | undefined {
  const value =
    typeof written === 'number'
      ? written
      : typeof written === 'string' && /^-?\d+(\.\d+)?$/.test(written.trim())
        ? Number(written)
        : Number.NaN;
  if (!Number.isFinite(value)) return undefined;
  return style.startsWith('minor') ? value : Math.round(value * 100);
}
