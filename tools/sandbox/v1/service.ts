import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { allowCrossOrigin } from '../cross-origin.ts';
import { decideMixUp, Rush } from '../rush.ts';
import type { SandboxService } from '../world.ts';
import { type ApiUser, seedUsers } from './access/api-users.ts';
import { findCallerAtOnce, goOn } from './access/callers-at-once.ts';
import { leavesNothingPastLimit, type RateAllowance, RateLimiter, repeatCosts } from './access/rate-limiter.ts';
import { letsThroughAgain, RefusedRequest } from './access/refused-again.ts';
import { failsInSecondAccount } from './access/second-account.ts';
import {
  authenticateUser,
  idIsForgottenWith401,
  repeatsForAll,
  skipsWorkUnauthenticated,
  skipsWorkWithoutRights,
} from './access/user-access.ts';
import { incomingPayment, serveV1Control } from './control.ts';
import { DocumentStore } from './documents/document-store.ts';
import { AccountBook } from './transactions/account-book.ts';
import { comesAgain } from './transactions/processed-requests.ts';
import { failureLeavesNothing, refusalExtras } from './transactions/transaction-creation.ts';
import { readBodyForm, readQueryForm, type V1Call, type V1State } from './v1-call.ts';
import { answersAtV1Path, V1_OPERATIONS, type V1Operation } from './v1-operations.ts';
import type { V1World } from './v1-world.ts';
import { WebhookRegistry } from './webhooks/webhook-registry.ts';
import { fixedUuids, WebhookSender } from './webhooks/webhook-sender.ts';
import { sendAnswer } from './wire/answer-sending.ts';
import type { V1Answer } from './wire/answer-shape.ts';
import { buildErrorEnvelope } from './wire/error-envelope.ts';
import { requiredField } from './wire/field-limits.ts';
import { createV1Dialect } from './wire/v1-dialect.ts';
import { refuseMissing, V1Refusal } from './wire/v1-refusal.ts';

/** How many milliseconds a failed validation goes on in which others are told of its errors. */
const lendsItsErrors = decideMixUp('V1-ERR-15', 'v1-validation-errors-of-another-at-once');

/** Whether a body of null is looked at before it is read. */
const bodyLookedAt = requiredField('V1-ERR-14', 'v1-body-of-null-answered-500');

