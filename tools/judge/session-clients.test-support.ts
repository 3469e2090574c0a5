import { randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Sandbox, startSandbox } from '#sandbox';
import { judgeSessions, type SessionResult } from './judge-sessions.ts';
import { judgeTraffic } from './judge-traffic.ts';
import { contract } from './scripted-client.test-support.ts';
import { TrafficCollector } from './traffic-collector.ts';

const FINAL = ['APPROVED', 'DECLINED', 'ERROR', 'FILTERED'];

/** An answer as a client without any care for types reads it; status 0 where none came. */
export interface PlainAnswer {
  readonly status: number;
  readonly body: { readonly orderState?: string; readonly errorCode?: number };
}

/** A sandbox that tells another lie in each session, and what a client of it needs. */
export class SessionWorld {
  readonly sandbox: Sandbox;
  readonly collector: TrafficCollector;
  readonly #server: Server;
  /** What the client does about a callback. */
  onCallback: (body: { orderMerchantId: string; orderState: string }) => Promise<void> = async () => {};

  private constructor(sandbox: Sandbox, collector: TrafficCollector, server: Server) {
    this.sandbox = sandbox;
    this.collector = collector;
    this.#server = server;
  }

  static async open(lies: readonly string[]): Promise<SessionWorld> {
    const collector = new TrafficCollector(contract);
    const known: { world?: SessionWorld } = {};
    const server = createServer((request, response) => {
      let text = '';
      request.on('data', (piece) => {
        text += String(piece);
      });
      request.on('end', () => {
        response.writeHead(request.url === '/v1' ? 202 : 200).end();
        if (request.url !== '/v1') void known.world!.onCallback(JSON.parse(text));
      });
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const sandbox = await startSandbox({
      control: true,
      sessionLies: lies,
      observe: (exchange) => collector.add(exchange),
      observeSession: (session) => collector.begin(session),
    });
    known.world = new SessionWorld(sandbox, collector, server);
    return known.world;
  }

  /** Whether the client has told the v1 service where its deliveries go. */
  isConfigured = false;

  get webhook(): object {
    return { url: `${this.receiver}/v1`, token: 'a-token-of-twenty-ch' };
  }

  get receiver(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Plays once in a session of each lie. @returns what the client did, by lie */
  async play(client: (world: SessionWorld) => Promise<void>): Promise<ReadonlyMap<string, SessionResult>> {
    for (;;) {
      const answer = await this.control('/session', { name: 'pays' });
      const before = this.#told;
      this.#told = [...before, String(answer['lie'])];
      if (before.includes(String(answer['lie']))) break;
      await client(this);
      // What falls due later falls due now.
      await this.control('/clock/advance', { seconds: 10 });
      await new Promise((done) => setTimeout(done, 60));
    }
    const traffic = this.collector.traffic({ isWhole: true, publicKeys: new Map() });
    const results = judgeSessions(contract, traffic, judgeTraffic(contract, traffic));
    return new Map(results.map((result) => [result.session.lie.name, result]));
  }
  #told: string[] = [];

  async control(path: string, body: object): Promise<Record<string, unknown>> {
    const headers = { 'content-type': 'application/json' };
    const address = `${this.sandbox.addresses.control}${path}`;
    return (await (await fetch(address, { method: 'POST', headers, body: JSON.stringify(body) })).json()) as never;
  }

  wait(seconds: number): Promise<unknown> {
    return this.control('/clock/advance', { seconds });
  }

  async gateway(operation: string, body: object): Promise<PlainAnswer> {
    const { id, token } = this.sandbox.credentials.gateway.main;
    return this.#ask(`${this.sandbox.addresses.gateway}/payments/${operation}/${id}`, token, { body });
  }

  async v1(path: string, body?: object, headers: Record<string, string> = {}): Promise<PlainAnswer> {
    return this.#ask(`${this.sandbox.addresses.v1}/api/v1${path}`, this.sandbox.credentials.v1.token, {
      body,
      headers,
    });
  }

  async #ask(url: string, token: string, more: { body?: object | undefined; headers?: Record<string, string> }) {
    try {
      const response = await fetch(url, {
        method: more.body === undefined ? 'GET' : 'POST',
        headers: {
          authorization: `Bearer ${token}`,
          accept: 'application/json',
          ...(more.body && { 'content-type': 'application/json' }),
          ...more.headers,
        },
        ...(more.body && { body: JSON.stringify(more.body) }),
      });
      return { status: response.status, body: (await response.json()) as PlainAnswer['body'] };
    } catch {
      return { status: 0, body: {} };
    }
  }

