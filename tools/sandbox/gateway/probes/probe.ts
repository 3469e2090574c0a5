import type { Came, Wire } from './wire.ts';

/** One look at a promise: what comes over the wire while the sandbox is honest; any lie about the rule must change it. */
export interface Probe {
  readonly rule: string;
  readonly honest: unknown;
  readonly look: (wire: Wire) => Promise<unknown>;
}

/** Writes a probe down. */
export function probe(rule: string, honest: unknown, look: Probe['look']): Probe {
  return { rule, honest, look };
}

/** Types of an order's transactions, as an answer lists them. */
export function types(came: Came): unknown {
  const listed = came.body?.transactions;
  return Array.isArray(listed) ? listed.map((one) => one.type) : listed;
}

/** Status, number and text of an error. */
export function error(came: Came): unknown[] {
  return [came.status, came.body?.errorCode, came.body?.errorMessage];
}

/** Status and state. */
export function state(came: Came): unknown[] {
  return [came.status, came.body?.orderState];
}

/** Whether an answer is the common object with a state. */
export function shape(came: Came): unknown[] {
  return [came.status, came.type?.split(';')[0], typeof came.body?.orderState];
}
