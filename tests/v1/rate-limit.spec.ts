import {
  type ApiReply,
  assertPromise,
  attributeTo,
  expect,
  hasValues,
  isFalling,
  OPERATION_GROUPS,
  type PreparedCall,
  prepareCalls,
  prepareFailures,
  prepareRefusals,
  provokeErrors,
  requireSeen,
  requireTargetLine,
  rule,
  sweepOperations,
  type Target,
  test,
  UnarrangedError,
  type V1Client,
} from '#harness';

const MOST = 500;
const LONG = 480_000;
/** Times that a refusal is tried beside others, who may ask between any two requests. */
const TRIES = 8;

const left = (reply: ApiReply) => Number(reply.headers.get('x-ratelimit-remaining') ?? Number.NaN);
/** Whether a request that is refused counts is open. */
const isServed = ({ status }: ApiReply) => status < 400;
const ask = (v1: V1Client, token?: string) => v1.send('getAuth', token === undefined ? {} : { token });
const ASKING: PreparedCall = { operation: 'getAuth', options: {} };
/** As {@link ask}, whatever the budget says: for checks that use the limit up, some by another request. */
const press = (v1: V1Client, { operation, options } = ASKING) => v1.send(operation, { ...options, unmetered: true });

/** Requests that take turns. */
const inTurn = (calls: readonly PreparedCall[]) => {
  let sent = 0;
  return () => calls[sent++ % calls.length] ?? ASKING;
};

/**
 * Times that numbers of requests left are looked at: a window may end among them, so they are once more at once; older requests may drop
 * out of a window that slides, so they are after a minute without any.
 */
const ATTEMPTS = 4;
const BURST = 25;
const pressAtOnce = (v1: V1Client, count = BURST, next = inTurn([])) =>
  Promise.all(Array.from({ length: count }, () => press(v1, next())));

/** Lets a window of the limit pass: in real time, where moving the clock turns out to leave it open. */
async function passWindow(v1: V1Client, seconds = 61): Promise<void> {
  await v1.sleep(seconds, 'limits');
  const isFresh = async () => left(await press(v1)) > MOST / 2;
  if (!(await v1.confirmSleep('limits', isFresh))) await v1.sleep(seconds, 'limits');
}

/**
 * Spends the first `count` requests of a fresh window, some at once; up to three times, as a window may end in between.
 * @returns the answer to the first request of all, how many were served, how many others the remainder says that someone else spent, and the
 * least that was said to be left
 */
async function spend(
  v1: V1Client,
  count: number,
  next = inTurn([]),
): Promise<{ opening: ApiReply; served: number; others: number; least: number }> {
  const opening = await press(v1, next());
  for (let attempt = 1; ; attempt += 1) {
    let first = attempt === 1 ? opening : await press(v1, next());
    // Whether the clock moved at all is seen by a request, which is then missing from its window: one more is passed.
    for (let passed = 0; left(first) !== MOST - 1 && passed < 2; passed += 1) {
      await passWindow(v1, 60 + attempt);
      first = await press(v1, next());
    }
    const replies = [first];
    while (replies.length < count && !replies.some(({ status }) => status === 429))
      replies.push(...(await pressAtOnce(v1, Math.min(BURST, count - replies.length), next)));
    const seen = replies.filter(({ status }) => status !== 429).map(left);
    const others = Math.max(...seen) - Math.min(...seen) + 1 - seen.length;
    // A header that does not count is for its own check to say.
    if (others >= 0 || attempt === 3)
      return { opening, served: seen.length, others: Math.max(0, others || 0), least: Math.min(...seen) };
    await passWindow(v1, 60 + 7 * attempt);
  }
}

/** Uses the window up. @returns the first 429 @throws Unarranged when none comes */
async function exhaust(v1: V1Client): Promise<ApiReply> {
  await spend(v1, MOST);
  return pressOn(v1);
}

/** Asks past the end of a window. @returns the first 429 @throws Unarranged when none comes */
async function pressOn(v1: V1Client): Promise<ApiReply> {
  for (let more = 0; more < 10; more += 1) {
    const reply = await press(v1);
    if (reply.status === 429) return reply;
  }
  throw new UnarrangedError('no request is answered 429');
}

