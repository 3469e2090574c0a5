import { type ApiReply, expect } from '#harness';

/** How errors are labelled (gateway, base address). */
export const JSON_IN_UTF8 = { media: 'application/json', charset: 'utf-8' };

/** Media type and charset of a label; case and spacing are free. */
export function mediaOf(type = ''): { media: string | undefined; charset: string | undefined } {
  const [media, ...parameters] = type.split(';').map((part) => part.trim().toLowerCase());
  return { media, charset: parameters.map((part) => /^charset\s*=\s*"?([^"]*)"?$/.exec(part)?.[1]).find(Boolean) };
}

/** Holds an error against the form of all of them (gateway, Errors): its three fields and its label. */
export function expectErrorForm({ object, headers }: ApiReply): void {
  for (const field of ['errorCode', 'errorMessage', 'errorCorrelationId'])
    expect(object, 'GW-ERR-07').toHaveProperty(field);
  expect(mediaOf(headers.get('content-type')), 'GW-ERR-12').toEqual(JSON_IN_UTF8);
}

/** Sees whether no two errors are called the same; that each is an error in JSON and is called something is promised elsewhere. */
export function expectApart(errors: readonly ApiReply[]): void {
  const ids = errors
    .filter(({ text }) => text.trim().startsWith('{'))
    .map((reply) => reply.at('/errorCorrelationId'))
    .filter((id) => id !== undefined && id !== null);
  expect(new Set(ids).size, 'GW-ERR-10').toBe(ids.length);
}
