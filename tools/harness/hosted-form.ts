import { type Reply, said, Unarranged } from '#client';
import type { Behaviour, Selectors, Target } from '#target';
import type { Customer } from './customer.ts';
import type { Gateway, Order, Payment } from './gateway.ts';
import type { Page, Receiver } from './receiver.ts';

/** A started form, with the merchant's pages for after paying and after cancelling. */
export interface Started {
  readonly reply: Reply;
  readonly order: Order;
  readonly paid: Page;
  readonly cancelled: Page;
}

/** The gateway's payment form, started by a merchant and filled in by a customer. */
export class HostedForm {
  readonly #gateway: Gateway;
  readonly #customer: Customer;
  readonly #receiver: Receiver;
  readonly #here: NonNullable<Target['gateway']>;
  #count = 0;

  constructor(parts: { gateway: Gateway; customer: Customer; receiver: Receiver; target: Target }) {
    this.#gateway = parts.gateway;
    this.#customer = parts.customer;
    this.#receiver = parts.receiver;
    this.#here = parts.target.gateway!;
  }

  /** Starts a form. The answer is not judged. */
  async start(by: 'saleForm' | 'authForm', payment: Payment = {}): Promise<Started> {
    this.#count += 1;
    const paid = this.#receiver.serve(`/paid-${this.#count}`);
    const cancelled = this.#receiver.serve(`/cancelled-${this.#count}`);
    const urls = { returnUrl: paid.address, cancelUrl: cancelled.address };
    const { reply, order } = await this.#gateway.pay(by, { ...urls, ...payment });
    const apart = /\$\{cancelUrl\W/.test(JSON.stringify(this.#here.wire.urls));
    return { reply, order, paid, cancelled: apart ? cancelled : paid };
  }

  /** Leads the customer to the form. @returns whether a card can be entered there */
  async open({ reply, order }: Started): Promise<boolean> {
    const status = await this.#customer.follow(await this.#leading(reply, order));
    if (status === undefined || status >= 400) return false;
    return (await this.#customer.find(said(this.#selectors.number, 'gateway.form.number'))) !== undefined;
  }

  /** Has the customer pay by card. Where that leads is not judged. @throws Unarranged when the form does not come up */
  async pay(started: Started, behaviour: Behaviour = 'approved'): Promise<void> {
    const card = this.#here.cards[behaviour];
    if (card === undefined || !(await this.open(started))) throw new Unarranged('no form to enter a card came up');
    await this.#customer.enter(this.#selectors, card);
    await this.#customer.answered(() => this.#customer.press(this.#selectors.submit));
  }

  /** Has the customer cancel. Where that leads is not judged. @throws Unarranged when the form does not come up */
  async cancel(started: Started): Promise<void> {
    const button = said(this.#selectors.cancel, 'gateway.form.cancel');
    if (!(await this.open(started))) throw new Unarranged('no form to enter a card came up');
    await this.#customer.answered(() => this.#customer.press(button));
  }

  /** Whether the customer comes to a page of the merchant. */
  returns({ visits }: Page): Promise<boolean> {
    return this.#customer.until(() => visits.length > 0);
  }

  get #selectors(): Selectors {
    return this.#here.form!;
  }

  /** The first answer that leads on; which one that is, is promised for a sale only. */
  async #leading(first: Reply, order: Order): Promise<Reply> {
    const leads = ({ object }: Reply) => object.outputRedirectToUrl !== undefined || object.outputHtml !== undefined;
    const reply = await this.#gateway.until(order, first, 'the start of a form', leads);
    if (!leads(reply)) throw new Unarranged('the form leads nowhere');
    return reply;
  }
}
