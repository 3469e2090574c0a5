import { applyJsonStyle } from '../../json-style.ts';
import type { GatewayChoices } from '../choices.ts';
import type { GatewayOperationId, GatewayReply } from '../gateway-reply.ts';
import { GatewayRefusal } from './gateway-refusal.ts';
import { writeErrorCorrelation } from './identifiers.ts';
import { isJsonObject, type JsonObject } from './request-fields.ts';
import { createRequestReader } from './request-reader.ts';
import { createResponseWriter, renamePageIds, writeStatusBody } from './response-writer.ts';

/** How a variation of the gateway is spoken to and speaks, where the document does not say. */
export interface GatewayDialect {
  /** A request's body as the plain sandbox reads it. */
  readRequest(operation: GatewayOperationId, body: JsonObject): JsonObject;
  /** An answer as it goes out. */
  writeResponse(operation: GatewayOperationId | undefined, reply: GatewayReply): GatewayReply;
  /** A callback as it goes out. */
  writeCallback(body: unknown): { body: unknown; headers: Readonly<Record<string, string>> };
  /** An error whose number or words the document does not give, with others. */
  refusal(refusal: GatewayRefusal): GatewayRefusal;
  errorCorrelation(uuid: string): string | number;
  /** A page for people as it goes out. */
  page(html: unknown): unknown;
  /** Where an operation answers whose path the document does not show; undefined for the others. */
  path(route: { readonly operation: GatewayOperationId }): string | undefined;
}

/** Paths that the document does not show, where they are not as usual; the last segment says who asks. */
export const VARIED_PATHS = {
  registerCards: '/recurring/register-cards/by/order',
  transactionReport: '/report/transaction/of',
};

/** Numbers of errors that the document gives, by HTTP status. */
const GIVEN = new Set(['400 -5', '400 -6', '400 -7', '401 -7', '401 -20', '400 -18', '401 -19', '401 -13']);
/** Those of them whose words it gives too. */
const WORDED = new Set(['400 -5', '400 -6', '400 -7', '401 -7', '401 -20']);

const CODES: Readonly<Record<GatewayChoices['otherCodes'], (code: number) => number>> = {
  small: (code) => code,
  large: (code) => code * 1000 - 7,
  positive: (code) => 4000 - code,
  reused: () => -7,
};

/** The dialect that goes with a gateway's choices. */
export function createGatewayDialect(choices: GatewayChoices): GatewayDialect {
  const outward = createResponseWriter(choices);
  return {
    readRequest: createRequestReader(choices),
    writeResponse: outward,
    writeCallback(plain) {
      const { body, headers } = isJsonObject(plain) ? writeStatusBody(choices, plain) : { body: plain, headers: {} };
      const many =
        choices.callbackHeaders === 'many'
          ? { 'content-type': 'application/json', 'x-signature': 'c2lnbmVk', 'x-attempt': '1' }
          : {};
      return { body: applyJsonStyle(body, choices), headers: { ...many, ...headers } };
    },
    refusal(refusal) {
      const { status, code, message, more } = refusal;
      const key = `${status} ${code}`;
      const number = GIVEN.has(key) ? code : CODES[choices.otherCodes](code);
      const words = WORDED.has(key) || choices.wording === 'usual' ? message : `No. (${Math.abs(code)})`;
      const named = more['invalidParams'];
      return new GatewayRefusal(
        status,
        number,
        words,
        Array.isArray(named) ? { ...more, invalidParams: said(named, choices) } : more,
      );
    },
    errorCorrelation: (uuid) => writeErrorCorrelation(choices, uuid),
    page: (html) => renamePageIds(choices, html),
    path({ operation }) {
      if (operation === 'registerCards' && choices.recurringPath === 'other') return VARIED_PATHS.registerCards;
      return operation === 'transactionReport' && choices.reportPath === 'other'
        ? VARIED_PATHS.transactionReport
        : undefined;
    },
  };
}

function said(names: readonly unknown[], { invalidParams }: GatewayChoices): unknown {
  if (invalidParams === 'list') return names;
  return invalidParams === 'text'
    ? names.join(', ')
    : Object.fromEntries(names.map((name) => [name, 'missing or wrong']));
}