/** A check that uses the window up: whoever comes next has a whole one again. */
const spending =
  (check: (v1: V1Client, target: Target) => Promise<void>) =>
  async ({ v1, target }: { v1: V1Client; target: Target }): Promise<void> => {
    test.setTimeout(LONG);
    try {
      await check(v1, target);
    } finally {
      await passWindow(v1);
    }
  };

/** Lists and readings, each of which is served. Those of what cannot be made are not among them: that is for other checks to say. */
async function prepareReadings(v1: V1Client, target: Target): Promise<readonly PreparedCall[]> {
  const readings: PreparedCall[] = [];
  for (const { about, needs } of OPERATION_GROUPS) {
    if (!needs.every((need) => target.offers.has(need))) continue;
    for (const { operation, options } of await prepareIfPossible(v1, about)) {
      if (!/^(?:list|read)/.test(operation)) continue;
      const query = { ...options.query, ...(operation.startsWith('list') && { per_page: 1 }) };
      const call = { operation, options: { ...options, query } };
      if ((await press(v1, call)).status === 200) readings.push(call);
    }
  }
  return readings;
}

async function prepareIfPossible(v1: V1Client, about: Parameters<typeof prepareCalls>[1]) {
  try {
    return await prepareCalls(v1, about);
  } catch (error) {
    if (error instanceof UnarrangedError) return [];
    throw error;
  }
}

test(
  'serves 500 requests within a minute, answers 429 past them, and serves 500 again a minute later',
  rule('V1-LIM-01', 'V1-LIM-02', 'V1-LIM-04', 'V1-LIM-07'),
  spending(async (v1, target) => {
    const isTaken = (await v1.createTransaction()).status === 201;
    const lookup = { operation: 'getIbanDetails', options: { query: { iban: v1.iban } } };
    const lookups = (await press(v1, lookup)).status === 200 ? [lookup] : [];
    const readings = await prepareReadings(v1, target);
    await expectWholeWindow(v1, 'a window of lookups', { next: inTurn(lookups) });
    await passWindow(v1);
    await expectWholeWindow(v1, 'one of readings after a 429', { next: inTurn(readings), recovery: 'V1-LIM-04' });
    const sent = { headers: v1.requestIdHeader(), unmetered: true };
    const refused = await v1.createTransaction({}, sent);
    if (!isTaken || refused.status !== 429) return;
    await passWindow(v1);
    // What was refused for the rate comes again as it was.
    expect(await v1.createTransaction({}, sent), 'V1-LIM-04').toAnswer(201);
  }),
);

/**
 * Uses a window up, all of which is to be served, and nothing past it.
 * @param recovery the rule that promises its first request, if one does
 * @param next the requests that use it up
 */
async function expectWholeWindow(
  v1: V1Client,
  window: string,
  { next, recovery }: { next: () => PreparedCall; recovery?: string },
): Promise<void> {
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const { opening, served, others, least } = await spend(v1, MOST, next);
    if (recovery !== undefined && attempt === 0) expect(opening.status, recovery).toBe(200);
    // The first request of a window and the last one, when someone else's, show nowhere: another window is taken.
    if (served + others < MOST && attempt < 2) {
      await passWindow(v1);
      continue;
    }
    attributeTo('V1-LIM-01', () => expect(served + others, window).toBeGreaterThanOrEqual(MOST));
    const past = [await press(v1), await press(v1), await press(v1), await press(v1)];
    // Served with nearly everything left: another window has begun just now.
    if (past.some((reply) => reply.status === 200 && left(reply) > MOST - 10)) continue;
    expect(
      past.map(({ status }) => status),
      'V1-LIM-02',
    ).toEqual([429, 429, 429, 429]);
    // Where all of a window was ours, the last of it left nothing. A header that is missing is for its own check to say.
    if (served === MOST && !Number.isNaN(least)) expect(least, 'V1-LIM-07').toBe(0);
    return;
  }
  throw new UnarrangedError('windows are too short to use one up');
}

