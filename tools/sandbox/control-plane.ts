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

/** Serves the control plane: time, state and lies. Apart from both services, so that no client meets it by accident. */
export function serveControlPlane(app: FastifyInstance, { clock, services, reset, tell }: Steered): void {
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
