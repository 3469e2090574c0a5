import type { V1Choices } from '../choices.ts';

/** A message before it takes a form. */
export interface EventMessage {
  readonly uuid: string;
  readonly event: string;
  /** Unix seconds. */
  readonly raised: number;
  readonly attempt: number;
  readonly data: unknown;
  readonly token: string | undefined;
}

/** What is posted to a receiver. */
export interface PostedMessage {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

const UUID = /[a-z0-9]{8}(-[a-z0-9]{4}){3}-[a-z0-9]{12}/gi;

const FORMS: Readonly<Record<V1Choices['delivery'], (message: EventMessage) => PostedMessage>> = {
  usual: ({ token, uuid, event, raised, data }) => ({
    headers: token === undefined ? {} : { 'x-webhook-token': token },
    body: { uuid, event, created_at: raised, data },
  }),
  bearer: ({ token, uuid, event, data }) => ({
    headers: { ...(token === undefined ? {} : { authorization: `Bearer ${token}` }), 'x-message': uuid },
    body: { [event]: data },
  }),
  quoted: ({ token, uuid, event, data }) => ({
    headers: { ...(token === undefined ? {} : { authorization: `Token token="${token}"` }), 'x-message': uuid },
    body: { event, object: data },
  }),
  enveloped: ({ token, uuid, event, raised, attempt, data }) => ({
    headers: {},
    body: { envelope: { key: uuid, attempt, secret: token }, happened: { what: event, when: raised, thing: data } },
  }),
  'in a list': ({ token, uuid, event, data }) => ({
    headers: token === undefined ? {} : { 'x-hook-secret': token },
    body: [{ type: event, nonce: uuid, data }],
  }),
  basic: ({ token, uuid, event, data }) => ({
    headers: token === undefined ? {} : { authorization: `Basic ${Buffer.from(`hook:${token}`).toString('base64')}` },
    body: { id: uuid, event, data },
  }),
  'in capitals': ({ token, uuid, event, data }) => ({
    headers: token === undefined ? {} : { 'x-webhook-token': token },
    body: { uuid, event, data: JSON.parse(JSON.stringify(data).replace(UUID, (one) => one.toUpperCase())) },
  }),
  // Says that something happened; what, has to be asked for.
  thin: ({ token, uuid, event }) => ({
    headers: token === undefined ? {} : { 'x-webhook-token': token },
    body: { uuid, event },
  }),
};

const POINTERS: Readonly<Record<V1Choices['delivery'], { token: string; message: string }>> = {
  usual: { token: 'header:x-webhook-token', message: '/uuid' },
  bearer: { token: 'header:authorization', message: 'header:x-message' },
  quoted: { token: 'header:authorization', message: 'header:x-message' },
  enveloped: { token: '/envelope/secret', message: '/envelope/key' },
  'in a list': { token: 'header:x-hook-secret', message: '/0/nonce' },
  basic: { token: 'header:authorization', message: '/id' },
  'in capitals': { token: 'header:x-webhook-token', message: '/uuid' },
  thin: { token: 'header:x-webhook-token', message: '/uuid' },
};

const GAPS: Readonly<Record<V1Choices['deliveryGaps'], (attempts: number) => number>> = {
  doubling: (attempts) => Math.min(2 ** (attempts - 1), 86_400),
  short: () => 5,
  long: (attempts) => [30, 60][attempts - 1] ?? 3600,
};

const TAKEN: Readonly<Record<V1Choices['deliveryTaken'], readonly number[]>> = {
  '202': [],
  '200 and 202': [200],
  '202 and 404': [404],
};

/** A message in the form that a service gives it. */
export function formatMessage({ delivery }: V1Choices, message: EventMessage): PostedMessage {
  return FORMS[delivery](message);
}

/** Where the token and the message's id stand in that, as a target file says it. */
export function deliveryPointers({ delivery }: V1Choices): { token: string; message: string } {
  return POINTERS[delivery];
}

/** Back-off in seconds after the given number of attempts. */
export function retryGap({ deliveryGaps }: V1Choices, attempts: number): number {
  return GAPS[deliveryGaps](attempts);
}

/** Whether an answer other than 202 ends a message: the document says that it may count as failed. */
export function endsDelivery({ deliveryTaken }: V1Choices, outcome: number | string): boolean {
  return TAKEN[deliveryTaken].includes(Number(outcome));
}
