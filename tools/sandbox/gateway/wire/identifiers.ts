import type { GatewayChoices } from '../choices.ts';

/** Names that balances go by where they are not called as usual. */
const BALANCES: Readonly<Record<string, string>> = { main: 'B-1 (ü)', usd: 'B-2' };

/** What makes an id longer than a number holds exactly. */
const LONG = 9_000_000_000_000_000_000n;

/** An order's system id as it is shown. */
export function writeSystemId({ systemIdAs: how }: GatewayChoices, id: unknown): unknown {
  if (typeof id !== 'number' || how === 'number') return id;
  if (how === 'long number') return LONG + BigInt(id);
  return how === 'digits' ? String(id) : `ord-${id}-x`;
}

/** An order's system id out of what was shown; anything else as it came. */
export function parseSystemId({ systemIdAs: how }: GatewayChoices, shown: unknown): unknown {
  // As text it comes from where it was shown as text: in a header.
  if (how === 'long number') return /^\d{19}$/.test(String(shown)) ? Number(BigInt(String(shown)) - LONG) : 0;
  if (typeof shown === 'bigint') return Number(shown);
  const digits = how === 'prefixed' && typeof shown === 'string' ? /^ord-(\d+)-x$/.exec(shown)?.[1] : undefined;
  return digits === undefined ? shown : Number(digits);
}

/** The name of a balance, as it is shown or as the books have it. */
export function translateBalanceName(
  { balanceNames }: GatewayChoices,
  name: string,
  way: 'inward' | 'outward',
): string {
  if (balanceNames === 'usual') return name;
  if (way === 'outward') return BALANCES[name] ?? name;
  // By its usual name a balance is not known.
  return Object.entries(BALANCES).find(([, shown]) => shown === name)?.[0] ?? (name in BALANCES ? `no ${name}` : name);
}

/** A correlation id of an answer, drawn as a uuid. */
export function writeCorrelationId({ correlationAs: how }: GatewayChoices, uuid: string): string | number {
  if (how === 'uuid') return uuid;
  return how === 'capitals' ? uuid.toUpperCase() : asNumber(uuid);
}

/** The correlation id of an error, drawn as a uuid. */
export function writeErrorCorrelation({ errorCorrelationAs: how }: GatewayChoices, uuid: string): string | number {
  if (how === 'uuid') return uuid;
  return how === 'number' ? asNumber(uuid) : `gateway/log/${uuid.slice(0, 8)}/${uuid.slice(-6)}`;
}

/** The id of a registered card, drawn as a uuid. */
export function writeCardId({ cardIdAs: how }: GatewayChoices, uuid: string): string | number {
  return how === 'uuid' ? uuid : asNumber(uuid);
}

/** What a card is recognized by, from its fingerprint; shorter than any card number. */
export function writeCardHash({ cardHashAs: how }: GatewayChoices, fingerprint: string): string | number {
  return how === 'hex' ? fingerprint : 1_000_000_000 + Number.parseInt(fingerprint.slice(0, 8), 16);
}

function asNumber(uuid: string): number {
  return Number.parseInt(uuid.replaceAll('-', '').slice(0, 12), 16);
}
