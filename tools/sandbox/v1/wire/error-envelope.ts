import { type ActiveLies, decision } from '../../decision.ts';
import type { V1Refusal } from './v1-refusal.ts';

/** An error on its way out. */
interface ErrorBody {
  readonly status: unknown;
  readonly status_code: unknown;
  readonly message: unknown;
  readonly errors: unknown;
}

/** What a failure is about; 404 comes in two kinds. */
export type FailureKind =
  | 'path'
  | 'path below webhooks'
  | 'path below customers'
  | 'path by another method'
  | 'webhook'
  | 'other';

/** Status and message of each row of the error table; a lie changes one row. */
const rows = {
  401: decision({
    rule: 'V1-ERR-02',
    honest: (message: string) => message,
    lies: {
      'v1-unauthorized-message-lower-case': () => 'unauthorized',
      'v1-unauthorized-message-in-words': () => 'Unauthenticated.',
    },
  }),
  403: decision({
    rule: 'V1-ERR-03',
    honest: (message: string) => message,
    lies: {
      'v1-no-permission-message-forbidden': () => 'FORBIDDEN',
      'v1-no-permission-message-unauthorized': () => 'UNAUTHORIZED',
    },
  }),
  429: decision({
    rule: 'V1-ERR-06',
    honest: (message: string) => message,
    lies: {
      'v1-too-many-message-without-full-stop': () => 'Too Many Attempts',
      'v1-too-many-message-in-capitals': () => 'TOO_MANY_ATTEMPTS',
    },
  }),
} as const;

const FAILED = 'INTERNAL_SERVER_ERROR';

type Row = readonly [status: number, message: string];

const row = (status: number, message: string): Row => [status, message];

const unknownThing = decision({
  rule: 'V1-ERR-04',
  honest: (row: Row): Row => row,
  lies: {
    'v1-unknown-thing-answered-400': ([, message]) => row(400, message),
    'v1-unknown-thing-answered-422': ([, message]) => row(422, message),
    'v1-unknown-thing-message-in-words': ([status]) => row(status, 'No query results.'),
  },
});

const unknownPath = decision({
  rule: 'V1-ERR-05',
  honest: (row: Row, _kind: FailureKind): Row => row,
  lies: {
    'v1-unknown-path-by-put-answered-405': ([status, message], kind) =>
      row(kind === 'path by another method' ? 405 : status, message),
    'v1-unknown-path-below-webhooks-answered-400': ([status, message], kind) =>
      row(kind === 'path below webhooks' ? 400 : status, message),
    'v1-unknown-path-below-customers-answered-400': ([status, message], kind) =>
      row(kind === 'path below customers' ? 400 : status, message),
    'v1-unknown-path-answered-400': ([, message]) => row(400, message),
    'v1-unknown-path-answered-405': ([, message]) => row(405, message),
    'v1-unknown-path-message-in-words': ([status]) => row(status, 'The route could not be found.'),
  },
});

const invalid = decision({
  rule: 'V1-ERR-14',
  honest: (row: Row): Row => row,
  lies: {
    'v1-invalid-answered-400': ([, message]) => row(400, message),
    'v1-invalid-answered-200': ([, message]) => row(200, message),
    'v1-invalid-message-in-words': ([status]) => row(status, 'The given data was invalid.'),
  },
});

/** A failure that the service knows of, in itself or behind it. */
const failedBehind = decision({
  rule: 'V1-ERR-01',
  honest: (row: Row): Row => row,
  lies: {
    'v1-failure-behind-answered-502': ([, message]) => row(502, message),
    'v1-failure-behind-message-in-words': ([status]) => row(status, 'Bad gateway.'),
    'v1-failure-behind-message-bad-request': ([status]) => row(status, 'BAD_REQUEST'),
  },
});

const failedUnhandled = decision({
  rule: 'V1-ERR-07',
  honest: (row: Row): Row => row,
  lies: {
    'v1-unhandled-failure-answered-503': ([, message]) => row(503, message),
    'v1-unhandled-failure-message-in-words': ([status]) => row(status, 'Server Error'),
    'v1-unhandled-failure-message-lower-case': ([status]) => row(status, 'internal_server_error'),
  },
});

