import { UnofferedError } from '#client';
import {
  cardPlaceholders,
  fillTemplate,
  mergeBodies,
  type PlaceholderValues,
  type RequestTemplate,
  type Target,
  type TargetRequestor,
  writeStyledAmount,
} from '#target';
import { SeededDraw } from '../seeded-draw.ts';
import type { PaymentOperation, PaymentOptions, PlacedOrder } from './placed-order.ts';

type Body = Record<string, unknown>;

/** A payment ready to be sent, and what of it names the order. */
export interface PreparedPayment {
  readonly body: Body;
  readonly merchantId: string;
  /** Minor units. */
  readonly amount: number;
  readonly currency: string;
  readonly requestor: TargetRequestor;
}

/** Writes the bodies of gateway requests: as documented outside, and as the target file says inside. */
export class PaymentBodies {
  readonly #target: Target;
  readonly #requestor: TargetRequestor;
  readonly #draw: SeededDraw;
  /** How many bodies of payments have a merchant id. */
  readonly #uses = new Map<string, number>();
  /** What payments name that say nothing else. */
  callbackUrl: string | undefined;

  constructor(parts: { target: Target; requestor: TargetRequestor; seed: string; callbackUrl: string | undefined }) {
    this.#target = parts.target;
    this.#requestor = parts.requestor;
    this.#draw = new SeededDraw(parts.seed);
    this.callbackUrl = parts.callbackUrl;
  }

  /** Body of a payment (sale, auth, account verification); without card data for a form. */
  paymentBody(payment: PaymentOptions = {}, form = false): PreparedPayment {
    const requestor = payment.requestor ?? this.#requestor;
    const { currency = requestor.currency, merchantId = `assay-${this.#draw.freshWord(16)}` } = payment;
    this.#uses.set(merchantId, (this.#uses.get(merchantId) ?? 0) + 1);
    const { cards, wire } = this.#target.gateway!;
    const amount = cards[payment.card ?? 'approved']?.amount ?? payment.amount ?? 1000;
    const values = this.#values({ ...payment, amount, currency, merchantId, requestor });
    const means =
      payment.cardId === undefined
        ? { paymentMethod: 'CARD', ...fillObject(wire.card, values) }
        : { paymentMethod: 'CARD_ID', ...fillObject(wire.registered, values) };
    const common = Object.fromEntries(
      Object.entries({
        orderMerchantId: merchantId,
        order: fillTemplate(wire.order, values),
        customer: fillTemplate(wire.customer, values),
        browser: fillTemplate(wire.browser, values),
        urls: fillTemplate(wire.urls, values),
      }).filter(([, value]) => value !== undefined && value !== null),
    );
    return { body: mergeBodies(common, form ? {} : means), merchantId, amount, currency, requestor };
  }

  /**
   * A payment as {@link PaymentBodies.paymentBody} has it, with what the target file adds for the operation. What is verified has no amount.
   * @throws Unoffered for the verification of a card whose behaviour the amount decides
   */
  preparePayment(operation: PaymentOperation, payment: PaymentOptions = {}): PreparedPayment {
    const terms = operation === 'accountVerification' ? { ...payment, amount: 0 } : payment;
    const made = this.paymentBody(terms, operation.endsWith('Form'));
    if (operation === 'accountVerification' && made.amount !== 0)
      throw new UnofferedError(
        'card',
        `the amount decides what the card ${payment.card} does; a verification has none`,
      );
    const { extra } = this.#target.gateway!.wire;
    const added = fillObject(extra?.[operation] ?? {}, this.#values({ ...payment, ...made }));
    return { ...made, body: mergeBodies(made.body, added) };
  }

  /** Body that names an order for a capture or reversal: by its system id unless told otherwise, and what the target file adds. */
  orderBody(
    order: PlacedOrder,
    operation: 'capture' | 'reversal',
    id: Readonly<Body> = { orderSystemId: order.systemId },
  ): Body {
    const { extra } = this.#target.gateway!.wire;
    const added = fillObject(extra?.[operation] ?? {}, {
      currency: order.currency,
      orderMerchantId: order.merchantId,
      orderSystemId: order.systemId as string,
      requestorId: order.requestor.id,
    });
    return mergeBodies(added, id);
  }

  /** Whether an order has two ids, either of which leads to no other: of a merchant id that was written once. */
  hasTwoIds({ systemId, merchantId }: PlacedOrder): boolean {
    return systemId !== undefined && this.#uses.get(merchantId) === 1;
  }

  /** A member with an amount of minor units as the target writes it; none for none. */
  amountMember(name: string, amount: number | undefined): Body {
    return amount === undefined ? {} : { [name]: writeStyledAmount(amount, this.#target.gateway!.wire.amount) };
  }

  #values(
    payment: PaymentOptions & { amount: number; currency: string; merchantId: string; requestor: TargetRequestor },
  ): PlaceholderValues {
    const { cards, wire } = this.#target.gateway!;
    return {
      amount: writeStyledAmount(payment.amount, wire.amount),
      currency: payment.currency,
      orderMerchantId: payment.merchantId,
      amountMinor: payment.amount,
      amountDecimal: (payment.amount / 100).toFixed(2),
      requestorId: payment.requestor.id,
      ...cardPlaceholders(cards[payment.card ?? 'approved']),
      cardId: payment.cardId,
      callbackUrl: payment.callbackUrl ?? this.callbackUrl,
      returnUrl: payment.returnUrl ?? 'https://merchant.example/return',
      cancelUrl: payment.cancelUrl ?? 'https://merchant.example/cancel',
      cresUrl: payment.cresUrl,
    };
  }
}

/** A member of a template filled with these values; always an object. */
function fillObject(template: RequestTemplate, values: PlaceholderValues): Body {
  const filled = fillTemplate(template, values);
  return typeof filled === 'object' && filled !== null ? (filled as Body) : {};
}
