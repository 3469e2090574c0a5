import type { GatewayChoices } from './gateway-choices.ts';
import { Fault } from './gateway-fault.ts';
import type { Order, Orders } from './gateway-orders.ts';
import { hidden, page } from './html.ts';
import { look } from './pointer.ts';
import type { Asked, Said } from './serve.ts';

type Body = Readonly<Record<string, unknown>>;

/** 3-D Secure: what an order asks for, what a caller reports about it, and the issuer's pages. */
export class ThreeDS {
  readonly #choices: GatewayChoices;
  readonly #orders: Orders;
  readonly #defect: string | undefined;
  /** Address of the issuer's pages. */
  readonly #acs: () => string;

  constructor(choices: GatewayChoices, orders: Orders, acs: () => string, defect?: string) {
    this.#choices = choices;
    this.#orders = orders;
    this.#acs = acs;
    this.#defect = defect;
  }

  /** What a StatusResponse says of the step that an order waits for. */
  show({ step }: Order): object {
    if (step === undefined) return {};
    const { journeys } = this.#choices;
    const at = (what: string) => `${this.#acs()}/acs/${what}${journeys.tail}`;
    const [acsUrl, creq] = [at(step.name), this.#creq(step.id)];
    const auth = {
      THREEDS_METHOD: { threeDSMethodUrl: at(`method/${step.id}`), threeDSMethodTransactionId: step.id },
      CREQ: { creq, acsUrl },
      PAREQ: { paReq: journeys.paReq(step.id), acsUrl },
    }[step.name];
    const form = hidden(acsUrl, { creq }, '<button>Go on</button>');
    return {
      threeDSAuth: { threeDSAuthStep: step.name, ...auth },
      ...(journeys.leadsOn === 'redirect' ? {} : { outputHtml: `<!doctype html><title>Issuer</title>${form}` }),
      ...(journeys.leadsOn === 'html' ? {} : { outputRedirectToUrl: at(`go/${step.id}`) }),
    };
  }

  /** A report on the 3DS method. */
  report(order: Order | undefined, body: Body): Order {
    const names = ['orderSystemId', 'browser', 'threeDSServerTransID', 'cresUrl', 'threeDSCompInd'];
    const waiting = this.#waiting(order, 'THREEDS_METHOD', body, names);
    const { afterMethod } = this.#choices.journeys;
    waiting.cresUrl = String(body.cresUrl);
    const quiet = afterMethod === 'approved' && body.threeDSCompInd === 'Y' && waiting.behaviour === 'method';
    if (quiet) this.#orders.authenticated(waiting);
    else this.#orders.wait(waiting, 'CREQ');
    return waiting;
  }

  /** A CRes or PaRes that a caller forwards. */
  forward(what: 'cres' | 'pares', order: Order | undefined, body: Body): Order {
    const { names, paRes } = this.#choices.journeys;
    const name = names[what];
    const value = look(body, name.startsWith('/') ? name : `/${name}`);
    const step = what === 'cres' ? 'CREQ' : 'PAREQ';
    const waiting = this.#waiting(order, step, body, ['orderSystemId']);
    if (typeof value !== 'string' || value === '') throw new Fault(400, this.#choices.inputCode, 'No value', [name]);
    const { id } = waiting.step!;
    const right = value === (what === 'cres' ? this.#cres(id) : paRes(id));
    if (right || this.#defect === 'any PaRes will do') this.#orders.authenticated(waiting);
    else if (this.#choices.refuses === 400)
      throw new Fault(400, this.#choices.inputCode, 'Not what was issued', [name]);
    else this.#orders.end(waiting, this.#choices.refuses);
    return waiting;
  }

  /** The issuer's pages; undefined for any other address. */
  page({ path, raw }: Asked): Said | undefined {
    const what = path.split('/acs/')[1];
    if (what === undefined) return undefined;
    const [name, token] = what.split('/');
    if (name === 'method') return page(this.#by(token!) === undefined ? 'Unknown' : '<p>Done</p>');
    if (name === 'go') return page('<p>Your bank wants to see you.</p>');
    const sent = new URLSearchParams(raw.toString('utf8'));
    const { journeys } = this.#choices;
    if (name === 'CREQ') {
      const order = this.#orders.find(({ step }) => step?.name === 'CREQ' && this.#creq(step.id) === sent.get('creq'));
      if (order?.cresUrl === undefined) return page('Nothing to confirm', 404);
      return page(journeys.acs(hidden(order.cresUrl, { cres: this.#cres(order.step!.id) })));
    }
    const order = this.#orders.find(
      ({ step }) => step?.name === 'PAREQ' && journeys.paReq(step.id) === sent.get('PaReq'),
    );
    const back = journeys.paresTo === 'TermUrl' ? sent.get('TermUrl') : order?.urls.returnUrl;
    if (order === undefined || !back) return page('Nothing to confirm', 404);
    return page(journeys.acs(hidden(back, { MD: sent.get('MD') ?? '', PaRes: journeys.paRes(order.step!.id) })));
  }

  #by(token: string): Order | undefined {
    return this.#orders.find(({ step }) => step?.id === token);
  }

  #waiting(order: Order | undefined, step: string, body: Body, names: readonly string[]): Order {
    const { inputCode } = this.#choices;
    const missing = names.filter((name) => body[name] === undefined);
    if (missing.length > 0) throw new Fault(400, inputCode, `Something is wrong with ${missing[0]}`, missing);
    if (order === undefined) throw new Fault(400, inputCode, 'No such order', ['orderSystemId']);
    if (order.step?.name !== step) throw new Fault(400, inputCode, 'That is not what the order waits for');
    return order;
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
