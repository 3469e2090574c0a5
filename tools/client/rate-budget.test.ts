import { expect, test } from '@playwright/test';
import fc from 'fast-check';
import { RateBudget } from './rate-budget.ts';
import type { TargetTime } from './target-time.ts';

/** Time that passes when everybody waits for it. */
class VirtualClock {
  #now = 1_000_000;
  #timers: { at: number; wake: () => void }[] = [];

  now = (): number => this.#now;

  wait = (milliseconds: number): Promise<void> =>
    new Promise((wake) => {
      this.#timers.push({ at: this.#now + milliseconds, wake });
      this.#timers.sort((one, other) => one.at - other.at);
    });

  /** Lets time pass until all of these have ended. */
  async play(work: readonly Promise<void>[]): Promise<void> {
    let isOver = false;
    const all = Promise.all(work).finally(() => {
      isOver = true;
    });
    for (;;) {
      await new Promise((done) => setImmediate(done));
      if (isOver) return void (await all);
      const next = this.#timers.shift();
      if (next === undefined) throw new Error('everybody waits for nothing');
      this.#now = next.at;
      next.wake();
    }
  }
}

/** How a service counts: from the first call of a window, by windows of its own that begin when they do, or the last minute at any time. */
const COUNTS = ['from the first call', 'by its own windows', 'the last minute'] as const;

/** A service with a limit: counts a call when it gets to it. */
class LimitedService {
  refused = 0;
  #times: number[] = [];
  #opened = Number.NEGATIVE_INFINITY;
  readonly #limit: number;
  readonly #counts: (typeof COUNTS)[number];

  constructor(limit: number, counts: (typeof COUNTS)[number]) {
    this.#limit = limit;
    this.#counts = counts;
  }

  answer(time: number) {
    if (this.#counts === 'the last minute') this.#times = this.#times.filter((one) => one > time - 60_000);
    else if (time >= this.#opened + 60_000) {
      this.#opened = this.#counts === 'from the first call' ? time : Math.floor(time / 60_000) * 60_000;
      this.#times = [];
    }
    const status = this.#times.length >= this.#limit ? 429 : 200;
    if (status === 429) this.refused += 1;
    else this.#times.push(time);
    const left = this.#limit - this.#times.length;
    const headers = { 'x-ratelimit-limit': String(this.#limit), 'x-ratelimit-remaining': String(left) };
    return { status, headers: new Map(Object.entries(headers)) };
  }
}

/** Has workers call a service of which an answer takes a while either way. @returns its refusals, and the seconds it took */
async function callLimited(plan: {
  readonly limit: number;
  readonly counts: (typeof COUNTS)[number];
  readonly workers: number;
  readonly calls: number;
  readonly delays: readonly number[];
}): Promise<{ refused: number; seconds: number }> {
  const clock = new VirtualClock();
  const began = clock.now();
  const service = new LimitedService(plan.limit, plan.counts);
  const time: TargetTime = {
    steered: false,
    passed: 0,
    isReadable: true,
    lever: () => 'stands',
    noteLever: () => {},
    now: async () => clock.now(),
    nowAtLeast: async () => clock.now(),
    sleep: (seconds) => clock.wait(seconds * 1000),
  };
  const budget = new RateBudget(time, undefined, 1, clock);
  let left = plan.calls;
  let turn = 0;
  const delay = () => plan.delays[turn++ % plan.delays.length]!;
  const work = async () => {
    while (left > 0) {
      left -= 1;
      const ticket = await budget.awaitCall('a');
      await clock.wait(delay());
      const answer = service.answer(clock.now());
      await clock.wait(delay());
      await budget.noteAnswer('a', ticket, answer);
    }
  };
  await clock.play(Array.from({ length: plan.workers }, work));
  return { refused: service.refused, seconds: (clock.now() - began) / 1000 };
}

test('no service with a limit answers 429, however it counts, whichever answers overtake others', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.record({
        limit: fc.integer({ min: 10, max: 500 }),
        counts: fc.constantFrom(...COUNTS),
        workers: fc.integer({ min: 1, max: 12 }),
        calls: fc.integer({ min: 1, max: 700 }),
        delays: fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 1, maxLength: 9 }),
      }),
      async (plan) => {
        expect((await callLimited(plan)).refused).toBe(0);
      },
    ),
    { seed: 23, numRuns: 60 },
  );
});

test('what a limit allows is used: 1,500 calls of 500 a minute take no longer than three windows and what they wait for', async () => {
  for (const counts of ['from the first call', 'by its own windows'] as const) {
    const plan = { limit: 500, counts, workers: 6, calls: 1500, delays: [50, 30, 90] };
    const { refused, seconds } = await callLimited(plan);
    expect([refused, seconds < 215]).toEqual([0, true]);
  }
});

test('what opens again bit by bit is used, too: 1,500 calls of 500 in any minute', async () => {
  const plan = { limit: 500, counts: 'the last minute', workers: 6, calls: 1500, delays: [50, 30, 90] } as const;
  const { refused, seconds } = await callLimited(plan);
  expect([refused, seconds < 190]).toEqual([0, true]);
});

test.describe('calls at the same moment', () => {
  const steady = (): { budget: RateBudget; waited: number[] } => {
    const clock = new VirtualClock();
    const waited: number[] = [];
    const time: TargetTime = {
      steered: false,
      passed: 0,
      isReadable: true,
      lever: () => 'moves',
      noteLever: () => {},
      now: async () => clock.now(),
      nowAtLeast: async () => clock.now(),
      sleep: async (seconds) => void waited.push(Math.round(seconds)),
    };
    return { budget: new RateBudget(time, undefined, 1, clock), waited };
  };
  const answer = (left: number, limit = 500) => ({
    status: 200,
    headers: new Map([
      ['x-ratelimit-limit', String(limit)],
      ['x-ratelimit-remaining', String(left)],
    ]),
  });

  test('go when one by itself has told how many a window holds', async () => {
    const { budget } = steady();
    expect(await budget.awaitCalls('a', 5)).toBeUndefined();
    await budget.noteAnswer('a', await budget.awaitCall('a'), answer(499));
    const tickets = await budget.awaitCalls('a', 5);
    expect(tickets?.map(({ serial, before }) => serial - before)).toEqual([1, 1, 1, 1, 1]);
  });

  test('go at once where nothing is announced', async () => {
    const { budget } = steady();
    await budget.noteAnswer('a', await budget.awaitCall('a'), { status: 200, headers: new Map() });
    expect(await budget.awaitCalls('a', 5)).toHaveLength(5);
  });

  test('wait for a window that holds them all, of which one by itself tells again', async () => {
    const { budget, waited } = steady();
    await budget.noteAnswer('a', await budget.awaitCall('a'), answer(8));
    expect(await budget.awaitCalls('a', 3)).toHaveLength(3);
    expect(await budget.awaitCalls('a', 3)).toBeUndefined();
    // Little is left of a window that was just looked at: it may slide, or end with a minute.
    expect(waited).toEqual([5]);
  });

  test('are not waited for where no window holds them', async () => {
    const { budget } = steady();
    await budget.noteAnswer('a', await budget.awaitCall('a'), answer(3, 4));
    await expect(budget.awaitCalls('a', 5)).rejects.toThrow('too low for 5 calls at the same moment');
  });
});
