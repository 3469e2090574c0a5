import { type Client, receiver } from './client.ts';
import { type Trial, trials } from './trial.ts';

type Change = Record<string, unknown>;

const post = (change: Change, honest: number, lying: Readonly<Record<string, unknown>>) =>
  trials(async (client) => (await client.webhook('POST', change)).status, honest, lying);
const put = (change: Change, honest: number, lying: Readonly<Record<string, unknown>>) =>
  trials(
    async (client) => {
      await client.webhook('POST');
      return (await client.webhook('PUT', change)).status;
    },
    honest,
    lying,
  );

/** Creates, replaces with other values, reads; the answer to the reading. */
async function rewritten(client: Client) {
  await client.webhook('POST', { name: 'one', description: 'first' });
  const change = { url: 'https://b.example/', name: 'two', description: 'second', is_active: false };
  await client.webhook('PUT', change);
  return (await client.send('GET', 'webhooks')).body;
}
const reads = (name: string, honest: unknown, lying: Readonly<Record<string, unknown>>) =>
  trials(async (client) => (await rewritten(client))[name], honest, lying);

const url = (length: number) => `https://a.example/${'p'.repeat(length - 18)}`;

/** The configuration. */
const configuration: Trial[] = [
  ...trials(
    async (client) => {
      await client.webhook('POST');
      return (await client.webhook('POST')).status;
    },
    422,
    { 'second-webhook-created': 201 },
  ),
  ...trials(
    async (client) => {
      const { status, text } = await client.webhook('POST');
      return [status, text === ''];
    },
    [201, false],
    { 'webhook-created-answered-200': [200, false], 'webhook-created-without-body': [201, true] },
  ),
  ...reads('url', 'https://b.example/', {
    'webhook-read-shows-first-version': 'https://a.example/hook',
    'replacement-keeps-old-url': 'https://a.example/hook',
    'webhook-url-shown-without-scheme': 'b.example/',
    'webhook-url-as-object': { href: 'https://b.example/' },
  }),
  ...reads('is_active', false, {
    'webhook-read-always-active': true,
    'replacement-keeps-is-active': true,
    'webhook-is-active-as-text': 'false',
    'webhook-is-active-as-number': 0,
  }),
  ...reads('name', 'two', {
    'webhook-read-without-name': null,
    'replacement-keeps-old-name': 'one',
    'webhook-name-as-number': 5,
    'webhook-name-as-list': ['two'],
  }),
  ...reads('description', 'second', {
    'replacement-keeps-old-description': 'first',
    'webhook-description-as-number': 5,
    'webhook-description-as-list': ['second'],
  }),
  ...reads('token', '********', {
    'webhook-token-readable': 'T'.repeat(16),
    'webhook-token-readable-after-replacement': 'T'.repeat(16),
    'webhook-token-as-number': 0,
    'webhook-token-as-flag': true,
  }),
  ...trials(
    async (client) => {
      const { uuid } = (await client.webhook('POST')).body;
      return (await client.webhook('PUT')).body.uuid === uuid;
    },
    true,
    { 'replacement-makes-another-configuration': false },
  ),
  ...trials(
    async (client) => {
      const { uuid } = (await client.webhook('POST')).body;
      return (await client.send('GET', 'webhooks')).body.uuid === uuid;
    },
    true,
    { 'webhook-uuid-changes': false },
  ),
  ...trials(
    async (client) => {
      await client.webhook('POST');
      const { status, body } = await client.send('GET', 'webhooks');
      return [status, Array.isArray(body)];
    },
    [200, false],
    { 'webhook-read-answered-204': [204, false], 'webhook-read-in-a-list': [200, true] },
  ),
  ...put({}, 200, { 'webhook-replaced-answered-201': 201, 'webhook-replaced-answered-204': 204 }),
  ...post({ url: undefined }, 422, { 'webhook-created-without-url': 201 }),
  ...put({ url: undefined }, 422, { 'webhook-replaced-without-url': 200 }),
  ...post({ url: 'no address' }, 422, { 'webhook-url-of-any-text': 201 }),
  ...post({ url: 'a.example/hook' }, 422, { 'webhook-url-without-scheme': 201 }),
  ...post({ url: url(255) }, 201, { 'webhook-url-limit-one-less': 422 }),
  ...post({ url: url(256) }, 422, { 'webhook-url-limit-one-more': 201, 'webhook-url-limit-absent': 201 }),
  ...post({ token: undefined }, 422, { 'webhook-created-without-token': 201 }),
  ...put({ token: undefined }, 422, { 'webhook-replaced-without-token': 200 }),
  ...post({ token: 't'.repeat(15) }, 422, { 'webhook-token-minimum-one-less': 201 }),
  ...post({ token: 't'.repeat(16) }, 201, { 'webhook-token-minimum-one-more': 422 }),
  ...post({ token: 't'.repeat(100) }, 201, { 'webhook-token-limit-one-less': 422 }),
  ...post({ token: 't'.repeat(101) }, 422, { 'webhook-token-limit-one-more': 201, 'webhook-token-limit-absent': 201 }),
  ...post({}, 201, {
    'webhook-name-required': 422,
    'webhook-description-required': 422,
    'webhook-creation-needs-is-active': 422,
  }),
  ...post({ name: null, description: null }, 201, {
    'webhook-name-null-refused': 422,
    'webhook-description-null-refused': 422,
  }),
  ...post({ name: 'n'.repeat(255) }, 201, { 'webhook-name-limit-one-less': 422 }),
  ...post({ name: 'ж'.repeat(255) }, 201, { 'webhook-name-limit-in-bytes': 422 }),
  ...post({ name: 'n'.repeat(256) }, 422, { 'webhook-name-limit-one-more': 201, 'webhook-name-limit-absent': 201 }),
  ...post({ description: 'd'.repeat(500) }, 201, { 'webhook-description-limit-one-less': 422 }),
  ...post({ description: 'ж'.repeat(500) }, 201, { 'webhook-description-limit-in-bytes': 422 }),
  ...post({ description: 'd'.repeat(501) }, 422, {
    'webhook-description-limit-one-more': 201,
    'webhook-description-limit-absent': 201,
  }),
  ...put({ is_active: undefined }, 422, { 'webhook-replaced-without-is-active': 200 }),
  ...put({ is_active: 'maybe' }, 422, { 'webhook-is-active-in-words-accepted': 200 }),
];

