import type { FastifyInstance } from 'fastify';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What a call of the control plane does, for a reader. */
    readonly does?: string;
    /** An example of the body that it takes. */
    readonly takes?: string;
  }
}

/** A call of the control plane, as a reader is told of it. */
export interface ControlCall {
  readonly method: string;
  /** A variable segment begins with a colon. */
  readonly path: string;
  readonly does: string;
  readonly takes?: string;
}

/** Lists the calls that are registered from now on, each with what its route says that it does. */
export function listControlCalls(app: FastifyInstance): readonly ControlCall[] {
  const calls: ControlCall[] = [];
  app.addHook('onRoute', ({ method, url, config }) => {
    const { does = '', takes } = config ?? {};
    calls.push({ method: String(method), path: url, does, ...(takes === undefined ? {} : { takes }) });
  });
  return calls;
}
