import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { parse, stringify } from 'lossless-json';
import { allowCrossOrigin } from '../cross-origin.ts';
import { type ActiveLies, decision } from '../decision.ts';
import type { SandboxService } from '../world.ts';
import { admitRequest } from './access/admission.ts';
import { goOn, isLetInBeside } from './access/callers-at-once.ts';
import { keepsGuard } from './access/operation-guards.ts';
import { type RefusedRequest, tellRefusal } from './access/refusals-at-once.ts';
import { letsThroughAgain } from './access/refused-again.ts';
import { leavesUndone } from './access/refused-work.ts';
import { listTokenGrants, type TokenGrant } from './access/token-grants.ts';
import { isRefusedAgain } from './asked-again.ts';
import { serveGatewayControl } from './control.ts';
import { createGatewayState } from './create-state.ts';
import type { GatewayCall } from './gateway-call.ts';
import type { GatewayHost, GatewayOperationId, GatewayReply } from './gateway-reply.ts';
import type { GatewayState } from './gateway-state.ts';
import type { GatewayWorld } from './gateway-world.ts';
import { serveHostedForm } from './payments/hosted-form.ts';
import {
  answerAtWrongPath,
  describeInterface,
  type GatewayRoute,
  gatewayRoutes,
  overviewStatus,
  overviewTags,
  performOverview,
} from './routes.ts';
import { serveAcsPages } from './three-ds/acs.ts';
import { buildErrorResponse } from './wire/error-response.ts';
import { createGatewayDialect, type GatewayDialect } from './wire/gateway-dialect.ts';
import { GatewayRefusal } from './wire/gateway-refusal.ts';
import { keepReplyPromises } from './wire/reply-promises.ts';
import { isJsonObject, type JsonObject } from './wire/request-fields.ts';
import { readRequestOrigin } from './wire/web-requests.ts';

const JSON_TYPE = 'application/json; charset=utf-8';

const requestorIdIsChecked = decision({
  rule: 'GW-ERR-01',
  honest: (segment: string, _call: GatewayCall): GatewayRefusal | undefined => unparsed(segment),
  lies: {
    'non-numeric-requestor-taken-when-it-comes-again': (segment, call) =>
      isRefusedAgain(call) ? undefined : unparsed(segment),
    'non-numeric-requestor-as-401': (segment) => new GatewayRefusal(401, -5, `Cannot parse requestor id: ${segment}`),
    'non-numeric-requestor-with-another-code': (segment) =>
      new GatewayRefusal(400, -3, `Cannot parse requestor id: ${segment}`),
    'non-numeric-requestor-with-another-message': () => new GatewayRefusal(400, -5, 'Bad path'),
    'requestor-id-read-up-to-its-letters': (segment) => (/^\d/.test(segment) ? undefined : unparsed(segment)),
    'non-numeric-requestor-looked-up': () => new GatewayRefusal(401, -7, 'Access token not found'),
  },
});

function unparsed(segment: string): GatewayRefusal {
  return new GatewayRefusal(400, -5, `Cannot parse requestor id: ${segment}`);
}

const charsetMayBeNamed = decision({
  rule: 'GW-GEN-02',
  honest: (_type: string) => true,
  lies: {
    'body-labelled-with-a-charset-refused': (type) => !/charset/i.test(type),
    'body-labelled-in-capitals-refused': (type) => type.startsWith('application/json'),
  },
});

const mayBeginWithSpace = decision({
  rule: 'GW-GEN-02',
  honest: (_body: unknown) => true,
  lies: {
    'body-with-white-space-in-front-refused': (body) => !Buffer.isBuffer(body) || !/^\s/.test(body.toString()),
  },
});

const jsonGoesWithoutSaying = decision({
  rule: 'GW-GEN-02',
  honest: (_accept: string | undefined) => true,
  lies: { 'refusal-as-page-unless-json-alone-is-accepted': (accept) => accept === 'application/json' },
});

/** Operations whose refusal costs a fee, and with which status and code each is then refused. */
const FEES = [
  ['unauthorized', 'capture', 401, -7],
  ['unauthorized', 'getCardInfo', 401, -7],
  ['unnamed', 'reversal', 400, -6],
  ['unnamed', 'getExchangeRate', 400, -6],
  ['incomplete', 'auth', 400, -3],
  ['incomplete', 'saleForm', 400, -3],
] as const;

/** What a refusal costs the merchant, in minor units. */
const refusalIsFree = decision({
  rule: 'GW-BAL-05',
  honest: (_problem: unknown, _operation: GatewayOperationId) => 0,
  lies: {
    'refused-request-costs-a-fee': (problem, operation) =>
      operation === 'sale' && problem instanceof GatewayRefusal && problem.status === 400 ? 25 : 0,
    'unauthorized-request-costs-a-fee': (problem) =>
      problem instanceof GatewayRefusal && problem.status === 401 ? 25 : 0,
    ...Object.fromEntries(
      FEES.map(([how, at, status, code]) => [
        `${how}-request-costs-a-fee-at-${at}`,
        (problem: unknown, operation: GatewayOperationId) =>
          operation === at && problem instanceof GatewayRefusal && problem.status === status && problem.code === code
            ? 25
            : 0,
      ]),
    ),
    'refused-transfer-debited': (problem, operation) =>
      operation === 'transfer' && problem instanceof GatewayRefusal && problem.status === 401 ? 100 : 0,
  },
});

