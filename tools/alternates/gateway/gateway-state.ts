import { randomBytes } from 'node:crypto';
import { withValueAt } from '#json-pointer';
import type { AlternateClock } from '../clock.ts';
import type { AlternateDefects } from '../defects.ts';
import { matchPathTemplate } from '../path-template.ts';

import type { AlternateAnswer, AlternateRequest } from '../server.ts';
import { ALTERNATE_SUBJECTS, type AlternateAccessGuard, type AlternateHost } from './access-guard.ts';
import type { GatewayAlternateChoices } from './choices.ts';
import { GatewayAlternateError } from './gateway-error.ts';
import type { AlternateOrder, AlternateOrders, AlternateOrderType } from './orders.ts';
import type { AlternatePaymentForms } from './payment-forms.ts';
import { RegisteredCards } from './registered-cards.ts';
import type { AlternateThreeDS } from './three-ds.ts';
import { writeTransactionReport } from './transaction-report.ts';
import { TransferSignatures } from './transfer-signatures.ts';
import { hasCardNumberForm, readMinorAmount, readPaymentRequest, readPlaceholder, showTransactions } from './wire.ts';

type Body = Readonly<Record<string, unknown>>;

interface Parts {
  readonly choices: GatewayAlternateChoices;
  readonly clock: AlternateClock;
  readonly orders: AlternateOrders;
  readonly door: AlternateAccessGuard;
  readonly threeDS: AlternateThreeDS;
  readonly forms: AlternatePaymentForms;
  readonly defects: AlternateDefects;
}

/** Everything that is done with orders, and answered by how they stand. */
export class GatewayAlternateState {
  readonly #parts: Parts;
  readonly #choices: GatewayAlternateChoices;
  readonly #wallet: RegisteredCards;
  readonly #correlations = new Map<string, AlternateOrder>();
  readonly signatures: TransferSignatures;

  constructor(parts: Parts) {
    const { choices, defects } = parts;
    const { requestor, consumerKey, allowlisted } = choices.journeys.oauth;
    this.#parts = parts;
    this.#choices = choices;
    this.#wallet = new RegisteredCards(choices, defects);
    const registered: [string, string][] = [
      [ALTERNATE_SUBJECTS[requestor], consumerKey],
      [ALTERNATE_SUBJECTS.allowlisted, allowlisted],
    ];
    this.signatures = new TransferSignatures(choices, new Map(registered), defects);
  }

