import { randomBytes, randomInt } from 'node:crypto';
import { createServer } from 'node:net';
import { Clock } from './clock.ts';
import { Callbacks } from './gateway-callbacks.ts';
import type { GatewayChoices } from './gateway-choices.ts';
import { Fault } from './gateway-fault.ts';
import { Forms } from './gateway-forms.ts';
import { balance, cardHistory, cardInfo, exchangeRate, managerBalance } from './gateway-lookups.ts';
import { type Order, Orders } from './gateway-orders.ts';
import { Wallet } from './gateway-recurring.ts';
import { report } from './gateway-report.ts';
import { ThreeDS } from './gateway-three-ds.ts';
import { Signatures } from './gateway-transfer.ts';
import { entries, isCard, minor, paid, read } from './gateway-wire.ts';
import { match } from './path.ts';
import { put } from './pointer.ts';
import { type Asked, dress, type Said, serve } from './serve.ts';

/** A gateway of somebody else's, and what its owner would tell a tester. */
export interface GatewayStranger {
  /** Base address, and that of another host it runs. */
  readonly address: string;
  readonly elsewhere: string;
  readonly control: string;
  readonly choices: GatewayChoices;
  readonly tokens: Readonly<Record<Subject, string>>;
  /** The key that signs transfers, PEM. */
  readonly privateKey: string;
  /** Host that the issuer's pages are on. */
  readonly issuer: string;
  /** Port of the receiver that a console has for callbacks, where it has one. */
  readonly console: number | undefined;
  close(): Promise<void>;
}

/** Who has a token: requestors by their id, merchants and a manager by their login, a client. */
export const SUBJECTS = {
  main: '41',
  second: '42',
  multicurrency: '43',
  allowlisted: '44',
  elsewhere: '45',
  merchant: 'shop',
  secondMerchant: '2ndshop',
  manager: 'boss',
  client: 'c-7',
} as const;
type Subject = keyof typeof SUBJECTS;

/** Addresses on and off the allowlist. */
export const ADDRESSES = { allowed: '198.41.0.4', refused: '192.5.5.241' };

const PRIVATE = /^(10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|127\.)/;

/**
 * Opens one.
 * @param defect what it does wrong, if anything
 */
