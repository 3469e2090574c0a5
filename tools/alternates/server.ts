import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request as a service looks at it. */
export interface AlternateRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly raw: Buffer;
  /** Body as JSON; undefined when there is none or it is something else. */
  readonly json: unknown;
  /** Path and query as they were sent. */
  readonly target: string;
}

/** An answer: `body` is written as JSON, `text` as it is; without either there is none. */
export interface AlternateAnswer {
  readonly status: number;
  readonly body?: unknown;
  readonly text?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Has no other members than it is given. */
  readonly plain?: boolean;
}

/** A service that listens on this machine. */
export interface AlternateServer {
  readonly address: string;
  close(): Promise<void>;
}

/** Serves on a free port of the loopback address. */
export async function serveAlternate(
  answer: (asked: AlternateRequest) => AlternateAnswer | Promise<AlternateAnswer>,
): Promise<AlternateServer> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const raw = Buffer.concat(chunks);
    const url = new URL(request.url ?? '/', 'http://alternate');
    const { method = 'GET', headers } = request;
    const target = request.url ?? '/';
    const path = decodeURI(url.pathname);
    const asked = { method, path, query: url.searchParams, headers, raw, json: parsed(raw), target };
    const { status, body, text, headers: said } = await answer(asked);
    response.writeHead(status, said);
    response.end(body === undefined ? text : JSON.stringify(body));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

function parsed(raw: Buffer): unknown {
  try {
    return JSON.parse(raw.toString('utf8'));
  } catch {
    return undefined;
  }
}

/** How a service writes its objects. */
export interface AlternateStyle {
  /** Members that every object has beside the documented ones. */
  readonly extra: Readonly<Record<string, unknown>>;
  /** Whether members come in the opposite order. */
  readonly backwards: boolean;
}

/** A JSON value in a service's own hand. Maps from field names are left alone below a member called `errors`. */
export function writeInStyle(value: unknown, hand: AlternateStyle): unknown {
  if (Array.isArray(value)) return value.map((one) => writeInStyle(one, hand));
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries({ ...value, ...hand.extra })
    .filter(([, inner]) => inner !== undefined)
    .map(([name, inner]) => [
      name,
      name === 'errors' ? inner : writeInStyle(inner, { ...hand, extra: own(inner, hand) }),
    ]);
  return Object.fromEntries(hand.backwards ? members.reverse() : members);
}

/** Members that were made up have none of their own. */
function own(inner: unknown, hand: AlternateStyle): AlternateStyle['extra'] {
  return Object.values(hand.extra).includes(inner) ? {} : hand.extra;
}
