import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { loadContract } from '#contract';
import type { WatchedExchange } from '#evidence';
import { loadKey, type SigningCircumstances, signRequest } from '#oauth';
import { type Sandbox, startSandbox } from '#sandbox';
import { judgeTraffic } from './judge-traffic.ts';
import { TrafficCollector } from './traffic-collector.ts';

export const contract = loadContract();

export interface ScriptedAnswer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: a script reads what it knows to be there
  readonly body: any;
  readonly text: string;
  readonly location: string | undefined;
}

export interface ScriptedRequest {
  readonly method?: string;
  /** Sent as it is; else `body` as JSON. */
  readonly raw?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly query?: Readonly<Record<string, string | number | undefined>>;
}

type Changes = Readonly<Record<string, unknown>>;

/** A sandbox that is watched, a receiver, and a time of its own for a script. */
export class ScriptedWorld {
  now = Date.parse('2026-03-02T10:00:00Z');
  collector = new TrafficCollector(contract);
  /** What the receiver answers, by path. */
  answers = (path: string): number => (path.startsWith('/v1') ? 202 : 200);
  receiver = '';
  #served = 0;
  #isLosing = false;
  readonly sandbox: Sandbox;
  readonly #server = createServer((request, response) => {
    request.resume().on('end', () => {
      const status = this.answers(request.url ?? '');
      response.writeHead(status).end(() => {
        this.#served += 1;
      });
    });
  });

  private constructor(
    start: (observe: NonNullable<Parameters<typeof startSandbox>[0]>['observe']) => Promise<Sandbox>,
  ) {
    this.sandbox = undefined as never;
    this.ready = start((exchange) => this.#watch(exchange)).then((sandbox) => {
      (this as { sandbox: Sandbox }).sandbox = sandbox;
    });
  }

  readonly ready: Promise<void>;

  static async open(): Promise<ScriptedWorld> {
    const world = new ScriptedWorld((observe) =>
      startSandbox({ control: true, seed: 'scripted', ...(observe && { observe }) }),
    );
    await world.ready;
    await new Promise<void>((done) => world.#server.listen(0, '127.0.0.1', done));
    world.receiver = `http://127.0.0.1:${(world.#server.address() as AddressInfo).port}`;
    return world;
  }

  /** Forgets everything. */
  renew(): ScriptedClient {
    this.sandbox.reset();
    this.collector = new TrafficCollector(contract);
    this.answers = (path) => (path.startsWith('/v1') ? 202 : 200);
    return new ScriptedClient(this);
  }

  /** The next answer does not reach the client. */
  loseAnswer(): void {
    this.#isLosing = true;
  }

  #watch({ response, ...exchange }: WatchedExchange): void {
    const isLost = this.#isLosing;
    this.#isLosing = false;
    const seen = { ...exchange, at: this.now, wallTime: this.now, duration: 0 };
    this.collector.add(isLost || response === undefined ? { ...seen, failure: 'ECONNRESET' } : { ...seen, response });
  }

  /** Does something that nobody watches. */
  async unwatched(act: () => Promise<void>): Promise<void> {
    const { collector } = this;
    this.collector = new TrafficCollector(contract);
    await act();
    this.collector = collector;
  }

  verdicts() {
    const { consumerKey, publicKey } = this.sandbox.credentials.gateway.oauth;
    const traffic = this.collector.traffic({ isWhole: true, publicKeys: new Map([[consumerKey, publicKey]]) });
    return judgeTraffic(contract, traffic);
  }

  /** Until a message was delivered, or more time has passed than any takes. */
  async delivered(): Promise<void> {
    const before = this.#served;
    for (let i = 0; i < 100 && this.#served === before; i += 1) await new Promise((done) => setTimeout(done, 10));
    await new Promise((done) => setTimeout(done, 20));
  }

  async close(): Promise<void> {
    this.#server.close();
    await this.sandbox.close();
  }
}

/** A caller that does what it is told, at the times it is told. */
export class ScriptedClient {
  static #orders = 0;
  readonly world: ScriptedWorld;

  constructor(world: ScriptedWorld) {
    this.world = world;
  }

  get credentials() {
    return this.world.sandbox.credentials;
  }

  /** Lets time pass, here and there. */
  async wait(seconds: number): Promise<void> {
    this.world.now += seconds * 1000;
    await this.control('/clock/advance', { seconds });
  }

