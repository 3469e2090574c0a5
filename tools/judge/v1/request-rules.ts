import { type ClientRule, type RuleSight, requestRule } from '../client-rule.ts';
import type { AskedRequest } from '../read-traffic.ts';

/** Five groups of letters and digits, as the document describes a uuid. */
export const UUID_FORM = /^[0-9a-z]{8}-[0-9a-z]{4}-[0-9a-z]{4}-[0-9a-z]{4}-[0-9a-z]{12}$/i;

const LISTS = ['listTransactions', 'listDocuments'];
const isV1 = ({ known }: AskedRequest): boolean => known.operation.api === 'v1';

/** A rule that a parameter of the query is given. */
function demandParameter(id: string, operation: string, name: string): ClientRule {
  return requestRule(id, [operation], ({ query }) => Boolean(query.get(name)) || `no ${name}`);
}

function isDay(text: string | null): boolean {
  return text !== null && /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text));
}

function within(value: string | null, least: number, most: number): RuleSight {
  if (value === null) return undefined;
  return (/^\d+$/.test(value) && Number(value) >= least && Number(value) <= most) || 'a number out of bounds';
}

/** What a caller puts into requests to the v1 service, whatever they are for. */
export const v1RequestRules: readonly ClientRule[] = [
  requestRule(
    'V1-CRQ-01',
    isV1,
    ({ headers }) => /^Bearer \S+$/.test(headers.get('authorization') ?? '') || 'no Bearer and token',
    ['authorization'],
  ),
  requestRule(
    'V1-CRQ-02',
    isV1,
    ({ headers }) =>
      (headers.get('accept') ?? '').split(',').some((type) => /^\s*application\/json\s*(?:;|$)/i.test(type)) ||
      'application/json is not accepted by name',
    ['headers'],
  ),
  requestRule('V1-CRQ-03', isV1, ({ text, body }) =>
    text === '' ? undefined : body !== undefined || 'a body that is not JSON',
  ),
  requestRule('V1-CRQ-04', isV1, ({ known, query }) => {
    const ids = Object.entries({
      ...known.path,
      account_uuid: query.get('account_uuid') ?? known.path['account_uuid'],
    });
    const given = ids.filter(([name, value]) => name.endsWith('uuid') && value);
    if (given.length === 0) return undefined;
    const wrong = given.filter(([, value]) => !UUID_FORM.test(value!)).map(([name]) => name);
    return wrong.length === 0 || `${wrong.join(' and ')} without the form of a uuid`;
  }),
  demandParameter('V1-CRQ-05', 'listTransactions', 'account_uuid'),
  requestRule(
    'V1-CRQ-06',
    ['listTransactions'],
    ({ query }) =>
      (isDay(query.get('date_from')) && isDay(query.get('date_to'))) ||
      'an end of the period missing or in another form',
  ),
  requestRule('V1-CRQ-07', LISTS, ({ query }) => within(query.get('per_page'), 1, 100)),
  requestRule('V1-CRQ-08', LISTS, ({ query }) => within(query.get('page'), 1, Number.MAX_SAFE_INTEGER)),
  demandParameter('V1-CRQ-09', 'readTransaction', 'account_uuid'),
  demandParameter('V1-CRQ-10', 'getIbanDetails', 'iban'),
];
