import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { decision } from '../decision.ts';
import type { Service, World } from '../world.ts';
import { serveAcs } from './acs.ts';
import { admit } from './admit.ts';
import { answered } from './answered.ts';
import type { Call, Host, OperationId, Reply } from './call.ts';
import { steerGateway } from './control.ts';
import { type Desk, openDesk } from './desk.ts';
import { type Dialect, dialectOf } from './dialect.ts';
import { isObject, type Json } from './fields.ts';
import { serveForm } from './form.ts';
import { Refusal } from './refusal.ts';
import { answersHere, overviewStatus, overviews, type Route, routes } from './routes.ts';
import { showRefusal } from './show-refusal.ts';
import { grantsOf } from './tokens.ts';
import { originOf } from './web.ts';

const JSON_TYPE = 'application/json; charset=utf-8';

const requestorIdIsChecked = decision({
  rule: 'GW-ERR-01',
  honest: (segment: string, _route: Route): Refusal | undefined =>
    new Refusal(400, -5, `Cannot parse requestor id: ${segment}`),
  lies: {
    'non-numeric-requestor-as-401': (segment) => new Refusal(401, -5, `Cannot parse requestor id: ${segment}`),
    'non-numeric-requestor-with-another-code': (segment) =>
      new Refusal(400, -3, `Cannot parse requestor id: ${segment}`),
    'non-numeric-requestor-with-another-message': () => new Refusal(400, -5, 'Bad path'),
    'non-numeric-requestor-looked-up': () => new Refusal(401, -7, 'Access token not found'),
    'non-numeric-requestor-looked-up-at-capture': (segment, { operation }) =>
      operation === 'capture'
        ? new Refusal(401, -7, 'Access token not found')
        : new Refusal(400, -5, `Cannot parse requestor id: ${segment}`),
  },
});

/** The card payment gateway. */
export function gatewayService(world: World): Service {
  let desk = openDesk(world);
  const grants = grantsOf(world.credentials);
  const dialect = world.varied ? dialectOf(world.choices.gateway) : undefined;
  const refuse = (reply: FastifyReply, problem: unknown, operation?: OperationId) =>
    send(reply, told(world, dialect, problem), dialect, operation);

  const handle = (request: FastifyRequest, reply: FastifyReply, route: Route, host: Host): FastifyReply => {
    const { faults } = world;
    try {
      if (!answersHere(faults, route.operation)) throw new Refusal(400, -4, 'There is nothing here');
      const call = callOf(desk, request, route, host);
      admit(call, request, route, grants);
      const sent = route.body ? bodyOf(request) : {};
      const body = dialect === undefined ? sent : dialect.inward(route.operation, sent);
      return send(reply, answered(faults, route.operation, route.answer({ ...call, body })), dialect, route.operation);
    } catch (problem) {
      return refuse(reply, problem, route.operation);
    }
  };

  return {
    serve(app: FastifyInstance, host: Host) {
      app.removeAllContentTypeParsers();
      // The usual type by its name as well: any other has to be read as a media type first.
      for (const type of ['application/json', '*'])
        app.addContentTypeParser(type, { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
      for (const route of routes)
        app.post<{ Params: { subject: string } }>(
          `/api${dialect?.path(route) ?? route.path}/:subject`,
          (request, reply) => handle(request, reply, route, host),
        );
      for (const tag of overviews)
        app.head(`/api/${tag}/_Overview`, (request, reply) =>
          reply.code(overviewStatus(world.faults, tag, request.headers.authorization !== undefined)).send(),
        );
      serveForm(app, () => desk);
      serveAcs(app, () => desk);
      app.setNotFoundHandler((request, reply) => {
        const known = routes.some(({ path }) => request.url.startsWith(`/api${path}/`));
        const refusal = known
          ? new Refusal(405, -4, 'Only POST is served here')
          : new Refusal(404, -4, 'There is nothing here');
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
      steerGateway(app, () => desk);
    },
    reset() {
      desk.callbacks.close();
      desk = openDesk(world);
    },
  };
}

function callOf(desk: Desk, request: FastifyRequest, route: Route, host: Host): Call {
  const { subject } = request.params as { subject: string };
  const { faults } = desk.world;
  if (route.subject === 'requestor' && !/^\d{1,15}$/.test(subject)) {
    const refusal = requestorIdIsChecked(faults, subject, route);
    if (refusal !== undefined) throw refusal;
  }
  return {
    desk,
    faults,
    operation: route.operation,
    host,
    origin: originOf(request),
    subject: route.subject === 'requestor' ? String(Number(subject)) : subject,
    requestor: route.subject === 'requestor' ? Number(subject) : Number.NaN,
    headers: request.headers,
    method: request.method,
    url: request.raw.url ?? request.url,
    raw: Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0),
    body: {},
  };
}

function bodyOf(request: FastifyRequest): Json {
  const type = request.headers['content-type'];
  if (type !== undefined && !/^application\/([\w.-]+\+)?json\s*(;|$)/i.test(type.trim()))
    throw new Refusal(400, -2, 'Content-Type should be application/json');
  let body: unknown;
  try {
    body = JSON.parse((request.body as Buffer | undefined)?.toString() ?? '');
  } catch {
    throw new Refusal(400, -2, 'The request body is not JSON');
  }
  if (!isObject(body)) throw new Refusal(400, -2, 'The request body is not a JSON object');
  return body;
}

function refusalFor(problem: unknown): Refusal {
  if (problem instanceof Refusal) return problem;
  const status = (problem as { statusCode?: unknown }).statusCode;
  if (typeof status === 'number' && status >= 400 && status < 500)
    return new Refusal(400, -2, (problem as Error).message);
  return new Refusal(500, -1, 'Internal system error');
}

/** A refusal on the wire, in the words of a variation. */
function told(world: World, dialect: Dialect | undefined, problem: unknown): Reply {
  const refusal = refusalFor(problem);
  if (dialect === undefined) return showRefusal(world.faults, refusal, world.uuid());
  return showRefusal(world.faults, dialect.refusal(refusal), dialect.errorCorrelation(world.uuid()));
}

function send(reply: FastifyReply, answer: Reply, dialect?: Dialect, operation?: OperationId): FastifyReply {
  const { status, body, type, headers } = dialect === undefined ? answer : dialect.outward(operation, answer);
  reply.code(status);
  if (headers !== undefined) reply.headers(headers);
  if (body === undefined) return reply.send();
  const text = typeof body === 'string' && type !== undefined ? body : JSON.stringify(body);
  // As bytes where the type is a choice of its own: to text Fastify would add a charset.
  return reply.header('content-type', type ?? JSON_TYPE).send(type === undefined ? text : Buffer.from(text));
}