  async control(path: string, body: unknown): Promise<void> {
    await this.#fetch(`${this.world.sandbox.addresses.control}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  }

  orderId(): string {
    ScriptedClient.#orders += 1;
    return `order-${ScriptedClient.#orders}`;
  }

  /** A request to the gateway, with the main requestor's token unless it says otherwise. */
  gateway(path: string, body?: unknown, more: ScriptedRequest = {}): Promise<ScriptedAnswer> {
    const whole = path.includes('{') ? path.replace('{id}', String(this.credentials.gateway.main.id)) : path;
    const token = this.credentials.gateway.main.token;
    return this.send(`${this.world.sandbox.addresses.gateway}${whole}`, {
      method: 'POST',
      body,
      ...more,
      headers: { authorization: `Bearer ${token}`, ...more.headers },
    });
  }

  v1(method: string, path: string, more: ScriptedRequest = {}): Promise<ScriptedAnswer> {
    return this.send(`${this.world.sandbox.addresses.v1}/api/v1${path}`, {
      ...more,
      method,
      headers: { authorization: `Bearer ${this.credentials.v1.token}`, accept: 'application/json', ...more.headers },
    });
  }

  async send(
    url: string,
    { method = 'GET', raw, body, headers = {}, query = {} }: ScriptedRequest,
  ): Promise<ScriptedAnswer> {
    const search = Object.entries(query).filter(([, value]) => value !== undefined);
    const whole = search.length === 0 ? url : `${url}?${new URLSearchParams(search.map(([k, v]) => [k, String(v)]))}`;
    const sent = raw ?? (body === undefined ? undefined : JSON.stringify(body));
    const given = Object.entries({ ...(sent === undefined ? {} : { 'content-type': 'application/json' }), ...headers });
    return this.#fetch(whole, {
      method,
      headers: given.filter((one): one is [string, string] => one[1] !== undefined),
      ...(sent === undefined ? {} : { body: sent }),
    });
  }

  /** What a customer's browser does; `dest` is how it loads the page. */
  browse(url: string, form?: Readonly<Record<string, string>>, dest = 'document'): Promise<ScriptedAnswer> {
    const headers = { 'sec-fetch-dest': dest, 'user-agent': 'Mozilla/5.0' };
    return this.#fetch(url, {
      headers: form === undefined ? headers : { ...headers, 'content-type': 'application/x-www-form-urlencoded' },
      ...(form === undefined ? {} : { method: 'POST', body: new URLSearchParams(form).toString() }),
    });
  }

  /** Body of a payment, as merchants send it. */
  payment(card: string | undefined, changes: Changes = {}): Record<string, unknown> {
    const orderMerchantId = this.orderId();
    const [cardNumber, cvv2] = (card ?? '').split(' ');
    return {
      orderMerchantId,
      order: { orderMerchantId, orderAmount: '10.00', orderCurrencyCode: 'EUR', orderDescription: 'a chair' },
      browser: { ipAddress: '203.0.113.5', userAgent: 'Mozilla/5.0', acceptHeader: '*/*' },
      customer: { firstname: 'Ada', lastname: 'Byron', customerEmail: 'ada@example.com' },
      ...(card === undefined ? {} : { card: { cardNumber, cvv2, expireMonth: '10', expireYear: '2049' } }),
      ...changes,
    };
  }

  /** Identity of the order of a payment that was answered. */
  named(
    payment: Record<string, unknown>,
    { body }: ScriptedAnswer,
  ): { orderSystemId: unknown; orderMerchantId: unknown } {
    return { orderSystemId: body.orderSystemId, orderMerchantId: payment['orderMerchantId'] };
  }

  /** Asks for a status, three seconds after whatever was before. */
  async status(body: unknown, more: ScriptedRequest = {}): Promise<ScriptedAnswer> {
    await this.wait(3);
    return this.gateway('/payments/status/{id}', body, more);
  }

  async transfer(
    how: SigningCircumstances = {},
    {
      query = '',
      ...more
    }: {
      query?: string;
      headers?: Record<string, string>;
      body?: unknown;
      signed?: unknown;
      rewrite?: (header: string) => string;
    } = {},
  ): Promise<ScriptedAnswer> {
    const { requestor, consumerKey, privateKey } = this.credentials.gateway.oauth;
    const url = `${this.world.sandbox.addresses.gateway}/payments/transfer/${requestor}${query}`;
    const body = JSON.stringify(
      more.body ?? { order: { orderAmount: '5.00', orderCurrencyCode: 'EUR' }, orderMerchantId: this.orderId() },
    );
    const request = { method: 'POST', url, body: more.signed === undefined ? body : String(more.signed) };
    const { header } = signRequest(
      request,
      { consumerKey, key: loadKey(privateKey) },
      { clock: () => this.world.now, ...how },
    );
    return this.send(url, {
      method: 'POST',
      raw: body,
      headers: { authorization: more.rewrite?.(header) ?? header, ...more.headers },
    });
  }

  get account(): string {
    return this.credentials.v1.account;
  }

  transferBody(changes: Changes = {}): Record<string, unknown> {
    return {
      account_uuid: this.account,
      amount: 12.5,
      recipient: { name: 'Ada Byron', iban: 'DE89370400440532013000', country_code: 'DE' },
      payment_details: 'a chair',
      ...changes,
    };
  }

  createTransfer(changes: Changes = {}, more: ScriptedRequest = {}): Promise<ScriptedAnswer> {
    return this.v1('POST', '/transactions', {
      query: { account_uuid: this.account },
      body: this.transferBody(changes),
      ...more,
    });
  }

  get documents(): string {
    return `/customers/${this.credentials.v1.customer}/accounts/${this.account}/documents`;
  }

  webhook(changes: Changes = {}): Record<string, unknown> {
    return { url: `${this.world.receiver}/v1`, token: 'a-token-of-twenty-ch', ...changes };
  }

  async #fetch(url: string, init: RequestInit): Promise<ScriptedAnswer> {
    const response = await fetch(url, { redirect: 'manual', ...init });
    const text = await response.text();
    let body: unknown;
    try {
      body = JSON.parse(text);
    } catch {
      body = undefined;
    }
    return { status: response.status, text, body, location: response.headers.get('location') ?? undefined };
  }
}

/** The value of a hidden field of a page. */
export function hiddenValue(page: string, name: string): string {
  const [, value = ''] = new RegExp(`name="${name}" value="([^"]*)"`).exec(page) ?? [];
  return value.replace(/&#(\d+);/g, (_all, code) => String.fromCharCode(Number(code)));
}
