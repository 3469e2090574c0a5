import type { FastifyRequest } from 'fastify';
import { type ActiveLies, decision } from '../../decision.ts';
import { takeNote } from '../../take-note.ts';
import { REFUSED_CREATIONS } from '../transactions/refused-creations.ts';
import { readQueryForm } from '../v1-call.ts';
import { REFUSED_WEBHOOKS } from '../webhooks/webhook-operations.ts';
import { UUID_PATTERN } from '../wire/request-form.ts';
import { isAboutHoldings, toldAtEach } from './told-at-each.ts';

type Sent = Readonly<Record<string, unknown>>;

/** A request that was refused; only lies look into it. */
export class RefusedRequest {
  readonly operation: string;
  readonly #request: FastifyRequest;
  readonly #refused: Set<string>;
  #isAgain: boolean | undefined;

  /** @param refused requests that were refused before */
  constructor(operation: string, request: FastifyRequest, refused: Set<string>) {
    this.operation = operation;
    this.#request = request;
    this.#refused = refused;
  }

  get query(): Sent {
    return readQueryForm(this.#request.raw.url ?? '').all();
  }

  /** Members of the body; none where it is no JSON object. */
  get body(): Sent {
    try {
      return Object(JSON.parse(String(this.#request.body)));
    } catch {
      return {};
    }
  }

  header(name: string): string | undefined {
    return this.#request.headers[name] as string | undefined;
  }

  /** Whether a uuid in its path, its query or its body is malformed. */
  namesMalformed(): boolean {
    return [this.query, this.body, this.#request.params as Sent].some((part) =>
      ['account_uuid', 'customer_uuid', 'document_uuid', 'uuid'].some(
        (name) => part[name] !== undefined && !UUID_PATTERN.test(String(part[name])),
      ),
    );
  }

  /** Whether it was refused before, as it is. */
  isAgain(): boolean {
    const { method, url, body } = this.#request;
    const headers = [this.header('authorization'), this.header('x-request-id')];
    this.#isAgain ??= takeNote(this.#refused, [method, url, ...headers, body].join(' '));
    return this.#isAgain;
  }
}

type IsIt = (request: RefusedRequest) => boolean;

const isOf =
  (operation: string, isWrong: (sent: Sent) => boolean, part: 'query' | 'body' = 'body'): IsIt =>
  (request) =>
    request.operation === operation && isWrong(request[part]);

const LISTS = [
  ['transactions', 'listTransactions'],
  ['documents', 'listDocuments'],
] as const;

/** Requests that are refused for their fields: the rule, what they are, and whether one is such. */
const REFUSED: readonly (readonly [rule: string, what: string, isIt: IsIt])[] = [
  ['V1-TRC-01', 'creation-without-query-account', isOf('createTransaction', lacks('account_uuid'), 'query')],
  ...REFUSED_CREATIONS.map(([rule, what, isWrong]) => [rule, what, isOf('createTransaction', isWrong)] as const),
  ['V1-IBN-01', 'lookup-without-iban', isOf('getIbanDetails', lacks('iban'), 'query')],
  ['V1-TRR-01', 'read-without-account', isOf('readTransaction', lacks('account_uuid'), 'query')],
  ['V1-TRL-01', 'list-without-account', isOf('listTransactions', lacks('account_uuid'), 'query')],
  ['V1-TRL-02', 'list-without-first-day', isOf('listTransactions', lacks('date_from'), 'query')],
  ['V1-TRL-04', 'list-without-last-day', isOf('listTransactions', lacks('date_to'), 'query')],
  ['V1-TRL-06', 'list-from-no-day', isOf('listTransactions', ({ date_from }) => date_from === 'not-a-date', 'query')],
  ...LISTS.flatMap(
    ([name, operation]) =>
      [
        ['V1-PAG-02', `${name}-of-none-on-a-page`, isOf(operation, ({ per_page }) => per_page === '0', 'query')],
        ['V1-PAG-03', `${name}-of-101-on-a-page`, isOf(operation, ({ per_page }) => per_page === '101', 'query')],
        ['V1-PAG-06', `${name}-before-the-first-page`, isOf(operation, ({ page }) => page === '0', 'query')],
      ] as const,
  ),
  ...REFUSED_WEBHOOKS.flatMap(([rule, what, isWrong]) =>
    (['replace', 'create'] as const)
      // A creation need not say whether it is active.
      .filter((verb) => verb === 'replace' || rule !== 'V1-WHK-24')
      .map((verb) => [rule, `webhook-${verb}d-${what}`, isOf(`${verb}Webhook`, isWrong)] as const),
  ),
  ['V1-DOC-20', 'upload-without-type', isOf('uploadDocument', lacks('type'))],
  ['V1-DOC-22', 'upload-without-file-name', isOf('uploadDocument', lacks('file_name'))],
];

function lacks(name: string): (sent: Sent) => boolean {
  return (sent) => sent[name] === undefined;
}

/** Whether a request that was refused for its fields is taken when it comes again. */
const INVALID = REFUSED.map(([rule, what, isIt]) =>
  decision({
    rule,
    honest: (_request: RefusedRequest) => false,
    lies: {
      [`${what}-taken-when-it-comes-again`]: (request) => isIt(request) && request.isAgain(),
      ...(rule.startsWith('V1-TRC') && {
        [`${what}-taken-again-under-its-request-id`]: (request: RefusedRequest) =>
          isIt(request) && request.header('x-request-id') !== undefined && request.isAgain(),
      }),
    },
  }),
);

/** Whether what names something by a malformed uuid is taken when it comes again. */
const MALFORMED = decision({
  rule: 'V1-GEN-04',
  honest: (_request: RefusedRequest) => false,
  lies: toldAtEach(
    'malformed-uuid-taken-when-it-comes-again',
    (request: RefusedRequest, at) => request.operation === at && request.namesMalformed() && request.isAgain(),
    isAboutHoldings,
  ),
});

/** Whether a caller without rights is let in with the same again. */
const FORBIDDEN = decision({
  rule: 'V1-AUT-04',
  honest: (_request: RefusedRequest) => false,
  lies: toldAtEach(
    'v1-no-rights-needed-when-it-comes-again',
    (request: RefusedRequest, at) => request.operation === at && request.isAgain(),
    isAboutHoldings,
  ),
});

/** Whether a caller who was not known is let in with the same again. */
const UNKNOWN = [
  [
    'V1-AUT-02',
    'v1-missing-token',
    (request: RefusedRequest) => request.header('authorization') === undefined,
  ] as const,
  ['V1-AUT-03', 'v1-wrong-token', (request: RefusedRequest) => request.header('authorization') !== undefined] as const,
].map(([rule, what, isIt]) =>
  decision({
    rule,
    honest: (_request: RefusedRequest) => false,
    lies: toldAtEach(
      `${what}-accepted-when-it-comes-again`,
      (request: RefusedRequest, at) => request.operation === at && isIt(request) && request.isAgain(),
    ),
  }),
);

/** By the status that a request is refused with. */
const LETS_THROUGH: Readonly<Record<number, typeof INVALID>> = {
  401: UNKNOWN,
  403: [FORBIDDEN],
  404: [MALFORMED],
  422: [...INVALID, MALFORMED],
};

/**
 * Whether a request is let through although it is refused, for it comes again as it was; only lies do that.
 * @param status that it is refused with
 */
export function letsThroughAgain(activeLies: ActiveLies, request: RefusedRequest, status: number | undefined): boolean {
  if (activeLies.size === 0 || status === undefined) return false;
  return LETS_THROUGH[status]?.some((isLetThrough) => isLetThrough(activeLies, request)) ?? false;
}
