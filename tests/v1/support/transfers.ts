import { setTimeout as wait } from 'node:timers/promises';
import { type ApiReply, hasValues, listUuids, requireEntries, requireSeen, test, type V1Client } from '#harness';

/** Most pages of a hundred entries that are gone through. */
export const MOST_PAGES = 3;

/** Whether an entry is a transfer that shows these values: what is booked for one, such as its fee, may repeat them. */
export function isTransfer(entry: unknown, values: Readonly<Record<string, unknown>>): boolean {
  const { parent_transaction_uuid, transaction_type } = Object(entry);
  return (
    hasValues(entry, values) && parent_transaction_uuid == null && !/fee|return|adjustment/i.test(`${transaction_type}`)
  );
}

/** How often the history is asked again, and the milliseconds before each time. */
const AGAIN = { times: 4, after: 500 };

/**
 * The history until it has what is looked for: that it shows at once what was made is not said.
 * @param isWhole whether these entries have it
 */
async function listUntil(
  v1: V1Client,
  isWhole: (listed: readonly unknown[]) => boolean,
  account_uuid: string,
): Promise<readonly unknown[]> {
  for (let left = AGAIN.times; ; left -= 1) {
    const listed = await listPages(v1, isWhole, account_uuid);
    if (left === 0 || isWhole(listed)) return listed;
    // A history that is copied from elsewhere follows in real time.
    await wait(AGAIN.after);
  }
}

/**
 * The history, page by page of a hundred: what was booked since may have pushed what is looked for off the first page. Those of one second
 * may come in another order each time: what a page repeats of those before it is one and the same, and some may be on none.
 */
async function listPages(
  v1: V1Client,
  isWhole: (listed: readonly unknown[]) => boolean,
  account_uuid: string,
): Promise<readonly unknown[]> {
  const listed: unknown[] = [];
  const seen = new Set<string>();
  const keyOf = (entry: unknown) => String(Object(entry).uuid ?? JSON.stringify(entry));
  for (let page = 1; page <= MOST_PAGES; page += 1) {
    const reply = await v1.listTransactions({ account_uuid, per_page: 100, ...(page > 1 && { page }) });
    // The one before may have been the last, and full.
    if (page > 1 && reply.status !== 200) break;
    const shown = reply.list('/transactions');
    listed.push(...shown.filter((entry) => !seen.has(keyOf(entry))));
    for (const entry of shown) seen.add(keyOf(entry));
    if (shown.length < 100 || isWhole(listed)) break;
  }
  return listed;
}

/** The history as far as it has transactions of these uuids. */
export function listWith(
  v1: V1Client,
  uuids: readonly string[],
  account_uuid = v1.account,
): Promise<readonly unknown[]> {
  return listUntil(v1, (listed) => uuids.every((uuid) => listUuids(listed).includes(uuid)), account_uuid);
}

/** How many transfers in the history show these details; undefined where the history shows no details, as it may. */
export async function countTransfers(
  v1: V1Client,
  payment_details: string,
  account_uuid = v1.account,
): Promise<number | undefined> {
  const is = (one: unknown) => isTransfer(one, { payment_details });
  const showsDetails = (some: readonly unknown[]) => some.some((one) => Object.hasOwn(Object(one), 'payment_details'));
  const listed = await listUntil(v1, (some) => some.some(is) || !showsDetails(some), account_uuid);
  if (!showsDetails(listed)) return undefined;
  return listed.filter(is).length;
}

/**
 * Demands that something shows how many transactions a request made that came again: their uuids, or the history.
 * @param listed as {@link countTransfers} says it
 * @throws Unseen when nothing does
 */
export function requireTold(replies: readonly ApiReply[], listed: number | undefined): void {
  requireSeen(listUuids(replies.map(({ object }) => object))[0] ?? listed, 'which transaction was made');
}

/** What may be said of one that was refused and is kept on record, or told of, as such. */
export const AS_REFUSED = /fail|reject|refus|declin|cancel|invalid|error/i;

/** What makes a transfer one over SWIFT. Where the target does not take such a one, the check ends here. */
export async function overSwift(v1: V1Client, changes: Readonly<Record<string, unknown>> = {}) {
  const swift = { ...v1.overSwift(), ...changes };
  const { status } = await v1.createTransaction(swift);
  test.skip(status !== 201, `a valid transfer over SWIFT was answered ${status}`);
  return swift;
}

/** Makes a transfer from the second account. Where nothing can be paid from there, the check ends here. */
export async function payFromSecond(
  v1: V1Client,
  account_uuid: string,
  changes: Readonly<Record<string, unknown>> = {},
): Promise<ApiReply> {
  const reply = await v1.createTransaction({ ...changes, account_uuid }, { query: { account_uuid } });
  test.skip(reply.status !== 201, 'nothing can be paid from the second account');
  return reply;
}

/** Whether a member is shown as it was sent: that of money which goes out the amount is above zero is not said. */
export function isAsSent(name: string, shown: unknown, sent: unknown): boolean {
  return shown === sent || (name === 'amount' && shown === -Number(sent));
}

/** What of a body an answer shows otherwise than it was sent. */
export function listAltered(shown: object, body: object): string[] {
  const echoed = Object.entries(body).filter(([name]) => Object.hasOwn(shown, name));
  requireEntries(echoed, `members of the transaction among ${Object.keys(body).join(', ')}`);
  return echoed.filter(([name, value]) => !isAsSent(name, (shown as Shown)[name], value)).map(([name]) => name);
}

type Shown = Readonly<Record<string, unknown>>;

/**
 * What of a transaction neither the way of the payment nor its state changes.
 * @param others members that do not change, either, between the answers that are compared
 */
export function pickLasting(shown: object, ...others: readonly string[]): Shown {
  const names = ['currency', 'direction', 'transaction_type', 'created_at', ...others];
  return Object.fromEntries(names.map((name) => [name, (shown as Shown)[name]]));
}

/** A created transaction as the answer to its creation shows it and, where that shows its uuid, as it is read, as it is listed and as it is read again. */
export async function showEverywhere(
  v1: V1Client,
  reply: ApiReply,
  members: readonly string[],
): Promise<{ created: Shown; read?: Shown; listed?: Shown; again?: Shown }> {
  const created = await v1.showCreated(reply, members);
  const [uuid] = listUuids([reply.object]);
  if (uuid === undefined) {
    v1.leaveOut('what is shown later: the created transaction does not show its uuid');
    return { created };
  }
  const read = (await v1.readTransaction(uuid)).object;
  const list = await listWith(v1, [uuid]);
  const again = (await v1.readTransaction(uuid)).object;
  return { created, read, listed: Object(list.find((one) => hasValues(one, { uuid }))), again };
}

/** A body of its own in all that a transfer shows of what was sent, by default with an amount that binary fractions miss. */
export function invoiceBody(v1: V1Client, amount = 4.35) {
  return {
    amount,
    payment_details: `Invoice ${v1.freshName()} of a Conformance check, `.padEnd(140, 'details'),
    payment_code: v1.sample('payment_code'),
    end_to_end_ident: v1.freshUuid().slice(0, 35),
  };
}