test('counts requests from another address apart', rule('V1-LIM-03'), async ({ v1, target }) => {
  test.setTimeout(LONG);
  requireTargetLine(target.connection.secondAddress, 'connection.secondAddress');
  const askAsOther = () => v1.send('getAuth', { isSecondCaller: true });
  const rounds = 6;
  for (let attempt = 1; ; attempt += 1) {
    const seen: number[] = [];
    for (let round = 0; round < rounds; round += 1)
      for (const reply of [await ask(v1), await askAsOther()])
        seen.push(Number(requireSeen(reply.headers.get('x-ratelimit-remaining'), 'X-RateLimit-Remaining')));
    // One count of both falls from each answer to the next, whoever asks, but where a window begins. Of two, one that nobody else uses
    // cannot fall around each number of the other.
    const rises = seen.filter((now, i) => i > 0 && now >= seen[i - 1]!).length;
    const isApart = rises > 1;
    if (isApart || attempt === 3) return assertPromise(isApart, 'a count of our address alone', seen.join(', '));
    // Two counts that others bring down as well may run side by side for a while: this parts them.
    for (let more = 0; more < 20; more += 1) await askAsOther();
  }
});

// A request that is not counted would be made up for by others.
for (const [id, title, between, needs = []] of [
  [
    'V1-LIM-03',
    'counts requests by address, whatever their token',
    async (v1, token) => [await ask(v1, token), await ask(v1, token), await ask(v1, token)],
  ],
  [
    'V1-LIM-10',
    'counts requests by address, whatever they say of another',
    async (v1) => {
      const replies = [];
      for (const address of ['203.0.113.7', '203.0.113.8, 198.51.100.9', '198.51.100.9']) {
        const [client] = address.split(',');
        const headers = { 'x-forwarded-for': address, 'x-real-ip': `${client}`, forwarded: `for=${client}` };
        replies.push(await v1.send('getAuth', { headers }));
      }
      return replies;
    },
  ],
  ...OPERATION_GROUPS.map(
    ({ about, needs }) =>
      [
        'V1-LIM-03',
        `counts requests about ${about} together with others`,
        (v1: V1Client) => sweepOperations(v1, about),
        needs,
      ] as const,
  ),
] satisfies (readonly [
  id: string,
  title: string,
  between: (v1: V1Client, token: string) => Promise<readonly ApiReply[]>,
  needs?: (typeof OPERATION_GROUPS)[number]['needs'],
])[])
  test(title, rule(id, { needs, isAlone: true }), async ({ v1, target }) => {
    test.setTimeout(LONG);
    for (let attempt = 1; ; attempt += 1) {
      const first = left(await ask(v1));
      const served = (await between(v1, target.v1!.unprivileged!)).filter(isServed).length;
      if (served === 0) throw new UnarrangedError('none of the requests between is served');
      const made = served + 1;
      const spent = first - left(await ask(v1));
      if (!(spent < made) || attempt === ATTEMPTS) return expect(spent).toBeGreaterThanOrEqual(made);
      if (attempt > 1) await passWindow(v1);
    }
  });

/** Holds a request that was served past the limit against those right before and after it: where the window is another one, they are served, too. */
async function expectLimited(v1: V1Client, send: () => Promise<ApiReply>): Promise<void> {
  for (let tries = 0; tries < 3; tries += 1) {
    const [before, reply, after] = [await press(v1), await send(), await press(v1)];
    if (before.status !== 429 || reply.status === 429 || after.status !== 429) return;
    const told = `${reply.status} from ${reply.operation} between two answers of 429`;
    assertPromise(tries < 2, '429 from every operation', told, 'V1-LIM-02');
  }
}