const members = decision({
  rule: 'V1-ERR-08',
  honest: (body: ErrorBody, _kind: FailureKind): unknown => body,
  lies: {
    'v1-path-by-another-method-answered-in-another-form': ({ message, ...rest }, kind) =>
      kind === 'path by another method' ? { message } : { ...rest, message },
    'v1-error-without-status': ({ status: _, ...rest }) => rest,
    'v1-error-without-status-code': ({ status_code: _, ...rest }) => rest,
    'v1-error-without-message': ({ message: _, ...rest }) => rest,
    'v1-error-without-errors': ({ errors: _, ...rest }) => rest,
    'v1-error-of-403-without-errors': ({ errors, ...rest }) => (rest.status_code === 403 ? rest : { ...rest, errors }),
    'v1-error-of-401-without-message': ({ message, ...rest }) =>
      rest.status_code === 401 ? rest : { ...rest, message },
    'v1-unknown-path-without-errors': ({ errors, ...rest }) => (rest.status_code === 404 ? rest : { ...rest, errors }),
    'v1-failure-without-errors': ({ errors, ...rest }, _kind) => (rest.message === FAILED ? rest : { ...rest, errors }),
    'v1-error-in-a-wrapper': (body) => ({ error: body }),
  },
});

const flag = decision({
  rule: 'V1-ERR-09',
  honest: (_status: number, _kind: FailureKind): unknown => false,
  lies: {
    'v1-error-status-true': () => true,
    'v1-error-status-true-where-there-is-no-webhook': (status, kind) => status === 404 && kind === 'webhook',
    'v1-error-status-true-for-bad-webhooks': (status, kind) => status === 422 && kind === 'webhook',
    'v1-error-status-as-text': () => 'false',
    'v1-error-status-true-on-500': (status) => status === 500,
    'v1-error-status-true-on-403': (status) => status === 403,
    'v1-error-status-true-on-404': (status) => status === 404,
  },
});

const code = decision({
  rule: 'V1-ERR-10',
  honest: (status: number, _kind: FailureKind): unknown => status,
  lies: {
    'v1-error-code-of-bad-webhooks-says-400': (status, kind) => (status === 422 && kind === 'webhook' ? 400 : status),
    'v1-error-code-0-where-there-is-no-webhook': (status, kind) => (status === 404 && kind === 'webhook' ? 0 : status),
    'v1-error-code-of-a-failure-behind-says-500': (status) => (status === 400 ? 500 : status),
    'v1-error-code-always-400': () => 400,
    'v1-error-code-as-text': (status) => String(status),
    'v1-error-code-of-403-says-401': (status) => (status === 403 ? 401 : status),
    'v1-error-code-of-422-says-400': (status) => (status === 422 ? 400 : status),
  },
});

const text = decision({
  rule: 'V1-ERR-11',
  honest: (message: string): unknown => message,
  lies: { 'v1-error-message-as-list': (message) => [message], 'v1-error-message-null': () => null },
});

const details = decision({
  rule: 'V1-ERR-12',
  honest: (errors: unknown, _status: number): unknown => errors,
  lies: {
    'v1-errors-as-text': (errors) => JSON.stringify(errors),
    'v1-errors-of-500-null': (errors, status) => (status === 500 ? null : errors),
    'v1-errors-null': () => null,
  },
});

const list = decision({
  rule: 'V1-ERR-13',
  honest: (errors: unknown, _status: number): unknown => errors,
  lies: {
    'v1-listed-errors-of-a-failure-as-map': (errors, status) =>
      status === 400 || status === 500 ? { trace: errors } : errors,
    'v1-listed-errors-as-map': (errors) => ({ error: errors }),
    'v1-listed-errors-as-objects': (errors) => (errors as string[]).map((detail) => ({ detail })),
  },
});

/** The errors about one field under the name of another. */
const renamed = (field: string, other: string) => (errors: Readonly<Record<string, string[]>>) =>
  Object.fromEntries(Object.entries(errors).map(([name, texts]) => [name === field ? other : name, texts]));

/** The errors about a member of a part in a map of that part. */
function nested(errors: Readonly<Record<string, string[]>>): unknown {
  const shown: Record<string, unknown> = {};
  for (const [name, texts] of Object.entries(errors)) {
    const [part, member] = name.split('.');
    shown[part!] = member === undefined ? texts : { ...Object(shown[part!]), [member]: texts };
  }
  return shown;
}