  /** A StatusResponse. */
  respond(order: AlternateOrder, state = order.state): AlternateAnswer {
    const { threeDS, forms } = this.#parts;
    const { correlation, systemIdAt, correlationAt } = this.#choices;
    const id = correlation(randomBytes(12).toString('hex'));
    this.#correlations.set(String(id), order);
    const headers: Record<string, string> = {};
    const leads = { ...threeDS.describeStep(order), ...forms.describeForm(order) };
    let body: unknown = { orderState: state, transactions: showTransactions(this.#choices, order), ...leads };
    for (const [at, value] of [
      [systemIdAt, order.systemId],
      [correlationAt, id],
    ] as const) {
      if (at.startsWith('header:')) headers[at.slice(7)] = String(value);
      else body = withValueAt(body, at, value);
    }
    return { status: 200, body, headers };
  }

  payment(by: AlternateOrderType, body: Body, requestor: number): AlternateAnswer {
    const { wrong, terms, behaviour, card, cardId } = readPaymentRequest(this.#choices, body, requestor);
    const means =
      body.paymentMethod === 'CARD_ID' ? this.#wallet.mayPayFor(cardId, requestor) : hasCardNumberForm(card);
    const names = means ? wrong : [...wrong, Object.keys(this.#choices.card)[0]!];
    if (by === 'verification' && terms.amount !== 0 && this.#choices.verifies === 'no amount')
      this.refuseWrongMembers(['amount']);
    return names.length > 0 ? this.#refused(names) : this.respond(this.#parts.orders.pay(by, terms, behaviour));
  }

  form(by: AlternateOrderType, body: Body, requestor: number): AlternateAnswer {
    const { extraMembers: besides, journeys } = this.#choices;
    const { orders, forms, clock } = this.#parts;
    const parts = ['order', 'customer', 'browser', ...Object.keys(besides)];
    const absent = parts.filter((name) => body[name] === undefined);
    if (absent.length > 0) return this.#refused(absent);
    const order = orders.open(by, readPaymentRequest(this.#choices, body, requestor).terms);
    if (by === 'sale' || journeys.authFormLeadsOn) forms.openForm(order);
    else clock.after(1, () => forms.openForm(order));
    return this.respond(order);
  }

  transfer(asked: AlternateRequest, host: AlternateHost, id: string): AlternateAnswer {
    const { door, orders } = this.#parts;
    const parameters = this.signatures.parameters(asked);
    const requestor = door.parseRequestorId(id);
    door.checkClientAddress(asked, id);
    this.signatures.check(asked, parameters, host === 'here' ? id : `${id} elsewhere`);
    const of = (name: string) => readPlaceholder(this.#choices.journeys.transfer, asked.json, name);
    const amount = readMinorAmount(of('amount'), this.#choices.amount) ?? Number.NaN;
    if (Number.isNaN(amount)) this.refuseWrongMembers(['amount']);
    const [merchantId, currency] = [String(of('orderMerchantId') ?? ''), String(of('currency'))];
    const terms = { requestor, merchantId, amount, currency, credit: false, urls: {} };
    return this.respond(orders.pay('transfer', terms, 'approved'));
  }

  /** What the document names without showing it: registration of cards, reports. Undefined for anything else. */
  answerUndocumented(asked: AlternateRequest, host: AlternateHost, path: string): AlternateAnswer | undefined {
    const { door, orders, clock } = this.#parts;
    const { recurring, report: reported } = this.#choices.journeys;
    const registration =
      asked.method === recurring.method ? matchPathTemplate(recurring.path, path, asked.query) : undefined;
    if (registration !== undefined) {
      const of = (name: string) =>
        String(registration[name] ?? readPlaceholder(recurring.body, asked.json, name) ?? '');
      door.checkBearerToken(asked, host, of('requestorId'), true);
      const order = this.findNamedOrder({ orderSystemId: of('orderSystemId') }, Number(of('requestorId')));
      if (order?.state !== 'APPROVED')
        throw new GatewayAlternateError(400, this.#choices.inputCode, 'No such approved order');
      return this.#wallet.register(order);
    }
    const values = asked.method === reported.method ? matchPathTemplate(reported.path, path, asked.query) : undefined;
    if (values === undefined) return undefined;
    door.checkBearerToken(asked, host, values.login ?? '', false);
    return { status: 200, body: writeTransactionReport(this.#choices, orders.all, clock.now(), values, asked.json) };
  }

  /** Capture or reversal. */
  captureOrReverse(what: 'capture' | 'reverse', body: Body, requestor: number): AlternateAnswer {
    const { orders } = this.#parts;
    const { extraMembers: besides, inputCode, refuses, amount: style } = this.#choices;
    const needed = what === 'reverse' ? ['orderSystemId', 'reversalReason'] : [];
    const absent = [...needed, ...Object.keys(besides)].filter((name) => body[name] === undefined);
    if (absent.length > 0) return this.#refused(absent);
    if (String(body.reversalReason ?? '').length > this.#choices.reasonUpTo)
      this.refuseWrongMembers(['reversalReason']);
    const order = this.findNamedOrder(body, requestor);
    if (order === undefined) throw new GatewayAlternateError(400, inputCode, 'No such order', ['orderSystemId']);
    const before = order.state;
    const amount = readMinorAmount(what === 'capture' ? body.captureAmount : body.reversalAmount, style);
    const may =
      what === 'capture' ? orders.capture(order, amount) : orders.reverse(order, amount, String(body.reversalReason));
    if (!may && refuses === 400) throw new GatewayAlternateError(400, inputCode, 'That is too much');
    const lapsed = may && order.state === before && order.entries.at(-1)?.state === 'refused';
    return this.respond(order, lapsed ? 'DECLINED' : order.state);
  }

  status(body: Body, requestor: number): AlternateAnswer {
    const { currencyNeeded, unknownOrder, inputCode } = this.#choices;
    const ids = ['orderSystemId', 'orderMerchantId', 'byCorrelationId'];
    if (ids.every((name) => body[name] === undefined)) this.refuseWrongMembers(ids);
    const multi = String(requestor) === ALTERNATE_SUBJECTS.multicurrency && currencyNeeded;
    if (multi && body.orderCurrencyCode === undefined) this.refuseWrongMembers(['orderCurrencyCode']);
    const order = this.findNamedOrder(body, requestor);
    if (order !== undefined) return this.respond(order);
    if (unknownOrder === 400) throw new GatewayAlternateError(400, inputCode, 'No such order');
    return { status: 200, body: { orderState: unknownOrder } };
  }

  /** The order that a request names, if it is this requestor's. */
  findNamedOrder(
    { orderSystemId, orderMerchantId, byCorrelationId }: Body,
    requestor: number,
  ): AlternateOrder | undefined {
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
  refuseWrongMembers(wrong: readonly string[]): void {
    if (wrong.length > 0)
      throw new GatewayAlternateError(400, this.#choices.inputCode, `Something is wrong with ${wrong[0]}`, wrong);
  }

  #refused(wrong: readonly string[]): AlternateAnswer {
    if (this.#choices.refuses === 400) this.refuseWrongMembers(wrong);
    return { status: 200, body: { orderState: this.#choices.refuses } };
  }
}