/** Finds nothing done of what was answered 429: no upload kept, no document deleted, no webhook configuration replaced. */
async function expectUndone(v1: V1Client, limited: readonly PreparedCall[]): Promise<void> {
  for (const { operation, options } of limited) {
    const { file_name, url } = Object(options.body) as Readonly<Record<string, unknown>>;
    if (operation === 'uploadDocument') {
      const listed = (await v1.send('listDocuments', { query: { filename: String(file_name) } })).list();
      const kept = listed.filter((one) => hasValues(one, { file_name }));
      expect(kept, 'V1-LIM-02').toEqual([]);
    }
    if (operation === 'deleteDocument')
      expect(await v1.send('readDocument', { path: { ...options.path } }), 'V1-LIM-02').toAnswer(200);
    if (operation === 'replaceWebhook') expect((await v1.findWebhook())?.url, 'V1-LIM-02').not.toBe(url);
  }
}

test(
  'says too many attempts, twice, and keeps its headers in a 429 to every request',
  rule('V1-LIM-02', 'V1-LIM-05', 'V1-LIM-06', 'V1-LIM-07', 'V1-LIM-09', 'V1-ERR-06', 'V1-GEN-03', {
    needs: ['exhaustion'],
  }),
  async ({ v1, target }) => {
    test.setTimeout(LONG);
    const calls: PreparedCall[] = [{ operation: 'getAuth', options: {} }];
    const replies: ApiReply[] = [];
    const payment_details = v1.freshName();
    const { unprivileged: token } = v1;
    if (token !== undefined) calls.push({ operation: 'getAuth', options: { token } });
    for (const { about, needs } of OPERATION_GROUPS)
      if (needs.every((need) => target.offers.has(need))) calls.push(...(await prepareCalls(v1, about)));
      else v1.leaveOut(`requests about ${about}: the target offers no ${needs.join(' and ')}`);
    // With an address of its own, so that its replacement would be seen.
    const url = v1.webhookUrl(v1.freshName());
    for (const [i, { operation, options }] of calls.entries())
      if (operation === 'replaceWebhook')
        calls[i] = { operation, options: { ...options, body: { ...Object(options.body), url } } };
    // A list may have to catch up with what was prepared: not when the window is used up, for that takes another one.
    await v1.listTransactions();
    try {
      replies.push(await exhaust(v1));
      for (const { operation, options } of calls)
        replies.push(await v1.send(operation, { ...options, unmetered: true }));
      for (const { operation, options } of calls.filter((_, i) => replies[i + 1]!.status !== 429))
        await expectLimited(v1, () => v1.send(operation, { ...options, unmetered: true }));
      replies.push(await v1.createTransaction({ payment_details }, { unmetered: true }));
      // Another window may have begun among them.
      const refused = replies.filter(({ status }) => status === 429);
      for (const reply of refused) {
        const { object, headers } = reply;
        expect(reply, 'V1-GEN-03').toBeJson();
        expect(object, 'V1-ERR-06').toMatchObject({ status: false, status_code: 429, message: 'Too Many Attempts.' });
        expect(object.errors, 'V1-LIM-09').toEqual([object.message]);
        expect(headers.has('x-ratelimit-limit'), 'V1-LIM-05').toBe(true);
        expect(headers.get('x-ratelimit-limit') ?? '500', 'V1-LIM-06').toMatch(/^0*500$/);
        expect(left(reply), 'V1-LIM-07').toBe(0);
      }
    } finally {
      await passWindow(v1);
    }
    await expectUndone(
      v1,
      calls.filter((_, i) => replies[i + 1]!.status === 429),
    );
    if (replies.at(-1)!.status !== 429) return;
    // Whoever asks once more a minute later would pay twice.
    const listed = (await v1.listTransactions({ per_page: 100 })).list('/transactions');
    expect(
      listed.filter((one) => hasValues(one, { payment_details })),
      'V1-LIM-02',
    ).toEqual([]);
  },
);

/** A header of every answer: the rule that has it there, and what it must hold. */
const HEADERS = [
  ['V1-LIM-05', 'x-ratelimit-limit', /^\d+$/, 'tells the limit'],
  ['V1-LIM-06', 'x-ratelimit-limit', /^0*500$/, 'puts the limit at 500'],
  ['V1-LIM-07', 'x-ratelimit-remaining', /^\d+$/, 'tells how many requests are left'],
] as const;