/** The card payment gateway. */
export function gatewayService(world: GatewayWorld): SandboxService {
  let gatewayState = createGatewayState(world);
  const grants = listTokenGrants(world.credentials, world.choices);
  const dialect = world.varied ? createGatewayDialect(world.choices) : undefined;
  const refuse = (reply: FastifyReply, problem: unknown, operation?: GatewayOperationId): FastifyReply => {
    const { refused, lasts } = tellRefusal({ problem, correlation: world.uuid() }, gatewayState);
    return sendAfter(lasts, reply, told(world, dialect, refused, operation), dialect, operation);
  };

  const handle = (
    request: FastifyRequest,
    reply: FastifyReply,
    route: GatewayRoute,
    host: GatewayHost,
    belowVersion = false,
  ): FastifyReply => {
    const { activeLies } = world;
    try {
      const call = callOf(gatewayState, request, route, host);
      const read = () => {
        const sent = route.body ? bodyOf(request, activeLies) : {};
        return dialect === undefined ? sent : dialect.readRequest(route.operation, sent);
      };
      const perform = () => {
        const whole = { ...call, body: read() };
        try {
          return route.answer(whole);
        } catch (problem) {
          if (problem instanceof GatewayRefusal && letsThroughAgain(whole)) return { status: 200, body: {} };
          throw problem;
        }
      };
      const lasts = admit(call, request, route, grants, perform);
      const isMet = world.choices.failureMeets === 'the next' || route.subject === 'requestor';
      if (isMet && gatewayState.faults > 0) {
        gatewayState.faults -= 1;
        throw new Error('told to fail');
      }
      const nothing = answerAtWrongPath(activeLies, route.operation, belowVersion);
      if (nothing !== undefined) return send(reply, nothing, dialect, route.operation);
      const answer = keepReplyPromises(call, perform());
      return sendAfter(Math.max(lasts, answer.after ?? 0), reply, answer, dialect, route.operation);
    } catch (problem) {
      const fee = refusalIsFree(activeLies, problem, route.operation);
      if (fee > 0) gatewayState.balances.debit(world.credentials.merchant.login, 'EUR', fee);
      if (!jsonGoesWithoutSaying(activeLies, request.headers.accept))
        return send(reply, { status: 400, body: '<p>Bad request</p>', type: 'text/html; charset=utf-8' });
      return refuse(reply, problem, route.operation);
    }
  };

  return {
    serve(app: FastifyInstance, listener: string) {
      const host: GatewayHost = listener === 'elsewhere' ? 'elsewhere' : 'main';
      app.removeAllContentTypeParsers();
      if (world.choices.crossOrigin === 'allowed') allowCrossOrigin(app, (_request, reply) => reply.code(204).send());
      // The usual type by its name as well: any other has to be read as a media type first.
      for (const type of ['application/json', '*'])
        app.addContentTypeParser(type, { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
      for (const route of gatewayRoutes)
        app.post<{ Params: { subject: string } }>(
          `/api${dialect?.path(route) ?? route.path}/:subject`,
          (request, reply) => handle(request, reply, route, host),
        );
      for (const route of gatewayRoutes)
        app.post<{ Params: { subject: string } }>(`/api/v1${route.path}/:subject`, (request, reply) => {
          if (world.activeLies.size === 0) return reply.callNotFound();
          return handle(request, reply, route, host, true);
        });
      for (const tag of overviewTags)
        app.head(`/api/${tag}/_Overview`, (request, reply) => {
          performOverview(gatewayState, tag);
          return reply.code(overviewStatus(world.activeLies, tag, request.headers.authorization)).send();
        });
      app.get('/api/openapi.json', () => describeInterface(world.activeLies));
      serveHostedForm(app, () => gatewayState);
      serveAcsPages(app, () => gatewayState);
      app.setNotFoundHandler((request, reply) => {
        const known = gatewayRoutes.some(({ path }) => request.url.startsWith(`/api${path}/`));
        const refusal = known
          ? new GatewayRefusal(405, -4, 'Only POST is served here')
          : new GatewayRefusal(404, -4, 'There is nothing here');
        refuse(reply, refusal);
      });
      app.setErrorHandler((error, _request, reply) => {
        refuse(reply, error);
      });
      if (dialect !== undefined)
        app.addHook('onSend', (_request, reply, payload, done) => {
          const isPage = String(reply.getHeader('content-type')).startsWith('text/html');
          done(null, isPage ? dialect.page(payload) : payload);
        });
    },
    control(app: FastifyInstance) {
      serveGatewayControl(app, () => gatewayState);
    },
    failNext(_status, count) {
      gatewayState.faults = count;
    },
    get failuresLeft() {
      return gatewayState.faults;
    },
    reset() {
      gatewayState.callbacks.close();
      gatewayState = createGatewayState(world);
    },
  };
}

/**
 * Admits a request, or lets it in for another that goes on.
 * @param perform does what it asks for
 * @returns milliseconds for its answer to wait
 * @throws Refusal as {@link admitRequest} does
 */
function admit(
  call: GatewayCall,
  request: FastifyRequest,
  route: GatewayRoute,
  grants: ReadonlyMap<string, TokenGrant>,
  perform: () => unknown,
): number {
  try {
    admitRequest(call, request, route, grants);
    return goOn(call);
  } catch (problem) {
    if (call.activeLies.size === 0 || !(problem instanceof GatewayRefusal)) throw problem;
    if (isLetInBeside(call, problem)) return 0;
    if (!leavesUndone(call, problem.reason)) perform();
    throw problem;
  }
}

function callOf(
  gatewayState: GatewayState,
  request: FastifyRequest,
  route: GatewayRoute,
  host: GatewayHost,
): GatewayCall {
  const { subject } = request.params as { subject: string };
  const { activeLies } = gatewayState.world;
  const call: GatewayCall = {
    gatewayState: gatewayState,
    activeLies,
    operation: route.operation,
    host,
    origin: readRequestOrigin(request),
    subject: route.subject === 'requestor' ? String(Number.parseInt(subject, 10)) : subject,
    requestor: route.subject === 'requestor' ? Number(subject) : Number.NaN,
    headers: request.headers,
    method: request.method,
    url: request.raw.url ?? request.url,
    raw: Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0),
    body: {},
  };
  if (
    route.subject === 'requestor' &&
    !/^\d{1,15}$/.test(subject) &&
    keepsGuard(activeLies, 'number', route.operation)
  ) {
    const refusal = requestorIdIsChecked(activeLies, subject, call);
    if (refusal !== undefined) throw refusal;
  }
  return call;
}

function bodyOf(request: FastifyRequest, activeLies: ActiveLies): JsonObject {
  const { 'content-type': type = 'application/json' } = request.headers;
  const isJson = /^application\/([\w.-]+\+)?json\s*(;|$)/i.test(type.trim());
  if (!isJson || !charsetMayBeNamed(activeLies, type) || !mayBeginWithSpace(activeLies, request.body))
    throw new GatewayRefusal(400, -2, 'Content-Type should be application/json');
  let body: unknown;
  try {
    body = parseExactly((request.body as Buffer | undefined)?.toString() ?? '');
  } catch {
    throw new GatewayRefusal(400, -2, 'The request body is not JSON');
  }
  if (!isJsonObject(body)) throw new GatewayRefusal(400, -2, 'The request body is not a JSON object');
  return body;
}

/** JSON as `JSON.parse` reads it, but with integers that no number holds exactly as a bigint. */
function parseExactly(text: string): unknown {
  if (!/\d{16}/.test(text)) return JSON.parse(text);
  return parse(text, undefined, {
    parseNumber: (digits) =>
      /^-?\d+$/.test(digits) && !Number.isSafeInteger(Number(digits)) ? BigInt(digits) : Number(digits),
    onDuplicateKey: ({ newValue }) => newValue,
  });
}

function refusalFor(problem: unknown): GatewayRefusal {
  if (problem instanceof GatewayRefusal) return problem;
  const status = (problem as { statusCode?: unknown }).statusCode;
  if (typeof status === 'number' && status >= 400 && status < 500)
    return new GatewayRefusal(400, -2, (problem as Error).message);
  return new GatewayRefusal(500, -1, 'Internal system error');
}

/** A refusal on the wire, in the words of a variation. */
function told(
  world: GatewayWorld,
  dialect: GatewayDialect | undefined,
  { problem, correlation }: RefusedRequest,
  operation: GatewayOperationId | undefined,
): GatewayReply {
  const refusal = refusalFor(problem);
  if (dialect === undefined) return buildErrorResponse(world.activeLies, refusal, correlation, operation);
  return buildErrorResponse(
    world.activeLies,
    dialect.refusal(refusal),
    dialect.errorCorrelation(correlation),
    operation,
  );
}

/** Sends an answer, where it has to wait after some milliseconds of real time. */
function sendAfter(wait: number, ...answer: Parameters<typeof send>): FastifyReply {
  if (wait === 0) return send(...answer);
  setTimeout(() => send(...answer), wait);
  return answer[0];
}

function send(
  reply: FastifyReply,
  answer: GatewayReply,
  dialect?: GatewayDialect,
  operation?: GatewayOperationId,
): FastifyReply {
  const { status, body, type, headers } = dialect === undefined ? answer : dialect.writeResponse(operation, answer);
  reply.code(status);
  if (headers !== undefined) reply.headers(headers);
  if (body === undefined) return reply.send();
  const text = typeof body === 'string' && type !== undefined ? body : stringify(body)!;
  // As bytes where the type is a choice of its own: to text Fastify would add a charset.
  return reply.header('content-type', type ?? JSON_TYPE).send(type === undefined ? text : Buffer.from(text));
}
