import { randomBytes } from 'node:crypto';
import type { Clock } from './clock.ts';
import type { GatewayChoices } from './gateway-choices.ts';
import { type Door, type Host, SUBJECTS } from './gateway-door.ts';
import { Fault } from './gateway-fault.ts';
import type { Forms } from './gateway-forms.ts';
import type { By, Order, Orders } from './gateway-orders.ts';
import { Wallet } from './gateway-recurring.ts';
import { report } from './gateway-report.ts';
import type { ThreeDS } from './gateway-three-ds.ts';
import { Signatures } from './gateway-transfer.ts';
import { entries, isCard, minor, paid, read } from './gateway-wire.ts';
import { match } from './path.ts';
import { put } from './pointer.ts';
import type { Asked, Said } from './serve.ts';

type Body = Readonly<Record<string, unknown>>;

interface Parts {
  readonly choices: GatewayChoices;
  readonly clock: Clock;
  readonly orders: Orders;
  readonly door: Door;
  readonly threeDS: ThreeDS;
  readonly forms: Forms;
  readonly defect: string | undefined;
}

/** Everything that is done with orders, and answered by how they stand. */
export class Desk {
  readonly #parts: Parts;
  readonly #choices: GatewayChoices;
  readonly #wallet: Wallet;
  readonly #correlations = new Map<string, Order>();
  readonly signatures: Signatures;

  constructor(parts: Parts) {
    const { choices, defect } = parts;
    const { requestor, consumerKey, allowlisted } = choices.journeys.oauth;
    this.#parts = parts;
    this.#choices = choices;
    this.#wallet = new Wallet(choices, defect);
    const registered: [string, string][] = [
      [SUBJECTS[requestor], consumerKey],
      [SUBJECTS.allowlisted, allowlisted],
    ];
    this.signatures = new Signatures(choices, new Map(registered), defect);
  }

