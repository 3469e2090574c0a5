import { randomBytes } from 'node:crypto';
import type { GatewayChoices } from './gateway-choices.ts';
import type { Order, Orders } from './gateway-orders.ts';
import { behaviourOf, isCard } from './gateway-wire.ts';
import { escaped, hidden, page } from './html.ts';
import type { Asked, Said } from './serve.ts';

/** The gateway's payment form. */
export class Forms {
  readonly #choices: GatewayChoices;
  readonly #orders: Orders;
  readonly #here: () => string;

  constructor(choices: GatewayChoices, orders: Orders, here: () => string) {
    this.#choices = choices;
    this.#orders = orders;
    this.#here = here;
  }

  /** Opens a form for an order. */
  start(order: Order): void {
    order.form = randomBytes(9).toString('hex');
  }

  /** Where a StatusResponse leads the customer while the form is open. */
  show({ form }: Order): object {
    if (form === undefined) return {};
    const address = `${this.#here()}/form/${form}?from=shop&lang=en`;
    const { leadsOn } = this.#choices.journeys;
    const html = `<!doctype html><body><form id="f" action="${escaped(address)}" method="post"></form><script>f.submit()</script>`;
    return {
      ...(leadsOn === 'redirect' ? {} : { outputHtml: html }),
      ...(leadsOn === 'html' ? {} : { outputRedirectToUrl: address }),
    };
  }

  /** The form itself; undefined for any other address. */
  page({ path, raw }: Asked): Said | undefined {
    const name = path.split('/form/')[1];
    if (name === undefined) return undefined;
    const order = this.#orders.find(({ form }) => form === name);
    if (order === undefined) return page('This form is closed.', 404);
    const { form, fields, cancelled } = this.#choices.journeys;
    const sent = new URLSearchParams(raw.toString('utf8'));
    if (['quit', 'abort', 'stop'].some((one) => sent.has(one))) {
      this.#orders.end(order, cancelled);
      return this.#back(order.urls.cancelUrl ?? order.urls.returnUrl);
    }
    const number = (sent.get(fields.number) ?? '').replace(/ /g, '');
    if (!isCard(number)) return page(`<form method="post">${form}</form>`);
    order.form = undefined;
    order.credit = number === this.#choices.cards.credit;
    this.#orders.enter(order, behaviourOf(this.#choices, sent.get(fields.code) ?? '', order.amount));
    return this.#back(order.urls.returnUrl);
  }

  #back(address: string | undefined): Said {
    if (address === undefined) return page('Thank you.');
    const { returns } = this.#choices.journeys;
    if (returns === 'redirect') return { status: 302, headers: { location: address } };
    if (returns === 'post') return page(`${hidden(address, { result: 'see status' })}<script>back.submit()</script>`);
    return page(`<p>Danke</p><script>location.replace(${JSON.stringify(address).replaceAll('<', '\\u003c')})</script>`);
  }
}
