import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Api } from '#apis';
import type { WatchedExchange } from '#evidence';
import { CutAnswer } from './wire-mutation.ts';

type Moment = Required<Pick<WatchedExchange, 'at' | 'wallTime'>>;

/** Is handed every exchange, once it is over. */
export type ExchangeObserver = (exchange: WatchedExchange) => void;

/** Hands every request that a service answers to an observer, with the answer that went out after all other hooks. */
export function observeRequests(
  app: FastifyInstance,
  api: Api,
  observe: ExchangeObserver,
  clock: { now(): number },
): void {
  const began = new WeakMap<object, Moment>();
  app.addHook('onRequest', (request, _reply, done) => {
    began.set(request.raw, { at: clock.now(), wallTime: Date.now() });
    done();
  });
  app.addHook('onSend', (request, reply, payload, done) => {
    const { rawHeaders, method = 'GET' } = request.raw;
    // A request that another hook refused at the door was not seen to begin.
    const moment = began.get(request.raw) ?? { at: clock.now(), wallTime: Date.now() };
    observe({
      api,
      message: 'request',
      ...moment,
      duration: Date.now() - moment.wallTime,
      request: {
        method,
        url: `${request.protocol}://${request.headers.host ?? 'localhost'}${request.raw.url ?? request.url}`,
        headers: Array.from({ length: rawHeaders.length / 2 }, (_, i) => [rawHeaders[2 * i]!, rawHeaders[2 * i + 1]!]),
        body: Buffer.isBuffer(request.body) ? request.body : new Uint8Array(),
      },
      ...describeOutcome(reply, payload),
    });
    done(null, payload);
  });
}

/** What came of a request: the answer, or why its caller has none. */
function describeOutcome(reply: FastifyReply, payload: unknown): Pick<WatchedExchange, 'response' | 'failure'> {
  if (payload instanceof CutAnswer) return { failure: 'the answer broke off' };
  if (reply.request.raw.socket.destroyed) return { failure: 'the caller had gone away' };
  return {
    response: {
      status: reply.statusCode,
      headers: Object.entries(reply.getHeaders()).map(([name, value]) => [name, String(value)] as const),
      body: Buffer.isBuffer(payload) ? payload : Buffer.from(typeof payload === 'string' ? payload : ''),
    },
  };
}

/** A message that the sandbox sent to a receiver, as an exchange. @param result status of the receiver, or why there is none */
export function describeMessage(
  api: Api,
  message: string,
  { url, headers, body }: { url: string; headers: Readonly<Record<string, string>>; body: unknown },
  result: number | string,
  moment: Moment,
): WatchedExchange {
  const pairs = Object.entries({ 'content-type': 'application/json', ...headers });
  const request = { method: 'POST', url, headers: pairs, body: Buffer.from(JSON.stringify(body)) };
  const base = { api, message, ...moment, duration: Date.now() - moment.wallTime, request };
  return typeof result === 'number'
    ? { ...base, response: { status: result, headers: [], body: new Uint8Array() } }
    : { ...base, failure: result };
}
