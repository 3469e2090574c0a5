import ipaddr from 'ipaddr.js';
import { UnofferedError } from '#client';
import type { TargetRequestor } from '#target';
import type { GatewayClient } from './gateway-client.ts';

/** Ranges that nobody on the internet has an address in; those of documentation stand for public ones. */
const NOT_PUBLIC = ['private', 'loopback', 'linkLocal', 'uniqueLocal', 'carrierGradeNat', 'unspecified'];

/**
 * Makes sure that the service sees the client's address as a header says it. Each one on the way may add the address of his own
 * caller, or put it in the place of what was sent; a refusal then names a public address that nobody sent.
 * @param requestor one behind an allowlist
 * @throws Unoffered when the service sees another address, and where no address off the allowlist is known, which would show that
 */
export async function requireSeenAddress(
  gateway: GatewayClient,
  { id, token, refused }: TargetRequestor,
  header: 'x-forwarded-for' | 'x-real-ip',
): Promise<void> {
  if (refused === undefined)
    throw new UnofferedError(
      'capability',
      'the target file names no address off the allowlist; gateway.requestors.allowlisted.refused would enable it',
    );
  const { status, text } = await gateway.send('status', {
    path: { requestorId: id },
    token,
    body: { orderMerchantId: gateway.paymentBody().merchantId },
    headers: { [header]: refused },
  });
  const named = status === 401 ? (text.match(/[\da-f.:]+/gi) ?? []).filter(isPublic) : [];
  const other = named.find((address) => ipaddr.process(address).toString() !== ipaddr.process(refused).toString());
  if (other !== undefined)
    throw new UnofferedError(
      'capability',
      `something between here and the service tells it the address ${other}, so that it does not go by ${header}`,
    );
}

function isPublic(text: string): boolean {
  return /[.:].*[.:]/.test(text) && ipaddr.isValid(text) && !NOT_PUBLIC.includes(ipaddr.process(text).range());
}
