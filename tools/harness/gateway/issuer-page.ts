import { requireTargetLine, UnarrangedError, UnofferedError } from '#client';
import type { Target } from '#target';
import type { ReceivedDelivery } from '../message-receiver.ts';
import type { CustomerBrowser } from './customer-browser.ts';
import type { WaitingOrder } from './merchant-three-ds.ts';

/** The issuer's page as a customer's browser meets it. */
export class IssuerPage {
  readonly #customer: CustomerBrowser;
  readonly #here: NonNullable<Target['gateway']>;

  constructor(customer: CustomerBrowser, target: Target) {
    this.#customer = customer;
    this.#here = target.gateway!;
  }

  /** Runs the 3DS method in a hidden iframe and waits for it to finish. @throws Unarranged when it cannot be loaded */
  async runMethod({ auth }: WaitingOrder): Promise<void> {
    const frame = `<iframe hidden title="3DS method" src="${attribute(auth.threeDSMethodUrl)}"></iframe>`;
    if ((await this.#customer.visitHtml(page(frame))) !== 200)
      throw new UnarrangedError('the 3DS method could not be loaded');
  }

  /**
   * Has the customer pass the step that is due: a creq is posted to the ACS in an iframe, a paReq takes the customer there.
   * @returns what was posted back to the merchant; undefined when nothing was
   * @throws Unoffered when the target file does not say what the issuer's page looks like, or how the issuer is told where to post
   */
  authenticate(waiting: WaitingOrder): Promise<ReceivedDelivery | undefined> {
    return this.#answer(waiting, false);
  }

  /** The value that comes back when the customer does not pass the step. @throws Unoffered when the target file does not say how; Unarranged when none does */
  async obtainRefusal(waiting: WaitingOrder): Promise<string> {
    const posted = await this.#answer(waiting, true);
    const value = posted && readIssuerAnswer(posted);
    if (value === undefined) throw new UnarrangedError('the issuer posted nothing back to the merchant');
    return value;
  }

  async #answer(
    { auth, cres, back, isUnaddressed }: WaitingOrder,
    refuses: boolean,
  ): Promise<ReceivedDelivery | undefined> {
    requireTargetLine(this.#here.acs, 'gateway.acs');
    if (isUnaddressed)
      throw new UnofferedError(
        'capability',
        'nothing tells the issuer where to post the CRes; a gateway.wire.urls that names the cresUrl would enable it',
      );
    const challenge = auth.threeDSAuthStep === 'CREQ';
    const { visits } = challenge ? cres : back;
    const posted = () => visits.find(({ method }) => method === 'POST');
    const fields = challenge ? { creq: auth.creq } : { PaReq: auth.paReq, TermUrl: back.address, MD: 'order 1' };
    const frame = challenge ? '<iframe name="acs" title="Issuer" width="600" height="500"></iframe>' : '';
    await this.#customer.visitHtml(page(`${frame}${form(auth.acsUrl, fields, challenge ? 'acs' : '_self')}`));
    const done = () => posted() !== undefined;
    if (!(await this.answerHere(done, refuses)) && !done())
      throw new UnarrangedError("no button of the issuer's page came up (gateway.acs)");
    await this.#customer.waitUntil(done);
    return posted();
  }

  /**
   * Has the customer pass, or refuse to pass, the step that a page asks for to which they were led already. What comes of it is not waited for.
   * @param done whether it is over, with or without the customer
   * @returns whether an issuer asked them anything
   * @throws Unoffered as {@link IssuerPage.authenticate} does
   */
  async answerHere(done: () => boolean, refuses: boolean): Promise<boolean> {
    const { submit, cancel, answer, text } = requireTargetLine(this.#here.acs, 'gateway.acs');
    const button = refuses ? requireTargetLine(cancel, 'gateway.acs.cancel') : submit;
    const found = await this.#customer.findVisible(button, done);
    if (found === undefined || done()) return false;
    await this.#customer.keepPicture("the page of the customer's bank");
    if (answer !== undefined && !refuses)
      await this.#customer.typeInto(answer, requireTargetLine(text, 'gateway.acs.text'), done);
    await this.#customer.pressButton(button, done, found);
    return true;
  }

  /** The value that comes back when the customer passes the step. @throws Unarranged when none does */
  async obtainAnswer(waiting: WaitingOrder): Promise<string> {
    const posted = await this.authenticate(waiting);
    const value = posted && readIssuerAnswer(posted);
    if (value === undefined) throw new UnarrangedError('the issuer posted nothing back to the merchant');
    return value;
  }
}

/** The CRes or PaRes that a form post carries (EMV 3-D Secure and 3-D Secure 1.0.2 name the fields). */
export function readIssuerAnswer({ text }: ReceivedDelivery): string | undefined {
  const found = [...new URLSearchParams(text)].find(([name]) => /^(cres|pares)$/i.test(name));
  return found?.[1] === '' ? undefined : found?.[1];
}

/** A form that posts itself. */
function form(action: unknown, fields: Readonly<Record<string, unknown>>, target: string): string {
  const hidden = Object.entries(fields).map(
    ([name, value]) => `<input type="hidden" name="${name}" value="${attribute(value)}">`,
  );
  return `<form method="post" target="${target}" action="${attribute(action)}">${hidden.join('')}</form><script>document.forms[0].submit()</script>`;
}

function page(main: string): string {
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Shop</title><link rel="icon" href="data:,"><body>${main}`;
}

function attribute(value: unknown): string {
  return String(value).replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
