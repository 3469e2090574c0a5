import { type ClientRule, type RuleSight, requestRule, trafficRule } from '../client-rule.ts';
import { type AskedRequest, findMembers, isGiven, type JsonMembers, membersOf } from '../read-traffic.ts';

const CARD_NAMES = ['cardNumber', 'cvv', 'cvv2'];
const FORMS = ['saleForm', 'authForm'];
const PAYMENTS = ['sale', 'auth', 'accountVerification'];

const isGateway = ({ known }: AskedRequest): boolean => known.operation.api === 'gateway';

/** A rule about the members of a body that is JSON. */
function bodyRule(id: string, operations: readonly string[], look: (body: JsonMembers) => RuleSight): ClientRule {
  return requestRule(id, operations, ({ body }) => (body === undefined ? undefined : look(membersOf(body))));
}

/** A rule that some members are given. */
function demand(id: string, operations: readonly string[], names: readonly string[]): ClientRule {
  return bodyRule(id, operations, (body) => {
    const missing = names.filter((name) => !isGiven(body[name]));
    return missing.length === 0 || `${missing.join(' and ')} missing`;
  });
}

/** A rule that one of some members is given. */
function demandOne(id: string, operations: readonly string[], names: readonly string[]): ClientRule {
  return bodyRule(id, operations, (body) => names.some((name) => isGiven(body[name])) || `none of ${names.join(', ')}`);
}

function holdsCard(body: JsonMembers): boolean {
  return CARD_NAMES.some((name) => findMembers(body, name).some(isGiven));
}

/** What a caller puts into requests to the gateway. */
export const gatewayRequestRules: readonly ClientRule[] = [
  requestRule('GW-CRQ-01', isGateway, ({ text, body }) =>
    text === '' ? undefined : body !== undefined || 'a body that is not JSON',
  ),
  requestRule(
    'GW-CRQ-02',
    ({ known }) => 'requestorId' in known.path,
    ({ known }) => /^\d+$/.test(known.path['requestorId']!) || 'a last segment that is no whole number',
  ),
  trafficRule('GW-CRQ-03', ({ all }, notes) => {
    for (const one of all)
      if (one.known?.operation.api === 'gateway' && one.known.operation.method === 'POST')
        notes.take(one, one.known.isMethodRight || `method ${one.exchange.request.method}`);
  }),
  demand('GW-CRQ-04', ['sale'], ['order', 'browser']),
  demand('GW-CRQ-05', ['accountVerification'], ['order', 'browser']),
  demand('GW-CRQ-06', FORMS, ['order', 'customer', 'browser']),
  bodyRule('GW-CRQ-07', ['sale'], (body) =>
    // Some callers have it inside order, whose members are not shown.
    findMembers(body, 'orderMerchantId').some(isGiven) ? true : 'no orderMerchantId',
  ),
  demandOne('GW-CRQ-08', ['capture'], ['orderSystemId', 'orderMerchantId']),
  demand('GW-CRQ-09', ['reversal'], ['orderSystemId', 'reversalReason']),
  demandOne('GW-CRQ-10', ['status'], ['orderSystemId', 'orderMerchantId', 'byCorrelationId']),
  requestRule('GW-CRQ-11', ['balanceByMerchantAll'], ({ text }) => text === '' || 'a body'),
  demand('GW-CRQ-12', ['balanceByMerchant', 'balanceByManager'], ['balanceName']),
  bodyRule('GW-CRQ-13', ['getCardInfo'], ({ cardNumber }) => {
    if (!isGiven(cardNumber)) return 'no cardNumber';
    // A number that was taken out of a recording says nothing about its length.
    if (/[^\d ]/.test(String(cardNumber))) return undefined;
    return /^\d{12,19}$/.test(String(cardNumber).replaceAll(' ', '')) || 'a cardNumber that is not whole';
  }),
  bodyRule(
    'GW-CRQ-14',
    ['getCardHistory'],
    ({ cardHistorySourceType: type }) =>
      type === 'FULL_CARD_NUMBER' ||
      type === 'FIRST_6_LAST_4' ||
      (isGiven(type) ? 'another source type' : 'no source type'),
  ),
  bodyRule('GW-CRQ-15', ['getCardHistory'], (body) => {
    if (body['cardHistorySourceType'] !== 'FULL_CARD_NUMBER') return undefined;
    if (!isGiven(body['cardNumber'])) return 'no cardNumber';
    return (!isGiven(body['cardFirstDigits']) && !isGiven(body['cardLastDigits'])) || 'digits beside the number';
  }),
  bodyRule('GW-CRQ-16', ['getCardHistory'], (body) => {
    if (body['cardHistorySourceType'] !== 'FIRST_6_LAST_4') return undefined;
    if (isGiven(body['cardNumber'])) return 'a number beside the digits';
    const { cardFirstDigits: first = '', cardLastDigits: last = '' } = body;
    return (/^\d{6}$/.test(String(first)) && /^\d{4}$/.test(String(last))) || 'other than six and four digits';
  }),
  demand('GW-CRQ-17', ['getCardHistory'], ['expireMonth', 'expireYear', 'orderMerchantId']),
  demand('GW-CRQ-18', ['getExchangeRate'], ['exchangeProvider', 'exchangeCurrencyCodeFrom', 'exchangeCurrencyCodeTo']),
  bodyRule('GW-CRQ-19', ['getExchangeRate'], (body) => {
    const codes = [body['exchangeCurrencyCodeFrom'], body['exchangeCurrencyCodeTo']].filter(isGiven);
    if (codes.length === 0) return undefined;
    return codes.every((code) => /^[A-Z]{3}$/.test(String(code))) || 'a currency that is no code of three letters';
  }),
  bodyRule('GW-CRQ-20', PAYMENTS, (body) => {
    if (body['paymentMethod'] !== 'CARD_ID') return undefined;
    if (!findMembers(body, 'cardId').some(isGiven)) return 'no cardId';
    return !holdsCard(body) || 'card data beside the cardId';
  }),
  bodyRule('GW-CRQ-21', FORMS, (body) => !holdsCard(body) || 'card data'),
];
