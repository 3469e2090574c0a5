import { randomBytes } from 'node:crypto';
import { escapeMarkup, renderCustomerPage, renderHiddenForm } from '../html.ts';
import type { AlternateAnswer, AlternateRequest } from '../server.ts';
import type { GatewayAlternateChoices } from './choices.ts';
import type { AlternateOrder, AlternateOrders } from './orders.ts';
import type { AlternateThreeDS } from './three-ds.ts';
import { chooseCardBehaviour, hasCardNumberForm } from './wire.ts';

/** The gateway's payment form. */
export class AlternatePaymentForms {
  readonly #choices: GatewayAlternateChoices;
  readonly #orders: AlternateOrders;
  readonly #threeDS: AlternateThreeDS;
  readonly #here: () => string;

  constructor(
    choices: GatewayAlternateChoices,
    orders: AlternateOrders,
    threeDS: AlternateThreeDS,
    here: () => string,
  ) {
    this.#choices = choices;
    this.#orders = orders;
    this.#threeDS = threeDS;
    this.#here = here;
  }

  /** Opens a form for an order. */
  openForm(order: AlternateOrder): void {
    order.form = randomBytes(9).toString('hex');
  }

  /** Where a StatusResponse leads the customer while the form is open. */
  describeForm({ form }: AlternateOrder): object {
    if (form === undefined) return {};
    const address = `${this.#here()}/form/${form}?from=shop&lang=en`;
    const { leadsOn } = this.#choices.journeys;
    const html = `<!doctype html><body><form id="f" action="${escapeMarkup(address)}" method="post"></form><script>f.submit()</script>`;
    return {
      ...(leadsOn === 'redirect' ? {} : { outputHtml: html }),
      ...(leadsOn === 'html' ? {} : { outputRedirectToUrl: address }),
    };
  }

  /** The form itself; undefined for any other address. */
  page({ path, raw }: AlternateRequest): AlternateAnswer | undefined {
    const name = path.split('/form/')[1];
    if (name === undefined) return undefined;
    const order = this.#orders.find(({ form }) => form === name);
    if (order === undefined) return renderCustomerPage('This form is closed.', 404);
    const { form, fields, cancelled } = this.#choices.journeys;
    const sent = new URLSearchParams(raw.toString('utf8'));
    if (['quit', 'abort', 'stop'].some((one) => sent.has(one))) {
      this.#orders.endOrder(order, cancelled);
      return this.#back(order.urls.cancelUrl ?? order.urls.returnUrl);
    }
    const number = (sent.get(fields.number) ?? '').replace(/ /g, '');
    if (!hasCardNumberForm(number)) return renderCustomerPage(`<form method="post">${form}</form>`);
    order.form = undefined;
    order.credit = number === this.#choices.cards.credit;
    this.#orders.enterCard(order, chooseCardBehaviour(this.#choices, sent.get(fields.code) ?? '', order.amount));
    return this.#askIssuer(order) ?? this.#back(order.urls.returnUrl);
  }

  /** The way to the issuer, who sends the customer back to the merchant with a PaRes; undefined where none asks. */
  #askIssuer(order: AlternateOrder): AlternateAnswer | undefined {
    const { returnUrl } = order.urls;
    if (!this.#choices.journeys.asksOnForm || returnUrl === undefined || order.step?.name !== 'PAREQ') return undefined;
    const { acsUrl, paReq } = this.#threeDS.describePaReq(order.step.id);
    const form = renderHiddenForm(acsUrl, { PaReq: paReq, TermUrl: returnUrl, MD: 'form' });
    return renderCustomerPage(`${form}<script>back.submit()</script>`);
  }

  #back(address: string | undefined): AlternateAnswer {
    if (address === undefined) return renderCustomerPage('Thank you.');
    const { returns } = this.#choices.journeys;
    if (returns === 'redirect') return { status: 302, headers: { location: address } };
    if (returns === 'post')
      return renderCustomerPage(`${renderHiddenForm(address, { result: 'see status' })}<script>back.submit()</script>`);
    return renderCustomerPage(
      `<p>Danke</p><script>location.replace(${JSON.stringify(address).replaceAll('<', '\\u003c')})</script>`,
    );
  }
}
