import { createRequire } from 'node:module';
import { rootCertificates } from 'node:tls';
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import type { Dispatcher } from 'undici';
import { type ConnectionSettings, listAddresses, type Target } from '#target';
import { NoAnswerError, UnofferedError } from './failures.ts';

const require = createRequire(import.meta.url);
let undici: typeof import('undici') | undefined;
/** Loaded with the first client: those who list or draw send nothing. */
function loadUndici(): typeof import('undici') {
  undici ??= require('undici') as typeof import('undici');
  return undici;
}

/** Most that is read of one answer, packed or unpacked. */
export const MAX_ANSWER_BYTES = 8 * 1024 * 1024;
const DEEPEST = 512;
const HEADERS = 64 * 1024;

/** A request as it goes over the wire. */
export interface WireRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body?: Uint8Array | undefined;
  /** From `connection.secondAddress`, and through no proxy. */
  readonly isSecondCaller?: boolean;
}

/** A complete answer. */
export interface WireAnswer {
  readonly status: number;
  /** As they came, in their order, repeated ones too. */
  readonly pairs: readonly (readonly [string, string])[];
  /** Lower-case names; repeated ones joined by a comma. */
  readonly headers: ReadonlyMap<string, string>;
  /** Unpacked, when it came packed. */
  readonly body: Buffer;
}

/** Carries requests to the hosts of one target and to no other: bounded in time and memory, redirects not followed. */
export class Transport {
  readonly #name: string;
  readonly #hosts: ReadonlySet<string>;
  readonly #milliseconds: number;
  readonly #direct: Dispatcher;
  readonly #outside: Dispatcher;
  /** Sends from the second address of this machine; made when it is first asked for. */
  #second: Dispatcher | undefined;
  readonly #makeSecond: () => Dispatcher;

  constructor(target: Target) {
    const { Agent, ProxyAgent } = loadUndici();
    this.#name = target.name;
    this.#hosts = new Set(listTargetHosts(target));
    this.#milliseconds = target.manners.timeout * 1000;
    const { proxy } = target.connection;
    const options = agentOptions(target.connection, this.#milliseconds);
    this.#direct = new Agent(options);
    const { secondAddress: localAddress } = target.connection;
    this.#makeSecond = () => {
      if (localAddress === undefined) throw new Error(`target ${this.#name} names no second address`);
      return new Agent({ ...options, localAddress });
    };
    this.#outside =
      proxy === undefined ? this.#direct : new ProxyAgent({ ...options, uri: proxy, requestTls: options.connect });
  }