/** The account, transfer, document and webhook API. */
export function v1Service(world: V1World): SandboxService {
  const webhooks = new WebhookRegistry();
  const v1State: V1State = {
    users: seedUsers(world.credentials),
    accountBook: new AccountBook(world),
    documentStore: new DocumentStore(world),
    requests: new Map(),
    firstIbans: new Map(),
    lookedUp: { bank: undefined, iban: undefined },
    webhooks,
    webhookSender: new WebhookSender(world, webhooks),
    rateLimiter: new RateLimiter(world.clock, world.choices.rateWindow === 'by the clock'),
    rush: new Rush(),
    asked: { read: new Set(), forbidden: new Set(), refused: new Set(), tooOften: new Set(), unknown: new Set() },
    failures: { status: 500, left: 0 },
  };
  enterHistory(v1State);
  const dialect = world.varied ? createV1Dialect(world.choices, fixedUuids(world)) : undefined;
  const tolls = new WeakMap<FastifyRequest, RateAllowance>();

  const pay = (request: FastifyRequest): RateAllowance => {
    const paid = tolls.get(request);
    if (paid !== undefined) return paid;
    const address = request.raw.socket.remoteAddress ?? '';
    const path = request.url.split('?')[0]!;
    const toll = v1State.rateLimiter.countRequest(
      world.activeLies,
      address,
      String(request.headers['x-forwarded-for'] ?? ''),
      String(request.headers['x-real-ip'] ?? ''),
      request.headers.authorization ?? '',
      path,
      operationOf(request)?.id,
    );
    tolls.set(request, toll);
    return toll;
  };

  /** The refusal of a request for its input: honestly its own, whatever is refused at the same moment. */
  const refusalAtOnce = (own: V1Refusal) =>
    v1State.rush.lend(world.activeLies, 'validation', lendsItsErrors, own).value;

  const refuse = (request: FastifyRequest, reply: FastifyReply, error: unknown, operation?: V1Operation) => {
    const failure =
      error instanceof V1Refusal ? error : new V1Refusal(500, 'INTERNAL_SERVER_ERROR', ['Something failed.']);
    const own = failure.status === 422 ? refusalAtOnce(failure) : failure;
    const refusal = dialect === undefined ? own : dialect.refusal(own);
    const about = operation?.id.endsWith('Webhook') ? 'webhook' : 'other';
    const isOdd = operation === undefined && !['GET', 'POST'].includes(request.method);
    const below = /\/(webhooks|customers)\//.exec(request.url)?.[1] as 'webhooks' | 'customers' | undefined;
    const path = below === undefined ? 'path' : (`path below ${below}` as const);
    const kind = isOdd ? 'path by another method' : operation === undefined ? path : about;
    const { status, body } = buildErrorEnvelope(world.activeLies, refusal, kind);
    const more = operation?.id === 'createTransaction' ? refusalExtras(world.activeLies, status) : {};
    const answer = { status, body: { ...(body as object), ...more } };
    const paid = pay(request);
    const toll = world.choices.refusedRequests === 'counted' || !paid.allowed ? paid : paid.takeBack();
    return sendAnswer(world.activeLies, reply, operation?.id, toll, answer, dialect);
  };

  const call = (operation: V1Operation, request: FastifyRequest, user: ApiUser): V1Call => ({
    world,
    v1State: v1State,
    operation: operation.id,
    user,
    path: request.params as Record<string, string>,
    query: readQueryForm(request.raw.url ?? ''),
    header: (name) => request.raw.headers[name] as string | undefined,
    from: request.raw.socket.remoteAddress ?? '',
    wasRead: v1State.asked.read.has(request.url),
    body: () => {
      if (String(request.body) === 'null' && !bodyLookedAt(world.activeLies)) throw new Error('the body is null');
      return readBodyForm(request.body as Buffer | undefined, request.headers['content-type']);
    },
  });

  const isAboutSecond = (request: FastifyRequest) => {
    const { account_uuid: asked } = { ...Object(request.query), ...Object(request.params) };
    return String(asked).toLowerCase() === world.credentials.secondAccount.toLowerCase();
  };

  const perform = (operation: V1Operation, request: FastifyRequest): V1Answer => {
    const { authorization } = request.headers;
    try {
      const user =
        findCallerAtOnce(world.activeLies, v1State.rush, authorization, v1State.users) ??
        authenticateUser(world.activeLies, operation.id, request.headers, v1State.users, request.raw.url, {
          body: String(request.body ?? ''),
          wasRead: v1State.asked.read.has(request.url),
          wasForbidden: operation.method === 'GET' && v1State.asked.forbidden.has(request.url),
        });
      if (v1State.failures.left > 0) {
        v1State.failures.left -= 1;
        if (v1State.failures.status === 429) throw tooMany();
        if (operation.id === 'createTransaction' && !failureLeavesNothing(world.activeLies))
          operation.run({ ...call(operation, request, user), header: () => undefined });
        throw new V1Refusal(v1State.failures.status, 'INTERNAL_SERVER_ERROR', ['Something failed, as it was told to.']);
      }
      if (failsInSecondAccount(world.activeLies, operation.id) && isAboutSecond(request))
        throw new V1Refusal(500, 'INTERNAL_SERVER_ERROR', ['Something failed.']);
      const sent = call(operation, request, user);
      const made = dialect?.understandUuids(sent) ?? sent;
      dialect?.refuseMalformedUuid(operation, made.path, made.query);
      const answer = operation.run(made);
      if (operation.method === 'GET') v1State.asked.read.add(request.url);
      const lasts = goOn(world.activeLies, v1State.rush, authorization, v1State.users);
      return lasts > 0 ? { ...answer, after: lasts } : answer;
    } catch (error) {
      const status = error instanceof V1Refusal ? error.status : undefined;
      const refused = new RefusedRequest(operation.id, request, v1State.asked.refused);
      if (status === 401 && !skipsWorkUnauthenticated(world.activeLies, refused))
        operation.run(call(operation, request, v1State.users[0]));
      const key = `${v1State.users[0].name} ${String(request.headers['x-request-id']).toLowerCase()}`;
      if (status === 401 && operation.id === 'createTransaction' && !idIsForgottenWith401(world.activeLies))
        v1State.asked.unknown.add(String(request.headers['x-request-id']).toLowerCase());
      if (status === 401 && v1State.requests.has(key) && repeatsForAll(world.activeLies, authorization))
        return operation.run(call(operation, request, v1State.users[0]));
      if (status === 403 && operation.method === 'GET') v1State.asked.forbidden.add(request.url);
      if (letsThroughAgain(world.activeLies, refused, status)) return { status: 200, body: {} };
      if (status === 403 && !skipsWorkWithoutRights(world.activeLies, refused, isAboutSecond(request)))
        operation.run(call(operation, request, v1State.users[0]));
      throw error;
    }
  };

  const stray = (request: FastifyRequest, reply: FastifyReply) => {
    const toll = pay(request);
    return refuse(request, reply, toll.allowed ? refuseMissing('The endpoint') : tooMany());
  };

  return {
    serve(app: FastifyInstance) {
      app.removeAllContentTypeParsers();
      app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
      if (world.choices.crossOrigin === 'allowed')
        allowCrossOrigin(app, (request, reply) => {
          const toll = pay(request);
          return toll.allowed
            ? sendAnswer(world.activeLies, reply, undefined, toll, { status: 204, body: undefined }, dialect)
            : refuse(request, reply, tooMany());
        });
      app.addHook('onRequest', (request, reply, done) => {
        const operation = operationOf(request);
        if (pay(request).allowed || !leavesNothingPastLimit(world.activeLies, operation?.id)) return done();
        v1State.asked.tooOften.add(String(request.headers['x-request-id']).toLowerCase());
        refuse(request, reply, tooMany(), operation);
      });
      app.setNotFoundHandler(stray);
      app.setErrorHandler((error, request, reply) => {
        return refuse(request, reply, broken(error), operationOf(request));
      });
      for (const operation of V1_OPERATIONS) {
        app.route({
          method: operation.method,
          url: operation.path,
          config: { operation } as object,
          handler: (request, reply) => {
            if (!answersAtV1Path(world.activeLies, operation.id)) return stray(request, reply);
            try {
              const cost = repeatCosts(world.activeLies, () => comesAgain(v1State.requests, request.headers));
              const answer = perform(operation, request);
              if (!pay(request).allowed) throw tooMany();
              const toll = () => (cost > 0 ? pay(request) : pay(request).takeBack());
              const answered = () => sendAnswer(world.activeLies, reply, operation.id, toll(), answer, dialect);
              if (!answer.after) return answered();
              setTimeout(answered, answer.after);
              return reply;
            } catch (error) {
              return refuse(request, reply, error, operation);
            }
          },
        });
      }
    },
    control: (app) => serveV1Control(app, world, v1State),
    answerUnroutable: stray,
    failNext(status, count) {
      v1State.failures.status = status;
      v1State.failures.left = count;
    },
    get failuresLeft() {
      return v1State.failures.left;
    },
    reset() {
      v1State.accountBook.reset();
      enterHistory(v1State);
      v1State.documentStore.reset();
      v1State.requests.clear();
      v1State.firstIbans.clear();
      v1State.lookedUp.bank = undefined;
      v1State.lookedUp.iban = undefined;
      v1State.lookedUp.wasSound = true;
      v1State.lookedUp.wasFound = true;
      v1State.lookedUp.firstFound = undefined;
      for (const noted of Object.values(v1State.asked)) noted.clear();
      v1State.webhooks.reset();
      v1State.webhookSender.reset();
      v1State.rateLimiter.reset();
      v1State.failures.left = 0;
    },
  };
}

