import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Api } from '#apis';
import { Trouble } from '#trouble';
import { type ControlCall, listControlCalls } from './control-calls.ts';
import { LANDING_HEADERS, type LandingContent, renderLandingPage } from './landing/landing-page.ts';
import type { ExchangeLog } from './logged-exchange.ts';
import type { BegunSession } from './session-teller.ts';
import type { VirtualClock } from './virtual-clock.ts';
import type { SandboxService } from './world.ts';

/** What the control plane steers and shows. */
interface Steered {
  /** One for each service. */
  readonly clocks: ReadonlyMap<Api, VirtualClock>;
  readonly services: readonly SandboxService[];
  readonly reset: () => void;
  readonly tell: (names: readonly string[]) => void;
  readonly beginSession: (name: string) => BegunSession | undefined;
  /** What its page says of the sandbox. */
  readonly content: () => Omit<LandingContent, 'calls' | 'isLogged'>;
  readonly log: ExchangeLog | undefined;
}

/** Hosts by which a program on this machine calls it; a page that has its own name lead here does not. */
const LOOPBACK = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?$/i;

/**
 * Serves the control plane: time, state and lies, the log, and a page about all of it. Apart from both services, so that no client meets
 * it by accident.
 * @returns the calls that there are
 */
export function serveControlPlane(app: FastifyInstance, steered: Steered): readonly ControlCall[] {
  const { clocks, services, reset, tell, beginSession, content, log } = steered;
  const calls = listControlCalls(app);
  app.addHook('onRequest', async (request, reply) => {
    const { host = '', origin } = request.headers;
    if (LOOPBACK.test(host) && (origin === undefined || origin === `http://${host}`)) return;
    return reply
      .code(403)
      .send({ message: 'the control plane is for programs on this machine, not for pages of others' });
  });
  app.get('/', { config: { does: 'shows this page' } }, (_request, reply) =>
    reply
      .headers(LANDING_HEADERS)
      .type('text/html; charset=utf-8')
      .send(renderLandingPage({ ...content(), calls, isLogged: log !== undefined })),
  );
  const logging = {
    config: { does: 'lists what was exchanged lately, redacted; ?after=12 only what came after number 12' },
  };
  app.get<{ Querystring: { after?: string } }>('/log', logging, (request, reply) => {
    const after = Number(request.query.after ?? 0);
    if (!Number.isInteger(after)) return reply.code(400).send({ message: 'after must be a whole number' });
    if (log === undefined) return reply.code(404).send({ message: 'this sandbox keeps no log' });
    return reply.headers({ 'cross-origin-resource-policy': 'same-origin' }).send({ exchanges: log.since(after) });
  });
  /** The clocks that a request is about, the one of a service or all; undefined for a service that there is none of. */
  const named = (service: unknown) =>
    service === undefined
      ? [...clocks.values()]
      : clocks.has(service as Api)
        ? [clocks.get(service as Api)!]
        : undefined;
  const refuse = (reply: FastifyReply) =>
    reply.code(400).send({ message: `service must be one of ${[...clocks.keys()].join(', ')}, or absent` });
  /** The time of the clock that was moved furthest. */
  const tellTime = (some: readonly VirtualClock[]) => ({
    now: new Date(Math.max(...some.map((clock) => clock.now()))).toISOString(),
  });
  const showing = {
    config: { does: "says what time it is by the sandbox's clocks; ?service=v1 by that of one service" },
  };
  app.get<{ Querystring: { service?: string } }>('/clock', showing, (request, reply) => {
    const some = named(request.query.service);
    return some === undefined ? refuse(reply) : tellTime(some);
  });
  const advancing = {
    config: {
      does: 'moves time on, everywhere or at the service that is named; what falls due meanwhile happens',
      takes: '{"seconds":60,"service":"v1"}',
    },
  };
  app.post<{ Body: { seconds?: unknown; service?: unknown } }>('/clock/advance', advancing, async (request, reply) => {
    const some = named(request.body?.service);
    if (some === undefined) return refuse(reply);
    const seconds = Number(request.body?.seconds);
    if (!Number.isFinite(seconds) || seconds < 0)
      return reply.code(400).send({ message: 'seconds must be a number of at least 0' });
    for (const clock of some) await clock.advance(seconds);
    return tellTime(some);
  });
  app.post('/reset', { config: { does: 'forgets all orders, accounts and time that was moved' } }, () => {
    reset();
    return { reset: true };
  });
  const telling = { config: { does: 'tells these lies from now on, none when empty', takes: '{"lies":["NAME"]}' } };
  app.post<{ Body: { lies?: string[] } }>('/lies', telling, (request, reply) => {
    try {
      tell(request.body?.lies ?? []);
      return { lies: request.body?.lies ?? [] };
    } catch (error) {
      if (error instanceof Trouble) return reply.code(400).send({ message: error.message, fix: error.fix });
      throw error;
    }
  });
  const beginning = {
    config: {
      does: 'begins a session of tests, in which the next lie of --lies is told',
      takes: '{"name":"pays at once"}',
    },
  };
  app.post<{ Body: { name?: unknown } | undefined }>('/session', beginning, (request, reply) => {
    const name = request.body?.name;
    if (typeof name !== 'string' || name.trim() === '' || name.length > 200)
      return reply.code(400).send({ message: 'name must be a text of 200 characters at most' });
    const begun = beginSession(name);
    return { name, lie: begun?.lie.name ?? null };
  });
  for (const service of services) service.control(app);
  return calls;
}
