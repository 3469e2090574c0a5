import { withValueAt } from '#json-pointer';
import { applyJsonStyle, orderMembers } from '../../json-style.ts';
import type { GatewayChoices } from '../choices.ts';
import type { GatewayOperationId, GatewayReply } from '../gateway-reply.ts';
import { translateBalanceName, writeSystemId } from './identifiers.ts';
import { isJsonObject, type JsonObject } from './request-fields.ts';
import { writeEntries, writeReportRows } from './transaction-entries.ts';

type Body = Record<string, unknown>;
type Headers = Record<string, string>;

/** Members of a StatusResponse that the document names. */
const DOCUMENTED = new Set(['orderState', 'transactions', 'threeDSAuth', 'outputHtml', 'outputRedirectToUrl']);
/** Members of its own that it has in any case, as later requests need them. */
const NEEDED = new Set(['threeDSServer']);

const FIGURES = new Set([
  'realBalance',
  'liveBalance',
  'totalShortTermHold',
  'totalRollingReserve',
  'totalProcessingAmount',
  'amount',
  'onlineBalanceLiveAmount',
  'totalShortTermHoldAmount',
  'totalRollingReserveAmount',
  'amountBufferHold',
]);

const MEDIA: Readonly<Record<GatewayChoices['mediaType'], string>> = {
  'with charset': 'application/json; charset=utf-8',
  'without charset': 'application/json',
  'in capitals': 'Application/JSON;charset="UTF-8"',
  'with a parameter': 'application/json; charset=utf-8; profile=status',
  'as text': 'text/plain; charset=utf-8',
};

const ERROR_MEDIA: Readonly<Record<GatewayChoices['errorMediaType'], string>> = {
  usual: 'application/json; charset=utf-8',
  'without a space': 'application/json;charset=UTF-8',
  'in capitals': 'Application/Json;  Charset=Utf-8',
  'with a parameter': 'application/json; profile=error; charset="utf-8"',
};

/** Members that an object has only at times. */
const SOMETIMES = {
  status: ['threeDSAuth', 'outputHtml', 'outputRedirectToUrl'],
  threeDSAuth: ['threeDSMethodUrl', 'threeDSMethodTransactionId', 'creq', 'paReq', 'acsUrl'],
  error: ['invalidParams', 'context'],
  cardInfo: ['cardIssuerName', 'cardIssuerCountryCode', 'cardCurrencyCode'],
} as const;

/** Headers of every answer that no document names. */
const EXTRA_HEADERS = { 'cache-control': 'no-store', 'x-request-id': 'a1b2', 'www-authenticate': 'Bearer' };

/** Where a card history answer tells what, by the member of the plain sandbox. */
export function cardHistoryPointers({ historyFields }: GatewayChoices): Readonly<Record<string, string>> {
  const pairs = ['deposits', 'withdrawals'].flatMap((side, row) =>
    ['Found', 'Days', 'Score', 'SeveralSources'].map((what) => [
      side + what,
      historyFields === 'usual'
        ? `/${side}${what}`
        : historyFields === 'nested'
          ? `/figures/${side}/${what.toLowerCase()}`
          : `/rows/${row}/${what}`,
    ]),
  );
  return Object.fromEntries(pairs);
}

/** A StatusResponse as it goes out, with the headers that hold what stands in no body. */
export function writeStatusBody(choices: GatewayChoices, plain: JsonObject): { body: unknown; headers: Headers } {
  const headers: Headers = {};
  const { orderSystemId, correlationId, ...others } = plain;
  let body: unknown = {};
  const set = (pointer: string, value: unknown) => {
    if (value === undefined) return;
    if (pointer.startsWith('header:')) headers[pointer.slice('header:'.length).toLowerCase()] = String(value);
    else body = withValueAt(body, pointer, value);
  };
  set(choices.correlationAt, correlationId);
  set(choices.systemIdAt, writeSystemId(choices, orderSystemId));
  for (const [name, value] of Object.entries(others)) {
    if (name === 'transactions') set('/transactions', writeEntries(choices, value));
    else if (name === 'outputHtml') set('/outputHtml', renamePageIds(choices, value));
    else if (DOCUMENTED.has(name) || NEEDED.has(name) || choices.otherMembers === 'shown') set(`/${name}`, value);
    // The caller's own id stays, so that a receiver can tell what a callback is about.
    else if (choices.otherMembers === 'renamed') set(`/details/x_${name.toLowerCase()}`, value);
    else if (name === 'orderMerchantId') set('/own', value);
  }
  const shown = withNulls(choices, body as Body, 'status');
  if (isJsonObject(shown.threeDSAuth)) shown.threeDSAuth = withNulls(choices, shown.threeDSAuth, 'threeDSAuth');
  return { body: shown, headers };
}

/** An object with its absent members as this gateway writes them. */
function withNulls({ nulls }: GatewayChoices, body: JsonObject, what: keyof typeof SOMETIMES): Body {
  if (nulls === 'left out') return { ...body };
  return { ...Object.fromEntries(SOMETIMES[what].map((name) => [name, null])), ...body };
}

/** A page for people: what its elements are called is free. */
export function renamePageIds({ pageIds }: GatewayChoices, html: unknown): unknown {
  if (pageIds === 'usual' || typeof html !== 'string') return html;
  return html.replaceAll(/ (id|for)="(\w+)"/g, ' $1="x-$2"');
}

