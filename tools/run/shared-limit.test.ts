import { expect, test } from '@playwright/test';
import { rehearseService } from './rehearse-target.test-support.ts';

const MOST = 500;

/**
 * Judges the limit of a service whose address others use as well.
 * @param take how many requests of others go before one of ours, by what is left in the window and how many windows went before
 * @returns verdicts by rule
 */
async function judgeLimit(take: (left: number, window: number) => number): Promise<Readonly<Record<string, string>>> {
  let left = MOST;
  let window = 0;
  const { rules } = await rehearseService(
    (request, reply) => {
      if (request.url === '/clock') {
        left = MOST;
        window += 1;
        reply.end();
        return;
      }
      left = Math.max(0, left - take(left, window));
      const isServed = left > 0;
      if (isServed) left -= 1;
      const message = 'Too Many Attempts.';
      const refusal = { status: false, status_code: 429, message, errors: [message] };
      reply
        .writeHead(isServed ? 200 : 429, {
          'content-type': 'application/json',
          'x-ratelimit-limit': String(MOST),
          'x-ratelimit-remaining': String(left),
        })
        .end(JSON.stringify(isServed ? { uuid: 'u' } : refusal));
    },
    (address) =>
      `name: shared\nkind: mock\nv1: { address: "${address}", token: env:ASSAY_SHARED, account: "00000000-0000-4000-8000-000000000001" }\n` +
      `control:\n  advance: { url: "${address}/clock", moves: [limits] }\nmanners: { exhaust: true }\n`,
    ['V1-LIM-01'],
    { ASSAY_SHARED: 'a-token-of-a-shared-service' },
  );
  return Object.fromEntries(rules.map(({ id, verdict }) => [id, verdict]));
}

test('the first and the last request of a window are of others, now and then, and break nothing', async () => {
  test.setTimeout(240_000);
  const ends = [1, MOST];
  const shared = await judgeLimit((left, window) => (ends.includes(left) && window < 2 ? 1 : 0));
  expect(shared).toMatchObject({ 'V1-LIM-01': 'pass' });
});

test('a limit of one request less is broken, however often it is tried', async () => {
  test.setTimeout(240_000);
  const short = await judgeLimit((left) => (left === 1 ? 1 : 0));
  expect(short).toMatchObject({ 'V1-LIM-01': 'fail' });
});
