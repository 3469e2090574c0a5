import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/**
 * Lets pages of any origin read what a service answers (Fetch standard, section 3.3, CORS protocol); a request without an Origin is
 * answered as ever.
 * @param preflight answers a page that asks beforehand, as the service answers what has no content
 */
export function allowCrossOrigin(
  app: FastifyInstance,
  preflight: (request: FastifyRequest, reply: FastifyReply) => FastifyReply,
): void {
  app.addHook('onRequest', (request, reply, done) => {
    const { headers, method } = request;
    if (headers.origin === undefined) return done();
    reply.headers({ 'access-control-allow-origin': '*', 'access-control-expose-headers': '*' });
    const asked = headers['access-control-request-method'];
    if (method !== 'OPTIONS' || asked === undefined) return done();
    reply.headers({
      'access-control-allow-methods': asked,
      'access-control-allow-headers': headers['access-control-request-headers'] ?? '*',
      'access-control-max-age': '600',
    });
    preflight(request, reply);
  });
}