/** Holds a header of answers against its form. */
function seeHeader([id, name, form]: (typeof HEADERS)[number], replies: readonly ApiReply[]): void {
  for (const { operation = 'an unknown path', status, headers } of replies) {
    const said = headers.get(name);
    if (id === 'V1-LIM-06' && said === undefined) continue;
    assertPromise(form.test(said ?? ''), `${name} like ${form.source}`, `${said} at ${status} of ${operation}`, id);
  }
}

test(
  'keeps its headers where something was done before',
  rule('V1-LIM-05', 'V1-LIM-06', 'V1-LIM-07'),
  async ({ v1, webhook }) => {
    const sent = { query: { account_uuid: v1.account }, headers: v1.requestIdHeader() };
    await v1.arrangeTransaction({}, sent);
    const replies = [await v1.createTransaction({}, sent), await webhook.createSecond()];
    for (const header of HEADERS) seeHeader(header, replies);
  },
);

for (const header of HEADERS) {
  const [id, , , does] = header;
  const sees = (replies: readonly ApiReply[]) => seeHeader(header, replies);

  for (const { about, needs } of OPERATION_GROUPS) {
    test(`${does} in every answer about ${about}`, rule(id, { needs }), async ({ v1 }) => {
      sees(await sweepOperations(v1, about));
      for (const { operation, options } of await prepareCalls(v1, about))
        sees([await v1.send(operation, { ...options, token: null })]);
    });
  }

  test(`${does} in errors`, rule(id), async ({ v1 }) => {
    sees(await provokeErrors(v1));
    sees([await v1.sendRaw('PUT', `/api/v1/${v1.freshName()}`)]);
  });
}

const fallsAlong = (replies: readonly ApiReply[]) =>
  isFalling(replies.map((reply) => ({ left: left(reply), isServed: isServed(reply) })));

const listLeft = (replies: readonly ApiReply[]) =>
  replies.map((reply) => `${left(reply)}${isServed(reply) ? '' : ` (${reply.status})`}`).join(', ');

for (const { about, needs } of OPERATION_GROUPS)
  test(`counts down with each answer about ${about}`, rule('V1-LIM-08', { needs, isAlone: true }), async ({ v1 }) => {
    await expectFalling(v1, async () => {
      const replies: ApiReply[] = [];
      for (let round = 0; round < 2; round += 1) {
        for (const { operation, options } of await prepareCalls(v1, about))
          replies.push(await v1.send(operation, { ...options, token: null }));
        // What is refused may count: a number that stands is seen right behind one that was served.
        replies.push(await ask(v1), ...(await sweepOperations(v1, about)), ...(await provokeErrors(v1)));
      }
      return [...replies, await ask(v1)];
    });
  });

/**
 * Has requests made until what is shown as left falls along with them: others may use the address as well, and a window may end in between.
 */
async function expectFalling(v1: V1Client, make: () => Promise<readonly ApiReply[]>): Promise<void> {
  test.setTimeout(LONG);
  let replies: readonly ApiReply[] = [];
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    if (attempt > 2) await passWindow(v1);
    replies = await make();
    if (fallsAlong(replies)) return;
  }
  assertPromise(false, 'a number that falls with each request that is served', listLeft(replies));
}

/** Holds what each refusal shows as left against what is shown right before and after it. */
async function expectTrueRefusals(v1: V1Client, refusals: readonly (() => Promise<ApiReply>)[]): Promise<void> {
  let before = await ask(v1);
  for (const refuse of refusals) {
    // One that counts leaves one less, as the next request that is served shows. Others may use the address in between: again.
    const told: string[] = [];
    for (let attempt = 0; attempt < TRIES; attempt += 1) {
      const [refused, after] = [await refuse(), await ask(v1)];
      const isWrong = !isServed(refused) && left(refused) >= left(before) && left(after) < left(before) - 1;
      if (isWrong) told.push(`${listLeft([before, refused, after])} at ${refused.operation}`);
      before = after;
      if (!isWrong) break;
    }
    assertPromise(told.length < TRIES, 'one less in a refusal that is counted', told.join('; '));
  }
}

