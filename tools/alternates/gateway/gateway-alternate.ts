import { randomBytes, randomInt } from 'node:crypto';
import { createServer } from 'node:net';
import { AlternateClock } from '../clock.ts';
import type { AlternateDefects } from '../defects.ts';
import { type AlternateAnswer, type AlternateRequest, serveAlternate, writeInStyle } from '../server.ts';
import { ALTERNATE_SUBJECTS, AlternateAccessGuard, type AlternateHost, type AlternateSubject } from './access-guard.ts';
import { AlternateCallbackSender } from './callback-sender.ts';
import type { GatewayAlternateChoices } from './choices.ts';
import { GatewayAlternateError } from './gateway-error.ts';
import { GatewayAlternateState } from './gateway-state.ts';
import {
  lookUpBalance,
  lookUpCardHistory,
  lookUpCardInfo,
  lookUpExchangeRate,
  lookUpManagerBalance,
} from './lookups.ts';
import { AlternateOrders } from './orders.ts';
import { AlternatePaymentForms } from './payment-forms.ts';
import { AlternateThreeDS } from './three-ds.ts';

/** A gateway of somebody else's, and what its owner would tell a tester. */
export interface GatewayAlternate {
  /** Base address, and that of another host it runs. */
  readonly address: string;
  readonly elsewhere: string;
  readonly control: string;
  readonly choices: GatewayAlternateChoices;
  readonly tokens: Readonly<Record<AlternateSubject, string>>;
  /** The key that signs transfers, PEM. */
  readonly privateKey: string;
  /** Host that the issuer's pages are on. */
  readonly issuer: string;
  /** Port of the receiver that a console has for callbacks, where it has one. */
  readonly console: number | undefined;
  close(): Promise<void>;
}

/**
 * Opens one.
 * @param defects what it does wrong, if anything
 * @param clock that it goes by together with another service; absent: its own
 */
