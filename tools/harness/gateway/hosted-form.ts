import { type ApiReply, isArranged, requireTargetLine, UnarrangedError } from '#client';
import { namesPlaceholder, type PageSelectors, type Target, type TargetCardBehaviour } from '#target';
import { COMING } from '../browser-window.ts';
import type { MerchantPage, MessageReceiver } from '../message-receiver.ts';
import type { CustomerBrowser } from './customer-browser.ts';
import type { GatewayClient } from './gateway-client.ts';
import type { OrderIdentifier, PaymentOptions, PlacedOrder } from './placed-order.ts';

/** A started form, with the merchant's pages for after paying and after cancelling. */
export interface StartedForm {
  readonly reply: ApiReply;
  readonly order: PlacedOrder;
  readonly paid: MerchantPage;
  readonly cancelled: MerchantPage;
}

/** The gateway's payment form, started by a merchant and filled in by a customer. */
export class HostedForm {
  readonly #gateway: GatewayClient;
  readonly #customer: CustomerBrowser;
  readonly #receiver: MessageReceiver;
  readonly #here: NonNullable<Target['gateway']>;
  #count = 0;

  constructor(parts: { gateway: GatewayClient; customer: CustomerBrowser; receiver: MessageReceiver; target: Target }) {
    this.#gateway = parts.gateway;
    this.#customer = parts.customer;
    this.#receiver = parts.receiver;
    this.#here = parts.target.gateway!;
  }

  /** Starts a form. The answer is not judged. */
  async start(by: 'saleForm' | 'authForm', payment: PaymentOptions = {}): Promise<StartedForm> {
    this.#count += 1;
    const paid = this.#receiver.servePage(`/paid-${this.#count}`);
    const cancelled = this.#receiver.servePage(`/cancelled-${this.#count}`);
    const urls = { returnUrl: paid.address, cancelUrl: cancelled.address };
    const { reply, order } = await this.#gateway.pay(by, { ...urls, ...payment });
    const apart = namesPlaceholder(this.#here.wire, 'cancelUrl');
    return { reply, order, paid, cancelled: apart ? cancelled : paid };
  }

  /** Leads the customer to the form. @returns whether a card can be entered there @throws Unarranged when it leads nowhere */
  async openForm(started: StartedForm): Promise<boolean> {
    const reply = await this.#leading(started);
    if (reply === undefined) throw new UnarrangedError('the form leads nowhere');
    return this.#takesCard(reply);
  }

  /**
   * Has the customer come back to a form they are done with, and pay on it if it takes a card yet: it may lead nowhere any more. Where that
   * leads is not judged.
   */
  async payAgain(started: StartedForm): Promise<void> {
    const reply = await this.#leading(started);
    // Of a form on several pages the first may come up yet, and the next say that it is closed.
    if (reply !== undefined && (await this.#takesCard(reply))) await isArranged(this.enterCard());
  }

  /** Has the customer pay by card. Where that leads is not judged. @throws Unarranged when the form does not come up */
  async pay(started: StartedForm, behaviour: TargetCardBehaviour = 'approved'): Promise<void> {
    if (!(await this.openForm(started))) throw new UnarrangedError('no form to enter a card came up');
    await this.enterCard(behaviour);
  }

  /**
   * Has the customer pay by card, and waits until the form made way for what comes next: the page of an issuer, or of the merchant. A button of
   * either may be named as that of the form is.
   * @throws Unarranged when the form does not come up
   */
  async payAndLeave(started: StartedForm, behaviour: TargetCardBehaviour): Promise<void> {
    await this.pay(started, behaviour);
    const { number, code } = this.#selectors;
    const fields = [number, code].filter((selector) => selector !== undefined);
    await this.#customer.waitUntilGone(fields, () => started.paid.visits.length > 0);
  }

  /** Has the customer pay by card on the form that is open. Where that leads is not judged. @throws Unarranged when a field does not come up */
  async enterCard(behaviour: TargetCardBehaviour = 'approved'): Promise<void> {
    const card = requireTargetLine(this.#here.cards[behaviour], `gateway.cards.${behaviour}`);
    await this.#gateway.requireUnexpired(behaviour);
    await this.#customer.enterCard(this.#selectors, card);
    await this.#customer.waitForAnswer(() => this.#customer.pressButton(this.#selectors.submit));
  }

  /**
   * Arranges a payment that is approved after the customer paid on the form, and came to rest.
   * @param askedBy identifier to follow it by; absent: whichever leads to it
   * @throws Unarranged when the target does otherwise
   */
  async arrangeApproved(
    by: 'saleForm' | 'authForm',
    payment: PaymentOptions = {},
    askedBy?: OrderIdentifier,
  ): Promise<PlacedOrder> {
    const started = await this.start(by, payment);
    await this.pay(started);
    await this.waitForReturn(started.paid);
    const state = await this.#gateway.pollUntilFinal(started.order, undefined, askedBy);
    if (state !== 'APPROVED') throw new UnarrangedError(`a payment on the hosted form ended in ${state}`);
    return started.order;
  }

  /** Has the customer cancel. Where that leads is not judged. @throws Unarranged when the form does not come up */
  async cancel(started: StartedForm): Promise<void> {
    const button = requireTargetLine(this.#selectors.cancel, 'gateway.form.cancel');
    if (!(await this.openForm(started))) throw new UnarrangedError('no form to enter a card came up');
    await this.#customer.waitForAnswer(() => this.#customer.pressButton(button));
  }

  /** Whether the customer comes to a page of the merchant; is there then, unless it came up out of sight. */
  async waitForReturn({ visits, address }: MerchantPage): Promise<boolean> {
    const byItself = Date.now() + COMING;
    const isBack = () => visits.length > 0;
    // A page may lead back by itself, or leave that to the customer.
    const isVisited = await this.#customer.waitUntil(() =>
      isBack() || Date.now() < byItself ? isBack() : this.#customer.followLink(address).then(isBack),
    );
    if (isVisited) await this.#customer.arriveAt(address);
    return isVisited;
  }

  get #selectors(): PageSelectors {
    return this.#here.form!;
  }

  /** The first answer that leads on, if one does; which one that is, is promised for a sale only. */
  async #leading({ reply: first, order }: StartedForm): Promise<ApiReply | undefined> {
    const leads = ({ object }: ApiReply) =>
      (object.outputRedirectToUrl ?? object.outputHtml ?? undefined) !== undefined;
    const reply = await this.#gateway.pollUntil(order, first, 'the start of a form', leads);
    return leads(reply) ? reply : undefined;
  }

  /** Whether a card can be entered where an answer leads the customer. */
  async #takesCard(reply: ApiReply): Promise<boolean> {
    const status = await this.#customer.followRedirect(reply);
    if (status === undefined || status >= 400) return false;
    const field = await this.#customer.findVisible(requireTargetLine(this.#selectors.number, 'gateway.form.number'));
    if (field !== undefined) await this.#customer.keepPicture('the payment form, before anything is typed');
    return field !== undefined;
  }
}
