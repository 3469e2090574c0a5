import type { FastifyReply, FastifyRequest } from 'fastify';

/** Fields of a submitted HTML form. */
export function readFormFields(request: FastifyRequest): URLSearchParams {
  return new URLSearchParams(Buffer.isBuffer(request.body) ? request.body.toString() : '');
}

/** Sends a page for people. */
export function sendHtmlPage(reply: FastifyReply, html: string, status = 200): FastifyReply {
  return reply
    .code(status)
    .header('content-type', 'text/html; charset=utf-8')
    .header('cache-control', 'no-store')
    .send(html);
}

/** Scheme and authority as the caller wrote them. */
export function readRequestOrigin(request: FastifyRequest): string {
  const host = request.headers.host ?? '';
  if (/^[\w.-]+(:\d+)?$|^\[[\da-f:.]+\](:\d+)?$/i.test(host)) return `${request.protocol}://${host.toLowerCase()}`;
  const { localAddress, localPort } = request.socket;
  return `${request.protocol}://${localAddress?.includes(':') ? `[${localAddress}]` : localAddress}:${localPort}`;
}
