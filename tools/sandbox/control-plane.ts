import type { FastifyInstance } from 'fastify';
import { Trouble } from '#trouble';
import type { VirtualClock } from './virtual-clock.ts';
import type { SandboxService } from './world.ts';

/** What the control plane steers. */
interface Steered {
  readonly clock: VirtualClock;
  readonly services: readonly SandboxService[];
  readonly reset: () => void;
  readonly tell: (names: readonly string[]) => void;
}

/** Hosts by which a program on this machine calls it; a page that has its own name lead here does not. */
const LOOPBACK = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?$/i;

/** Serves the control plane: time, state and lies. Apart from both services, so that no client meets it by accident. */
export function serveControlPlane(app: FastifyInstance, { clock, services, reset, tell }: Steered): void {
  app.addHook('onRequest', async (request, reply) => {
    const { host = '', origin } = request.headers;
    if (LOOPBACK.test(host) && (origin === undefined || origin === `http://${host}`)) return;
    return reply
      .code(403)
      .send({ message: 'the control plane is for programs on this machine, not for pages of others' });
  });
  app.get('/clock', () => ({ now: new Date(clock.now()).toISOString() }));
  app.post<{ Body: { seconds?: unknown } }>('/clock/advance', async (request, reply) => {
    const seconds = Number(request.body?.seconds);
    if (!Number.isFinite(seconds) || seconds < 0)
      return reply.code(400).send({ message: 'seconds must be a number of at least 0' });
    await clock.advance(seconds);
    return { now: new Date(clock.now()).toISOString() };
  });
  app.post('/reset', () => {
    reset();
    return { reset: true };
  });
  app.post<{ Body: { lies?: string[] } }>('/lies', (request, reply) => {
    try {
      tell(request.body?.lies ?? []);
      return { lies: request.body?.lies ?? [] };
    } catch (error) {
      if (error instanceof Trouble) return reply.code(400).send({ message: error.message, fix: error.fix });
      throw error;
    }
  });
  for (const service of services) service.control(app);
}