export async function openGatewayAlternate(
  choices: GatewayAlternateChoices,
  defects: AlternateDefects = new Set(),
  clock = new AlternateClock(),
): Promise<GatewayAlternate> {
  const orders = new AlternateOrders(choices, clock, defects);
  const door = new AlternateAccessGuard(defects);
  const { journeys } = choices;
  let [address, issuer] = ['', ''];
  const threeDS = new AlternateThreeDS(choices, orders, () => issuer, defects);
  const forms = new AlternatePaymentForms(choices, orders, threeDS, () => address);
  const desk = new GatewayAlternateState({ choices, clock, orders, door, threeDS, forms, defects });
  const callbacks = new AlternateCallbackSender(choices, clock, (order) => {
    const { body, headers = {} } = desk.respond(order);
    const told = defects.has('callbacks tell no state') ? { ...Object(body), orderState: undefined } : body;
    return { body: writeInStyle(told, choices), headers };
  });
  orders.onChange = (order) => callbacks.scheduleDelivery(order);

  const looked = (answer: readonly string[] | object): AlternateAnswer => {
    if (Array.isArray(answer)) desk.refuseWrongMembers(answer);
    return { status: 200, body: answer };
  };

  const route = (asked: AlternateRequest, host: AlternateHost): AlternateAnswer => {
    const path = asked.path.slice(`${choices.prefix}/api`.length);
    if (asked.method === 'HEAD' && path.endsWith('/_Overview')) return { status: 200 };
    const [, room, what, id = ''] = path.split('/');
    if (room === 'payments' && what === 'transfer') return desk.transfer(asked, host, id);
    const shown = desk.answerUndocumented(asked, host, path);
    if (shown !== undefined) return shown;
    const body = (asked.json ?? {}) as Record<string, unknown>;
    const numeric = room !== 'balance' && what !== 'get-card-info';
    door.checkBearerToken(asked, host, id, numeric);
    const requestor = Number(id);
    switch (`${room}/${what}`) {
      case 'payments/sale':
        return desk.payment('sale', body, requestor);
      case 'payments/auth':
        return desk.payment('authorization', body, requestor);
      case 'payments/account-verification':
        return desk.payment('verification', body, requestor);
      case 'payments/sale-form':
        return desk.form('sale', body, requestor);
      case 'payments/auth-form':
        return desk.form('authorization', body, requestor);
      case '3ds/method':
        return desk.respond(threeDS.acceptMethodReport(desk.findNamedOrder(body, requestor), body));
      case '3ds/cres':
        return desk.respond(threeDS.acceptForwardedResult('cres', desk.findNamedOrder(body, requestor), body));
      case '3ds/pares':
        return desk.respond(threeDS.acceptForwardedResult('pares', desk.findNamedOrder(body, requestor), body));
      case 'payments/capture':
        return desk.captureOrReverse('capture', body, requestor);
      case 'payments/reversal':
        return desk.captureOrReverse('reverse', body, requestor);
      case 'payments/status':
        return desk.status(body, requestor);
      case 'card-info/get-card-info':
        return looked(lookUpCardInfo(choices, body));
      case 'card-info/get-card-history':
        return looked(lookUpCardHistory(choices, body, defects));
      case 'exchange-rate/get-exchange-rate':
        return looked(lookUpExchangeRate(choices, body));
      case 'balance/by-merchant':
      case 'balance/by-manager': {
        const name = String(body.balanceName ?? '');
        if (!choices.balances.includes(name)) desk.refuseWrongMembers(['balanceName']);
        const { turnover } = orders;
        if (what === 'by-merchant') return { status: 200, body: lookUpBalance(choices, name, turnover, defects) };
        return { status: 200, body: lookUpManagerBalance(choices, name, turnover, ALTERNATE_SUBJECTS.merchant) };
      }
      case 'balance/by-merchant-all': {
        const all = choices.balances.map((name) => lookUpBalance(choices, name, orders.turnover, defects));
        // The document gives this answer one field and no more.
        return { status: 200, body: { merchantBalances: writeInStyle(all, choices) }, plain: true };
      }
      default:
        throw new GatewayAlternateError(400, choices.inputCode, `Nothing is at ${path}`);
    }
  };

  const control = async ({ path, json }: AlternateRequest): Promise<AlternateAnswer> => {
    const [, , what, id = ''] = path.split('/');
    const { seconds = 0, to = '', requestor = 0 } = (json ?? {}) as Record<string, string | number>;
    const order = orders.find(({ systemId }) => String(systemId) === id);
    if (what === 'advance' && choices.lever !== 'nothing') await clock.advance(Number(seconds));
    if (what === 'callback') callbacks.register(Number(requestor), String(to));
    if (what === 'chargeback' && order !== undefined) orders.chargeBack(order);
    if (what === 'state' && order !== undefined) orders.endOrder(order, String(to));
    const now = clock.now();
    return { status: 200, body: { unix: Math.floor(now / 1000), iso: new Date(now).toISOString(), time: { now } } };
  };

  const answer =
    (host: AlternateHost) =>
    (asked: AlternateRequest): AlternateAnswer | Promise<AlternateAnswer> => {
      if (asked.path.startsWith('/control/')) return control(asked);
      const seen = threeDS.page(asked) ?? forms.page(asked);
      if (seen !== undefined) return seen;
      try {
        const { status, body, headers, plain } = route(asked, host);
        if (body === undefined) return { status };
        return {
          status,
          body: plain ? body : writeInStyle(body, choices),
          headers: { ...headers, 'content-type': choices.media },
        };
      } catch (error) {
        if (!(error instanceof GatewayAlternateError)) throw error;
        const { status, code, message, names, context } = error;
        const word = randomBytes(12).toString('hex');
        const common = { errorCode: code, errorMessage: message, errorCorrelationId: choices.errorCorrelation(word) };
        const invalidParams = names.length > 0 ? choices.invalidParams(names) : undefined;
        const body = { ...common, invalidParams, context };
        return { status, body: writeInStyle(body, choices), headers: { 'content-type': choices.errorMedia } };
      }
    };

  const [here, there] = [await serveAlternate(answer('here')), await serveAlternate(answer('there'))];
  const base = (one: { address: string }) => `${one.address}${choices.prefix}/api`;
  address = `${here.address}${choices.prefix}`;
  // The issuer is somebody else: here, the same machine by its other name.
  issuer = journeys.tail.includes('bank') ? here.address.replace('127.0.0.1', 'localhost') : address;
  const port = journeys.callback.known === 'console' ? await freePort() : undefined;
  if (port !== undefined)
    for (const name of ['main', 'second', 'multicurrency'] as const)
      callbacks.register(Number(ALTERNATE_SUBJECTS[name]), `http://127.0.0.1:${port}/from/the/console`);
  return {
    ...{ address: base(here), elsewhere: base(there), control: `${here.address}/control`, choices },
    ...{ tokens: door.tokens, privateKey: desk.signatures.privateKey, issuer: new URL(issuer).host, console: port },
    close: async () => {
      clock.stop();
      await here.close();
      await there.close();
    },
  };
}

/** A port that nobody has, and that is not handed out to whoever asks for any. */
async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(20_000, 30_000);
    const server = createServer();
    const free = await new Promise<boolean>((done) => {
      server.once('error', () => done(false));
      server.listen(port, '127.0.0.1', () => server.close(() => done(true)));
    });
    if (free) return port;
  }
}
