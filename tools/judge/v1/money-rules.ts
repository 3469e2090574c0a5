import { type ClientRule, trafficRule } from '../client-rule.ts';
import type { AskedRequest, ReadTraffic } from '../read-traffic.ts';

/** Answers that refuse a transfer for good, or say that it was not looked at. */
const REFUSED = [401, 403, 404, 422, 429];

const LOOKS = ['listTransactions', 'readTransaction'];

function transfers({ asked }: ReadTraffic): AskedRequest[] {
  return asked.filter(({ operation }) => operation === 'createTransaction');
}

/** What makes two transfers the same. */
function contentOf({ body, query }: AskedRequest): string {
  const sorted = (value: unknown): unknown =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(
          Object.entries(value)
            .sort(([a], [b]) => (a < b ? -1 : 1))
            .map(([k, v]) => [k, sorted(v)]),
        )
      : value;
  return JSON.stringify([query.get('account_uuid'), sorted(body)]);
}

/** How a caller keeps a transfer from being made twice. */
export const v1MoneyRules: readonly ClientRule[] = [
  trafficRule(
    'V1-CMY-01',
    (traffic, notes) => {
      const latest = new Map<string, AskedRequest>();
      for (const one of transfers(traffic)) {
        const content = contentOf(one);
        const before = latest.get(content);
        latest.set(content, one);
        if (before === undefined) continue;
        const status = before.exchange.response?.status;
        if (status === 201 || (status !== undefined && REFUSED.includes(status))) continue;
        const hasLooked = traffic.asked.some(
          ({ operation, index }) => LOOKS.includes(operation) && index > before.index && index < one.index,
        );
        const id = one.headers.get('x-request-id');
        if (hasLooked && id !== before.headers.get('x-request-id')) continue;
        const isSame = id !== undefined && id === before.headers.get('x-request-id');
        notes.take(one, isSame || 'tried again under another X-Request-ID, or none');
      }
    },
    ['headers'],
  ),
  trafficRule(
    'V1-CMY-02',
    (traffic, notes) => {
      const contents = new Map<string, string>();
      for (const one of transfers(traffic)) {
        const id = one.headers.get('x-request-id');
        if (id === undefined) continue;
        const content = contents.get(id) ?? contentOf(one);
        notes.take(one, content === contentOf(one) || 'an X-Request-ID of another transfer');
        contents.set(id, content);
      }
    },
    ['headers'],
  ),
];
