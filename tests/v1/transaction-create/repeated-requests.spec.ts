import {
  type ApiReply,
  countAffordable,
  type EventInbox,
  expect,
  listUuids,
  passMoment,
  requireEntries,
  requireTargetLine,
  rule,
  test,
  type V1Client,
} from '#harness';
import { countTransfers, isAsSent, listWith, overSwift, payFromSecond, requireTold } from '../support/transfers.ts';
import { anotherDigit, uuidsBeside } from '../support/uuids-beside.ts';

test('accepts a creation without an X-Request-ID', rule('V1-TRC-02'), async ({ v1 }) => {
  expect(await v1.createTransaction({}, { headers: {} })).toAnswer(201);
});

test('processes a request once that comes three times', rule('V1-TRC-03'), async ({ v1 }) => {
  for (const [what, changes] of [
    ['plain', {}],
    ['with a code', { payment_code: v1.sample('payment_code') }],
    ['with a code alone', { payment_details: undefined, payment_code: v1.sample('payment_code') }],
  ] as const) {
    const body: { payment_details?: string | undefined } = { payment_details: v1.freshName(), ...changes };
    const headers = v1.requestIdHeader();
    const replies = [];
    for (let i = 0; i < 3; i += 1) replies.push(await v1.createTransaction(body, { headers }));
    if (what !== 'plain' && replies[0]!.status !== 201) {
      v1.leaveOut(`a valid transfer ${what} was answered ${replies[0]!.status}`);
      continue;
    }
    expect(replies[0]!, what).toAnswer(201);
    const made = replies.filter(({ status }) => status === 201).map(({ object }) => object);
    expect(new Set(requireEntries(listUuids(made), 'uuids of created transactions')).size, what).toBe(1);
    // Without details of its own it is told from no other.
    if (body.payment_details === undefined) continue;
    expect((await countTransfers(v1, body.payment_details)) ?? 1, what).toBe(1);
  }
});

test('processes a request once that comes again in another order of its members', rule('V1-TRC-03'), async ({ v1 }) => {
  const payment_details = v1.freshName();
  const body = v1.transferBody({ payment_details });
  const options = { query: { account_uuid: v1.account }, headers: v1.requestIdHeader() };
  const first = await v1.createTransaction({}, { ...options, body });
  expect(first).toAnswer(201);
  // One without an id of its own comes between.
  await v1.createTransaction({ amount: 1 }, { headers: {} });
  const turned = Object.fromEntries(Object.entries(body).reverse());
  const again = await v1.createTransaction({}, { ...options, body: turned });
  if (again.status === 201) expect(listUuids([again.object])).toEqual(listUuids([first.object]));
  const listed = await countTransfers(v1, payment_details);
  // Whether it is listed at all is for a check of its own to say.
  expect(listed ?? 1).toBeLessThanOrEqual(1);
  requireTold([first], listed);
});

test('processes a request once that comes again from another address', rule('V1-TRC-03'), async ({ v1, target }) => {
  requireTargetLine(target.connection.secondAddress, 'connection.secondAddress');
  const payment_details = v1.freshName();
  const body = v1.transferBody({ payment_details });
  const options = { query: { account_uuid: v1.account }, headers: v1.requestIdHeader(), body };
  const first = await v1.createTransaction({}, options);
  expect(first).toAnswer(201);
  const again = await v1.createTransaction({}, { ...options, isSecondCaller: true });
  if (again.status === 201) expect(listUuids([again.object])).toEqual(listUuids([first.object]));
  const listed = await countTransfers(v1, payment_details);
  // Whether it is listed at all is for a check of its own to say.
  expect(listed ?? 1).toBeLessThanOrEqual(1);
  requireTold([first], listed);
});

