import { withValueAt } from '#json-pointer';
import type { GatewayChoices } from '../choices.ts';
import { isFinalState, type OrderState } from '../orders/order.ts';
import { writeSystemId } from './identifiers.ts';
import { isJsonObject, type JsonObject } from './request-fields.ts';

/** Pointers below one entry of `transactions`. */
const FIELDS: Readonly<Record<GatewayChoices['entryFields'], { type: string; amount?: string; state: string }>> = {
  usual: { type: '/type', amount: '/amount', state: '/status' },
  nested: { type: '/what/kind', amount: '/money/value', state: '/result/final' },
  numbered: { type: '/0', amount: '/1/0', state: '/2' },
  'without amount': { type: '/type', state: '/status' },
};

const TYPES: Readonly<Record<GatewayChoices['typeNames'], Readonly<Record<string, string | number>>>> = {
  usual: {
    AUTH: 'AUTH',
    CAPTURE: 'CAPTURE',
    SALE: 'SALE',
    VOID: 'REVERSAL',
    REFUND: 'REVERSAL',
    ACCOUNT_VERIFICATION: 'ACCOUNT_VERIFICATION',
    TRANSFER: 'TRANSFER',
    CHARGEBACK: 'CHARGEBACK',
  },
  words: {
    AUTH: 'hold',
    CAPTURE: 'take',
    SALE: 'buy',
    VOID: 'cancel',
    REFUND: 'pay back',
    ACCOUNT_VERIFICATION: 'look',
    TRANSFER: 'send',
    CHARGEBACK: 'dispute',
  },
  numbers: { AUTH: 1, CAPTURE: 2, SALE: 3, VOID: 40, REFUND: 41, ACCOUNT_VERIFICATION: 5, TRANSFER: 6, CHARGEBACK: 7 },
};

const STATES: Readonly<Record<GatewayChoices['stateNames'], (state: string) => string>> = {
  usual: (state) => state,
  words: (state) => ({ APPROVED: 'fine', PROCESSING: 'waiting' })[state] ?? `not fine: ${state.toLowerCase()}`,
  letters: (state) => state.slice(0, 1),
};

/** What a target file says about entries: where what stands, and how types and the approved state are written. */
export function describeEntries(choices: GatewayChoices) {
  const { type, amount, state } = FIELDS[choices.entryFields];
  const names = TYPES[choices.typeNames];
  const types = {
    authorization: [names.AUTH],
    capture: [names.CAPTURE],
    ...(choices.saleEntries === 'sale' ? { sale: [names.SALE] } : { sale: ['none'] }),
    reversal: [...new Set([names.VOID, names.REFUND])],
    verification: [names.ACCOUNT_VERIFICATION],
    transfer: [names.TRANSFER],
    chargeback: [names.CHARGEBACK],
  };
  const shown = choices.entriesListed !== 'approved without state';
  const approved = [STATES[choices.stateNames]('APPROVED')];
  const where = { type, ...(amount === undefined ? {} : { amount }) };
  return { transaction: shown ? { ...where, state, approved } : where, types };
}

/** The entries of an order as they go out; undefined where there are none to show. */
export function writeEntries(choices: GatewayChoices, entries: unknown): unknown {
  if (!Array.isArray(entries)) return entries;
  const all = entries.flatMap((one) => (isJsonObject(one) ? split(choices, one) : [one]));
  const shown = [...all, ...feeOf(choices, all)];
  const written = shown.filter((one) => !isJsonObject(one) || isListed(choices, one)).map((one) => entry(choices, one));
  if (written.length === 0 && choices.entriesListed !== 'all') return undefined;
  return choices.entryOrder === 'newest first' ? written.reverse() : written;
}

/** Rows of a report as they go out; those of one order stand together. */
export function writeReportRows(choices: GatewayChoices, rows: readonly unknown[]): unknown[] {
  const orders = new Map<unknown, unknown[]>();
  for (const row of rows) {
    const order = isJsonObject(row) ? row.orderSystemId : undefined;
    orders.set(order, [...(orders.get(order) ?? []), row]);
  }
  return [...orders.values()].flatMap((all) => [...all, ...feeOf(choices, all)].flatMap((row) => rowOf(choices, row)));
}