  /** A StatusResponse. */
  respond(order: Order, state = order.state): Said {
    const { threeDS, forms } = this.#parts;
    const { correlation, systemIdAt, correlationAt } = this.#choices;
    const id = correlation(randomBytes(12).toString('hex'));
    this.#correlations.set(String(id), order);
    const headers: Record<string, string> = {};
    const leads = { ...threeDS.show(order), ...forms.show(order) };
    let body: unknown = { orderState: state, transactions: entries(this.#choices, order), ...leads };
    for (const [at, value] of [
      [systemIdAt, order.systemId],
      [correlationAt, id],
    ] as const) {
      if (at.startsWith('header:')) headers[at.slice(7)] = String(value);
      else body = put(body, at, value);
    }
    return { status: 200, body, headers };
  }

  payment(by: By, body: Body, requestor: number): Said {
    const { wrong, terms, behaviour, card, cardId } = paid(this.#choices, body, requestor);
    const means = body.paymentMethod === 'CARD_ID' ? this.#wallet.holds(cardId, requestor) : isCard(card);
    const names = means ? wrong : [...wrong, Object.keys(this.#choices.card)[0]!];
    return names.length > 0 ? this.#refused(names) : this.respond(this.#parts.orders.pay(by, terms, behaviour));
  }

  form(by: By, body: Body, requestor: number): Said {
    const { besides, journeys } = this.#choices;
    const { orders, forms, clock } = this.#parts;
    const parts = ['order', 'customer', 'browser', ...Object.keys(besides)];
    const absent = parts.filter((name) => body[name] === undefined);
    if (absent.length > 0) return this.#refused(absent);
    const order = orders.open(by, paid(this.#choices, body, requestor).terms);
    if (by === 'sale' || journeys.authFormLeadsOn) forms.start(order);
    else clock.after(1, () => forms.start(order));
    return this.respond(order);
  }

  transfer(asked: Asked, host: Host, id: string): Said {
    const { door, orders } = this.#parts;
    const parameters = this.signatures.parameters(asked);
    const requestor = door.number(id);
    door.allow(asked, id);
    this.signatures.check(asked, parameters, host === 'here' ? id : `${id} elsewhere`);
    const of = (name: string) => read(this.#choices.journeys.transfer, asked.json, name);
    const amount = minor(of('amount'), this.#choices.amount) ?? Number.NaN;
    if (Number.isNaN(amount)) this.demand(['amount']);
    const [merchantId, currency] = [String(of('orderMerchantId') ?? ''), String(of('currency'))];
    const terms = { requestor, merchantId, amount, currency, credit: false, urls: {} };
    return this.respond(orders.pay('transfer', terms, 'approved'));
  }

  /** What the document names without showing it: registration of cards, reports. Undefined for anything else. */
  unshown(asked: Asked, host: Host, path: string): Said | undefined {
    const { door, orders, clock } = this.#parts;
    const { recurring, report: reported } = this.#choices.journeys;
    const registration = asked.method === recurring.method ? match(recurring.path, path, asked.query) : undefined;
    if (registration !== undefined) {
      const of = (name: string) => String(registration[name] ?? read(recurring.body, asked.json, name) ?? '');
      door.admit(asked, host, of('requestorId'), true);
      const order = this.named({ orderSystemId: of('orderSystemId') }, Number(of('requestorId')));
      if (order?.state !== 'APPROVED') throw new Fault(400, this.#choices.inputCode, 'No such approved order');
      return this.#wallet.register(order);
    }
    const values = asked.method === reported.method ? match(reported.path, path, asked.query) : undefined;
    if (values === undefined) return undefined;
    door.admit(asked, host, values.login ?? '', false);
    return { status: 200, body: report(this.#choices, orders.all, clock.now(), values, asked.json) };
  }

  /** Capture or reversal. */
  follow(what: 'capture' | 'reverse', body: Body, requestor: number): Said {
    const { orders } = this.#parts;
    const { besides, inputCode, refuses, amount: style } = this.#choices;
    const needed = what === 'reverse' ? ['orderSystemId', 'reversalReason'] : [];
    const absent = [...needed, ...Object.keys(besides)].filter((name) => body[name] === undefined);
    if (absent.length > 0) return this.#refused(absent);
    const order = this.named(body, requestor);
    if (order === undefined) throw new Fault(400, inputCode, 'No such order', ['orderSystemId']);
    const before = order.state;
    const amount = minor(what === 'capture' ? body.captureAmount : body.reversalAmount, style);
    const may =
      what === 'capture' ? orders.capture(order, amount) : orders.reverse(order, amount, String(body.reversalReason));
    if (!may && refuses === 400) throw new Fault(400, inputCode, 'That is too much');
    const lapsed = may && order.state === before && order.entries.at(-1)?.state === 'refused';
    return this.respond(order, lapsed ? 'DECLINED' : order.state);
  }

  status(body: Body, requestor: number): Said {
    const { currencyNeeded, unknownOrder, inputCode } = this.#choices;
    const ids = ['orderSystemId', 'orderMerchantId', 'byCorrelationId'];
    if (ids.every((name) => body[name] === undefined)) this.demand(ids);
    const multi = String(requestor) === SUBJECTS.multicurrency && currencyNeeded;
    if (multi && body.orderCurrencyCode === undefined) this.demand(['orderCurrencyCode']);
    const order = this.named(body, requestor);
    if (order !== undefined) return this.respond(order);
    if (unknownOrder === 400) throw new Fault(400, inputCode, 'No such order');
    return { status: 200, body: { orderState: unknownOrder } };
  }

  /** The order that a request names, if it is this requestor's. */
  named({ orderSystemId, orderMerchantId, byCorrelationId }: Body, requestor: number): Order | undefined {
    const { orders } = this.#parts;
    const order =
      byCorrelationId === undefined
        ? orders.find((one) =>
            orderSystemId === undefined
              ? one.merchantId === orderMerchantId
              : String(one.systemId) === String(orderSystemId),
          )
        : this.#correlations.get(String(byCorrelationId));
    return order?.requestor === requestor ? order : undefined;
  }

  /** @throws Fault that names what is wrong, if anything is */
  demand(wrong: readonly string[]): void {
    if (wrong.length > 0) throw new Fault(400, this.#choices.inputCode, `Something is wrong with ${wrong[0]}`, wrong);
  }

  #refused(wrong: readonly string[]): Said {
    if (this.#choices.refuses === 400) this.demand(wrong);
    return { status: 200, body: { orderState: this.#choices.refuses } };
  }
}