for (const [how, spell, between] of [
  ['under an id in capitals', (id: string) => id.toUpperCase(), undefined],
  ['after a wrong one under its id', (id: string) => id, { amount: 0 }],
] as const)
  test(`processes a request once that comes again ${how}`, rule('V1-TRC-03'), async ({ v1 }) => {
    const payment_details = v1.freshName();
    const headers = { 'X-Request-ID': spell(v1.freshUuid()) };
    const first = await v1.createTransaction({ payment_details }, { headers });
    // In which letters a uuid comes is not said.
    test.skip(first.status === 422, 'such an id is refused');
    expect(first).toAnswer(201);
    if (between !== undefined) await v1.createTransaction({ payment_details, ...between }, { headers });
    const again = await v1.createTransaction({ payment_details }, { headers });
    if (again.status === 201) expect(listUuids([again.object])).toEqual(listUuids([first.object]));
    const listed = await countTransfers(v1, payment_details);
    // Whether it is listed at all is for a check of its own to say.
    expect(listed ?? 1).toBeLessThanOrEqual(1);
    requireTold([first], listed);
  });

test('processes a request once that comes again over SWIFT after another', rule('V1-TRC-03'), async ({ v1 }) => {
  const payment_details = v1.freshName();
  const swift = await overSwift(v1);
  const headers = v1.requestIdHeader();
  const first = await v1.createTransaction({ ...swift, payment_details }, { headers });
  expect(first).toAnswer(201);
  await v1.createTransaction(swift, { headers: v1.requestIdHeader() });
  const again = await v1.createTransaction({ ...swift, payment_details }, { headers });
  if (again.status === 201) expect(listUuids([again.object])).toEqual(listUuids([first.object]));
  const listed = await countTransfers(v1, payment_details);
  // Whether it is listed at all is for a check of its own to say.
  expect(listed ?? 1).toBeLessThanOrEqual(1);
  requireTold([first], listed);
});

/** Sends a request four times at once. */
async function expectOneOfFour(
  v1: V1Client,
  together: (calls: readonly (() => Promise<ApiReply>)[]) => Promise<readonly ApiReply[]>,
  changes: Readonly<Record<string, unknown>>,
  account_uuid = v1.account,
): Promise<void> {
  const payment_details = v1.freshName();
  const options = { query: { account_uuid }, headers: v1.requestIdHeader() };
  const create = () => v1.createTransaction({ ...changes, account_uuid, payment_details }, options);
  const replies = await together([create, create, create, create]);
  const made = replies.filter(({ status }) => status === 201).map(({ object }) => object);
  expect(made).not.toEqual([]);
  expect(new Set(requireEntries(listUuids(made), 'uuids of created transactions')).size).toBe(1);
  await v1.sleep(2);
  // Whether it is listed at all is for a check of its own to say.
  expect((await countTransfers(v1, payment_details, account_uuid)) ?? 1).toBeLessThanOrEqual(1);
}

test('processes a request once that comes four times at once', rule('V1-TRC-03'), async ({ v1, together }) => {
  await expectOneOfFour(v1, together, {});
});

test(
  'processes a request once that comes four times at once over SWIFT',
  rule('V1-TRC-03'),
  async ({ v1, together }) => {
    await expectOneOfFour(v1, together, await overSwift(v1));
  },
);

test(
  'processes a request once that comes four times at once about the second account',
  rule('V1-TRC-03', { needs: ['account.second'] }),
  async ({ v1, together, target }) => {
    const account_uuid = target.v1!.secondAccount!;
    await payFromSecond(v1, account_uuid);
    await expectOneOfFour(v1, together, {}, account_uuid);
  },
);

test(
  'processes a request at most once that comes again after it failed',
  rule('V1-TRC-03', { needs: ['v1.fault'] }),
  async ({ v1 }) => {
    for (const status of [400, 500] as const) {
      const payment_details = v1.freshName();
      const headers = v1.requestIdHeader();
      await v1.triggerFault(status);
      const made = [
        await v1.createTransaction({ payment_details }, { headers }),
        await v1.createTransaction({ payment_details }, { headers }),
      ];
      await v1.sleep(2);
      const uuids = new Set(listUuids(made.filter((one) => one.status === 201).map(({ object }) => object)));
      const listed = await countTransfers(v1, payment_details);
      expect(Math.max(uuids.size, listed ?? 0), `after a ${status}`).toBeLessThanOrEqual(1);
      requireTold(made, listed);
    }
  },
);

