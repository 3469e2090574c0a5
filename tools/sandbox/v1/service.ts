import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Service, World } from '../world.ts';
import { authenticate, idles } from './access.ts';
import { type Call, type Memory, readBody, readQuery } from './call.ts';
import { controlRoutes } from './control.ts';
import { Courier, fixedUuids } from './courier.ts';
import { aside } from './create.ts';
import { dialectOf } from './dialect.ts';
import { Cabinet } from './document.ts';
import { envelope } from './envelope.ts';
import { OPERATIONS, type Operation, placed } from './operation.ts';
import { type Toll, Turnstile } from './rate.ts';
import { missing, Refusal } from './refusal.ts';
import { dispatch } from './reply.ts';
import type { Answer } from './shape.ts';
import { Ledger } from './transaction.ts';
import { seedUsers, type User } from './user.ts';
import { Webhooks } from './webhook.ts';

/** The account, transfer, document and webhook API. */
export function v1Service(world: World): Service {
  const webhooks = new Webhooks();
  const memory: Memory = {
    users: seedUsers(world.credentials),
    ledger: new Ledger(world),
    cabinet: new Cabinet(world),
    requests: new Map(),
    webhooks,
    courier: new Courier(world, webhooks),
    turnstile: new Turnstile(world.clock, world.choices.v1.rateWindow === 'by the clock'),
    failures: { status: 500, left: 0 },
  };
  const dialect = world.varied ? dialectOf(world.choices.v1, fixedUuids(world)) : undefined;
  const tolls = new WeakMap<FastifyRequest, Toll>();

  const pay = (request: FastifyRequest): Toll => {
    const paid = tolls.get(request);
    if (paid !== undefined) return paid;
    const address = request.raw.socket.remoteAddress ?? '';
    const path = request.url.split('?')[0]!;
    const toll = memory.turnstile.pass(world.faults, address, request.headers.authorization ?? '', path);
    tolls.set(request, toll);
    return toll;
  };

  const refuse = (request: FastifyRequest, reply: FastifyReply, error: unknown, operation?: Operation) => {
    const failure = error instanceof Refusal ? error : new Refusal(500, 'INTERNAL_SERVER_ERROR', ['Something failed.']);
    const refusal = dialect === undefined ? failure : dialect.refusal(failure);
    const { status, body } = envelope(world.faults, refusal, operation === undefined ? 'path' : 'other');
    const more = operation?.id === 'createTransaction' ? aside(world.faults) : {};
    const answer = { status, body: { ...(body as object), ...more } };
    return dispatch(world.faults, reply, operation?.id, pay(request), answer, dialect);
  };

  const call = (operation: Operation, request: FastifyRequest, user: User): Call => ({
    world,
    memory,
    operation: operation.id,
    user,
    path: request.params as Record<string, string>,
    query: readQuery(request.raw.url ?? ''),
    header: (name) => request.raw.headers[name] as string | undefined,
    body: () => readBody(request.body as Buffer | undefined, request.headers['content-type']),
  });

  const perform = (operation: Operation, request: FastifyRequest): Answer => {
    const { authorization } = request.headers;
    try {
      const user = authenticate(world.faults, operation.id, authorization, memory.users);
      if (memory.failures.left > 0) {
        memory.failures.left -= 1;
        throw new Refusal(memory.failures.status, 'INTERNAL_SERVER_ERROR', ['Something failed, as it was told to.']);
      }
      const made = call(operation, request, user);
      dialect?.examine(operation, made.path, made.query);
      return operation.run(made);
    } catch (error) {
      if (authorization === undefined && !idles(world.faults, operation.id))
        operation.run(call(operation, request, memory.users[0]));
      throw error;
    }
  };

  const stray = (request: FastifyRequest, reply: FastifyReply) => {
    const toll = pay(request);
    return refuse(request, reply, toll.allowed ? missing('The endpoint') : tooMany());
  };

  return {
    serve(app: FastifyInstance) {
      app.removeAllContentTypeParsers();
      app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
      app.addHook('onRequest', (request, reply, done) => {
        if (pay(request).allowed) done();
        else refuse(request, reply, tooMany(), (request.routeOptions.config as { operation?: Operation }).operation);
      });
      app.setNotFoundHandler(stray);
      app.setErrorHandler((error, request, reply) => {
        const operation = (request.routeOptions.config as { operation?: Operation }).operation;
        return refuse(request, reply, broken(error), operation);
      });
      for (const operation of OPERATIONS) {
        app.route({
          method: operation.method,
          url: operation.path,
          config: { operation } as object,
          handler: (request, reply) => {
            if (!placed(world.faults, operation.id)) return stray(request, reply);
            try {
              return dispatch(world.faults, reply, operation.id, pay(request), perform(operation, request), dialect);
            } catch (error) {
              return refuse(request, reply, error, operation);
            }
          },
        });
      }
    },
    control: (app) => controlRoutes(app, world, memory),
    stray,
    reset() {
      memory.ledger.reset();
      memory.cabinet.reset();
      memory.requests.clear();
      memory.webhooks.reset();
      memory.courier.reset();
      memory.turnstile.reset();
      memory.failures.left = 0;
    },
  };
}

function tooMany(): Refusal {
  return new Refusal(429, 'Too Many Attempts.', ['Too Many Attempts.']);
}

/** What the server framework refused by itself, in the documented error shape. */
function broken(error: unknown): unknown {
  const status = (error as { statusCode?: number }).statusCode ?? 500;
  if (status === 415)
    return new Refusal(422, 'VALIDATION_ERROR', { body: ['The body must be sent as application/json.'] });
  if (status === 413) return new Refusal(413, 'PAYLOAD_TOO_LARGE', ['The body is too large.']);
  if (status >= 400 && status < 500) return new Refusal(status, 'BAD_REQUEST', ['The request cannot be read.']);
  return error;
}
