import type { TrafficExchange } from '../traffic.ts';

/**
 * The event that a request to somebody else stands for: what is posted to an address that a configuration named before. Of which
 * family a message is, nothing in it is known to say.
 */
export function recogniseDelivery(
  { request }: TrafficExchange,
  before: readonly TrafficExchange[],
): string | undefined {
  if (request.method !== 'POST') return undefined;
  const isConfigured = before.some(({ operation, request: { body } }) => {
    if (operation !== 'createWebhook' && operation !== 'replaceWebhook') return false;
    return addressIn(Buffer.from(body ?? []).toString('utf8')) === request.url;
  });
  return isConfigured ? 'transactionEvent' : undefined;
}

function addressIn(text: string): unknown {
  try {
    return (JSON.parse(text) as { url?: unknown } | null)?.url;
  } catch {
    return undefined;
  }
}