test(
  'processes a request once that comes again after others and a moment, and still shows what it made',
  rule('V1-TRC-03', 'V1-TRC-05', { isIdle: true }),
  async ({ v1, clock, target }) => {
    const payment_details = v1.freshName();
    const headers = v1.requestIdHeader();
    const first = await v1.createTransaction({ payment_details }, { headers });
    expect(first, 'V1-TRC-03').toAnswer(201);
    for (let others = countAffordable({ clock, target }); others > 0; others -= 1)
      await v1.createTransaction({ amount: 1 }, { headers: v1.requestIdHeader() });
    // What is kept in a memory with an age is forgotten in real time.
    await passMoment();
    const again = await v1.createTransaction({ payment_details }, { headers });
    if (again.status === 201) expect(listUuids([again.object]), 'V1-TRC-03').toEqual(listUuids([first.object]));
    const listed = await countTransfers(v1, payment_details);
    // Between two pages of those that were made in one second it may be on neither.
    expect(listed ?? 0, 'V1-TRC-03').toBeLessThan(2);
    requireTold([first], listed);
    for (const uuid of listUuids([first.object])) expect(await v1.readTransaction(uuid), 'V1-TRC-05').toAnswer(200);
  },
);

test(
  'processes a request once that comes again after some minutes, and after hours',
  rule('V1-TRC-03', { needs: ['clock'] }),
  async ({ v1 }) => {
    const payment_details = v1.freshName();
    const headers = v1.requestIdHeader();
    const first = await v1.createTransaction({ payment_details }, { headers });
    expect(first).toAnswer(201);
    // How long an id is remembered is not said; many forget it after a day.
    for (const seconds of [300, 12 * 3600]) {
      await v1.sleep(seconds);
      const again = await v1.createTransaction({ payment_details }, { headers });
      if (again.status === 201) expect(listUuids([again.object]), `${seconds} s`).toEqual(listUuids([first.object]));
      const listed = await countTransfers(v1, payment_details);
      expect(listed ?? 1, `${seconds} s`).toBe(1);
      requireTold([first], listed);
    }
  },
);

/** How a transaction ends: the trigger, and how a title goes on. */
const ENDS = [
  ['complete', 'was completed'],
  ['fail', 'ended otherwise'],
] as const;

for (const [end, how] of ENDS)
  test(
    `processes a request once that comes again after its transaction ${how}`,
    rule('V1-TRC-03', { needs: ['trigger'] }),
    async ({ v1 }) => {
      const payment_details = v1.freshName();
      const headers = v1.requestIdHeader();
      const options = { query: { account_uuid: v1.account }, headers };
      const uuid = await v1.arrangeTransaction({ payment_details }, options);
      await v1.triggerEnd(uuid, end);
      const status = async () => (await v1.readTransaction(uuid)).object.status;
      const ended = await status();
      const again = await v1.createTransaction({ payment_details }, options);
      if (again.status === 201) expect(listUuids([again.object])).toEqual([uuid]);
      // What would be processed again would begin again.
      if (typeof ended === 'string' && ended !== 'pending') expect(await status()).not.toBe('pending');
      const listed = (await countTransfers(v1, payment_details)) ?? 1;
      // What ended otherwise need not be listed any more.
      if (end === 'complete') expect(listed).toBe(1);
      else expect(listed).toBeLessThanOrEqual(1);
    },
  );

