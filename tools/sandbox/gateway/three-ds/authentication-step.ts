import { randomBytes } from 'node:crypto';
import type { AuthenticationStep } from '../orders/order.ts';

/** What a service of its own mind calls the 3DS server's transaction of a step. */
export function serverTransactionIdOf({ token }: AuthenticationStep): string {
  return `server-${token}`;
}

/** A 3-D Secure step with its message and the only two answers to it that will count, sealed with random bytes. */
export function createAuthenticationStep(name: AuthenticationStep['name'], token: string): AuthenticationStep {
  const message =
    name === 'PAREQ'
      ? Buffer.from(`<ThreeDSecure><Message id="${token}"><PAReq/></Message></ThreeDSecure>`).toString('base64')
      : Buffer.from(
          JSON.stringify({
            messageType: 'CReq',
            messageVersion: '2.2.0',
            threeDSServerTransID: token,
            challengeWindowSize: '05',
          }),
        ).toString('base64url');
  const answer = (status: 'Y' | 'N') =>
    name === 'PAREQ'
      ? Buffer.from(`<PARes id="${token}" status="${status}">${randomBytes(48).toString('base64')}</PARes>`).toString(
          'base64',
        )
      : Buffer.from(
          JSON.stringify({
            messageType: 'CRes',
            threeDSServerTransID: token,
            transStatus: status,
            seal: randomBytes(24).toString('base64'),
          }),
        ).toString('base64url');
  return { name, token, message, answers: { authenticated: answer('Y'), refused: answer('N') } };
}
