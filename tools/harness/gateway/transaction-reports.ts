import { type ApiReply, requireTargetLine, type TargetTime, UnarrangedError, UnofferedError } from '#client';
import { valueAt } from '#json-pointer';
import { fillTemplate, namesPlaceholder, type Target, type TargetLogin } from '#target';
import { oncePerTarget } from '../once-per-target.ts';
import { pollTarget } from '../poll-target.ts';
import type { GatewayClient } from './gateway-client.ts';
import type { PlacedOrder } from './placed-order.ts';

const DAY = 86_400_000;

/** Whether reports have what was done on the same day, by target. */
const isPrompt = oncePerTarget<boolean>();

/** Whether rows are all that is waited for. */
type IsComplete = (rows: readonly unknown[]) => boolean;

/** Reads transaction reports, the way the target file says. */
export class TransactionReports {
  readonly #gateway: GatewayClient;
  readonly #time: TargetTime;
  readonly #target: Target;
  readonly #merchant: TargetLogin | undefined;

  /** @param merchant whose reports are read, by default the target's main one */
  constructor(gateway: GatewayClient, time: TargetTime, target: Target, merchant = target.gateway?.merchant) {
    this.#gateway = gateway;
    this.#time = time;
    this.#target = target;
    this.#merchant = merchant;
  }

  /** Reports about the payments of a requestor: of the target's second merchant for its second requestor, else of the main one. */
  ofRequestor(name: 'second' | 'multicurrency'): TransactionReports {
    const { secondMerchant } = this.#target.gateway!;
    return name === 'second' ? new TransactionReports(this.#gateway, this.#time, this.#target, secondMerchant) : this;
  }

  /** Path, with `{username}` left in it, and body of a report, narrowed to an order where the target file can. */
  async prepare(order: PlacedOrder): Promise<{ template: string; body?: unknown }> {
    const { path, body } = this.#wire;
    // What names no days needs no clock.
    const isDated = namesPlaceholder([path, body], 'from', 'to');
    const now = isDated ? await this.#time.now() : Date.now();
    const values = {
      login: this.#merchant!.login,
      orderSystemId: order.systemId as string,
      orderMerchantId: order.merchantId,
      requestorId: order.requestor.id,
      currency: order.currency,
      from: day(now - DAY),
      to: day(now + DAY),
    };
    const template = String(fillTemplate(path, { ...values, login: '{username}' }));
    return body === undefined ? { template } : { template, body: fillTemplate(body, values) };
  }

  /** Reads a report about an order, by default with the merchant's own token at their own login. The answer is not judged. */
  async read(order: PlacedOrder, token = this.#merchant!.token, username = this.#merchant!.login): Promise<ApiReply> {
    const { template, ...sent } = await this.prepare(order);
    const url = this.#gateway.urlOf(template, { path: { username } });
    return this.#gateway.sendRaw(this.#wire.method, url, { token, ...sent }, 'transactionReport');
  }

  /**
   * The rows of an order, as soon as there are as many as expected, or those that are, else when the limit of polls is reached, or a day
   * is over: how soon a report has them is not said.
   * @throws Unoffered where reports have nothing on the same day, and no day can be made to pass
   */
  async rows(order: PlacedOrder, expected: number | IsComplete): Promise<readonly unknown[]> {
    const isComplete = typeof expected === 'number' ? (some: readonly unknown[]) => some.length >= expected : expected;
    const own = await this.#rowsToday(order, isComplete);
    if (isComplete(own)) return own;
    if (this.#time.lever('records') !== 'stands') {
      await this.#time.sleep(DAY / 1000);
      return this.rowsNow(order);
    }
    const findOut = async () => {
      const other = await this.#gateway.arrangeApproved('sale');
      const main = new TransactionReports(this.#gateway, this.#time, this.#target);
      return (await main.#rowsToday(other, (some) => some.length > 0)).length > 0;
    };
    if (own.length > 0 || (await isPrompt(this.#target, findOut))) return own;
    throw new UnofferedError(
      'capability',
      'reports show nothing of today so far, and may do so tomorrow; control.advance in the target file would enable it',
    );
  }

  /** The rows of an order, as soon as they are complete, else when the limit of polls is reached. */
  async #rowsToday(order: PlacedOrder, isComplete: IsComplete): Promise<readonly unknown[]> {
    const pace = { manners: this.#target.manners, time: this.#time };
    const read = () => this.rowsNow(order);
    return pollTarget(await read(), read, isComplete, pace);
  }

  /** The rows of an order that a report has now. */
  async rowsNow(order: PlacedOrder): Promise<readonly unknown[]> {
    const { rows, row } = this.#wire;
    const reply = await this.read(order);
    if (reply.status !== 200) throw new UnarrangedError(`a transaction report was answered ${reply.status}`);
    return reply.list(rows).filter((one, i) => {
      const id = valueAt(one, row.orderSystemId);
      // Of ids that a number does not hold exactly, many are one number.
      const isNear = typeof id === 'number' && !Number.isSafeInteger(id) && id === Number(order.systemId);
      return String(isNear ? reply.at(`${rows}/${i}${row.orderSystemId}`) : id) === String(order.systemId);
    });
  }

  /** The kinds of transactions that rows are about; undefined when the target file does not say where that stands. */
  transactionKinds(rows: readonly unknown[]): readonly string[] | undefined {
    const { type } = this.#wire.row;
    if (type === undefined) return undefined;
    const { types } = this.#target.gateway!.wire;
    const kind = (value: unknown) => Object.entries(types).find(([, names]) => names.includes(String(value)));
    return rows.map((row) => kind(valueAt(row, type))?.[0] ?? 'other').sort();
  }

  /** Whether a row gives this reason; anywhere in it when the target file does not say where that stands. */
  givesReason(row: unknown, reason: string): boolean {
    const { reason: pointer } = this.#wire.row;
    if (pointer !== undefined) return String(valueAt(row, pointer)).includes(reason);
    return JSON.stringify(row).includes(JSON.stringify(reason).slice(1, -1));
  }

  get #wire() {
    return requireTargetLine(this.#target.gateway?.wire.report, 'gateway.wire.report');
  }
}

function day(moment: number): string {
  return new Date(moment).toISOString().slice(0, 10);
}