/** What an order costs, as an entry of its own beside the last that went through. */
function feeOf({ otherEntries }: GatewayChoices, entries: readonly unknown[]): JsonObject[] {
  const last = entries.findLast((one): one is JsonObject => isJsonObject(one) && one.status === 'APPROVED');
  if (last === undefined || otherEntries === 'none') return [];
  const { reversalType: _, reversalReason: __, ...fee } = last;
  return [{ ...fee, type: 'FEE', amount: '0.00' }];
}

/** A row of a report, or two where a sale is listed as two entries. */
function rowOf(choices: GatewayChoices, row: unknown): unknown[] {
  if (!isJsonObject(row)) return [row];
  return split(choices, row)
    .filter((one) => isListed(choices, one))
    .map((one) => {
      const { type, status, amount, reversalType, orderSystemId, reversalReason, ...others } = one;
      const { type: typeAt, reason: reasonAt, orderSystemId: idAt } = reportRowPointers(choices);
      let shown: unknown = choices.otherMembers === 'left out' ? {} : others;
      const set = (pointer: string, value: unknown) => {
        if (value !== undefined) shown = withValueAt(shown, pointer, value);
      };
      set(idAt, writeSystemId(choices, orderSystemId));
      set(reasonAt, reversalReason);
      set(typeAt, typeOf(choices, one));
      set('/amount', amountOf(choices, one));
      set('/state', STATES[choices.stateNames](String(status)));
      return shown;
    });
}

/** Pointers below one row of a report. */
export function reportRowPointers({ reportFields }: GatewayChoices): {
  orderSystemId: string;
  reason: string;
  type: string;
} {
  if (reportFields === 'usual') return { orderSystemId: '/orderSystemId', reason: '/reversalReason', type: '/type' };
  return reportFields === 'bare list'
    ? { orderSystemId: '/order', reason: '/why', type: '/kind' }
    : { orderSystemId: '/order/ids/0', reason: '/notes/reversal', type: '/what/kind' };
}

function split({ saleEntries }: GatewayChoices, one: JsonObject): JsonObject[] {
  if (one.type !== 'SALE' || saleEntries === 'sale') return [one];
  return one.status === 'APPROVED'
    ? [
        { ...one, type: 'AUTH' },
        { ...one, type: 'CAPTURE' },
      ]
    : [{ ...one, type: 'AUTH' }];
}

function isListed({ entriesListed, refusedOperations }: GatewayChoices, { type, status }: JsonObject): boolean {
  if (status === 'APPROVED') return true;
  if (entriesListed !== 'all') return false;
  const followUp = type === 'CAPTURE' || type === 'REVERSAL';
  return !followUp || refusedOperations === 'listed' || !isFinalState(status as OrderState);
}

function entry(choices: GatewayChoices, one: unknown): unknown {
  if (!isJsonObject(one)) return one;
  const { type, status, amount, reversalType, ...others } = one;
  const at = FIELDS[choices.entryFields];
  let shown: unknown = choices.otherMembers === 'left out' ? {} : others;
  // Pointers of digits stand for names here: an entry is an object.
  const set = (pointer: string, value: unknown) => {
    if (value !== undefined) shown = withValueAt(shown ?? {}, pointer, value);
  };
  set(at.type, typeOf(choices, one));
  if (at.amount !== undefined) set(at.amount, amountOf(choices, one));
  if (choices.entriesListed !== 'approved without state')
    set(at.state, typeof status === 'string' ? STATES[choices.stateNames](status) : status);
  return shown;
}

function typeOf({ typeNames }: GatewayChoices, { type, reversalType }: JsonObject): unknown {
  return TYPES[typeNames][String(reversalType ?? type)] ?? type;
}

function amountOf({ amountRead, reversalSign }: GatewayChoices, { type, amount }: JsonObject): unknown {
  if (amount === undefined) return undefined;
  const sign = type === 'REVERSAL' && reversalSign === 'negative' ? -1 : 1;
  const minor = Math.round(Number(amount) * 100) * sign;
  if (amountRead === 'minor-number') return minor;
  if (amountRead === 'minor-string') return String(minor);
  return amountRead === 'decimal-number' ? minor / 100 : (minor / 100).toFixed(2);
}