for (const { about, needs } of OPERATION_GROUPS)
  for (const [what, prepare, more] of [
    ['refusal', prepareRefusals, []],
    ['failure', prepareFailures, ['v1.fault']],
  ] as const)
    test(
      `shows as left in a ${what} about ${about} what is left`,
      rule('V1-LIM-08', { needs: [...needs, ...more], isAlone: true }),
      async ({ v1 }) => {
        test.setTimeout(LONG);
        const refusals = await prepare(v1, about);
        // Twice, so that a number that stands is seen; each failure comes twice as it is.
        await expectTrueRefusals(v1, what === 'failure' ? refusals : [...refusals, ...refusals]);
      },
    );

test(
  'shows as left what is left where there is no webhook configuration',
  rule('V1-LIM-08', { needs: ['v1.user'] }),
  async ({ v1, newcomer }) => {
    await expectTrueRefusals(v1, [() => newcomer.read(), () => newcomer.read()]);
  },
);

test(
  'counts down with a webhook configuration that is read and written',
  rule('V1-LIM-08', { needs: ['v1.user'] }),
  async ({ v1, webhook, newcomer }) => {
    await expectFalling(v1, async () => {
      const replies: ApiReply[] = [];
      // Twice, so that a number that stands is seen.
      for (let round = 0; round < 2; round += 1)
        replies.push(await ask(v1), await webhook.read(), await ask(v1), await webhook.replace());
      return [...replies, await ask(v1), await newcomer.create(), await ask(v1)];
    });
  },
);

test('counts down with creations that come again', rule('V1-LIM-08', { isAlone: true }), async ({ v1 }) => {
  const headers = v1.requestIdHeader();
  await expectFalling(v1, async () => {
    const replies = [await v1.createTransaction({}, { headers })];
    for (let times = 0; times < 2; times += 1) replies.push(await v1.createTransaction({}, { headers }));
    return [...replies, await ask(v1)];
  });
});

test('counts down to the last request of a window', rule('V1-LIM-08', { needs: ['exhaustion'] }), async ({ v1 }) => {
  test.setTimeout(LONG);
  await passWindow(v1);
  const began = performance.now();
  const seen: number[] = [];
  try {
    for (let reply = await press(v1); reply.status !== 429 && seen.length < MOST; reply = await press(v1)) {
      seen.push(left(reply));
      // Of what lasts longer than a window, some may belong to the next one.
      const whole = (performance.now() - began) * (seen.length < 20 ? 1 : MOST / seen.length);
      test.skip(whole > 50_000, 'requests take too long to use a window up within it, one after the other');
    }
    const stood = seen.filter((one, i) => i > 0 && one >= seen[i - 1]!);
    assertPromise(stood.length < 3, 'a number that falls with each request', `${stood.slice(0, 3).join(', ')} again`);
  } finally {
    await passWindow(v1);
  }
});

test(
  'serves no more than three windows can hold within two minutes',
  rule('V1-LIM-02', { needs: ['exhaustion', 'clock'] }),
  async ({ v1, clock }) => {
    test.setTimeout(LONG);
    await passWindow(v1);
    const began = clock.passed;
    try {
      let served = 0;
      // Two windows may end within two minutes, so that a third one opens; a fourth one does not.
      for (let part = 0; part < 4; part += 1) {
        if (part > 0) await v1.sleep(31, 'limits');
        for (let isOver = false; !isOver && served <= 3 * MOST; ) {
          const replies = await pressAtOnce(v1);
          served += replies.filter(({ status }) => status !== 429).length;
          isOver = replies.some(({ status }) => status === 429);
        }
      }
      test.skip(clock.passed - began > 119, 'requests take too long to use windows up within two minutes');
      expect(served).toBeLessThanOrEqual(3 * MOST);
    } finally {
      await passWindow(v1);
    }
  },
);

test('counts down with each request', rule('V1-LIM-08'), async ({ v1 }) => {
  await expectFalling(v1, async () => {
    const replies: ApiReply[] = [];
    for (let i = 0; i < 6; i += 1) replies.push(await ask(v1));
    return replies;
  });
});