  /**
   * Sends one request.
   * @throws NoAnswer when no complete answer comes in time and within bounds; Error for a host the target does not name
   */
  async send({ method, url, headers, body, isSecondCaller = false }: WireRequest): Promise<WireAnswer> {
    const { host, hostname, origin, pathname, search } = new URL(url);
    if (!this.#hosts.has(host)) throw new Error(`${host} is not a host of target ${this.#name}`);
    if (isSecondCaller) this.#second ??= this.#makeSecond();
    const usual = isLoopback(hostname) ? this.#direct : this.#outside;
    try {
      const request = {
        origin,
        path: pathname + search,
        method: method as 'GET',
        headers: headers.flat(),
        body: body === undefined ? null : Buffer.from(body),
      };
      const { status, pairs, packed } = await receiveAnswer(
        isSecondCaller ? this.#second! : usual,
        request,
        this.#milliseconds,
      );
      const joined = joinHeaders(pairs);
      const whole = unpack(packed, joined.get('content-encoding'));
      if (depth(whole) > DEEPEST) throw new Error(`the body is nested deeper than ${DEEPEST}`);
      return { status, pairs, headers: joined, body: whole };
    } catch (error) {
      if (isSecondCaller && /EADDRNOTAVAIL/.test(reason(error as Failure)))
        throw new UnofferedError('capability', 'connection.secondAddress is no address of this machine');
      throw new NoAnswerError(`${method} ${origin}: ${reason(error as Failure)}`, {
        connection: isConnection(error as Failure),
      });
    }
  }

  /** Closes its connections; requests under way fail. */
  async close(): Promise<void> {
    await Promise.all([this.#direct.destroy(), this.#outside.destroy(), this.#second?.destroy()]);
  }
}

/** Every host (name:port) that a target file names. */
function listTargetHosts(target: Target): string[] {
  return listTargetAddresses(target).map((one) => new URL(one).host);
}

/** Every address that a target file names to be called. */
export function listTargetAddresses(target: Target): string[] {
  const addresses = [
    ...listAddresses(target).map(([, address]) => address),
    // A placeholder in a path or query is no part of the host.
    ...Object.values(target.control).map(({ url }) => url.replaceAll(/\$\{[^}]*\}/g, '0')),
  ];
  return addresses.filter((one) => URL.canParse(one));
}

function agentOptions({ ca, certificate, key, passphrase }: ConnectionSettings, milliseconds: number) {
  return {
    headersTimeout: milliseconds,
    bodyTimeout: milliseconds,
    // Shorter than any server's: a connection that the server is about to close loses requests that must not be repeated.
    keepAliveTimeout: 1000,
    maxHeaderSize: HEADERS,
    pipelining: 1,
    connect: {
      timeout: milliseconds,
      ...(ca === undefined ? {} : { ca: [...rootCertificates, ca] }),
      ...(certificate === undefined ? {} : { cert: certificate }),
      ...(key === undefined ? {} : { key }),
      ...(passphrase === undefined ? {} : { passphrase }),
    },
  };
}

/**
 * Has a request sent and takes its answer as it comes: a stream of it, and a signal to end it, would cost more than the rest of a request does.
 * @throws Error when no complete answer comes in time and within bounds
 */
function receiveAnswer(
  dispatcher: Dispatcher,
  request: Dispatcher.DispatchOptions,
  milliseconds: number,
): Promise<{ readonly status: number; readonly pairs: WireAnswer['pairs']; readonly packed: Buffer }> {
  return new Promise((resolve, reject) => {
    let sending: Dispatcher.DispatchController | undefined;
    let late: Error | undefined;
    const timer = setTimeout(() => {
      late = new DOMException('', 'TimeoutError');
      sending?.abort(late);
    }, milliseconds);
    let [status, size] = [0, 0];
    let pairs: WireAnswer['pairs'] = [];
    const chunks: Buffer[] = [];
    dispatcher.dispatch(request, {
      onRequestStart(controller) {
        sending = controller;
        if (late !== undefined) controller.abort(late);
      },
      // Of several, as of one that only says to go on, the last one counts.
      onResponseStart({ rawHeaders }, statusCode) {
        status = statusCode;
        pairs = pairUp(rawHeaders as readonly Buffer[]);
      },
      onResponseData(controller, chunk) {
        size += chunk.byteLength;
        if (size <= MAX_ANSWER_BYTES) chunks.push(chunk);
        else controller.abort(new Error(`the body exceeds ${MAX_ANSWER_BYTES / 1024 / 1024} MiB`));
      },
      onResponseEnd() {
        clearTimeout(timer);
        resolve({ status, pairs, packed: Buffer.concat(chunks) });
      },
      onResponseError(_controller, error) {
        clearTimeout(timer);
        reject(error);
      },
    });
  });
}

/** Names and values, which come one behind the other. */
function pairUp(flat: readonly Buffer[]): WireAnswer['pairs'] {
  return Array.from({ length: flat.length / 2 }, (_, i) => [String(flat[2 * i]), String(flat[2 * i + 1])] as const);
}

function unpack(bytes: Buffer, coding: string | undefined): Buffer {
  const open = { gzip: gunzipSync, 'x-gzip': gunzipSync, deflate: inflateSync, br: brotliDecompressSync }[
    coding?.trim().toLowerCase() ?? ''
  ];
  if (open === undefined || bytes.byteLength === 0) return bytes;
  try {
    return open(bytes, { maxOutputLength: MAX_ANSWER_BYTES });
  } catch (error) {
    throw new Error(
      (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE'
        ? `the body exceeds ${MAX_ANSWER_BYTES / 1024 / 1024} MiB when unpacked`
        : `the body is not ${coding}`,
    );
  }
}

/** How deep brackets nest outside of strings; what readers of JSON recurse into. */
function depth(bytes: Buffer): number {
  let now = 0;
  let most = 0;
  let quoted = false;
  for (let i = 0; i < bytes.length; i += 1) {
    const byte = bytes[i];
    if (quoted) {
      if (byte === 0x5c) i += 1;
      else if (byte === 0x22) quoted = false;
    } else if (byte === 0x22) quoted = true;
    else if (byte === 0x5b || byte === 0x7b) {
      now += 1;
      if (now > most) most = now;
    } else if (byte === 0x5d || byte === 0x7d) now -= 1;
  }
  return most;
}

type Failure = Error & { code?: string; errors?: Error[] };

const WORDS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was reset',
  EPIPE: 'the connection was closed while we were sending',
  ENOTFOUND: 'the host name is unknown',
  EAI_AGAIN: 'the host name could not be looked up',
  EHOSTUNREACH: 'there is no way to the host',
  ENETUNREACH: 'there is no way to the network',
  UND_ERR_SOCKET: 'the connection was closed before the answer was complete',
  UND_ERR_CONNECT_TIMEOUT: 'no connection in time',
  UND_ERR_HEADERS_TIMEOUT: 'no complete answer in time',
  UND_ERR_BODY_TIMEOUT: 'no complete answer in time',
  UND_ERR_HEADERS_OVERFLOW: `the headers exceed ${HEADERS / 1024} KiB`,
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'the body is not as long as announced',
};

/** Whether it failed before anything of an answer was there, so that asking again asks only once. */
function isConnection({ code = '' }: Failure): boolean {
  return /^(ECONN|EPIPE|ENOTFOUND|EAI_AGAIN|EHOST|ENET|UND_ERR_CONNECT_TIMEOUT|UND_ERR_SOCKET)/.test(code);
}

function reason(error: Failure): string {
  if (error.name === 'TimeoutError') return 'no complete answer in time';
  const { code } = error;
  if (code !== undefined && WORDS[code] !== undefined) return WORDS[code];
  const breach = /does not match the HTTP\/1\.1 protocol \((.*)\)/.exec(error.message)?.[1];
  if (breach !== undefined || code?.startsWith('HPE_')) return `the answer is not HTTP (${breach ?? error.message})`;
  return [code, error.message || error.errors?.[0]?.message || (error.cause as Error | undefined)?.message]
    .filter(Boolean)
    .join(': ');
}

function isLoopback(hostname: string): boolean {
  return /^(127\.|\[::1\]$|localhost$)/.test(hostname);
}

/** Headers by name in lower case; what came several times is one list (RFC 9110 section 5.3). */
export function joinHeaders(pairs: WireAnswer['pairs']): ReadonlyMap<string, string> {
  const joined = new Map<string, string>();
  for (const [name, value] of pairs) {
    const key = name.toLowerCase();
    const there = joined.get(key);
    joined.set(key, there === undefined ? value : `${there}, ${value}`);
  }
  return joined;
}
