import type { Client, Reply } from './client.ts';
import { type Trial, trials } from './trial.ts';

/** Sends that many requests, some at a time, and gives how many were answered 429. */
async function burn(client: Client, count: number): Promise<number> {
  let refused = 0;
  for (let sent = 0; sent < count; sent += 50) {
    const batch = Array.from({ length: Math.min(50, count - sent) }, () => client.status('GET', '/nowhere'));
    refused += (await Promise.all(batch)).filter((status) => status === 429).length;
  }
  return refused;
}

async function exhausted(client: Client): Promise<Reply> {
  await burn(client, 500);
  return client.send('GET', 'auth');
}

const left = (reply: Reply) => Number(reply.headers.get('x-ratelimit-remaining'));
const limit = (reply: Reply) => reply.headers.get('x-ratelimit-limit');
const hasRemaining = (reply: Reply) => /^\d+$/.test(reply.headers.get('x-ratelimit-remaining') ?? '');

async function falling(client: Client): Promise<number[]> {
  return [left(await client.send('GET', 'auth')), left(await client.send('GET', 'auth')), left(await client.list())];
}

/** Headers, limit, window. */
export const rateTrials: readonly Trial[] = [
  ...trials((client) => burn(client, 500), 0, { 'v1-rate-limit-at-499': 1, 'v1-rate-limit-at-450': 50 }),
  ...trials(
    async (client) => {
      await burn(client, 500);
      return [await client.status('GET', 'auth'), await client.status('GET', 'auth')];
    },
    [429, 429],
    {
      'v1-rate-limit-at-501': [200, 429],
      'v1-rate-limit-absent': [200, 200],
      'v1-rate-limit-every-other-request': [429, 200],
    },
  ),
  ...trials(
    async (client) => {
      const token = client.sandbox.credentials.v1.unprivileged;
      return [left(await client.send('GET', 'auth')), left(await client.send('GET', 'auth', { token }))];
    },
    [499, 498],
    { 'v1-rate-limit-by-token': [499, 499] },
  ),
  ...trials(async (client) => [left(await client.send('GET', 'auth')), left(await client.list())], [499, 498], {
    'v1-rate-limit-by-path': [499, 499],
  }),
  ...trials(
    async (client) => {
      const statuses = [(await exhausted(client)).status];
      for (const seconds of [61, 60]) {
        await client.control('/clock/advance', { seconds });
        statuses.push(await client.status('GET', 'auth'));
      }
      return statuses;
    },
    [429, 200, 200],
    { 'v1-rate-limit-for-two-minutes': [429, 429, 200], 'v1-rate-limit-for-good': [429, 429, 429] },
  ),
  ...trials(
    async (client) => (await exhausted(client)).body,
    {
      status: false,
      status_code: 429,
      message: 'Too Many Attempts.',
      errors: ['Too Many Attempts.'],
    },
    {
      'v1-too-many-message-without-full-stop': {
        status: false,
        status_code: 429,
        message: 'Too Many Attempts',
        errors: ['Too Many Attempts.'],
      },
      'v1-too-many-message-in-capitals': {
        status: false,
        status_code: 429,
        message: 'TOO_MANY_ATTEMPTS',
        errors: ['Too Many Attempts.'],
      },
      'v1-too-many-errors-empty': { status: false, status_code: 429, message: 'Too Many Attempts.', errors: [] },
      'v1-too-many-errors-other-text': {
        status: false,
        status_code: 429,
        message: 'Too Many Attempts.',
        errors: ['Slow down.'],
      },
    },
  ),
  ...trials(async (client) => limit(await client.send('GET', '/nowhere')), '500', {
    'v1-limit-header-missing': null,
    'v1-limit-header-missing-on-errors': null,
    'v1-limit-header-missing-on-unknown-paths': null,
    'v1-limit-header-says-600': '600',
    'v1-limit-header-says-499': '499',
    'v1-limit-header-says-60-on-errors': '60',
  }),
  ...trials(
    async (client) => {
      await client.upload();
      const { uuid } = (await client.send('GET', client.documents)).body[0];
      return limit(await client.send('DELETE', `${client.documents}/${uuid}`));
    },
    '500',
    { 'v1-limit-header-missing-without-body': null },
  ),
  ...trials(async (client) => hasRemaining(await client.send('GET', '/nowhere')), true, {
    'v1-remaining-header-missing': false,
    'v1-remaining-header-missing-on-errors': false,
    'v1-remaining-header-in-words': false,
  }),
  ...trials(async (client) => hasRemaining(await client.create()), true, {
    'v1-remaining-header-missing-on-201': false,
  }),
  ...trials(falling, [499, 498, 497], {
    'v1-remaining-stays': [499, 499, 499],
    'v1-remaining-rises': [1, 2, 3],
    'v1-remaining-falls-every-other-request': [498, 498, 496],
  }),
];
