import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Choices } from './choices.ts';
import type { Clock } from './clock.ts';
import type { Credentials } from './credentials.ts';
import type { Faults } from './decision.ts';

/** What a service of the sandbox stands on; everything that could differ between two runs comes from here. */
export interface World {
  readonly clock: Clock;
  readonly credentials: Credentials;
  /** The lies being told now; changes through the control plane. */
  readonly faults: Faults;
  /** What the services do where the documents leave them free. */
  readonly choices: Choices;
  /** Whether these choices are other than the plain sandbox's. */
  readonly varied: boolean;
  /** A fresh uuid from the injected source. */
  uuid(): string;
  /** A fresh integer from the injected source, at least `from`. */
  serial(name: string, from: number): number;
  /** Base address of a service once it listens, e.g. for links in answers. */
  address(service: 'gateway' | 'elsewhere' | 'v1' | 'control'): string;
}

/** One service of the sandbox. */
export interface Service {
  /** The public side; `elsewhere` marks the second host of the gateway. */
  serve(app: FastifyInstance, host: 'main' | 'elsewhere'): void;
  /** Answers a request whose address cannot even be routed; without it, a plain 400. */
  stray?(request: FastifyRequest, reply: FastifyReply): void;
  /** Its part of the control plane. */
  control(app: FastifyInstance): void;
  /** Forgets all state. */
  reset(): void;
}