/** An answer as it goes out. */
export function createResponseWriter(
  choices: GatewayChoices,
): (operation: GatewayOperationId | undefined, reply: GatewayReply) => GatewayReply {
  return (operation, reply) => {
    const { headers, body } = bodyOutward(choices, operation, reply);
    const written = applyJsonStyle(body, choices, new Set());
    const error = reply.status >= 400;
    const usual = error ? ERROR_MEDIA.usual : MEDIA['with charset'];
    const type = error ? ERROR_MEDIA[choices.errorMediaType] : MEDIA[choices.mediaType];
    return {
      ...reply,
      body: isWholeList(operation, body) ? undressed(body as Body, choices) : written,
      ...(reply.body === undefined || (reply.type ?? usual) !== usual ? {} : { type }),
      headers: { ...(choices.extraHeaders === 'some' ? EXTRA_HEADERS : {}), ...headers },
    };
  };
}

/** The answer with all balances has one member and no other. */
function isWholeList(operation: GatewayOperationId | undefined, body: unknown): boolean {
  return operation === 'balanceByMerchantAll' && isJsonObject(body) && 'merchantBalances' in body;
}

function undressed(body: Body, choices: GatewayChoices): Body {
  const members = Object.entries(body).map(([name, value]) => [name, applyJsonStyle(value, choices)] as const);
  return Object.fromEntries(orderMembers(members, choices));
}

function bodyOutward(
  choices: GatewayChoices,
  operation: GatewayOperationId | undefined,
  { status, body }: GatewayReply,
): { body: unknown; headers?: Headers } {
  if (!isJsonObject(body)) return { body };
  if (status >= 400) return { body: withNulls(choices, body, 'error') };
  switch (operation) {
    case 'balanceByMerchant':
    case 'balanceByManager':
      return { body: balance(choices, body) };
    case 'balanceByMerchantAll': {
      if (!Array.isArray(body.merchantBalances)) return { body };
      const shown = body.merchantBalances.map((one) => balance(choices, one));
      return { body: { ...body, merchantBalances: choices.balanceOrder === 'as opened' ? shown : shown.reverse() } };
    }
    case 'getExchangeRate':
      return { body: choices.rates === 'number' ? body : mapped(body, (value) => String(value)) };
    case 'getCardInfo':
      return {
        body: withNulls(
          choices,
          body.cardIssuerName && choices.issuers !== 'usual' ? { ...body, ...OTHER_ISSUERS[choices.issuers] } : body,
          'cardInfo',
        ),
      };
    case 'getCardHistory':
      return { body: history(choices, body) };
    case 'registerCards':
      return registration(choices, body);
    case 'transactionReport':
      return { body: report(choices, body) };
    case 'transfer':
      return choices.transferAnswer === 'other' ? { body } : writeStatusBody(choices, body);
    default:
      return writeStatusBody(choices, body);
  }
}

const OTHER_ISSUERS = {
  other: { cardIssuerName: 'Bank Ångström & Söhne', cardIssuerCountryCode: 'SE', cardCurrencyCode: 'SEK' },
  'in figures': { cardIssuerName: 'First & Only Bank', cardIssuerCountryCode: '840', cardCurrencyCode: '840' },
};

function mapped(body: JsonObject, change: (value: unknown, name: string) => unknown): Body {
  return Object.fromEntries(Object.entries(body).map(([name, value]) => [name, change(value, name)]));
}

function balance(choices: GatewayChoices, body: unknown): unknown {
  if (!isJsonObject(body)) return body;
  return mapped(body, (value, name) => {
    if (name === 'balanceName' && typeof value === 'string') return translateBalanceName(choices, value, 'outward');
    if (!FIGURES.has(name) || typeof value !== 'number' || choices.figures === 'number') return value;
    return choices.figures === 'text' ? String(value) : value.toFixed(4);
  });
}

function history(choices: GatewayChoices, body: JsonObject): unknown {
  const pointers = cardHistoryPointers(choices);
  const flags = { boolean: [true, false], words: ['YES', 'NO'], numbers: [1, 0] }[choices.flags];
  let shown: unknown = {};
  for (const [name, value] of Object.entries(body)) {
    const pointer = pointers[name];
    if (pointer === undefined) shown = withValueAt(shown, `/${name}`, value);
    else if (typeof value === 'boolean') shown = withValueAt(shown, pointer, flags[value ? 0 : 1]);
    else shown = withValueAt(shown, pointer, choices.scores === 'text' ? String(value) : value);
  }
  return shown;
}

function registration(
  { cardIdAt }: GatewayChoices,
  { cardId, ...others }: JsonObject,
): { body: unknown; headers?: Headers } {
  if (cardId === undefined) return { body: others };
  if (cardIdAt.startsWith('header:'))
    return { body: others, headers: { [cardIdAt.slice(7).toLowerCase()]: String(cardId) } };
  return { body: withValueAt(others, cardIdAt, cardId) };
}

function report(choices: GatewayChoices, body: JsonObject): unknown {
  if (!Array.isArray(body.transactions)) return body;
  const rows = writeReportRows(choices, body.transactions);
  if (choices.reportFields === 'bare list') return rows;
  return choices.reportFields === 'usual' ? { ...body, transactions: rows } : { data: { report: { rows } } };
}