test(
  'processes a request once that comes twice about the second account',
  rule('V1-TRC-03', { needs: ['account.second'] }),
  async ({ v1, target }) => {
    const account_uuid = target.v1!.secondAccount!;
    const payment_details = v1.freshName();
    const options = { query: { account_uuid }, headers: v1.requestIdHeader() };
    const first = await v1.createTransaction({ account_uuid, payment_details }, options);
    test.skip(first.status !== 201, 'nothing can be paid from the second account');
    const again = await v1.createTransaction({ account_uuid, payment_details }, options);
    if (again.status === 201) expect(listUuids([again.object])).toEqual(listUuids([first.object]));
    const listed = await countTransfers(v1, payment_details, account_uuid);
    expect(listed ?? 1).toBe(1);
    requireTold([first], listed);
  },
);

for (const [title, needs] of [
  ['tells one X-Request-ID from another, whatever comes with it', []],
  ['tells one X-Request-ID from another in the second account', ['account.second']],
] as const)
  test(title, rule('V1-TRC-26', { needs }), async ({ v1, target }) => {
    const isSecond = needs.length > 0;
    const account_uuid = isSecond ? target.v1!.secondAccount! : v1.account;
    const made: Record<string, unknown>[] = [];
    for (let i = 0; i < 2; i += 1) {
      const sent = { query: { account_uuid }, headers: v1.requestIdHeader() };
      const reply = await v1.createTransaction({ account_uuid }, sent);
      test.skip(isSecond && i === 0 && reply.status !== 201, 'nothing can be paid from the second account');
      expect(reply).toAnswer(201);
      made.push(reply.object);
    }
    const uuids = listUuids(made);
    expect(new Set(uuids).size).toBe(requireEntries(uuids, 'uuids of created transactions').length);
  });

test('tells one X-Request-ID from another', rule('V1-TRC-26'), async ({ v1 }) => {
  const id = v1.freshUuid();
  // One that tells a time is a uuid as well.
  const ids = [id, ...uuidsBeside(id), anotherDigit(id, /(?<=^.{20})./), id.replace(/^(.{14})./, '$11')];
  const made: Record<string, unknown>[] = [];
  for (const one of ids) {
    const payment_details = v1.freshName();
    const reply = await v1.createTransaction({ payment_details }, { headers: { 'X-Request-ID': one } });
    expect(reply).toAnswer(201);
    const listed = await countTransfers(v1, payment_details);
    expect(listed ?? 1).toBe(1);
    requireTold([reply], listed);
    made.push(reply.object);
  }
  const uuids = listUuids(made);
  expect(new Set(uuids).size).toBe(uuids.length);
});

test(
  'makes a transaction of each of five requests at once, lists and reads it, with its amount and texts',
  rule('V1-TRC-26', 'V1-TRC-05', 'V1-TRC-04'),
  async ({ v1, together }) => {
    const bodies = [1, 2, 3, 4, 5].map((amount) => ({
      amount,
      payment_details: v1.freshName(),
      end_to_end_ident: v1.freshUuid().slice(0, 18),
    }));
    const sent = await together(
      bodies.map((body) => {
        const options = { query: { account_uuid: v1.account }, headers: v1.requestIdHeader() };
        return () => v1.createTransaction(body, options);
      }),
    );
    const made = sent.filter(({ status }) => status === 201).map(({ object }) => object);
    const uuids = requireEntries(listUuids(made), 'uuids of created transactions');
    expect(new Set(uuids).size, 'V1-TRC-26').toBe(uuids.length);
    const listed = listUuids(await listWith(v1, uuids));
    expect(
      uuids.filter((uuid) => !listed.includes(uuid)),
      'V1-TRC-05',
    ).toEqual([]);
    const shown = new Map<string, unknown[]>();
    for (const uuid of uuids) {
      const read = await v1.readTransaction(uuid);
      expect(read, 'V1-TRC-05').toAnswer(200);
      shown.set(uuid, [read.object]);
    }
    for (const [i, { status, object }] of sent.entries()) {
      if (status !== 201) continue;
      for (const [name, value] of Object.entries(bodies[i]!)) {
        const seen = [object, ...(shown.get(String(object.uuid)) ?? [])].map((one) => Object(one)[name]);
        const others = seen.filter((one) => one !== undefined && !isAsSent(name, one, value));
        if (seen.some((one) => one !== undefined)) expect(others, 'V1-TRC-04').toEqual([]);
      }
    }
  },
);

