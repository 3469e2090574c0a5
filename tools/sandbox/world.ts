import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ServiceChoices } from './choices.ts';
import type { SandboxCredentials } from './credentials.ts';
import type { ActiveLies } from './decision.ts';
import type { VirtualClock } from './virtual-clock.ts';

/** What a service of the sandbox stands on; everything that could differ between two runs comes from here. */
export interface SandboxWorld {
  readonly clock: VirtualClock;
  readonly credentials: SandboxCredentials;
  /** The lies being told now; changes through the control plane. */
  readonly activeLies: ActiveLies;
  /** What the services do where the documents leave them free. */
  readonly choices: ServiceChoices;
  /** Whether these choices are other than the plain sandbox's. */
  readonly varied: boolean;
  /** A fresh uuid from the injected source. */
  uuid(): string;
  /** A fresh integer from the injected source, at least `from`. */
  serial(name: string, from: number): number;
  /** What goes out in place of a message that a service sends by itself: usually that message alone. */
  rewriteMessage(name: string, body: unknown): readonly unknown[];
  /** Base address of a service once it listens, e.g. for links in answers. */
  address(service: 'gateway' | 'elsewhere' | 'v1' | 'control'): string;
}

/** One service of the sandbox. */
export interface SandboxService {
  /** The public side; `elsewhere` marks the second host of the gateway. */
  serve(app: FastifyInstance, host: 'main' | 'elsewhere'): void;
  /** Answers a request whose address cannot even be routed; without it, a plain 400. */
  answerUnroutable?(request: FastifyRequest, reply: FastifyReply): void;
  /** Its part of the control plane. */
  control(app: FastifyInstance): void;
  /** Forgets all state. */
  reset(): void;
}
