import type { FastifyReply } from 'fastify';
import { type ActiveLies, decision } from '../../decision.ts';
import type { RateAllowance } from '../access/rate-limiter.ts';
import type { V1Answer } from './answer-shape.ts';
import type { V1Dialect } from './v1-dialect.ts';

/** What a lie about an answer as a whole may look at. */
interface Sight {
  readonly operation: string | undefined;
  readonly status: number;
  readonly method: string;
  /** Whether a webhook configuration is refused because there is one. */
  readonly isSecondWebhook: boolean;
}

const serialized = decision({
  rule: 'V1-GEN-02',
  honest: (body: unknown, _sight: Sight) => JSON.stringify(body),
  lies: {
    'v1-unknown-path-body-as-html': (body, { operation }) =>
      operation === undefined ? '<!doctype html><title>Not Found</title>' : JSON.stringify(body),
    'v1-body-that-is-no-json-answered-in-html': (body) =>
      Object(Object(body).errors).body === undefined ? JSON.stringify(body) : '<!doctype html><title>Error</title>',
    'v1-list-body-with-trailing-comma': (body, { operation, status }) =>
      operation === 'listTransactions' && status === 200
        ? JSON.stringify(body).replace(/\}$/, ',}')
        : JSON.stringify(body),
    'v1-webhook-body-after-a-guard': (body, { operation }) =>
      operation?.includes('Webhook') ? `)]}',\n${JSON.stringify(body)}` : JSON.stringify(body),
    'v1-document-list-body-with-trailing-comma': (body, { operation, status }) =>
      operation === 'listDocuments' && status === 200
        ? JSON.stringify(body).replace(/\]$/, ',]')
        : JSON.stringify(body),
    'v1-lookup-body-after-a-guard': (body, { operation }) =>
      operation === 'getIbanDetails' ? `)]}',\n${JSON.stringify(body)}` : JSON.stringify(body),
  },
});

/** An error that one operation forms in its own way. */
const ownForm =
  (at: string, status: number, members: Readonly<Record<string, unknown>>) =>
  (body: unknown, sight: Sight): unknown =>
    sight.operation === at && sight.status === status ? { ...Object(body), ...members } : body;

/** An error that one operation words in its own way. */
const ownWords = (at: string, status: number, message: string) => ownForm(at, status, { message });

/** The rule that every operation forms its errors alike, and the lies of one that does not. */
const alike = (rule: string, lies: Readonly<Record<string, ReturnType<typeof ownForm>>>) =>
  decision({ rule, honest: (body: unknown, _sight: Sight) => body, lies });

const formedAlike = [
  alike('V1-ERR-08', {
    'v1-401-without-message-on-a-lookup': ownForm('getIbanDetails', 401, { message: undefined }),
    'v1-403-without-status-code-on-documents': ownForm('listDocuments', 403, { status_code: undefined }),
    'v1-404-without-errors-on-deletion': ownForm('deleteDocument', 404, { errors: undefined }),
    'v1-422-without-errors-on-upload': ownForm('uploadDocument', 422, { errors: undefined }),
  }),
  alike('V1-ERR-11', {
    'v1-401-of-no-message-on-deletion': ownForm('deleteDocument', 401, { message: null }),
    'v1-422-of-listed-messages-on-replacement': ownForm('replaceWebhook', 422, { message: ['VALIDATION_ERROR'] }),
  }),
  alike('V1-ERR-12', {
    'v1-404-of-errors-as-text-on-a-document': ownForm('readDocument', 404, { errors: 'There is none.' }),
    'v1-422-of-no-errors-on-a-lookup': ownForm('getIbanDetails', 422, { errors: null }),
  }),
  alike('V1-ERR-09', {
    'v1-401-of-status-true-on-replacement': ownForm('replaceWebhook', 401, { status: true }),
    'v1-403-of-status-true-on-read': ownForm('readDocument', 403, { status: true }),
  }),
  alike('V1-ERR-10', {
    'v1-401-of-another-code-on-replacement': ownForm('replaceWebhook', 401, { status_code: 403 }),
    'v1-403-of-another-code-on-creation': ownForm('createTransaction', 403, { status_code: 401 }),
    'v1-404-of-another-code-on-deletion': ownForm('deleteDocument', 404, { status_code: 400 }),
  }),
  alike('V1-ERR-13', {
    'v1-403-with-a-map-of-errors-in-documents': ownForm('listDocuments', 403, { errors: { token: ['No rights.'] } }),
    'v1-401-with-a-map-of-errors-on-lookup': ownForm('getIbanDetails', 401, { errors: { token: ['Unknown.'] } }),
  }),
];

