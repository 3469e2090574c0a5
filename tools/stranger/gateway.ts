import { randomBytes } from 'node:crypto';
import { Clock } from './clock.ts';
import type { GatewayChoices } from './gateway-choices.ts';
import { balance, cardHistory, cardInfo, exchangeRate, managerBalance } from './gateway-lookups.ts';
import { type Order, Orders } from './gateway-orders.ts';
import { entries, minor, paid } from './gateway-wire.ts';
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

/** Thrown by what finds an error of the document's own kind. */
class Fault extends Error {
  readonly status: number;
  readonly code: number;
  readonly names: readonly string[];

  constructor(status: number, code: number, message: string, names: readonly string[] = []) {
    super(message);
    this.status = status;
    this.code = code;
    this.names = names;
  }
}

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

  const admit = (asked: Asked, host: 'here' | 'there', id: string, numeric: boolean): void => {
    const said = asked.headers.authorization ?? '';
    if (said === '') throw new Fault(400, -6, 'No Authorization header');
    if (!said.startsWith('Bearer ')) throw new Fault(400, -7, "Authorization header should start with 'Bearer '");
    if (numeric && !/^\d+$/.test(id)) throw new Fault(400, -5, `Cannot parse requestor id: <${id}>`);
    const who = names.find((name) => SUBJECTS[name] === id);
    const right = who !== undefined && tokens[who] === said.slice(7) && (who === 'elsewhere') === (host === 'there');
    if (!right && defect !== 'any token will do') throw new Fault(401, -7, 'Access token not found');
    if (who !== 'allowlisted') return;
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
    let body: unknown = { orderState: state, transactions: entries(choices, order) };
    for (const [at, value] of [
      [choices.systemIdAt, order.systemId],
      [choices.correlationAt, choices.correlation(correlation)],
    ] as const) {
      if (at.startsWith('header:')) headers[at.slice(7)] = String(value);
      else body = put(body, at, value);
    }
    return { status: 200, body, headers };
  };

  const payment = (by: 'sale' | 'authorization' | 'verification', body: Record<string, unknown>, requestor: number) => {
    const { wrong, behaviour, ...terms } = paid(choices, body);
    if (wrong.length > 0 && choices.refuses === 400) demand(wrong);
    if (wrong.length > 0) return { status: 200, body: { orderState: choices.refuses } };
    const order = orders.pay(
      by,
      { ...terms, requestor },
      defect === 'approves whatever comes' ? 'approved' : behaviour,
    );
    return respond(order);
  };

  /** Capture or reversal. */
  const follow = (what: 'capture' | 'reverse', body: Record<string, unknown>, requestor: number): Said => {
    const needed = what === 'reverse' ? ['orderSystemId', 'reversalReason'] : [];
    const absent = [...needed, ...Object.keys(choices.besides)].filter((name) => body[name] === undefined);
    if (absent.length > 0 && choices.refuses === 400) demand(absent);
    if (absent.length > 0) return { status: 200, body: { orderState: choices.refuses } };
    const order = named(body, requestor);
    if (order === undefined) throw new Fault(400, choices.inputCode, 'No such order', ['orderSystemId']);
    const before = order.state;
    const amount = minor(what === 'capture' ? body.captureAmount : body.reversalAmount, choices.amount);
    const may = orders[what](order, amount);
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
      case 'payments/auth-form': {
        demand(
          ['order', 'customer', 'browser', ...Object.keys(choices.besides)].filter((name) => body[name] === undefined),
        );
        const started = respond({
          systemId: word(),
          entries: [] as Order['entries'],
          state: 'PROCESSING',
        } as unknown as Order);
        return { ...started, body: { ...(started.body as object), ...choices.form('https://pay.example') } };
      }
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

  const answer =
    (host: 'here' | 'there') =>
    (asked: Asked): Said => {
      if (asked.path.startsWith('/control/')) {
        clock.advance(Number((asked.json as { seconds?: unknown } | undefined)?.seconds ?? 0));
        const now = clock.now();
        return { status: 200, body: { unix: Math.floor(now / 1000), iso: new Date(now).toISOString(), time: { now } } };
      }
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
        const { status, code, message, names } = error;
        const common = { errorCode: code, errorMessage: message, errorCorrelationId: choices.errorCorrelation(word()) };
        const body = { ...common, ...(names.length > 0 ? { invalidParams: choices.invalidParams(names) } : {}) };
        return { status, body: dress(body, choices), headers: { 'content-type': choices.errorMedia } };
      }
    };

  const [here, there] = [await serve(answer('here')), await serve(answer('there'))];
  const base = ({ address }: { address: string }) => `${address}${choices.prefix}/api`;
  return {
    ...{ address: base(here), elsewhere: base(there), control: `${here.address}/control`, choices, tokens },
    close: async () => {
      clock.stop();
      await here.close();
      await there.close();
    },
  };
}