const map = decision({
  rule: 'V1-ERR-15',
  honest: (errors: Readonly<Record<string, string[]>>): unknown => errors,
  lies: {
    'v1-validation-errors-as-list': (errors) => Object.values(errors).flat(),
    'v1-validation-errors-of-several-fields-as-list': (errors) =>
      Object.keys(errors).length > 1 ? Object.values(errors).flat() : errors,
    'v1-validation-errors-within-a-party-nested': nested,
    'v1-validation-errors-single-texts': (errors) =>
      Object.fromEntries(Object.entries(errors).map(([field, texts]) => [field, texts[0]])),
    'v1-validation-errors-about-a-description-without-its-name': ({ description, ...errors }) =>
      description === undefined ? errors : { ...errors, input: description },
    'v1-validation-errors-of-an-end-under-the-beginning': renamed('date_to', 'date_from'),
    'v1-validation-errors-of-a-file-name-in-another-spelling': renamed('file_name', 'filename'),
    'v1-validation-errors-of-is-active-under-another-name': renamed('is_active', 'active'),
    'v1-validation-errors-of-a-name-under-that-of-the-description': renamed('name', 'description'),
    'v1-validation-errors-of-a-page-under-its-size': renamed('page', 'per_page'),
    'v1-validation-errors-of-a-size-under-its-page': renamed('per_page', 'page'),
    'v1-validation-errors-without-field-names': (errors) => ({ input: Object.values(errors).flat() }),
    'v1-validation-errors-first-field-renamed': (errors) =>
      Object.fromEntries(Object.entries(errors).map(([field, texts], i) => [i === 0 ? `_${field}` : field, texts])),
  },
});

/** The errors of failed validations so far; only a lie keeps them. */
const keptErrors = new WeakMap<ActiveLies, Readonly<Record<string, string[]>>>();

/** The errors of this request, whatever was wrong with others. */
const ownErrors = decision({
  rule: 'V1-ERR-15',
  honest: (errors: Readonly<Record<string, string[]>>, _activeLies: ActiveLies) => errors,
  lies: {
    'v1-validation-errors-of-requests-before-kept': (errors, activeLies) => {
      const all = { ...keptErrors.get(activeLies), ...errors };
      keptErrors.set(activeLies, all);
      return all;
    },
  },
});

const tooMany = decision({
  rule: 'V1-LIM-09',
  honest: (errors: unknown): unknown => errors,
  lies: { 'v1-too-many-errors-empty': () => [], 'v1-too-many-errors-other-text': () => ['Slow down.'] },
});

/** The map of a failed validation as a list, where a lie makes another error of it. */
function suited(given: V1Refusal['details'], status: number): V1Refusal['details'] {
  return Array.isArray(given) || status === 422 || status < 400 ? given : Object.values(given).flat();
}

/**
 * The documented error for a refusal.
 * @param kind what was asked for, such as a path that there is not
 * @returns HTTP status and body
 */
export function buildErrorEnvelope(
  activeLies: ActiveLies,
  refusal: V1Refusal,
  kind: FailureKind,
): { status: number; body: unknown } {
  let status = refusal.status as number;
  let message = refusal.message;
  const documented = row(status, message);
  if (status === 404)
    [status, message] = kind.startsWith('path')
      ? unknownPath(activeLies, documented, kind)
      : unknownThing(activeLies, documented);
  else if (status === 422) [status, message] = invalid(activeLies, documented);
  else if (status === 400 && message === FAILED) [status, message] = failedBehind(activeLies, documented);
  else if (status === 500) [status, message] = failedUnhandled(activeLies, documented);
  else if (status === 401 || status === 403 || status === 429) message = rows[status](activeLies, message);
  const plain = suited(refusal.details, status);
  let errors = Array.isArray(plain)
    ? list(activeLies, plain, status)
    : map(activeLies, ownErrors(activeLies, plain as Record<string, string[]>, activeLies));
  if (refusal.status === 429) errors = tooMany(activeLies, errors);
  const body = {
    status: flag(activeLies, refusal.status, kind),
    status_code: code(activeLies, status, kind),
    message: text(activeLies, message),
    errors: details(activeLies, errors, status),
  };
  return { status, body: members(activeLies, body, kind) };
}
