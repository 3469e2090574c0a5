import type { FastifyRequest } from 'fastify';
import { decision } from '../decision.ts';
import { checkBearer } from './bearer.ts';
import type { Call } from './call.ts';
import { checkAddress, clientAddress } from './client-address.ts';
import { verifySigned } from './oauth-verify.ts';
import type { Route } from './routes.ts';
import { signersOf } from './signers.ts';
import type { Grant } from './tokens.ts';

const transferHasAllowlist = decision({
  rule: 'OA-ERR-08',
  honest: () => true,
  lies: { 'allowlist-ignored-at-transfer': () => false },
});

/**
 * Lets a request pass that is authorized for what it asks, from an allowed address.
 * @throws Refusal 400 or 401 as documented
 */
export function admit(call: Call, request: FastifyRequest, route: Route, grants: ReadonlyMap<string, Grant>): void {
  const { faults, desk, subject, host } = call;
  const { allowlisted } = desk.world.credentials.gateway;
  if (route.operation === 'transfer')
    verifySigned(
      faults,
      {
        method: call.method,
        origin: rawOrigin(call),
        url: call.url,
        body: call.raw,
        header: call.headers.authorization,
      },
      { subject, host, signers: signersOf(desk.world.credentials) },
    );
  else checkBearer(faults, call.headers.authorization, { operation: route.operation, subject, host }, grants);
  if (call.requestor !== allowlisted.id) return;
  if (route.operation === 'transfer' && !transferHasAllowlist(faults)) return;
  const address = clientAddress(faults, call.headers, request.socket.remoteAddress);
  checkAddress(faults, address, allowlisted.allowed, route.operation);
}

/** Scheme and authority with the case of the Host header kept, for the signature's own rules to treat. */
function rawOrigin(call: Call): string {
  const host = call.headers.host;
  return host?.toLowerCase() === call.origin.slice('http://'.length) ? `http://${host}` : call.origin;
}
