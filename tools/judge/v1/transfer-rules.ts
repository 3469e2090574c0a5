import { type ClientRule, type RuleSight, requestRule } from '../client-rule.ts';
import { isGiven, type JsonMembers, membersOf } from '../read-traffic.ts';
import { UUID_FORM } from './request-rules.ts';

/** A rule about the body of a transfer. */
function transferRule(id: string, look: (body: JsonMembers) => RuleSight): ClientRule {
  return requestRule(id, ['createTransaction'], ({ body }) => (body === undefined ? undefined : look(membersOf(body))));
}

function noLonger(id: string, name: string, most: number): ClientRule {
  return transferRule(id, ({ [name]: value }) =>
    typeof value !== 'string' || value === '' ? undefined : [...value].length <= most || 'a longer one',
  );
}

/** What a caller puts into a transfer. */
export const transferRules: readonly ClientRule[] = [
  requestRule(
    'V1-CTR-01',
    ['createTransaction'],
    ({ query }) => Boolean(query.get('account_uuid')) || 'no account_uuid',
  ),
  transferRule('V1-CTR-02', ({ account_uuid: account }) => isGiven(account) || 'no account_uuid'),
  transferRule('V1-CTR-03', ({ amount }) => (typeof amount === 'number' && amount > 0) || 'no number above zero'),
  transferRule('V1-CTR-04', ({ amount }) => {
    if (typeof amount !== 'number') return undefined;
    // The shortest text that gives the number back is what a client wrote, but for zeros at the end.
    return /^-?\d+(?:\.\d{1,2})?$/.test(String(amount)) || 'more decimals';
  }),
  noLonger('V1-CTR-05', 'payment_details', 140),
  noLonger('V1-CTR-06', 'payment_code', 35),
  transferRule(
    'V1-CTR-07',
    (body) => isGiven(body['payment_details']) || isGiven(body['payment_code']) || 'neither of both',
  ),
  noLonger('V1-CTR-08', 'end_to_end_ident', 35),
  transferRule('V1-CTR-09', ({ payment_type: type }) =>
    type === undefined || type === null ? undefined : type === 'swift' || type === 'sepa' || 'another type',
  ),
  requestRule(
    'V1-CTR-10',
    ['createTransaction'],
    ({ headers }) => {
      const id = headers.get('x-request-id');
      return id === undefined ? undefined : UUID_FORM.test(id) || 'another form';
    },
    ['headers'],
  ),
];