  payment(orderMerchantId: string, cardNumber: string): object {
    return {
      orderMerchantId,
      order: { orderMerchantId, orderAmount: '10.00', orderCurrencyCode: 'EUR' },
      browser: { ipAddress: '203.0.113.5' },
      card: { cardNumber, cvv2: '123', expireMonth: '10', expireYear: '2049' },
      urls: { webhookUrl: `${this.receiver}/callback` },
    };
  }

  transfer(): { path: string; body: object } {
    const { account } = this.sandbox.credentials.v1;
    return {
      path: `/transactions?account_uuid=${account}`,
      body: {
        account_uuid: account,
        amount: 12.5,
        recipient: { name: 'Ada Byron', iban: 'DE89370400440532013000', country_code: 'DE' },
        payment_details: randomUUID(),
      },
    };
  }

  async close(): Promise<void> {
    this.#server.close();
    await this.sandbox.close();
  }
}

const CARDS = { approved: '5555444433331111', pending: '4000000000000705' };

/** Asks until it knows, seconds apart, or when a callback gives a reason to; says so when an order is not there. */
async function learnState(world: SessionWorld, orderMerchantId: string): Promise<string> {
  const ask = () => world.gateway('status', { orderMerchantId });
  for (let i = 0; i < 6; i += 1) {
    let asking: ReturnType<typeof ask> | undefined;
    world.onCallback = async () => {
      asking ??= ask();
    };
    await world.wait(3);
    const { status, body } = await (asking ?? ask());
    if (status === 400) return 'not there';
    if (body.orderState !== undefined && FINAL.includes(body.orderState)) return body.orderState;
  }
  return 'open';
}

/** Believes the status alone, pays again only what is not there, and tries a transfer again under its own id. */
export async function playCarefulClient(world: SessionWorld): Promise<void> {
  world.onCallback = async () => {};
  const id = randomUUID();
  await world.gateway('auth', world.payment(id, CARDS.pending));
  let state = await learnState(world, id);
  if (state === 'not there') {
    await world.gateway('auth', world.payment(id, CARDS.pending));
    state = await learnState(world, id);
  }
  if (state === 'APPROVED') await world.gateway('capture', { orderMerchantId: id, captureAmount: '10.00' });
  world.onCallback = async ({ orderMerchantId }) => {
    await world.gateway('status', { orderMerchantId });
  };
  if (!world.isConfigured) world.isConfigured = (await world.v1('/webhooks', world.webhook)).status === 201;
  const { path, body } = world.transfer();
  const headers = { 'x-request-id': randomUUID() };
  for (let i = 0; i < 3; i += 1) {
    const { status } = await world.v1(path, body, headers);
    if (status === 201) break;
    if (status === 429) await world.wait(61);
  }
}

/** Takes whatever is no approval for a failure, pays again at once, and believes callbacks. */
export async function playCarelessClient(world: SessionWorld): Promise<void> {
  world.onCallback = async () => {};
  const id = randomUUID();
  for (let i = 0; i < 2; i += 1) {
    const { body } = await world.gateway('sale', world.payment(id, CARDS.approved));
    if (body.orderState === 'APPROVED') break;
  }
  const { path, body } = world.transfer();
  for (let i = 0; i < 2; i += 1) if ((await world.v1(path, body)).status === 201) break;
}

/** Takes no answer for a failure and forgets, captures on a 200, and asks without a pause. */
export async function playHastyClient(world: SessionWorld): Promise<void> {
  world.onCallback = async () => {};
  const id = randomUUID();
  const { status } = await world.gateway('auth', { ...world.payment(id, CARDS.approved), urls: {} });
  if (status !== 200) return;
  await world.gateway('capture', { orderMerchantId: id, captureAmount: '10.00' });
  for (let i = 0; i < 4; i += 1) {
    const { body } = await world.gateway('status', { orderMerchantId: id });
    if (body.orderState === 'APPROVED') break;
  }
}
