import { type ApiReply, attributeTo, expect } from '#harness';

/** How errors are labelled (gateway, base address). */
const JSON_IN_UTF8 = { media: 'application/json', charset: 'utf-8' };

/** Media type and charset of a label; case and spacing are free. */
function mediaOf(type = ''): { media: string | undefined; charset: string | undefined } {
  const [media, ...parameters] = type.split(';').map((part) => part.trim().toLowerCase());
  return { media, charset: parameters.map((part) => /^charset\s*=\s*"?([^"]*)"?$/.exec(part)?.[1]).find(Boolean) };
}

/** Holds the media type of an error against the one of all. */
export function expectLabel({ headers }: ApiReply, what = 'an error'): void {
  attributeTo('GW-ERR-12', () => expect(mediaOf(headers.get('content-type')), what).toEqual(JSON_IN_UTF8));
}

/** Holds an error against the form of all of them (gateway, Errors): its three fields and its label. */
export function expectErrorForm(reply: ApiReply): void {
  for (const field of ['errorCode', 'errorMessage', 'errorCorrelationId'])
    expect(reply.object, 'GW-ERR-07').toHaveProperty(field);
  expectLabel(reply, reply.operation);
}

/** Sees whether no two errors are called the same; that each is an error in JSON and is called something is promised elsewhere. */
export function expectApart(errors: readonly ApiReply[]): void {
  const ids = errors
    .filter(({ text }) => text.trim().startsWith('{'))
    .map((reply) => reply.at('/errorCorrelationId'))
    .filter((id) => id !== undefined && id !== null);
  expect(new Set(ids).size, 'GW-ERR-10').toBe(ids.length);
}