const wordedAlike = [
  alike('V1-ERR-03', {
    'v1-403-of-another-message-on-read': ownWords('readTransaction', 403, 'FORBIDDEN'),
    'v1-403-of-another-message-in-documents': ownWords('listDocuments', 403, 'NO_PERMISSIONS'),
  }),
  alike('V1-ERR-04', {
    'v1-404-of-another-message-on-creation': ownWords('createTransaction', 404, 'ACCOUNT_NOT_FOUND'),
    'v1-404-of-another-message-in-documents': ownWords('listDocuments', 404, 'NOT-FOUND'),
  }),
];

const validatedAlike = alike('V1-ERR-14', {
  'v1-422-of-another-message-about-rails': (body, { status }) =>
    status === 422 && Object.hasOwn(Object(Object(body).errors), 'payment_type')
      ? { ...Object(body), message: 'INVALID_PAYMENT_TYPE' }
      : body,
});

const JSON_MEDIA = 'application/json; charset=utf-8';

const media = decision({
  rule: 'V1-GEN-03',
  honest: (_sight: Sight) => JSON_MEDIA,
  lies: {
    'v1-answers-labelled-as-html': () => 'text/html; charset=utf-8',
    'v1-errors-labelled-as-problem': ({ status }) => (status >= 400 ? 'application/problem+json' : JSON_MEDIA),
    'v1-errors-about-documents-labelled-as-html': ({ operation, status }) =>
      status >= 400 && operation?.includes('Document') ? 'text/html; charset=utf-8' : JSON_MEDIA,
    'v1-500-labelled-as-html': ({ status }) => (status === 500 ? 'text/html; charset=utf-8' : JSON_MEDIA),
    'v1-429-labelled-as-text': ({ status }) => (status === 429 ? 'text/plain' : JSON_MEDIA),
    'v1-403-labelled-as-text': ({ status }) => (status === 403 ? 'text/plain' : JSON_MEDIA),
    'v1-lookup-labelled-as-text': ({ operation }) => (operation === 'getIbanDetails' ? 'text/plain' : JSON_MEDIA),
  },
});

const limitShown = decision({
  rule: 'V1-LIM-05',
  honest: (limit: string, _sight: Sight): string | undefined => limit,
  lies: {
    'v1-limit-header-missing': () => undefined,
    'v1-limit-header-missing-on-500': (limit, { status }) => (status === 500 ? undefined : limit),
    'v1-limit-header-missing-on-errors': (limit, { status }) => (status >= 400 ? undefined : limit),
    'v1-limit-header-missing-on-unknown-paths': (limit, { operation }) => (operation === undefined ? undefined : limit),
    'v1-limit-header-missing-on-unknown-paths-by-put': (limit, { operation, method }) =>
      operation === undefined && method === 'PUT' ? undefined : limit,
    'v1-limit-header-missing-on-a-second-webhook': (limit, { isSecondWebhook }) =>
      isSecondWebhook ? undefined : limit,
    'v1-limit-header-missing-on-403': (limit, { status }) => (status === 403 ? undefined : limit),
    'v1-limit-header-missing-on-403-about-documents': (limit, { operation, status }) =>
      status === 403 && operation?.includes('Document') ? undefined : limit,
    'v1-limit-header-missing-without-body': (limit, { operation }) =>
      operation === 'deleteDocument' ? undefined : limit,
  },
});

const limit = decision({
  rule: 'V1-LIM-06',
  honest: (_sight: Sight) => '500',
  lies: {
    'v1-limit-header-says-600': () => '600',
    'v1-limit-header-says-499': () => '499',
    'v1-limit-header-says-60-on-a-second-webhook': ({ isSecondWebhook }) => (isSecondWebhook ? '60' : '500'),
    'v1-limit-header-says-0-at-429': ({ status }) => (status === 429 ? '0' : '500'),
    'v1-limit-header-says-60-on-errors': ({ status }) => (status >= 400 ? '60' : '500'),
  },
});