type Receiver = Awaited<ReturnType<typeof receiver>>;

/** Runs a scene with a receiver that answers as told and gives what the scene makes of it. */
const scene =
  (statuses: number[], play: (client: Client, to: Receiver) => Promise<unknown>) => async (client: Client) => {
    const to = await receiver(...statuses);
    try {
      await client.webhook('POST', { url: to.url });
      return await play(client, to);
    } finally {
      await to.close();
    }
  };
const settle = (client: Client, seconds = 0) => client.control('/clock/advance', { seconds });

/** Which events arrived after what was done. */
const announced = (act: (client: Client) => Promise<unknown>) =>
  scene([202], async (client, to) => {
    await act(client);
    await settle(client);
    return to.messages.map(({ body }) => body.event);
  });
const becomes = (status: string) => async (client: Client) => {
  const [uuid] = await client.insert({});
  await client.control(`/v1/transactions/${uuid}/status`, { status });
};

/** How many attempts there were within some minutes, with the first answers given; the last one repeats. */
const attempts = (...statuses: number[]) =>
  scene(statuses, async (client, to) => {
    await client.create();
    await settle(client, 300);
    return to.messages.length;
  });

/** Tokens of every message: the first is answered 500; then the token changes. */
const tokens = scene([500, 202], async (client, to) => {
  await client.create();
  await settle(client, 60);
  await client.webhook('PUT', { url: to.url, token: 'U'.repeat(16) });
  await client.create();
  await settle(client);
  return to.messages.map(({ headers }) => headers['x-webhook-token'] ?? null);
});
const [T, U] = ['T'.repeat(16), 'U'.repeat(16)];

/** The longest token, as a message brings it. */
const longToken = scene([202], async (client, to) => {
  await client.webhook('PUT', { url: to.url, token: 'L'.repeat(100) });
  await client.create();
  await settle(client);
  return to.messages[0]?.headers['x-webhook-token'];
});

/** What is sent while inactive, and after becoming active again. */
const activity = scene([202], async (client, to) => {
  const seen: number[] = [];
  for (const is_active of [false, true]) {
    await client.webhook('PUT', { url: to.url, is_active });
    await client.create();
    await settle(client);
    seen.push(to.messages.length);
  }
  return seen;
});

/** Paths of messages before and after the address changed. */
const moved = scene([202], async (client, to) => {
  await client.create();
  await settle(client);
  await client.webhook('PUT', { url: `${to.url}/new` });
  await client.create();
  await settle(client);
  return to.messages.map(({ path }) => path);
});

/** Deliveries. */
const events: Trial[] = [
  ...trials(
    announced((client) => client.control('/v1/events', { family: 'account' })),
    ['account.status_changed'],
    {
      'account-events-not-delivered': [],
    },
  ),
  ...trials(
    announced((client) => client.control('/v1/events', { family: 'virtual_iban' })),
    ['virtual_iban.status_changed'],
    { 'virtual-iban-events-not-delivered': [] },
  ),
  ...trials(
    announced((client) => client.create()),
    ['transaction.created'],
    {
      'created-transactions-not-announced': [],
    },
  ),
  ...trials(
    announced((client) => client.create({ payment_type: 'swift' })),
    ['transaction.created'],
    { 'created-swift-transfers-not-announced': [] },
  ),
  ...trials(announced(becomes('completed')), ['transaction.completed'], { 'completed-transactions-not-announced': [] }),
  ...trials(announced(becomes('rejected')), ['transaction.rejected'], {
    'other-ends-than-completion-not-announced': [],
  }),
  ...trials(moved, ['/hook', '/hook/new'], {
    'events-keep-going-to-first-url': ['/hook', '/hook'],
    'events-go-to-root-of-url': ['/', '/'],
  }),
  ...trials(activity, [0, 1], { 'inactive-webhook-sends': [1, 2], 'reactivated-webhook-stays-silent': [0, 0] }),
  ...trials(tokens, [T, T, U], {
    'events-without-token': [null, null, null],
    'events-with-first-token': [T, T, T],
    'events-with-half-token': [T.slice(0, 8), T.slice(0, 8), U.slice(0, 8)],
    'repeated-events-without-token': [T, null, U],
  }),
  ...trials(longToken, 'L'.repeat(100), { 'events-with-token-cut-at-64': 'L'.repeat(64) }),
  ...trials(attempts(500, 503, 200, 404, 202), 5, {
    'events-not-repeated': 1,
    'events-repeated-once-only': 2,
    'events-not-repeated-after-500': 1,
  }),
  ...trials(attempts(0, 202), 2, { 'events-not-repeated-without-answer': 1 }),
  ...trials(attempts(202), 1, { 'settled-events-repeated': 3 }),
  ...trials(attempts(500, 202), 2, { 'events-settled-late-repeated': 5 }),
];

export const webhookTrials: readonly Trial[] = [...configuration, ...events];