/** A history that stays: one payment a day on the second account, from 4 to 8 March 2024. */
function enterHistory({ users: [owner], accountBook }: V1State): void {
  const account = [...owner.accounts.values()][1]!;
  for (let day = 4; day <= 8; day += 1)
    accountBook.enter(account, incomingPayment(account.party, day), undefined, Date.UTC(2024, 2, day, 12));
}

/** The operation that is asked for; undefined for a path that there is not. */
function operationOf(request: FastifyRequest): V1Operation | undefined {
  return (request.routeOptions.config as { operation?: V1Operation } | undefined)?.operation;
}

function tooMany(): V1Refusal {
  return new V1Refusal(429, 'Too Many Attempts.', ['Too Many Attempts.']);
}

/** What the server framework refused by itself, in the documented error shape. */
function broken(error: unknown): unknown {
  const status = (error as { statusCode?: number }).statusCode ?? 500;
  if (status === 415)
    return new V1Refusal(422, 'VALIDATION_ERROR', { body: ['The body must be sent as application/json.'] });
  if (status === 413) return new V1Refusal(413, 'PAYLOAD_TOO_LARGE', ['The body is too large.']);
  if (status >= 400 && status < 500) return new V1Refusal(status, 'BAD_REQUEST', ['The request cannot be read.']);
  return error;
}