const remainingShown = decision({
  rule: 'V1-LIM-07',
  honest: (remaining: string, _sight: Sight): string | undefined => remaining,
  lies: {
    'v1-remaining-header-missing': () => undefined,
    'v1-remaining-header-missing-on-500': (remaining, { status }) => (status === 500 ? undefined : remaining),
    'v1-remaining-header-missing-on-errors': (remaining, { status }) => (status >= 400 ? undefined : remaining),
    'v1-remaining-header-in-words': () => 'plenty',
    'v1-remaining-header-of-one-at-429': (remaining, { status }) => (status === 429 ? '1' : remaining),
    'v1-remaining-header-of-one-more-than-is-left': (remaining, { status }) =>
      status === 429 ? remaining : String(Number(remaining) + 1),
    'v1-remaining-header-missing-on-a-second-webhook': (remaining, { isSecondWebhook }) =>
      isSecondWebhook ? undefined : remaining,
    'v1-remaining-header-missing-on-403': (remaining, { status }) => (status === 403 ? undefined : remaining),
    'v1-remaining-header-missing-on-errors-about-documents': (remaining, { operation, status }) =>
      status >= 400 && operation?.includes('Document') ? undefined : remaining,
    'v1-remaining-header-missing-on-bad-uploads': (remaining, { operation, status }) =>
      operation === 'uploadDocument' && status === 422 ? undefined : remaining,
    'v1-remaining-header-missing-on-201': (remaining, { status }) => (status === 201 ? undefined : remaining),
  },
});

/** Operations at which a count that is one behind shows only right behind an answer that was served. */
const REMAINING_AT = ['createTransaction', 'uploadDocument', 'readWebhook', 'replaceWebhook', 'createWebhook'];

const remainingThere = decision({
  rule: 'V1-LIM-08',
  honest: (left: number, _sight: Sight) => left,
  lies: {
    ...Object.fromEntries(
      REMAINING_AT.map((at) => [
        `v1-remaining-one-more-at-${at.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`,
        (left: number, { operation, status }: Sight) => (operation === at && status < 300 ? left + 1 : left),
      ]),
    ),
    'v1-remaining-one-more-at-404': (left: number, { status }: Sight) => (status === 404 ? left + 1 : left),
    'v1-remaining-one-more-at-a-refused-replacement': (left: number, { operation, status }: Sight) =>
      operation === 'replaceWebhook' && status >= 400 ? left + 1 : left,
    'v1-remaining-one-more-at-failures': (left: number, { status }: Sight) => (status === 500 ? left + 1 : left),
  },
});

const isSecondWebhook = (operation: string | undefined, body: unknown): boolean =>
  operation === 'createWebhook' && /already/.test(JSON.stringify(Object(body).errors ?? ''));

/** Sends an answer with the rate headers that every answer carries. */
export function sendAnswer(
  activeLies: ActiveLies,
  reply: FastifyReply,
  operation: string | undefined,
  toll: RateAllowance,
  answer: V1Answer,
  dialect?: V1Dialect,
): FastifyReply {
  const {
    status,
    body,
    labelledEmpty: hollow,
  } = dialect === undefined ? answer : dialect.writeAnswer(operation, answer);
  const sight = { operation, status, method: reply.request.method, isSecondWebhook: isSecondWebhook(operation, body) };
  const shown = limitShown(activeLies, limit(activeLies, sight), sight);
  if (shown !== undefined) reply.header('x-ratelimit-limit', shown);
  const remaining = remainingShown(activeLies, String(remainingThere(activeLies, toll.remaining, sight)), sight);
  if (remaining !== undefined) reply.header('x-ratelimit-remaining', remaining);
  reply.code(status);
  if (hollow) reply.header('content-type', JSON_MEDIA);
  if (dialect !== undefined) reply.headers(dialect.headers);
  if (body === undefined) {
    if (dialect?.media.empty !== undefined && !hollow) reply.header('content-type', dialect.media.empty);
    return reply.send();
  }
  const type = media(activeLies, sight);
  const worded = [...formedAlike, ...wordedAlike, validatedAlike].reduce<unknown>(
    (said, words) => words(activeLies, said, sight),
    body,
  );
  const text = serialized(activeLies, worded, sight);
  if (dialect === undefined || type !== JSON_MEDIA) return reply.header('content-type', type).send(text);
  // As bytes: to text Fastify would add a charset.
  return reply.header('content-type', dialect.media.json).send(Buffer.from(text));
}
