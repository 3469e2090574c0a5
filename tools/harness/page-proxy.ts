import { createServer, type IncomingMessage, request, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import { request as secureRequest } from 'node:https';
import { type AddressInfo, connect, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** Most refused addresses that are remembered, for a reader. */
const MOST_REFUSED = 100;
const DEFAULT_PORTS: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' };

/** What a proxy lets through. */
interface PageProxyOptions {
  /** `name:port`, or a name for its ports 80 and 443. */
  readonly hosts: Iterable<string>;
  /** Proxy that leads outside; loopback addresses are called without it. */
  readonly outside?: string | undefined;
}

/**
 * The only way out of the browser: a proxy on the loopback address that passes requests, tunnels and web sockets to the hosts and ports it
 * knows and hangs up on all others: a page of its own in their place would look like theirs. The browser's own bounds know names only, and
 * leave the loopback address open.
 */
export class PageProxy {
  readonly address: string;
  /** Addresses that a page wanted and did not get. */
  readonly refused: string[] = [];
  readonly #server: Server;
  readonly #open = new Map<string, number>();
  readonly #sockets = new Set<Duplex>();
  readonly #outside: URL | undefined;

  private constructor(server: Server, { hosts, outside }: PageProxyOptions) {
    this.#server = server;
    this.address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    this.#outside = outside === undefined ? undefined : new URL(outside);
    for (const host of hosts) this.allow(host);
  }

  /** Listens on a free port of the loopback address. */
  static async open(options: PageProxyOptions): Promise<PageProxy> {
    let proxy: PageProxy;
    const server = createServer((incoming, response) => proxy.#pass(incoming, response));
    server.on('connect', (incoming: IncomingMessage, socket: Duplex) => proxy.#tunnel(incoming, socket));
    server.on('connection', (socket) => proxy.#keep(socket));
    await new Promise<void>((done, fail) => server.once('error', fail).listen(0, '127.0.0.1', done));
    proxy = new PageProxy(server, options);
    return proxy;
  }

  /** Lets a host through from now on. @returns takes that back */
  allow(host: string): () => void {
    const names = hasPort(host) ? [host] : [`${host}:80`, `${host}:443`];
    const count = (name: string, by: number) => this.#open.set(name, (this.#open.get(name) ?? 0) + by);
    for (const name of names) count(name.toLowerCase(), 1);
    return () => {
      for (const name of names) count(name.toLowerCase(), -1);
    };
  }

  /** Cuts what is open and listens no more. */
  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((done) => this.#server.close(done));
  }

  #isOpen(host: string): boolean {
    if ((this.#open.get(host.toLowerCase()) ?? 0) > 0) return true;
    if (this.refused.length < MOST_REFUSED) this.refused.push(host);
    return false;
  }

  #keep<S extends Duplex>(socket: S): S {
    this.#sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.once('close', () => this.#sockets.delete(socket));
    return socket;
  }

  #pass(incoming: IncomingMessage, response: ServerResponse): void {
    const url = URL.canParse(incoming.url ?? '') ? new URL(incoming.url!) : undefined;
    if (url?.protocol !== 'http:' || !this.#isOpen(`${url.hostname}:${url.port || DEFAULT_PORTS[url.protocol]}`))
      return void incoming.socket.destroy();
    const { 'proxy-connection': _, 'proxy-authorization': __, ...headers } = incoming.headers;
    const outside = isLoopback(url.hostname) ? undefined : this.#outside;
    const send = outside?.protocol === 'https:' ? secureRequest : request;
    const onward = send({
      host: bare(outside?.hostname ?? url.hostname),
      port: outside === undefined ? url.port || 80 : portOf(outside),
      path: outside === undefined ? `${url.pathname}${url.search}` : url.href,
      method: incoming.method,
      headers: { ...headers, host: url.host, ...credentialsOf(outside) },
      agent: false,
    });
    onward.on('socket', (socket) => this.#keep(socket));
    onward.on('error', () => (response.headersSent ? response.destroy() : response.writeHead(502).end()));
    onward.on('response', (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
      answer.pipe(response);
    });
    response.once('close', () => onward.destroy());
    incoming.pipe(onward);
  }

  #tunnel(incoming: IncomingMessage, socket: Duplex): void {
    const host = incoming.url ?? '';
    const url = URL.canParse(`http://${host}`) && hasPort(host) ? new URL(`http://${host}`) : undefined;
    if (url === undefined || !this.#isOpen(host)) return void socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
    const join = (onward: Duplex) => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      onward.pipe(socket).pipe(onward);
      socket.once('close', () => onward.destroy());
      onward.once('close', () => socket.destroy());
    };
    const outside = isLoopback(url.hostname) ? undefined : this.#outside;
    const refuse = () => socket.end(`HTTP/1.1 502 ${STATUS_CODES[502]}\r\n\r\n`);
    if (outside === undefined) {
      const onward: Socket = connect({ host: bare(url.hostname), port: Number(url.port || 80) }, () => join(onward));
      this.#keep(onward).once('error', refuse);
      return;
    }
    const ask = (outside.protocol === 'https:' ? secureRequest : request)({
      host: bare(outside.hostname),
      port: portOf(outside),
      method: 'CONNECT',
      path: host,
      headers: { host, ...credentialsOf(outside) },
      agent: false,
    });
    ask.once('error', refuse);
    ask.once('connect', ({ statusCode }, onward) => {
      this.#keep(onward);
      if (statusCode === 200) join(onward);
      else refuse();
    });
    ask.end();
  }
}

/** `name:port` of an address, also where its scheme has one by default. */
export function withPort(address: string): string {
  const { hostname, port, protocol } = new URL(address);
  return `${hostname}:${port || DEFAULT_PORTS[protocol]}`;
}

function hasPort(host: string): boolean {
  return /:\d+$/.test(host);
}

function portOf({ port, protocol }: URL): string {
  return port || DEFAULT_PORTS[protocol]!;
}

function bare(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, '');
}

function credentialsOf(proxy: URL | undefined): Record<string, string> {
  if (!proxy?.username) return {};
  const pair = `${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`;
  return { 'proxy-authorization': `Basic ${Buffer.from(pair).toString('base64')}` };
}

function isLoopback(hostname: string): boolean {
  return /^(127\.|\[::1\]$|localhost$)/.test(hostname);
}
