import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ActiveLies } from './decision.ts';
import type { ExchangeObserver } from './observed-exchange.ts';
import type { VirtualClock } from './virtual-clock.ts';
import type { DraftMessage } from './wire-mutation.ts';

/** What a service of the sandbox stands on; everything that could differ between two runs comes from here. */
export interface SandboxWorld<Choices, Credentials> {
  readonly clock: VirtualClock;
  readonly credentials: Credentials;
  /** The lies being told now; changes through the control plane. */
  readonly activeLies: ActiveLies;
  /** What the service does where its document leaves it free. */
  readonly choices: Choices;
  /** Whether these choices are other than the plain sandbox's. */
  readonly varied: boolean;
  /** A fresh uuid from the injected source. */
  uuid(): string;
  /** A fresh integer from the injected source, at least `from`. */
  serial(name: string, from: number): number;
  /** What goes out in place of a message that a service sends by itself: usually that message alone. */
  rewriteMessage(name: string, message: DraftMessage): readonly DraftMessage[];
  /** Is handed what is sent to receivers, when somebody watches the sandbox. */
  readonly observe?: ExchangeObserver | undefined;
}

/** One running service of the sandbox. */
export interface SandboxService {
  /** The public side; told which of its listeners this is. */
  serve(app: FastifyInstance, listener: string): void;
  /** Answers a request whose address cannot even be routed; without it, a plain 400. */
  answerUnroutable?(request: FastifyRequest, reply: FastifyReply): void;
  /** Its part of the control plane. */
  control(app: FastifyInstance): void;
  /** Answers the next so many requests by this status and does nothing for them; 0: none any more. */
  failNext(status: number, count: number): void;
  /** How many of these are still to come. */
  readonly failuresLeft: number;
  /** Forgets all state. */
  reset(): void;
}
