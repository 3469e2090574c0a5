import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Sandbox } from '../start-sandbox.ts';
import { sandboxCards } from './payments/sandbox-cards.ts';

/** A response as a client sees it. */
export interface WireResponse {
  readonly status: number;
  readonly type: string | undefined;
  readonly text: string;
  /** The body as JSON; undefined when it is none. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of any shape.
  readonly body: any;
}

/** How a request differs from the usual one. */
export interface WireOptions {
  readonly token?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  readonly base?: string;
  readonly method?: string;
}

type Json = Record<string, unknown>;

/** A small client of the sandbox for its own tests: knows the wire, asserts nothing. */
export class GatewaySandboxClient {
  readonly sandbox: Sandbox;
  readonly received: WireResponse['body'][] = [];
  /** The same as they came. */
  readonly bodies: string[] = [];
  #receiver: Server | undefined;

  constructor(sandbox: Sandbox) {
    this.sandbox = sandbox;
  }

  get credentials() {
    return this.sandbox.credentials.gateway;
  }

  /** Sends bytes exactly as given; `undefined` as token leaves the header out. */
  send(path: string, body: string | undefined, sending: WireOptions = {}): Promise<WireResponse> {
    const token = 'token' in sending ? sending.token : this.credentials.main.token;
    const url = new URL((sending.base ?? this.sandbox.addresses.gateway) + path);
    const headers = {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...sending.headers,
    };
    return new Promise((resolve, reject) => {
      const asked = request(url, { method: sending.method ?? 'POST', headers }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString();
          resolve({
            status: response.statusCode ?? 0,
            type: response.headers['content-type'],
            text,
            body: parse(text),
          });
        });
      });
      asked.on('error', reject);
      asked.end(body);
    });
  }

  /** Posts JSON as requestor main, unless told otherwise. */
  post(path: string, body: unknown, sending: WireOptions = {}): Promise<WireResponse> {
    return this.send(path, JSON.stringify(body), sending);
  }

  /** A request that pays 10.00 with a card, by its name. */
  paying(card: string, more: Json = {}, order: Json = {}): Json {
    const { number, code } = sandboxCards.find((one) => one.name === card)!;
    return {
      order: { orderMerchantId: 'own-1', orderAmount: '10.00', orderCurrencyCode: 'EUR', ...order },
      browser: { ipAddress: '203.0.113.1' },
      card: { cardNumber: number, cvv2: code, expireMonth: '10', expireYear: '2099', cardPrintedName: 'ADA TEST' },
      urls: {
        resultUrl: 'http://127.0.0.1:9/result',
        cancelUrl: 'http://127.0.0.1:9/cancel',
        cresUrl: 'http://127.0.0.1:9/cres',
      },
      ...more,
    };
  }

  sale(card = 'approved', more: Json = {}) {
    return this.post('/payments/sale/1001', this.paying(card, more));
  }

  auth(card = 'approved', more: Json = {}) {
    return this.post('/payments/auth/1001', this.paying(card, more));
  }

  verify(card = 'approved', more: Json = {}) {
    return this.post('/payments/account-verification/1001', this.paying(card, more));
  }

  capture(order: WireResponse, more: Json = {}) {
    return this.post('/payments/capture/1001', { orderSystemId: order.body.orderSystemId, ...more });
  }

  reverse(order: WireResponse, reversalAmount?: string) {
    const body = { orderSystemId: order.body.orderSystemId, reversalReason: 'changed mind', reversalAmount };
    return this.post('/payments/reversal/1001', body);
  }

  status(order: WireResponse, more: Json = {}) {
    return this.post('/payments/status/1001', { orderSystemId: order.body.orderSystemId, ...more });
  }

  balance(name = 'main') {
    const { login, token } = this.credentials.merchant;
    return this.post(`/balance/by-merchant/${login}`, { balanceName: name }, { token });
  }

  balances(body?: string) {
    const { login, token } = this.credentials.merchant;
    return this.send(`/balance/by-merchant-all/${login}`, body, { token });
  }

  managed(name = 'main') {
    const { login, token } = this.credentials.manager;
    return this.post(`/balance/by-manager/${login}`, { balanceName: name }, { token });
  }

  form(kind: 'sale' | 'auth', more: Json = {}) {
    const { card: _, ...rest } = this.paying('approved');
    return this.post(`/payments/${kind}-form/1001`, { ...rest, customer: { firstname: 'Ada' }, ...more });
  }

  /** Submits an HTML form; answers status, location and page. */
  async submit(url: string, fields: Readonly<Record<string, string>>) {
    const response = await fetch(url, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' });
    return { status: response.status, location: response.headers.get('location'), page: await response.text() };
  }

  /** Moves the sandbox's clock. */
  async advance(seconds: number): Promise<void> {
    await this.steer('/clock/advance', { seconds });
  }

  /** Uses the control plane. */
  async steer(path: string, body?: unknown): Promise<WireResponse['body']> {
    const response = await fetch(this.sandbox.addresses.control + path, {
      method: body === undefined ? 'GET' : 'POST',
      ...(body !== undefined && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    });
    return response.json();
  }

  /** Address of a receiver that answers with the given statuses in turn, then 200. */
  async receiver(...statuses: number[]): Promise<string> {
    const server = createServer((asked, answer) => {
      const chunks: Buffer[] = [];
      asked.on('data', (chunk: Buffer) => chunks.push(chunk));
      asked.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        const isMessage = asked.method === 'POST';
        if (isMessage) {
          this.bodies.push(text);
          this.received.push(parse(text));
        }
        answer.writeHead(isMessage ? (statuses.shift() ?? 200) : 404).end();
      });
    });
    this.#receiver = server;
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`;
  }

  /** The callbacks received once there are `count`, or however many there are after a while. */
  async callbacks(count: number, patience = 250): Promise<WireResponse['body'][]> {
    for (const end = Date.now() + patience; this.received.length < count && Date.now() < end; )
      await new Promise((resolve) => setTimeout(resolve, 5));
    return this.received;
  }

  close(): void {
    this.#receiver?.closeAllConnections();
    this.#receiver?.close();
  }
}

function parse(text: string): WireResponse['body'] {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Types of an order's transactions, as an answer lists them. */
export function transactionTypes(response: WireResponse): unknown {
  const listed = response.body?.transactions;
  return Array.isArray(listed) ? listed.map((one) => one.type) : listed;
}

/** Reports a 3DS method. */
export function reportMethod(
  wire: GatewaySandboxClient,
  order: WireResponse,
  threeDSCompInd: string,
  more: Record<string, unknown> = {},
): Promise<WireResponse> {
  return wire.post('/3ds/method/1001', {
    orderSystemId: order.body.orderSystemId,
    browser: {},
    threeDSServerTransID: order.body.threeDSAuth.threeDSMethodTransactionId,
    cresUrl: 'http://127.0.0.1:9/cres',
    threeDSCompInd,
    ...more,
  });
}

/** Confirms or refuses at the ACS: where its page would post the CRes, and the value. */
export async function passChallenge(
  wire: GatewaySandboxClient,
  order: WireResponse,
  id = 'approve',
): Promise<{ back: string; cres: string }> {
  const { acsUrl, creq } = order.body.threeDSAuth;
  const { page } = await wire.submit(acsUrl, { creq, threeDSSessionData: 's' });
  const form = forms(page).find((one) => one.id === id)!;
  return { back: form.action, cres: form.values['cres'] ?? '' };
}

/** The same for 3-D Secure 1.0.2. */
export async function passPaReq(
  wire: GatewaySandboxClient,
  order: WireResponse,
  id = 'approve',
): Promise<{ back: string; pares: string; md: string }> {
  const { acsUrl, paReq } = order.body.threeDSAuth;
  const { page } = await wire.submit(acsUrl, { PaReq: paReq, TermUrl: 'http://127.0.0.1:9/term', MD: 'md "1"' });
  const form = forms(page).find((one) => one.id === id)!;
  return { back: form.action, pares: form.values['PaRes'] ?? '', md: form.values['MD'] ?? '' };
}

/** Forwards a CRes. */
export function sendCRes(
  wire: GatewaySandboxClient,
  order: WireResponse,
  cres: string | undefined,
): Promise<WireResponse> {
  return wire.post('/3ds/cres/1001', { orderSystemId: order.body.orderSystemId, cres });
}

/** Forwards a PaRes. */
export function sendPaRes(
  wire: GatewaySandboxClient,
  order: WireResponse,
  pares: string | undefined,
): Promise<WireResponse> {
  return wire.post('/3ds/pares/1001', { orderSystemId: order.body.orderSystemId, pares });
}

/** Fills in the hosted form. */
export function submitForm(
  wire: GatewaySandboxClient,
  order: WireResponse,
  action: 'pay' | 'cancel',
  more: Record<string, string> = {},
) {
  const card = {
    cardNumber: '5555 4444 3333 1111',
    expireMonth: '10',
    expireYear: '2099',
    cvv2: '123',
    cardPrintedName: 'Ada',
  };
  return wire.submit(order.body.outputRedirectToUrl, { ...card, action, ...more });
}

/** Forms of a page, each behind one button. */
function forms(page: string): { id: string; action: string; values: Record<string, string> }[] {
  return [...page.matchAll(/<form method="post" action="([^"]*)">(.*?)<\/form>/g)].map(
    ([, action = '', inner = '']) => ({
      id: /<button id="([^"]*)"/.exec(inner)?.[1] ?? '',
      action: unescapeHtml(action),
      values: Object.fromEntries(
        [...inner.matchAll(/name="([^"]*)" value="([^"]*)"/g)].map(([, name = '', value = '']) => [
          name,
          unescapeHtml(value),
        ]),
      ),
    }),
  );
}

function unescapeHtml(text: string): string {
  return text.replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));
}
