import type { TrafficExchange } from '../traffic.ts';

/** The event that a request to somebody else stands for: a callback has the members of a status. */
export function recogniseCallback({ request }: TrafficExchange): string | undefined {
  if (request.method !== 'POST' || request.body === undefined) return undefined;
  const text = Buffer.from(request.body).toString('utf8');
  return /^\s*\{[\s\S]*"orderState"\s*:/.test(text) ? 'orderCallback' : undefined;
}