/** How many messages about a transaction tell the same at most, whatever each calls itself and whenever it was sent. */
function countAlike(inbox: EventInbox, uuid: string): number {
  const unlike = /[a-z0-9]{8}(-[a-z0-9]{4}){3}-[a-z0-9]{12}|\d{4}-\d\d-\d\d([T ][\d:.]+)?(Z|[+-]\d\d:?\d\d)?|\d{9,}/gi;
  const keys = new Map<string, Set<string>>();
  for (const one of inbox.deliveriesAbout(uuid)) {
    const key = inbox.messageKey(one) ?? '';
    const told = one.text.replaceAll(key, '').replace(unlike, '');
    keys.set(told, (keys.get(told) ?? new Set()).add(key));
  }
  return Math.max(0, ...[...keys.values()].map(({ size }) => size));
}

for (const [from, needs] of [
  ['the first', []],
  ['the second', ['account.second']],
] as const)
  test(
    `announces a transaction of ${from} account once whose request comes twice`,
    rule('V1-TRC-03', { needs: ['receiver', ...needs] }),
    async ({ v1, inbox, target }) => {
      inbox.requireMessageKey();
      const account_uuid = from === 'the first' ? v1.account : target.v1!.secondAccount!;
      const query = { account_uuid };
      const made: (readonly [single: string, repeated: string])[] = [];
      for (const way of [{}, v1.overSwift()]) {
        const send = (id = v1.freshUuid()) =>
          v1.createTransaction({ ...way, account_uuid }, { query, headers: { 'X-Request-ID': id } });
        const id = v1.freshUuid();
        const taken = [await send(), await send(id)].filter(({ status }) => status === 201);
        const [single, repeated] = listUuids(taken.map(({ object }) => object));
        if (single === undefined || repeated === undefined) continue;
        for (const uuid of [single, repeated]) requireEntries(await inbox.waitFor(uuid), 'messages about a creation');
        await send(id);
        made.push([single, repeated]);
      }
      await inbox.waitOutSilence();
      for (const [single, repeated] of requireEntries(made, 'transfers that are taken')) {
        const read = await Promise.all([single, repeated].map((uuid) => v1.readTransaction(uuid, account_uuid)));
        const [one, other] = read.map(({ object }) => object.status);
        // What became of the one and not yet of the other is told of the one alone.
        if (one !== other) v1.leaveOut('of two transactions made alike, one has changed');
        else expect(countAlike(inbox, repeated)).toBeLessThanOrEqual(countAlike(inbox, single));
      }
    },
  );

for (const [end, how] of ENDS)
  test(
    `announces nothing when a request comes again whose transaction ${how}`,
    rule('V1-TRC-03', { needs: ['receiver', 'trigger'] }),
    async ({ v1, inbox }) => {
      inbox.requireMessageKey();
      const options = { query: { account_uuid: v1.account }, headers: v1.requestIdHeader() };
      const uuid = await v1.arrangeTransaction({}, options);
      const other = await v1.arrangeTransaction();
      for (const one of [uuid, other]) {
        requireEntries(await inbox.waitFor(one), 'messages about a creation');
        await inbox.trigger(end, one);
      }
      await inbox.waitForNews(other);
      await inbox.waitOutSilence();
      await inbox.forgetEarlier();
      const earlier = inbox.deliveriesAbout(other).length;
      await v1.createTransaction({}, options);
      const came = (await inbox.waitForNoNews()).filter((one) => inbox.isAbout(one, uuid));
      if (came.length > 0) await inbox.waitOutSilence();
      // What is told late of an end is told of the later one, too.
      test.skip(inbox.deliveriesAbout(other).length > earlier, 'an end is told of later than others were waited for');
      expect(came).toEqual([]);
    },
  );