export async function openGateway(choices: GatewayChoices, defect?: string): Promise<GatewayStranger> {
  const clock = new Clock();
  const orders = new Orders(choices, clock, defect);
  const correlations = new Map<string, Order>();
  const word = () => randomBytes(12).toString('hex');
  const names = Object.keys(SUBJECTS) as Subject[];
  const tokens = Object.fromEntries(names.map((name) => [name, word()])) as Record<Subject, string>;

  const { journeys } = choices;
  let [address, issuer] = ['', ''];
  const threeDS = new ThreeDS(choices, orders, () => issuer, defect);
  const forms = new Forms(choices, orders, () => address);
  const wallet = new Wallet(choices, defect);
  const signatures = new Signatures(
    choices,
    new Map([
      [SUBJECTS[journeys.oauth.requestor], journeys.oauth.consumerKey],
      [SUBJECTS.allowlisted, journeys.oauth.allowlisted],
    ]),
    defect,
  );
  const callbacks = new Callbacks(choices, clock, (order) => {
    const { body, headers = {} } = respond(order);
    return { body: dress(body, choices), headers };
  });
  orders.changed = (order) => {
    const captured = order.entries.some(({ kind }) => kind === 'capture');
    if (defect !== 'captures are not told' || !captured) callbacks.tell(order);
  };

  const admit = (asked: Asked, host: 'here' | 'there', id: string, numeric: boolean): void => {
    const said = asked.headers.authorization ?? '';
    if (said === '') throw new Fault(400, -6, 'No Authorization header');
    if (!said.startsWith('Bearer ')) throw new Fault(400, -7, "Authorization header should start with 'Bearer '");
    if (numeric && !/^\d+$/.test(id)) throw new Fault(400, -5, `Cannot parse requestor id: <${id}>`);
    const who = names.find((name) => SUBJECTS[name] === id);
    const right = who !== undefined && tokens[who] === said.slice(7) && (who === 'elsewhere') === (host === 'there');
    if (!right && defect !== 'any token will do') throw new Fault(401, -7, 'Access token not found');
    if (who === 'allowlisted') allow(asked);
  };

  const allow = (asked: Asked): void => {
    const forwarded = String(asked.headers['x-forwarded-for'] ?? '')
      .split(',')
      .map((one) => one.trim());
    const from = forwarded.find((one) => one !== '' && !PRIVATE.test(one)) ?? asked.headers['x-real-ip'];
    if (from !== ADDRESSES.allowed) throw new Fault(401, -20, `Bad client ip address: ${from}`);
  };

  const demand = (wrong: readonly string[]): void => {
    if (wrong.length > 0) throw new Fault(400, choices.inputCode, `Something is wrong with ${wrong[0]}`, wrong);
  };

  /** A StatusResponse. */
  const respond = (order: Order, state = order.state): Said => {
    const correlation = word();
    correlations.set(String(choices.correlation(correlation)), order);
    const headers: Record<string, string> = {};
    const leads = { ...threeDS.show(order), ...forms.show(order) };
    let body: unknown = { orderState: state, transactions: entries(choices, order), ...leads };
    for (const [at, value] of [
      [choices.systemIdAt, order.systemId],
      [choices.correlationAt, choices.correlation(correlation)],
    ] as const) {
      if (at.startsWith('header:')) headers[at.slice(7)] = String(value);
      else body = put(body, at, value);
    }
    return { status: 200, body, headers };
  };

  const refused = (wrong: readonly string[]): Said => {
    if (choices.refuses === 400) demand(wrong);
    return { status: 200, body: { orderState: choices.refuses } };
  };

  const payment = (by: 'sale' | 'authorization' | 'verification', body: Record<string, unknown>, requestor: number) => {
    const { wrong, terms, behaviour, card, cardId } = paid(choices, body, requestor);
    const means = body.paymentMethod === 'CARD_ID' ? wallet.holds(cardId, requestor) : isCard(card);
    if (wrong.length > 0 || !means) return refused(means ? wrong : [...wrong, Object.keys(choices.card)[0]!]);
    return respond(orders.pay(by, terms, behaviour));
  };

  const form = (by: 'sale' | 'authorization', body: Record<string, unknown>, requestor: number): Said => {
    const parts = ['order', 'customer', 'browser', ...Object.keys(choices.besides)];
    const absent = parts.filter((name) => body[name] === undefined);
    if (absent.length > 0) return refused(absent);
    const order = orders.open(by, paid(choices, body, requestor).terms);
    if (by === 'sale' || journeys.authFormLeadsOn) forms.start(order);
    else clock.after(1, () => forms.start(order));
    return respond(order);
  };

  const transfer = (asked: Asked, host: 'here' | 'there', id: string): Said => {
    const parameters = signatures.parameters(asked);
    if (!/^\d+$/.test(id)) throw new Fault(400, -5, `Cannot parse requestor id: <${id}>`);
    if (id === SUBJECTS.allowlisted) allow(asked);
    signatures.check(asked, parameters, host === 'here' ? id : `${id} elsewhere`);
    const of = (name: string) => read(journeys.transfer, asked.json, name);
    const amount = minor(of('amount'), choices.amount) ?? Number.NaN;
    if (Number.isNaN(amount)) demand(['amount']);
    const merchantId = String(of('orderMerchantId') ?? '');
    const terms = { requestor: Number(id), currency: String(of('currency')), credit: false, urls: {} };
    return respond(orders.pay('transfer', { ...terms, merchantId, amount }, 'approved'));
  };

  /** What the document names without showing it: registration of cards, reports. Undefined for anything else. */
  const unshown = (asked: Asked, host: 'here' | 'there', path: string): Said | undefined => {
    const { recurring, report: reported } = journeys;
    const registration = asked.method === recurring.method ? match(recurring.path, path, asked.query) : undefined;
    if (registration !== undefined) {
      const of = (name: string) => String(registration[name] ?? read(recurring.body, asked.json, name) ?? '');
      admit(asked, host, of('requestorId'), true);
      const order = named({ orderSystemId: of('orderSystemId') }, Number(of('requestorId')));
      if (order?.state !== 'APPROVED') throw new Fault(400, choices.inputCode, 'No such approved order');
      return wallet.register(order);
    }
    const values = asked.method === reported.method ? match(reported.path, path, asked.query) : undefined;
    if (values === undefined) return undefined;
    admit(asked, host, values.login ?? '', false);
    return { status: 200, body: report(choices, orders.all, clock.now(), values, asked.json) };
  };

  /** Capture or reversal. */
  const follow = (what: 'capture' | 'reverse', body: Record<string, unknown>, requestor: number): Said => {
    const needed = what === 'reverse' ? ['orderSystemId', 'reversalReason'] : [];
    const absent = [...needed, ...Object.keys(choices.besides)].filter((name) => body[name] === undefined);
    if (absent.length > 0) return refused(absent);
    const order = named(body, requestor);
    if (order === undefined) throw new Fault(400, choices.inputCode, 'No such order', ['orderSystemId']);
    const before = order.state;
    const amount = minor(what === 'capture' ? body.captureAmount : body.reversalAmount, choices.amount);
    const may =
      what === 'capture' ? orders.capture(order, amount) : orders.reverse(order, amount, String(body.reversalReason));
    if (!may && choices.refuses === 400) throw new Fault(400, choices.inputCode, 'That is too much');
    return respond(
      order,
      may && order.state === before ? (order.entries.at(-1)?.state === 'refused' ? 'DECLINED' : before) : order.state,
    );
  };

  const named = (body: Record<string, unknown>, requestor: number): Order | undefined => {
    const { orderSystemId, orderMerchantId, byCorrelationId } = body;
    const order =
      byCorrelationId === undefined
        ? orders.find((one) =>
            orderSystemId === undefined
              ? one.merchantId === orderMerchantId
              : String(one.systemId) === String(orderSystemId),
          )
        : correlations.get(String(byCorrelationId));
    return order?.requestor === requestor ? order : undefined;
  };

  const status = (body: Record<string, unknown>, requestor: number): Said => {
    const ids = ['orderSystemId', 'orderMerchantId', 'byCorrelationId'].filter((name) => body[name] !== undefined);
    if (ids.length === 0) demand(['orderSystemId', 'orderMerchantId', 'byCorrelationId']);
    const multi = String(requestor) === SUBJECTS.multicurrency && choices.currencyNeeded;
    if (multi && body.orderCurrencyCode === undefined) demand(['orderCurrencyCode']);
    const order = named(body, requestor);
    if (order !== undefined) return respond(order);
    if (choices.unknownOrder === 400) throw new Fault(400, choices.inputCode, 'No such order');
    return { status: 200, body: { orderState: choices.unknownOrder } };
  };

  const looked = (answer: readonly string[] | object): Said => {
    if (Array.isArray(answer)) demand(answer);
    return { status: 200, body: answer };
  };

  const route = (asked: Asked, host: 'here' | 'there'): Said => {
    const path = asked.path.slice(`${choices.prefix}/api`.length);
    if (asked.method === 'HEAD' && path.endsWith('/_Overview')) return { status: 200 };
    const [, room, what, id = ''] = path.split('/');
    if (room === 'payments' && what === 'transfer') return transfer(asked, host, id);
    const shown = unshown(asked, host, path);
    if (shown !== undefined) return shown;
    const body = (asked.json ?? {}) as Record<string, unknown>;
    const numeric = room !== 'balance' && what !== 'get-card-info';
    admit(asked, host, id, numeric);
    const requestor = Number(id);
    switch (`${room}/${what}`) {
      case 'payments/sale':
        return payment('sale', body, requestor);
      case 'payments/auth':
        return payment('authorization', body, requestor);
      case 'payments/account-verification':
        return payment('verification', body, requestor);
      case 'payments/sale-form':
        return form('sale', body, requestor);
      case 'payments/auth-form':
        return form('authorization', body, requestor);
      case '3ds/method':
        return respond(threeDS.report(named(body, requestor), body));
      case '3ds/cres':
        return respond(threeDS.forward('cres', named(body, requestor), body));
      case '3ds/pares':
        return respond(threeDS.forward('pares', named(body, requestor), body));
      case 'payments/capture':
        return follow('capture', body, requestor);
      case 'payments/reversal':
        return follow('reverse', body, requestor);
      case 'payments/status':
        return status(body, requestor);
      case 'card-info/get-card-info':
        return looked(cardInfo(choices, body));
      case 'card-info/get-card-history':
        return looked(cardHistory(choices, body, defect));
      case 'exchange-rate/get-exchange-rate':
        return looked(exchangeRate(choices, body));
      case 'balance/by-merchant':
      case 'balance/by-manager': {
        const name = String(body.balanceName ?? '');
        if (!choices.balances.includes(name)) demand(['balanceName']);
        const { turnover } = orders;
        if (what === 'by-merchant') return { status: 200, body: balance(choices, name, turnover, defect) };
        return { status: 200, body: managerBalance(choices, name, turnover, SUBJECTS.merchant) };
      }
      case 'balance/by-merchant-all': {
        const all = choices.balances.map((name) => balance(choices, name, orders.turnover, defect));
        // The document gives this answer one field and no more.
        return { status: 200, body: { merchantBalances: dress(all, choices) }, plain: true };
      }
      default:
        throw new Fault(400, choices.inputCode, `Nothing is at ${path}`);
    }
  };

  const control = async ({ path, json }: Asked): Promise<Said> => {
    const [, , what, id = ''] = path.split('/');
    const { seconds = 0, to = '', requestor = 0 } = (json ?? {}) as Record<string, string | number>;
    const order = orders.find(({ systemId }) => String(systemId) === id);
    if (what === 'advance') await clock.advance(Number(seconds));
    if (what === 'callback') callbacks.register(Number(requestor), String(to));
    if (what === 'chargeback' && order !== undefined) orders.chargeBack(order);
    if (what === 'state' && order !== undefined) orders.end(order, String(to));
    const now = clock.now();
    return { status: 200, body: { unix: Math.floor(now / 1000), iso: new Date(now).toISOString(), time: { now } } };
  };

  const answer =
    (host: 'here' | 'there') =>
    (asked: Asked): Said | Promise<Said> => {
      if (asked.path.startsWith('/control/')) return control(asked);
      const seen = threeDS.page(asked) ?? forms.page(asked);
      if (seen !== undefined) return seen;
      try {
        const { status, body, headers, plain } = route(asked, host);
        if (body === undefined) return { status };
        return {
          status,
          body: plain ? body : dress(body, choices),
          headers: { ...headers, 'content-type': choices.media },
        };
      } catch (error) {
        if (!(error instanceof Fault)) throw error;
        const { status, code, message, names, context } = error;
        const common = { errorCode: code, errorMessage: message, errorCorrelationId: choices.errorCorrelation(word()) };
        const invalidParams = names.length > 0 ? choices.invalidParams(names) : undefined;
        const body = { ...common, invalidParams, context };
        return { status, body: dress(body, choices), headers: { 'content-type': choices.errorMedia } };
      }
    };

  const [here, there] = [await serve(answer('here')), await serve(answer('there'))];
  const base = (one: { address: string }) => `${one.address}${choices.prefix}/api`;
  address = `${here.address}${choices.prefix}`;
  // The issuer is somebody else: here, the same machine by its other name.
  issuer = journeys.tail.includes('bank') ? here.address.replace('127.0.0.1', 'localhost') : address;
  const port = journeys.callback.known === 'console' ? await freePort() : undefined;
  if (port !== undefined)
    for (const name of ['main', 'second', 'multicurrency'] as const)
      callbacks.register(Number(SUBJECTS[name]), `http://127.0.0.1:${port}/from/the/console`);
  return {
    ...{ address: base(here), elsewhere: base(there), control: `${here.address}/control`, choices, tokens },
    ...{ privateKey: signatures.privateKey, issuer: new URL(issuer).hostname, console: port },
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
