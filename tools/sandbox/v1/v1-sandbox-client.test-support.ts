import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Sandbox } from '../index.ts';

type Json = Record<string, unknown>;

/** What came back. */
export interface V1SandboxReply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of any shape
  readonly body: any;
}

interface Options {
  readonly body?: unknown;
  /** Bytes sent as they are, in place of `body`. */
  readonly raw?: string;
  /** Token to send; null for none. */
  readonly token?: string | null;
  readonly headers?: Record<string, string>;
}

/** Talks to the v1 service over its socket, and to the control plane. */
export class V1SandboxClient {
  readonly sandbox: Sandbox;
  readonly account: string;
  readonly second: string;
  readonly customer: string;
  readonly documents: string;

  constructor(sandbox: Sandbox) {
    this.sandbox = sandbox;
    const { account, secondAccount, customer } = sandbox.credentials.v1;
    this.account = account;
    this.second = secondAccount;
    this.customer = customer;
    this.documents = `customers/${customer}/accounts/${account}/documents`;
  }

  /** Sends a request to a path below /api/v1, or to one that starts with a slash. */
  async send(method: string, path: string, options: Options = {}): Promise<V1SandboxReply> {
    const { token = this.sandbox.credentials.v1.token, raw, body, headers = {} } = options;
    const response = await fetch(this.sandbox.addresses.v1 + (path.startsWith('/') ? path : `/api/v1/${path}`), {
      method,
      headers: {
        accept: 'application/json',
        ...(body === undefined && raw === undefined ? {} : { 'content-type': 'application/json' }),
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
        ...headers,
      },
      body: raw ?? (body === undefined ? null : JSON.stringify(body)),
    });
    const text = await response.text();
    let parsed: unknown;
    try {
      parsed = JSON.parse(text);
    } catch {}
    return { status: response.status, headers: response.headers, text, body: parsed };
  }

  /** Status and answer of a request. */
  async status(method: string, path: string, options: Options = {}): Promise<number> {
    return (await this.send(method, path, options)).status;
  }

  /** Creates a transfer; `change` goes over a body that is fine, an undefined member is left out. */
  create(change: Json = {}, options: Options = {}): Promise<V1SandboxReply> {
    const body = { account_uuid: this.account, amount: 10.25, payment_details: 'Invoice 42', ...change };
    return this.send('POST', `transactions?account_uuid=${this.account}`, { body, ...options });
  }

  /** Lists transactions of the first account within a wide range; `query` goes behind it. */
  list(query = '', account = this.account): Promise<V1SandboxReply> {
    return this.send('GET', `transactions?account_uuid=${account}&date_from=2020-01-01&date_to=2090-01-01&${query}`);
  }

  /** Reads a transaction of the first account. */
  read(uuid: string): Promise<V1SandboxReply> {
    return this.send('GET', `transactions/${uuid}?account_uuid=${this.account}`);
  }

  /** Uploads a document; `change` goes over a body that is fine. */
  upload(change: Json = {}): Promise<V1SandboxReply> {
    return this.send('POST', this.documents, { body: { type: 'passport', file_name: 'a.pdf', ...change } });
  }

  /** Creates or replaces the webhook configuration; `change` goes over a body that is fine. */
  webhook(method: 'POST' | 'PUT', change: Json = {}): Promise<V1SandboxReply> {
    const active = method === 'PUT' ? { is_active: true } : {};
    return this.send(method, 'webhooks', {
      body: { url: 'https://a.example/hook', token: 'T'.repeat(16), ...active, ...change },
    });
  }

  /** Tells the control plane something. */
  async control(path: string, body: Json = {}): Promise<Json> {
    const response = await fetch(`${this.sandbox.addresses.control}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`control ${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as Json;
  }

  /** Inserts transactions into the first account. */
  async insert(body: Json): Promise<string[]> {
    const { transactions } = await this.control('/v1/transactions', body);
    return (transactions as { uuid: string }[]).map(({ uuid }) => uuid);
  }
}

/** A message as it reached a receiver. */
export interface ReceivedMessage {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: { event: string; data: Json };
}

/** A webhook receiver that answers with the given statuses in turn, the last one from then on; 0 hangs up. */
export async function startReceiver(...statuses: number[]) {
  const messages: ReceivedMessage[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      messages.push({
        path: request.url ?? '',
        headers: request.headers,
        body: JSON.parse(Buffer.concat(chunks).toString()),
      });
      const status = statuses[Math.min(messages.length, statuses.length) - 1] ?? 202;
      if (status === 0) request.socket.destroy();
      else response.writeHead(status).end();
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    messages,
    close: () => new Promise((resolve) => void server.close(resolve)),
  };
}
