import { valueAt } from '#json-pointer';
import type { AlternateDefects } from '../defects.ts';
import { renderCustomerPage, renderHiddenForm } from '../html.ts';

import type { AlternateAnswer, AlternateRequest } from '../server.ts';
import type { GatewayAlternateChoices } from './choices.ts';
import { GatewayAlternateError } from './gateway-error.ts';
import type { AlternateOrder, AlternateOrders } from './orders.ts';

type Body = Readonly<Record<string, unknown>>;

/** 3-D Secure: what an order asks for, what a caller reports about it, and the issuer's pages. */
export class AlternateThreeDS {
  readonly #choices: GatewayAlternateChoices;
  readonly #orders: AlternateOrders;
  readonly #defects: AlternateDefects;
  /** Address of the issuer's pages. */
  readonly #acs: () => string;

  constructor(choices: GatewayAlternateChoices, orders: AlternateOrders, acs: () => string, defects: AlternateDefects) {
    this.#choices = choices;
    this.#orders = orders;
    this.#acs = acs;
    this.#defects = defects;
  }

  /** What a StatusResponse says of the step that an order waits for. */
  describeStep({ step }: AlternateOrder): object {
    if (step === undefined) return {};
    const { journeys } = this.#choices;
    const at = (what: string) => `${this.#acs()}/acs/${what}${journeys.tail}`;
    const [acsUrl, creq] = [at(step.name), this.#creq(step.id)];
    const auth = {
      THREEDS_METHOD: {
        threeDSMethodUrl: at(`method/${step.id}`),
        threeDSMethodTransactionId: step.id,
        ...this.#shownBeside(step.id),
      },
      CREQ: { creq, acsUrl },
      PAREQ: this.describePaReq(step.id),
    }[step.name];
    const form = renderHiddenForm(acsUrl, { creq }, '<button>Go on</button>');
    return {
      threeDSAuth: { threeDSAuthStep: step.name, ...auth },
      ...(journeys.leadsOn === 'redirect' ? {} : { outputHtml: `<!doctype html><title>Issuer</title>${form}` }),
      ...(journeys.leadsOn === 'html' ? {} : { outputRedirectToUrl: at(`go/${step.id}`) }),
    };
  }

  /** What leads a customer to the issuer in 3-D Secure 1.0.2. */
  describePaReq(id: string): { readonly paReq: string; readonly acsUrl: string } {
    const { paReq, tail } = this.#choices.journeys;
    return { paReq: paReq(id), acsUrl: `${this.#acs()}/acs/PAREQ${tail}` };
  }

  /** A report on the 3DS method. */
  acceptMethodReport(order: AlternateOrder | undefined, body: Body): AlternateOrder {
    const names = ['orderSystemId', 'browser', 'threeDSServerTransID', 'cresUrl', 'threeDSCompInd'];
    const waiting = this.#waiting(order, 'THREEDS_METHOD', body, names);
    const { afterMethod } = this.#choices.journeys;
    if (body.threeDSServerTransID !== this.#serverTransaction(waiting.step!.id))
      throw new GatewayAlternateError(400, this.#choices.inputCode, 'Another transaction', ['threeDSServerTransID']);
    if (!['Y', 'N', 'U'].includes(String(body.threeDSCompInd)))
      throw new GatewayAlternateError(400, this.#choices.inputCode, 'No such indicator', ['threeDSCompInd']);
    waiting.cresUrl = String(body.cresUrl);
    const quiet = afterMethod === 'approved' && body.threeDSCompInd === 'Y' && waiting.behaviour === 'method';
    if (quiet) this.#orders.authenticated(waiting);
    else this.#orders.awaitStep(waiting, 'CREQ');
    return waiting;
  }

  /** A CRes or PaRes that a caller forwards. */
  acceptForwardedResult(what: 'cres' | 'pares', order: AlternateOrder | undefined, body: Body): AlternateOrder {
    const { names, paRes } = this.#choices.journeys;
    const name = names[what];
    const value = valueAt(body, name.startsWith('/') ? name : `/${name}`);
    const step = what === 'cres' ? 'CREQ' : 'PAREQ';
    const waiting = this.#waiting(order, step, body, ['orderSystemId']);
    if (typeof value !== 'string' || value === '')
      throw new GatewayAlternateError(400, this.#choices.inputCode, 'No value', [name]);
    const { id } = waiting.step!;
    const right = value === (what === 'cres' ? this.#cres(id) : paRes(id));
    if (right || this.#defects.has('any PaRes will do')) this.#orders.authenticated(waiting);
    else if (this.#choices.refuses === 400)
      throw new GatewayAlternateError(400, this.#choices.inputCode, 'Not what was issued', [name]);
    else this.#orders.endOrder(waiting, this.#choices.refuses);
    return waiting;
  }

  /** The issuer's pages; undefined for any other address. */
  page({ path, raw }: AlternateRequest): AlternateAnswer | undefined {
    const what = path.split('/acs/')[1];
    if (what === undefined) return undefined;
    const [name, token] = what.split('/');
    if (name === 'method') return renderCustomerPage(this.#by(token!) === undefined ? 'Unknown' : '<p>Done</p>');
    if (name === 'go') return renderCustomerPage('<p>Your bank wants to see you.</p>');
    const sent = new URLSearchParams(raw.toString('utf8'));
    const { journeys } = this.#choices;
    if (name === 'CREQ') {
      const order = this.#orders.find(({ step }) => step?.name === 'CREQ' && this.#creq(step.id) === sent.get('creq'));
      if (order?.cresUrl === undefined) return renderCustomerPage('Nothing to confirm', 404);
      return renderCustomerPage(journeys.acs(renderHiddenForm(order.cresUrl, { cres: this.#cres(order.step!.id) })));
    }
    const order = this.#orders.find(
      ({ step }) => step?.name === 'PAREQ' && journeys.paReq(step.id) === sent.get('PaReq'),
    );
    const back = journeys.paresTo === 'TermUrl' ? sent.get('TermUrl') : order?.urls.returnUrl;
    if (order === undefined || !back) return renderCustomerPage('Nothing to confirm', 404);
    return renderCustomerPage(
      journeys.acs(renderHiddenForm(back, { MD: sent.get('MD') ?? '', PaRes: journeys.paRes(order.step!.id) })),
    );
  }

  #by(token: string): AlternateOrder | undefined {
    return this.#orders.find(({ step }) => step?.id === token);
  }

  #waiting(order: AlternateOrder | undefined, step: string, body: Body, names: readonly string[]): AlternateOrder {
    const { inputCode } = this.#choices;
    const missing = names.filter((name) => body[name] === undefined);
    if (missing.length > 0)
      throw new GatewayAlternateError(400, inputCode, `Something is wrong with ${missing[0]}`, missing);
    if (order === undefined) throw new GatewayAlternateError(400, inputCode, 'No such order', ['orderSystemId']);
    if (order.step?.name !== step)
      throw new GatewayAlternateError(400, inputCode, 'That is not what the order waits for');
    return order;
  }

  /** What a report on the method has to name: a value of its own where the alternate shows one. */
  #serverTransaction(id: string): string {
    return this.#choices.journeys.afterMethod === 'challenge' ? `server-${id}` : id;
  }

  #shownBeside(id: string): Body {
    return this.#choices.journeys.afterMethod === 'challenge' ? { server: { transaction: `server-${id}` } } : {};
  }

  /** Messages as EMV 3-D Secure has them. */
  #creq(id: string): string {
    return Buffer.from(JSON.stringify({ threeDSServerTransID: id, messageType: 'CReq' })).toString('base64url');
  }

  #cres(id: string): string {
    const told = { threeDSServerTransID: id, acsTransID: id.split('').reverse().join(''), transStatus: 'Y' };
    return Buffer.from(JSON.stringify(told)).toString('base64url');
  }
}
