import { isMaskedText } from '#evidence';
import { type ClientRule, type RuleSight, requestRule, trafficRule } from '../client-rule.ts';
import { isGiven, type JsonMembers, membersOf } from '../read-traffic.ts';

/** A rule about what makes or replaces a configuration. */
function configurationRule(
  id: string,
  operations: readonly string[],
  look: (body: JsonMembers) => RuleSight,
): ClientRule {
  return requestRule(id, operations, ({ body }) => (body === undefined ? undefined : look(membersOf(body))));
}

const BOTH = ['createWebhook', 'replaceWebhook'];

function lengthOf(value: unknown): number {
  return typeof value === 'string' ? [...value].length : 0;
}

function noLonger(id: string, name: string, most: number): ClientRule {
  return configurationRule(id, BOTH, ({ [name]: value }) =>
    isGiven(value) ? lengthOf(value) <= most || 'a longer one' : undefined,
  );
}

/** What a caller says of its receiver, and how the receiver answers. */
export const webhookRules: readonly ClientRule[] = [
  configurationRule('V1-CWH-01', BOTH, ({ url }) => {
    if (typeof url !== 'string' || !URL.canParse(url)) return 'no url';
    return lengthOf(url) <= 255 || 'a longer one';
  }),
  configurationRule('V1-CWH-02', BOTH, ({ token }) => {
    if (typeof token === 'string' && isMaskedText(token)) return undefined;
    return (lengthOf(token) >= 16 && lengthOf(token) <= 100) || 'none, or one of another length';
  }),
  noLonger('V1-CWH-03', 'name', 255),
  noLonger('V1-CWH-04', 'description', 500),
  configurationRule(
    'V1-CWH-05',
    ['replaceWebhook'],
    ({ is_active: active }) => typeof active === 'boolean' || 'neither true nor false',
  ),
  configurationRule('V1-CWH-06', ['createWebhook'], (body) => !('is_active' in body) || 'is_active in the body'),
  trafficRule('V1-CWH-07', ({ asked }, notes) => {
    const owners = new Set<string | undefined>();
    for (const one of asked) {
      const owner = one.headers.get('authorization');
      const status = one.exchange.response?.status;
      if (one.operation === 'createWebhook') notes.take(one, !owners.has(owner) || 'a second one');
      if (BOTH.includes(one.operation) && (status === 200 || status === 201)) owners.add(owner);
    }
  }),
  trafficRule(
    'V1-CWH-08',
    ({ messages }, notes) => {
      for (const one of messages) {
        if (one.exchange.api !== 'v1') continue;
        const status = one.exchange.response?.status;
        notes.take(one, status === 202 || (status === undefined ? 'no answer' : `status ${status}`));
      }
    },
    ['receiver'],
  ),
];
