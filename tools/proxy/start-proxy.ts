import {
  Agent,
  createServer,
  type IncomingMessage,
  request as plain,
  type Server,
  type ServerResponse,
} from 'node:http';
import { Agent as SecureAgent, request as secure } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Api } from '#apis';
import type { WatchedExchange } from '#evidence';
import { Trouble } from '#trouble';
import { BodyCopy } from './body-copy.ts';

/** One address that the proxy takes the place of. */
export interface ProxyRoute {
  readonly name: string;
  readonly api: Api;
  /** What goes this way: `request`, or `delivery` for what a service sends to a receiver. */
  readonly message: string;
  /** Base address of what lies behind it; its path stays in front of every request. */
  readonly upstream: string;
  /** Absent: a free one. */
  readonly port?: number | undefined;
}

/** How to start a proxy. */
export interface ProxyParameters {
  readonly routes: readonly ProxyRoute[];
  /** Address to bind; default 127.0.0.1. */
  readonly host?: string;
  /** What TLS to the upstream needs, PEM. */
  readonly tls?: { readonly ca?: string; readonly cert?: string; readonly key?: string; readonly passphrase?: string };
  readonly observe: (exchange: WatchedExchange) => void;
}

/** A proxy that listens. */
export interface RunningProxy {
  /** By the names of the routes, with the path of the base address behind them. */
  readonly addresses: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

/**
 * Starts one listener a route. Bodies are handed on piece by piece as they come; of the headers, Host alone names the upstream instead.
 * @throws Trouble (incomplete) when a port cannot be opened
 */
export async function startProxy({
  routes,
  host = '127.0.0.1',
  tls = {},
  observe,
}: ProxyParameters): Promise<RunningProxy> {
  const agents = { plain: new Agent({ keepAlive: true }), secure: new SecureAgent({ keepAlive: true, ...tls }) };
  const servers: Server[] = [];
  const addresses: Record<string, string> = {};
  const close = async () => {
    agents.plain.destroy();
    agents.secure.destroy();
    for (const server of servers) server.closeAllConnections();
    await Promise.all(servers.map((server) => new Promise((done) => server.close(done))));
  };
  for (const route of routes) {
    const base = new URL(route.upstream);
    const server = createServer((request, response) => handOn(request, response, { route, base, agents, observe }));
    // Whoever sends slowly is waited for by the upstream, not by the proxy.
    server.requestTimeout = 0;
    await new Promise<void>((done, fail) => {
      server.once('error', (error) =>
        fail(
          new Trouble('incomplete', `the proxy cannot listen on ${host}:${route.port ?? 0}`, {
            reason: error.message,
            fix: 'name a free port, or none',
          }),
        ),
      );
      server.listen(route.port ?? 0, host, done);
    }).catch(async (error: unknown) => {
      await close();
      throw error;
    });
    servers.push(server);
    addresses[route.name] =
      `http://${host.includes(':') ? `[${host}]` : host}:${(server.address() as AddressInfo).port}${base.pathname.replace(/\/$/, '')}`;
  }
  return { addresses, close };
}

interface Passage {
  readonly route: ProxyRoute;
  readonly base: URL;
  readonly agents: { readonly plain: Agent; readonly secure: SecureAgent };
  readonly observe: (exchange: WatchedExchange) => void;
}

function handOn(request: IncomingMessage, response: ServerResponse, { route, base, agents, observe }: Passage): void {
  const at = Date.now();
  const began = performance.now();
  const { method = 'GET', url: path = '/', rawHeaders } = request;
  const isSecure = base.protocol === 'https:';
  const sent = new BodyCopy();
  const origin = route.message === 'request' ? base.origin : `http://${request.headers.host ?? base.host}`;
  let isOver = false;
  const finish = (outcome: Pick<WatchedExchange, 'response' | 'failure'>) => {
    if (isOver) return;
    isOver = true;
    const asked = { method, url: `${origin}${path}`, headers: pairsOf(rawHeaders), body: sent.whole() };
    const { api, message } = route;
    observe({ api, message, at, duration: performance.now() - began, request: asked, ...outcome });
  };
  const upstream = (isSecure ? secure : plain)(
    {
      protocol: base.protocol,
      hostname: base.hostname.replace(/^\[|\]$/g, ''),
      port: base.port || undefined,
      method,
      path,
      headers: withHost(rawHeaders, base.host),
      setHost: false,
      agent: isSecure ? agents.secure : agents.plain,
    },
    (answer) => {
      const got = new BodyCopy();
      response.writeHead(answer.statusCode!, answer.statusMessage, answer.rawHeaders);
      response.flushHeaders();
      const headers = pairsOf(answer.rawHeaders);
      const end = (failure?: string) =>
        finish({
          response: {
            status: answer.statusCode!,
            headers,
            body: got.unpacked(answer.headers['content-encoding']),
            cut: got.isCut,
          },
          ...(failure === undefined ? {} : { failure }),
        });
      answer.on('data', (piece: Buffer) => got.add(piece));
      answer.on('end', () => end());
      answer.on('aborted', () => {
        end('the answer broke off');
        response.destroy();
      });
      answer.pipe(response);
    },
  );
  upstream.on('error', (error: NodeJS.ErrnoException) => {
    finish({ failure: error.code ?? error.message });
    // What broke off is handed on as it was; only where nothing came at all is there something to say.
    if (response.headersSent) response.destroy();
    else response.writeHead(502, { 'content-type': 'text/plain' }).end(`assay proxy: ${error.code ?? 'no answer'}\n`);
  });
  request.on('data', (piece: Buffer) => sent.add(piece));
  response.on('close', () => {
    if (response.writableFinished) return;
    finish({ failure: 'the client went away' });
    upstream.destroy();
  });
  request.pipe(upstream);
}

/** The headers as they came, in their order and spelling, for another host. */
function withHost(raw: readonly string[], host: string): string[] {
  return raw.map((text, i) => (i % 2 === 1 && raw[i - 1]!.toLowerCase() === 'host' ? host : text));
}

function pairsOf(raw: readonly string[]): (readonly [string, string])[] {
  return Array.from({ length: raw.length / 2 }, (_, i) => [raw[2 * i]!, raw[2 * i + 1]!] as const);
}
