import { setTimeout as wait } from 'node:timers/promises';
import fc from 'fast-check';
import {
  type ApiReply,
  assertPromise,
  assertProperty,
  type EventInbox,
  expect,
  findContradictions,
  hasValues,
  listUuids,
  requireEntries,
  requireSeen,
  rule,
  type Target,
  test,
  type V1Client,
} from '#harness';

/** Whether an entry is a transfer that shows these values: what is booked for one, such as its fee, may repeat them. */
function isTransfer(entry: unknown, values: Readonly<Record<string, unknown>>): boolean {
  const { parent_transaction_uuid, transaction_type } = Object(entry);
  return (
    hasValues(entry, values) && parent_transaction_uuid == null && !/fee|return|adjustment/i.test(`${transaction_type}`)
  );
}

/** How many transfers in the history show these details; undefined where the history shows no details, as it may. */
async function found(v1: V1Client, payment_details: string, account_uuid = v1.account): Promise<number | undefined> {
  const listed = (await v1.listTransactions({ account_uuid, per_page: 100 })).list('/transactions');
  if (!listed.some((one) => Object.hasOwn(Object(one), 'payment_details'))) return undefined;
  return listed.filter((one) => isTransfer(one, { payment_details })).length;
}

/**
 * Demands that something shows how many transactions a request made that came again: their uuids, or the history.
 * @param listed as {@link found} says it
 * @throws Unseen when nothing does
 */
function requireTold(replies: readonly ApiReply[], listed: number | undefined): void {
  requireSeen(listUuids(replies.map(({ object }) => object))[0] ?? listed, 'which transaction was made');
}

/** What makes a transfer one over SWIFT. Where the target does not take such a one, the check ends here. */
async function overSwift(v1: V1Client, changes: Readonly<Record<string, unknown>> = {}) {
  const swift = { ...v1.transferParties(), payment_type: 'swift', ...changes };
  const { status } = await v1.createTransaction(swift);
  test.skip(status !== 201, `a valid transfer over SWIFT was answered ${status}`);
  return swift;
}

test('refuses a creation without an account in the query', rule('V1-TRC-01'), async ({ v1 }) => {
  (await v1.createTransaction()).requireStatus(201);
  expect(await v1.createTransaction({}, { query: {} })).toBeFault(422);
});

test('accepts a creation without an X-Request-ID', rule('V1-TRC-02'), async ({ v1 }) => {
  expect(await v1.createTransaction()).toAnswer(201);
});

test('processes a request once that comes three times', rule('V1-TRC-03'), async ({ v1 }) => {
  for (const [what, changes] of [
    ['plain', {}],
    ['with a code', { payment_code: v1.sample('payment_code') }],
    ['with a code alone', { payment_details: undefined, payment_code: v1.sample('payment_code') }],
  ] as const) {
    const body: { payment_details?: string | undefined } = { payment_details: v1.freshName(), ...changes };
    const headers = { 'X-Request-ID': v1.freshUuid() };
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
    expect((await found(v1, body.payment_details)) ?? 1, what).toBe(1);
  }
});

test('processes a request once that comes again in another order of its members', rule('V1-TRC-03'), async ({ v1 }) => {
  const payment_details = v1.freshName();
  const body = v1.transferBody({ payment_details });
  const options = { query: { account_uuid: v1.account }, headers: { 'X-Request-ID': v1.freshUuid() } };
  const first = await v1.createTransaction({}, { ...options, body });
  expect(first).toAnswer(201);
  const turned = Object.fromEntries(Object.entries(body).reverse());
  const again = await v1.createTransaction({}, { ...options, body: turned });
  if (again.status === 201) expect(listUuids([again.object])).toEqual(listUuids([first.object]));
  const listed = await found(v1, payment_details);
  // Whether it is listed at all is for a check of its own to say.
  expect(listed ?? 1).toBeLessThanOrEqual(1);
  requireTold([first], listed);
});

test('processes a request once that comes twice over SWIFT', rule('V1-TRC-03'), async ({ v1 }) => {
  const payment_details = v1.freshName();
  const swift = await overSwift(v1);
  const headers = { 'X-Request-ID': v1.freshUuid() };
  const first = await v1.createTransaction({ ...swift, payment_details }, { headers });
  expect(first).toAnswer(201);
  const again = await v1.createTransaction({ ...swift, payment_details }, { headers });
  if (again.status === 201) expect(listUuids([again.object])).toEqual(listUuids([first.object]));
  const listed = await found(v1, payment_details);
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
  const options = { query: { account_uuid }, headers: { 'X-Request-ID': v1.freshUuid() } };
  const create = () => v1.createTransaction({ ...changes, account_uuid, payment_details }, options);
  const replies = await together([create, create, create, create]);
  const made = replies.filter(({ status }) => status === 201).map(({ object }) => object);
  expect(made).not.toEqual([]);
  expect(new Set(requireEntries(listUuids(made), 'uuids of created transactions')).size).toBe(1);
  await v1.sleep(2);
  // Whether it is listed at all is for a check of its own to say.
  expect((await found(v1, payment_details, account_uuid)) ?? 1).toBeLessThanOrEqual(1);
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
    const { status } = await v1.createTransaction({ account_uuid }, { query: { account_uuid } });
    test.skip(status !== 201, 'nothing can be paid from the second account');
    await expectOneOfFour(v1, together, {}, account_uuid);
  },
);

test(
  'processes a request at most once that comes again after it failed',
  rule('V1-TRC-03', { needs: ['v1.fault'] }),
  async ({ v1 }) => {
    for (const status of [400, 500] as const) {
      const payment_details = v1.freshName();
      const headers = { 'X-Request-ID': v1.freshUuid() };
      await v1.triggerFault(status);
      const made = [
        await v1.createTransaction({ payment_details }, { headers }),
        await v1.createTransaction({ payment_details }, { headers }),
      ];
      await v1.sleep(2);
      const uuids = new Set(listUuids(made.filter((one) => one.status === 201).map(({ object }) => object)));
      const listed = await found(v1, payment_details);
      expect(Math.max(uuids.size, listed ?? 0), `after a ${status}`).toBeLessThanOrEqual(1);
      requireTold(made, listed);
    }
  },
);

test(
  'processes a request once that comes again after others and a moment',
  rule('V1-TRC-03'),
  async ({ v1, clock }) => {
    const payment_details = v1.freshName();
    const headers = { 'X-Request-ID': v1.freshUuid() };
    const first = await v1.createTransaction({ payment_details }, { headers });
    expect(first).toAnswer(201);
    for (let others = 0; others < (clock.steered ? 11 : 1); others += 1)
      await v1.createTransaction({ amount: 1 }, { headers: { 'X-Request-ID': v1.freshUuid() } });
    // What is kept in a memory with an age is forgotten in real time.
    await wait(2_500);
    const again = await v1.createTransaction({ payment_details }, { headers });
    if (again.status === 201) expect(listUuids([again.object])).toEqual(listUuids([first.object]));
    const listed = await found(v1, payment_details);
    expect(listed ?? 1).toBe(1);
    requireTold([first], listed);
  },
);

test(
  'processes a request once that comes again after some minutes, and after hours',
  rule('V1-TRC-03', { needs: ['clock'] }),
  async ({ v1 }) => {
    const payment_details = v1.freshName();
    const headers = { 'X-Request-ID': v1.freshUuid() };
    const first = await v1.createTransaction({ payment_details }, { headers });
    expect(first).toAnswer(201);
    // How long an id is remembered is not said; many forget it after a day.
    for (const seconds of [300, 12 * 3600]) {
      await v1.sleep(seconds);
      const again = await v1.createTransaction({ payment_details }, { headers });
      if (again.status === 201) expect(listUuids([again.object]), `${seconds} s`).toEqual(listUuids([first.object]));
      const listed = await found(v1, payment_details);
      expect(listed ?? 1, `${seconds} s`).toBe(1);
      requireTold([first], listed);
    }
  },
);

for (const [end, how] of [
  ['complete', 'was completed'],
  ['fail', 'ended otherwise'],
] as const)
  test(
    `processes a request once that comes again after its transaction ${how}`,
    rule('V1-TRC-03', { needs: ['trigger'] }),
    async ({ v1 }) => {
      const payment_details = v1.freshName();
      const headers = { 'X-Request-ID': v1.freshUuid() };
      const options = { query: { account_uuid: v1.account }, headers };
      const uuid = await v1.arrangeTransaction({ payment_details }, options);
      await v1.triggerEnd(uuid, end);
      const status = async () => (await v1.readTransaction(uuid)).object.status;
      const ended = await status();
      const again = await v1.createTransaction({ payment_details }, options);
      if (again.status === 201) expect(listUuids([again.object])).toEqual([uuid]);
      // What would be processed again would begin again.
      if (typeof ended === 'string' && ended !== 'pending') expect(await status()).not.toBe('pending');
      const listed = (await found(v1, payment_details)) ?? 1;
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
    const options = { query: { account_uuid }, headers: { 'X-Request-ID': v1.freshUuid() } };
    const first = await v1.createTransaction({ account_uuid, payment_details }, options);
    test.skip(first.status !== 201, 'nothing can be paid from the second account');
    const again = await v1.createTransaction({ account_uuid, payment_details }, options);
    if (again.status === 201) expect(listUuids([again.object])).toEqual(listUuids([first.object]));
    const listed = await found(v1, payment_details, account_uuid);
    expect(listed ?? 1).toBe(1);
    requireTold([first], listed);
  },
);

test('tells one X-Request-ID from another, whatever comes with it', rule('V1-TRC-26'), async ({ v1 }) => {
  const made: Record<string, unknown>[] = [];
  for (let i = 0; i < 2; i += 1) {
    const reply = await v1.createTransaction({}, { headers: { 'X-Request-ID': v1.freshUuid() } });
    expect(reply).toAnswer(201);
    made.push(reply.object);
  }
  const uuids = listUuids(made);
  expect(new Set(uuids).size).toBe(requireEntries(uuids, 'uuids of created transactions').length);
});

test('tells one X-Request-ID from another', rule('V1-TRC-26'), async ({ v1 }) => {
  const id = v1.freshUuid();
  const otherAt = (place: RegExp) => id.replace(place, (digit) => (digit === '1' ? '2' : '1'));
  const ids = [id, otherAt(/^./), otherAt(/.$/)];
  const made: Record<string, unknown>[] = [];
  for (const one of ids) {
    const payment_details = v1.freshName();
    const reply = await v1.createTransaction({ payment_details }, { headers: { 'X-Request-ID': one } });
    expect(reply).toAnswer(201);
    const listed = await found(v1, payment_details);
    expect(listed ?? 1).toBe(1);
    requireTold([reply], listed);
    made.push(reply.object);
  }
  const uuids = listUuids(made);
  expect(new Set(uuids).size).toBe(uuids.length);
});

/** Whether a member is shown as it was sent: that of money which goes out the amount is above zero is not said. */
function isAsSent(name: string, shown: unknown, sent: unknown): boolean {
  return shown === sent || (name === 'amount' && shown === -Number(sent));
}

/** What of a body an answer shows otherwise than it was sent. */
function altered(shown: object, body: object): string[] {
  const echoed = Object.entries(body).filter(([name]) => Object.hasOwn(shown, name));
  requireEntries(echoed, `members of the transaction among ${Object.keys(body).join(', ')}`);
  return echoed.filter(([name, value]) => !isAsSent(name, (shown as Shown)[name], value)).map(([name]) => name);
}

type Shown = Readonly<Record<string, unknown>>;

/** A created transaction as the answer to its creation shows it and, where that shows its uuid, as it is read and as it is listed. */
async function showEverywhere(
  v1: V1Client,
  reply: ApiReply,
  members: readonly string[],
): Promise<{ created: Shown; read?: Shown; listed?: Shown }> {
  const created = await v1.showCreated(reply, members);
  const [uuid] = listUuids([reply.object]);
  if (uuid === undefined) {
    v1.leaveOut('what is shown later: the created transaction does not show its uuid');
    return { created };
  }
  const read = (await v1.readTransaction(uuid)).object;
  const list = (await v1.listTransactions({ per_page: 100 })).list('/transactions');
  return { created, read, listed: Object(list.find((one) => hasValues(one, { uuid }))) };
}

test('shows amount, details and end-to-end identifier as sent', rule('V1-TRC-04'), async ({ v1 }) => {
  const body = {
    // An amount that binary fractions miss.
    amount: 4.35,
    payment_details: `Invoice ${v1.freshName()} of a Conformance check`,
    end_to_end_ident: v1.freshUuid().slice(0, 18),
  };
  const reply = await v1.createTransaction(body);
  expect(reply).toAnswer(201);
  expect(altered(await v1.showCreated(reply, Object.keys(body)), body)).toEqual([]);
});

test('shows a payment code as sent', rule('V1-TRC-04'), async ({ v1 }) => {
  const payment_code = v1.sample('payment_code');
  const reply = await v1.createTransaction({ payment_details: undefined, payment_code });
  expect(reply).toAnswer(201);
  expect(altered(await v1.showCreated(reply, ['payment_code']), { payment_code })).toEqual([]);
});

test('shows digits as the text that was sent', rule('V1-TRC-04'), async ({ v1 }) => {
  const body = { payment_details: '0042', end_to_end_ident: `00${v1.freshUuid().replace(/\D/g, '').slice(0, 8)}` };
  const reply = await v1.createTransaction(body);
  test.skip(reply.status !== 201, `a transfer with details of digits alone was answered ${reply.status}`);
  expect(altered(await v1.showCreated(reply, Object.keys(body)), body)).toEqual([]);
});

test('shows an amount of more than a thousand as sent', rule('V1-TRC-04'), async ({ v1, target }) => {
  test.skip(target.manners.money.total < 1_000_000, 'manners.money of the target file is too little for it');
  const body = { amount: 1234.56, payment_details: v1.freshName() };
  const reply = await v1.createTransaction(body);
  test.skip(reply.status !== 201, `a transfer of more than a thousand was answered ${reply.status}`);
  for (const shown of Object.values(await showEverywhere(v1, reply, Object.keys(body))))
    expect(altered(shown, body)).toEqual([]);
});

/** An IBAN that nothing is masked of. */
const WHOLE_IBAN = /^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/;

/** The IBAN of a party without spaces; none is an empty text. */
function plainIban(party: unknown): string {
  return String(Object(party).iban ?? '')
    .replace(/\s/g, '')
    .toUpperCase();
}

test('shows the IBAN of the recipient as sent', rule('V1-TRC-04'), async ({ v1 }) => {
  const body = v1.transferBody({ payment_details: v1.freshName() });
  const reply = await v1.createTransaction(body);
  expect(reply).toAnswer(201);
  // What is shown of one that was sent is not nothing.
  const { recipient } = await v1.showCreated(reply, ['recipient']);
  expect(Object(recipient).iban).not.toBe('');
  const shown = plainIban(recipient);
  const whole = WHOLE_IBAN.test(shown) ? shown : undefined;
  expect(requireSeen(whole, 'the whole IBAN of the recipient') === plainIban(body.recipient)).toBe(true);
});

test(
  'shows the IBAN of the recipient as sent when the transaction is read and listed, too',
  rule('V1-TRC-04'),
  async ({ v1 }) => {
    const body = v1.transferBody({ payment_details: v1.freshName() });
    const uuid = await v1.arrangeTransaction(body);
    const read = await v1.readTransaction(uuid);
    const listed = (await v1.listTransactions({ per_page: 100 }))
      .list('/transactions')
      .find((one) => hasValues(one, { uuid }));
    const shown = [read.object, Object(listed)].map(({ recipient }) => plainIban(recipient));
    const whole = shown.filter((iban) => WHOLE_IBAN.test(iban));
    const others = requireEntries(whole, 'whole IBANs of the recipient').filter(
      (iban) => iban !== plainIban(body.recipient),
    );
    expect(others.length).toBe(0);
  },
);

test('takes letters outside the SEPA set and shows them as sent', rule('V1-TRC-25'), async ({ v1 }) => {
  const body = {
    payment_details: `\u00dcberweisung f\u00fcr ${v1.freshName()}, d\u00e9j\u00e0 vu`,
    end_to_end_ident: `\u00e9t\u00e9-${v1.freshUuid().slice(0, 18)}`,
  };
  const reply = await v1.createTransaction(body);
  expect(reply).toAnswer(201);
  expect(altered(await v1.showCreated(reply, Object.keys(body)), body)).toEqual([]);
  const [uuid] = requireEntries(listUuids([reply.object]), 'uuids of created transactions');
  const read = await v1.readTransaction(uuid!);
  expect(findContradictions(body, read.object)).toEqual([]);
});

test('shows what was sent when the transaction is read and listed, too', rule('V1-TRC-04'), async ({ v1, target }) => {
  const codes = target.v1!.wire.samples.payment_code;
  const made = new Map<string, object>();
  // What is shown of both alike is sent with one alone.
  // Amounts that binary fractions miss.
  for (const [i, amount] of [4.35, 8.29].entries()) {
    const body = {
      amount,
      payment_details: `Invoice ${v1.freshName()} of a Conformance check`,
      payment_code: codes[i % codes.length],
      end_to_end_ident: v1.freshUuid().slice(0, 18),
    };
    made.set(await v1.arrangeTransaction(body), body);
  }
  const bare = { amount: 1.23, payment_code: codes[0] };
  made.set(await v1.arrangeTransaction({ ...bare, payment_details: undefined }), bare);
  const list = (await v1.listTransactions({ per_page: 100 })).list('/transactions');
  for (const [uuid, body] of made) {
    const read = await v1.readTransaction(uuid);
    const listed = Object(list.find((one) => hasValues(one, { uuid })));
    expect({ read: altered(read.object, body), listed: altered(listed, body) }).toEqual({ read: [], listed: [] });
    if (body !== bare) continue;
    // What is shown of what it left out is not that of another.
    for (const name of ['payment_details', 'end_to_end_ident'] as const) {
      const others = [...made.values()].flatMap((one) => (name in one ? [Object(one)[name]] : []));
      for (const shown of [read.object, listed]) expect(others, name).not.toContain(shown[name] ?? null);
    }
  }
});

test(
  'shows what was sent over SWIFT, when it is read and listed, too, also once it was completed',
  rule('V1-TRC-04', 'V1-TRC-05'),
  async ({ v1, target }) => {
    const body = {
      amount: 12.34,
      payment_details: `Invoice ${v1.freshName()} of a Conformance check`,
      payment_code: v1.sample('payment_code'),
      end_to_end_ident: v1.freshUuid().slice(0, 18),
    };
    const swift = await overSwift(v1);
    const reply = await v1.createTransaction({ ...swift, ...body });
    expect(reply, 'V1-TRC-05').toAnswer(201);
    const expectAsSent = async () => {
      for (const one of Object.values(await showEverywhere(v1, reply, Object.keys(body)))) {
        expect(altered(one, body), 'V1-TRC-04').toEqual([]);
        const iban = plainIban(one.recipient);
        if (WHOLE_IBAN.test(iban)) expect(iban === plainIban(swift.recipient), 'V1-TRC-04').toBe(true);
      }
    };
    await expectAsSent();
    const [uuid] = listUuids([reply.object]);
    if (uuid === undefined) return;
    // It may be completed by itself as well.
    if (target.control.complete === undefined) await v1.sleep(5);
    else await v1.triggerEnd(uuid);
    expect(await v1.readTransaction(uuid), 'V1-TRC-05').toAnswer(200);
    await expectAsSent();
  },
);

test('names no recipient of another transfer', rule('V1-TRC-04'), async ({ v1 }) => {
  const { recipient } = v1.transferBody();
  const others = [
    { name: 'Alan Test', address: '7 Example Street' },
    { name: 'Ada Example', address: '9 Sample Road' },
  ];
  const made: Readonly<Record<string, unknown>>[] = [];
  const ultimate = { name: 'Grace Sample' };
  for (const [i, other] of others.entries()) {
    const { payer } = v1.transferBody();
    const paying = i === 0 ? { payer: { ...Object(payer), ultimate } } : { payer: undefined };
    const body = { recipient: { ...Object(recipient), ...other } };
    let reply = await v1.createTransaction({ ...paying, ...body });
    // Another payer than the usual one may be refused, and none.
    if (reply.status !== 201) reply = await v1.createTransaction(body);
    test.skip(reply.status !== 201, `a transfer to another name was answered ${reply.status}`);
    made.push(reply.object);
  }
  const [uuid] = requireEntries(listUuids(made.slice(1)), 'uuids of created transactions');
  const read = await v1.readTransaction(uuid!);
  for (const { payer } of [made[1]!, read.object])
    expect(Object(Object(payer).ultimate).name, 'the ultimate payer').not.toBe(ultimate.name);
  const particulars = [made[1]!, read.object].map(({ recipient: party }) => Object(party));
  const shown = particulars.flatMap(({ name, address }) => [name, address]).filter((one) => one != null);
  // How a name is written, or whose account it is, is the bank's affair; whom another transfer names is not.
  const strange = requireEntries(shown, 'names and addresses of the recipient').filter((one) =>
    Object.values(others[0]!).includes(String(one)),
  );
  expect(strange).toEqual([]);
});

test('names neither ultimate party as the other', rule('V1-TRC-04'), async ({ v1 }) => {
  const { payer, recipient } = v1.transferParties();
  const [ours, theirs] = [payer, recipient].map(({ ultimate }) => Object(ultimate).name);
  test.skip(ours === theirs, 'v1.wire of the target file names one and the same as both');
  const reply = await v1.createTransaction({ payer, recipient });
  expect(reply).toAnswer(201);
  const all = Object.values(await showEverywhere(v1, reply, ['payer', 'recipient']));
  const named = (party: 'payer' | 'recipient') =>
    all.map((one) => Object(Object(one[party]).ultimate).name).filter((name) => name != null);
  requireEntries([...named('payer'), ...named('recipient')], 'names of an ultimate party');
  expect(named('payer')).not.toContain(theirs);
  expect(named('recipient')).not.toContain(ours);
});

test('takes the recipient neither for its bank nor for whom it stands for', rule('V1-TRC-04'), async ({ v1 }) => {
  const { payer, recipient } = v1.transferParties();
  const [bank, ultimate] = [Object(recipient.bank), Object(recipient.ultimate)];
  const reply = await v1.createTransaction({ payer, recipient });
  expect(reply).toAnswer(201);
  const all = Object.values(await showEverywhere(v1, reply, ['recipient'])).map((one) => Object(one.recipient));
  // How a name is written is the bank's affair; who else is named in the same transfer is not.
  const strange = { name: [bank.name, ultimate.name], address: [bank.address] };
  const seen = Object.entries(strange).flatMap(([member, others]) =>
    all.flatMap((one) => (one[member] == null ? [] : [{ member, shown: one[member], others }])),
  );
  for (const { member, shown, others } of requireEntries(seen, 'names and addresses of the recipient'))
    if (!others.includes(recipient[member])) expect(others, member).not.toContain(shown);
});

test('lets an accepted transfer be read', rule('V1-TRC-05'), async ({ v1 }) => {
  expect(await v1.readTransaction(await v1.arrangeTransaction())).toAnswer(200);
});

test('lists an accepted transfer, by whatever rails, with details or a code', rule('V1-TRC-05'), async ({ v1 }) => {
  const made = [await v1.arrangeTransaction()];
  made.push(await v1.arrangeTransaction({ payment_details: undefined, payment_code: v1.sample('payment_code') }));
  const swift = await v1.createTransaction({ ...v1.transferParties(), payment_type: 'swift' });
  if (swift.status === 201) made.push(...listUuids([swift.object]));
  else v1.leaveOut(`a transfer over SWIFT: it was answered ${swift.status}`);
  const listed = listUuids((await v1.listTransactions({ per_page: 100 })).list('/transactions'));
  expect(listed).toEqual(expect.arrayContaining(made));
});

test(
  'lists and reads an accepted transfer of the second account, with what was sent',
  rule('V1-TRC-05', 'V1-TRC-04', { needs: ['account.second'] }),
  async ({ v1, target }) => {
    const account_uuid = target.v1!.secondAccount!;
    const body = {
      amount: 4.35,
      payment_details: `Invoice ${v1.freshName()} of a Conformance check`,
      payment_code: v1.sample('payment_code'),
      end_to_end_ident: v1.freshUuid().slice(0, 18),
    };
    const reply = await v1.createTransaction({ ...body, account_uuid }, { query: { account_uuid } });
    test.skip(reply.status !== 201, 'nothing can be paid from the second account');
    const [uuid] = requireEntries(listUuids([reply.object]), 'uuids of created transactions');
    const read = await v1.readTransaction(uuid!, account_uuid);
    expect(read, 'V1-TRC-05').toAnswer(200);
    const list = (await v1.listTransactions({ account_uuid, per_page: 100 })).list('/transactions');
    const listed = list.find((one) => hasValues(one, { uuid }));
    expect(listed, 'V1-TRC-05').toBeDefined();
    // The answer to the creation may show none of it.
    const isShown = Object.keys(body).some((name) => Object.hasOwn(reply.object, name));
    for (const shown of [...(isShown ? [reply.object] : []), read.object, Object(listed)])
      expect(altered(shown, body), 'V1-TRC-04').toEqual([]);
  },
);

/** What becomes of an accepted transfer, what that needs, and whether it is listed afterwards for sure. */
const FATES = [
  ['days later', ['clock'], (v1: V1Client) => v1.sleep(2 * 86_400), true],
  ['that was completed', ['trigger'], (v1: V1Client, uuid: string) => v1.triggerEnd(uuid), true],
  ['that ended otherwise', ['trigger'], (v1: V1Client, uuid: string) => v1.triggerEnd(uuid, 'fail'), false],
] as const;

for (const [fate, needs, befall, isListed] of FATES)
  test(
    `${isListed ? 'lists and reads' : 'reads'} an accepted transfer ${fate}, with what was sent`,
    rule('V1-TRC-05', 'V1-TRC-04', { needs }),
    async ({ v1 }) => {
      const body = {
        amount: 12.34,
        payment_details: `Invoice ${v1.freshName()} of a Conformance check`,
        payment_code: v1.sample('payment_code'),
        end_to_end_ident: v1.freshUuid().slice(0, 18),
      };
      const uuid = await v1.arrangeTransaction(body);
      await befall(v1, uuid);
      await v1.sleep(5);
      const read = await v1.readTransaction(uuid);
      expect(read, 'V1-TRC-05').toAnswer(200);
      const list = (await v1.listTransactions({ per_page: 100 })).list('/transactions');
      const listed = list.find((one) => hasValues(one, { uuid }));
      if (isListed) expect(listed, 'V1-TRC-05').toBeDefined();
      // That there is an order upwards is not said, and in a long list the latest are on its last page.
      const upwards = await v1.listTransactions({ per_page: 100, direction: 'asc' });
      const turned = isListed && upwards.status === 200 ? upwards.list('/transactions') : undefined;
      if (turned !== undefined && turned.length < 100)
        expect(
          turned.some((one) => hasValues(one, { uuid })),
          'V1-TRC-05',
        ).toBe(true);
      for (const shown of listed === undefined ? [read.object] : [read.object, Object(listed)]) {
        expect(altered(shown, body), 'V1-TRC-04').toEqual([]);
        const iban = plainIban(shown.recipient);
        if (WHOLE_IBAN.test(iban)) expect(iban === plainIban(v1.transferBody().recipient), 'V1-TRC-04').toBe(true);
      }
    },
  );

test(
  'lists and reads each of many accepted transfers, none under the uuid of another',
  rule('V1-TRC-05', 'V1-TRN-02'),
  async ({ v1, clock }) => {
    const made: string[] = [];
    for (let i = 0; i < (clock.steered ? 11 : 3); i += 1) made.push(await v1.arrangeTransaction({ amount: 1 }));
    expect(new Set(made).size, 'V1-TRN-02').toBe(made.length);
    const listed = listUuids((await v1.listTransactions({ per_page: 100 })).list('/transactions'));
    expect(
      made.filter((uuid) => !listed.includes(uuid)),
      'V1-TRC-05',
    ).toEqual([]);
    for (const uuid of made) expect(await v1.readTransaction(uuid), 'V1-TRC-05').toAnswer(200);
  },
);

test(
  'makes a transaction of each of five requests at once, lists and reads it, with its amount',
  rule('V1-TRC-26', 'V1-TRC-05', 'V1-TRC-04'),
  async ({ v1, together }) => {
    const sent = await together(
      [1, 2, 3, 4, 5].map((amount) => {
        const options = { query: { account_uuid: v1.account }, headers: { 'X-Request-ID': v1.freshUuid() } };
        return () => v1.createTransaction({ amount }, options);
      }),
    );
    const made = sent.filter(({ status }) => status === 201).map(({ object }) => object);
    const uuids = requireEntries(listUuids(made), 'uuids of created transactions');
    expect(new Set(uuids).size, 'V1-TRC-26').toBe(uuids.length);
    const listed = listUuids((await v1.listTransactions({ per_page: 100 })).list('/transactions'));
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
      const amounts = [object, ...(shown.get(String(object.uuid)) ?? [])].map((one) => Object(one).amount);
      const seen = amounts.filter((one) => one !== undefined);
      const others = seen.filter((one) => !isAsSent('amount', one, i + 1));
      if (seen.length > 0) expect(others, 'V1-TRC-04').toEqual([]);
    }
  },
);

for (const [how, payment_details, payment_code] of [
  ['left out', undefined, undefined],
  ['null', null, null],
  ['null and left out', null, undefined],
  ['left out and null', undefined, null],
] as const) {
  test(`refuses a creation with details and code ${how}`, rule('V1-TRC-06'), async ({ v1 }) => {
    expect(await v1.createTransaction({ payment_details, payment_code })).toBeFault(422);
  });
}

/** Members, however deep, that tell how a payment stands: by their name, or by a value that transactions have as their status. */
function states(value: unknown, known: ReadonlySet<unknown>, path = ''): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    const here = `${path}/${name}`;
    if (here === '/errors') return [];
    const about = /(payment|transaction|transfer|order)[^/]*[/_]?(status|state)$/i.test(here);
    const other = /(status|state)$/i.test(name) && known.has(inner);
    return about || other ? [here] : states(inner, known, here);
  });
}

test('tells no state of a payment in a refusal', rule('V1-TRC-07'), async ({ v1 }) => {
  const known = new Set<unknown>(['pending', (await v1.createTransaction()).object.status]);
  const stranger = { account_uuid: v1.freshUuid() };
  const { unprivileged: token } = v1;
  const asked = { query: { account_uuid: v1.account } };
  for (const refused of [
    await v1.createTransaction({ amount: 0 }),
    await v1.createTransaction(stranger, { query: stranger }),
    ...(token === undefined ? [] : [await v1.createTransaction({}, { ...asked, token })]),
  ]) {
    expect(refused).toBeTurnedDown();
    expect(states(refused.json, known)).toEqual([]);
  }
});

test('tells no state of a payment in a failure', rule('V1-TRC-07', { needs: ['v1.fault'] }), async ({ v1 }) => {
  const known = new Set<unknown>(['pending', (await v1.createTransaction()).object.status]);
  for (const status of [400, 500] as const) {
    await v1.triggerFault(status);
    const reply = await v1.createTransaction();
    // Others may ask in between, so that theirs fails instead.
    if (reply.status < 300) v1.leaveOut(`a creation was answered ${reply.status} when it was to fail`);
    else expect(states(reply.json, known), `${reply.status}`).toEqual([]);
  }
});

test('answers a creation 201 with the transaction', rule('V1-TRC-08'), async ({ v1 }) => {
  const reply = await v1.createTransaction();
  expect(reply).toAnswer(201);
  requireEntries(Object.keys(reply.object), 'members of a created transaction');
});

for (const [when, ...fates] of [
  ['later', 'soon', 'complete', 'fail'],
  ['days later', 'days'],
] as const)
  test(
    `answers a creation with the transaction that is read ${when}`,
    rule('V1-TRC-08', { needs: when === 'later' ? [] : ['clock'] }),
    async ({ v1, target }) => {
      for (const fate of fates) {
        const isEnd = fate === 'complete' || fate === 'fail';
        if (isEnd && target.control[fate] === undefined) continue;
        const { object } = await v1.createTransaction();
        const [uuid] = requireEntries(listUuids([object]), 'uuids of created transactions');
        await v1.sleep(fate === 'days' ? 2 * 86_400 : 2);
        if (isEnd) await v1.triggerEnd(uuid!, fate);
        const read = await v1.readTransaction(uuid!);
        expect(findContradictions(lasting(object), lasting(read.object)), fate).toEqual([]);
      }
    },
  );

test(
  'answers a creation of the second account with the transaction that is read',
  rule('V1-TRC-08', { needs: ['account.second'] }),
  async ({ v1, target }) => {
    const account_uuid = target.v1!.secondAccount!;
    const { status, object } = await v1.createTransaction({ account_uuid }, { query: { account_uuid } });
    test.skip(status !== 201, 'nothing can be paid from the second account');
    const [uuid] = requireEntries(listUuids([object]), 'uuids of created transactions');
    const read = await v1.readTransaction(uuid!, account_uuid);
    expect(findContradictions(lasting(object), lasting(read.object))).toEqual([]);
  },
);

/** What neither the way of a payment nor its state changes. */
const lasting = (one: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(['currency', 'direction', 'transaction_type', 'created_at'].map((name) => [name, one[name]]));

test('refuses a creation without an account in the body', rule('V1-TRC-09'), async ({ v1 }) => {
  for (const account_uuid of [undefined, null])
    expect(await v1.createTransaction({ account_uuid }), `account_uuid ${account_uuid}`).toBeFault(422);
});

test('refuses a creation without an amount', rule('V1-TRC-10'), async ({ v1 }) => {
  for (const amount of [undefined, null])
    expect(await v1.createTransaction({ amount }), `amount ${amount}`).toBeFault(422);
});

test('refuses an amount that is not above zero', rule('V1-TRC-11'), async ({ v1 }) => {
  for (const amount of [0, -0.01, -10])
    expect(await v1.createTransaction({ amount }), `amount ${amount}`).toBeFault(422);
});

test('accepts the smallest amount above zero', rule('V1-TRC-11'), async ({ v1 }) => {
  expect(await v1.createTransaction({ amount: 0.01 })).toAnswer(201);
});

test('accepts amounts of up to two decimals', rule('V1-TRC-12'), async ({ v1 }) => {
  for (const amount of [1, 1.1, 1.15, 0.07, 4.35])
    expect(await v1.createTransaction({ amount }), `amount ${amount}`).toAnswer(201);
});

test('refuses amounts of more than two decimals', rule('V1-TRC-12'), async ({ v1 }) => {
  for (const amount of [1.001, 1.005, 0.0101, 1.99999, 0.001, 0.009])
    expect(await v1.createTransaction({ amount }), `amount ${amount}`).toBeFault(422);
});

test(
  'tells two decimals from three in amounts of more than a hundred, too',
  rule('V1-TRC-12'),
  async ({ v1, target }) => {
    test.skip(target.manners.money.total < 1_000_000, 'manners.money of the target file is too little for it');
    const isTaken = async (amount: number) => (await v1.createTransaction({ amount })).status === 201;
    test.skip(!(await isTaken(129)), 'a transfer of more than a hundred is refused, as it may be');
    for (const amount of [128.02, 128.35]) {
      const reply = await v1.createTransaction({ amount });
      // Where the money has come to its end, no amount is taken.
      test.skip(reply.status !== 201 && !(await isTaken(129)), 'transfers of more than a hundred are refused by now');
      expect(reply, `amount ${amount}`).toAnswer(201);
    }
    for (const amount of [128.355, 12_345.678])
      expect(await v1.createTransaction({ amount }), `amount ${amount}`).toBeFault(422);
  },
);

test('takes the ultimate payer', rule('V1-TRC-13'), async ({ v1 }) => {
  expect(await v1.createTransaction({ payer: v1.transferParties().payer })).toAnswer(201);
});

test('takes every particular of the recipient', rule('V1-TRC-14'), async ({ v1 }) => {
  const { recipient } = v1.transferParties();
  const { bic, country_code } = Object(recipient.bank);
  if (bic === undefined || country_code === undefined)
    v1.leaveOut('BIC and country of a bank abroad; bank in v1.wire.recipient of the target file would name them');
  expect(await v1.createTransaction({ recipient })).toAnswer(201);
});

/** What may be said of one that was refused and is kept on record, or told of, as such. */
const AS_REFUSED = /fail|reject|refus|declin|cancel|invalid|error/i;

/** Creations that are refused: the rule, what is wrong with them, and how to make it so. */
const REFUSED = [
  ['V1-TRC-06', 'neither details nor code', { payment_details: undefined, payment_code: undefined }],
  ['V1-TRC-09', 'no account in the body', { account_uuid: undefined }],
  ['V1-TRC-10', 'no amount', { amount: undefined }],
  ['V1-TRC-11', 'an amount of zero', { amount: 0 }],
  ['V1-TRC-11', 'an amount below zero', { amount: -0.01 }],
  ['V1-TRC-12', 'an amount of three decimals', { amount: 1.005 }],
  ['V1-TRC-15', 'details of 141 characters', { payment_details: 'A'.repeat(141) }],
  ['V1-TRC-17', 'a code of 36 characters', { payment_code: 'A'.repeat(36) }],
  ['V1-TRC-19', 'an end-to-end identifier of 36 characters', { end_to_end_ident: 'A'.repeat(36) }],
  ['V1-TRC-23', 'other rails', { payment_type: 'card' }],
] as const;

for (const [id, what, changes] of REFUSED)
  test(`makes no transaction of a creation with ${what}`, rule(id), async ({ v1 }) => {
    // The one or the other tells it from all others.
    const payment_details = v1.freshName();
    const end_to_end_ident = v1.freshUuid().slice(0, 18);
    expect(await v1.createTransaction({ payment_details, end_to_end_ident, ...changes })).toBeFault(422);
    await v1.sleep(2);
    const listed = (await v1.listTransactions({ per_page: 100 })).list('/transactions');
    const made = listed.filter(
      (one) => isTransfer(one, { payment_details }) || isTransfer(one, { end_to_end_ident }),
    ) as readonly Readonly<Record<string, unknown>>[];
    // What was refused may be kept on record as such.
    expect(made.filter(({ status }) => !AS_REFUSED.test(String(status)))).toEqual([]);
  });

test(
  'announces no transaction of a creation that it refuses',
  rule(...new Set(REFUSED.map(([id]) => id)), { needs: ['receiver'] }),
  async ({ v1, inbox }) => {
    const refused: (readonly [id: string, marks: readonly string[]])[] = [];
    for (const [id, , changes] of REFUSED) {
      const [payment_details, end_to_end_ident] = [v1.freshName(), v1.freshUuid().slice(0, 18)];
      const { status } = await v1.createTransaction({ payment_details, end_to_end_ident, ...changes });
      if (status === 422) refused.push([id, [payment_details, end_to_end_ident]]);
    }
    requireEntries(await inbox.waitFor(await v1.arrangeTransaction()), 'messages about a transfer that was accepted');
    await inbox.waitOutSilence();
    for (const [id, marks] of requireEntries(refused, 'creations that are refused')) {
      const told = marks.flatMap((mark) => inbox.deliveriesAbout(mark));
      expect(
        told.filter(({ text }) => !AS_REFUSED.test(text)),
        id,
      ).toEqual([]);
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
      for (const way of [{}, { ...v1.transferParties(), payment_type: 'swift' }]) {
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

/** Ways that a transfer can go beside the plain one: what they need, and what in a body makes it go there. */
const OTHER_WAYS = [
  ['over SWIFT', [], (v1: V1Client) => ({ ...v1.transferParties(), payment_type: 'swift' })],
  ['over SEPA by its name', [], () => ({ payment_type: 'sepa' })],
  ['with details and code', [], (v1: V1Client) => ({ payment_code: v1.sample('payment_code') })],
  [
    'with a code alone',
    [],
    (v1: V1Client) => ({ payment_details: undefined, payment_code: v1.sample('payment_code') }),
  ],
  [
    'from the second account',
    ['account.second'],
    (_v1: V1Client, target: Target) => ({ account_uuid: target.v1!.secondAccount }),
  ],
] as const;

for (const [way, needs, changes] of OTHER_WAYS)
  test(
    `refuses ${way} what it refuses otherwise`,
    rule(...new Set(REFUSED.map(([id]) => id)), { needs }),
    async ({ v1, target }) => {
      const body: Readonly<Record<string, unknown>> = { ...v1.transferBody(), ...changes(v1, target) };
      const options = { query: { account_uuid: String(body.account_uuid) } };
      const { status } = await v1.createTransaction(body, options);
      test.skip(status !== 201, `a valid transfer ${way} was answered ${status}`);
      const tried = [];
      for (const [id, , wrong] of REFUSED) {
        // The one or the other tells it from all others, where it goes with both.
        const marks: { payment_details?: string; end_to_end_ident: string } = {
          ...(body['payment_details'] === undefined ? {} : { payment_details: v1.freshName() }),
          end_to_end_ident: v1.freshUuid().slice(0, 18),
        };
        tried.push({ id, marks });
        expect(await v1.createTransaction({ ...body, ...marks, ...wrong }, options), id).toBeFault(422);
      }
      const list = (await v1.listTransactions({ ...options.query, per_page: 100 })).list('/transactions');
      for (const { id, marks } of tried) {
        const made = list
          .filter((one) => Object.entries(marks).some(([name, mark]) => isTransfer(one, { [name]: mark })))
          .map(Object);
        // What was refused may be kept on record as such.
        expect(
          made.filter(({ status }) => !AS_REFUSED.test(String(status))),
          id,
        ).toEqual([]);
      }
    },
  );

/** Texts of limited length: the rule, the member, what else the body then needs. */
const TEXTS = [
  ['V1-TRC-15', 'payment_details', 140, {}],
  ['V1-TRC-17', 'payment_code', 35, { payment_details: undefined }],
  ['V1-TRC-19', 'end_to_end_ident', 35, {}],
] as const;

for (const [id, name, most, others] of TEXTS) {
  test(`accepts ${name} of ${most} characters`, rule(id), async ({ v1 }) => {
    const longest = v1.sampleOfLength(name, most);
    const line = `v1.wire.samples.${name}`;
    test.skip(
      longest === undefined,
      `no sample has ${most} characters; one in ${line} of the target file would enable it`,
    );
    expect(await v1.createTransaction({ ...others, [name]: longest })).toAnswer(201);
  });

  test(`accepts ${name} of ${most} characters over SWIFT`, rule(id), async ({ v1 }) => {
    const longest = v1.sampleOfLength(name, most);
    test.skip(longest === undefined, `no sample of ${name} has ${most} characters`);
    const swift = await overSwift(v1, name === 'payment_code' ? { payment_code: v1.sample(name) } : {});
    expect(await v1.createTransaction({ ...swift, ...others, [name]: longest })).toAnswer(201);
  });

  test(
    `accepts ${name} of ${most} characters from the second account`,
    rule(id, { needs: ['account.second'] }),
    async ({ v1, target }) => {
      const longest = v1.sampleOfLength(name, most);
      test.skip(longest === undefined, `no sample of ${name} has ${most} characters`);
      const account_uuid = target.v1!.secondAccount!;
      const body = { account_uuid, ...(name === 'payment_code' ? { payment_code: v1.sample(name) } : {}) };
      const { status } = await v1.createTransaction(body, { query: { account_uuid } });
      test.skip(status !== 201, 'nothing can be paid from the second account');
      const reply = await v1.createTransaction({ ...body, ...others, [name]: longest }, { query: { account_uuid } });
      expect(reply).toAnswer(201);
    },
  );

  test(`shows ${name} of ${most} characters as sent`, rule('V1-TRC-04'), async ({ v1 }) => {
    // Blanks at its ends might be taken off.
    const longest = v1.sampleOfLength(name, most)?.replace(/^\s|\s$/g, 'A');
    test.skip(longest === undefined, `no sample of ${name} has ${most} characters`);
    const reply = await v1.createTransaction({ ...others, [name]: longest });
    expect(reply).toAnswer(201);
    const { created, ...later } = await showEverywhere(v1, reply, [name]);
    expect(altered(created, { [name]: longest })).toEqual([]);
    for (const shown of Object.values(later)) expect(findContradictions({ [name]: longest }, shown)).toEqual([]);
  });

  test(`refuses ${name} of more than ${most} characters`, rule(id), async ({ v1 }) => {
    for (const length of [most + 1, 4 * most])
      expect(await v1.createTransaction({ ...others, [name]: 'A'.repeat(length) }), `${length} characters`).toBeFault(
        422,
      );
  });

  test(`counts ${name} in characters outside ASCII too`, rule(id), async ({ v1 }) => {
    const { status } = await v1.createTransaction({ ...others, [name]: '\u00e9'.repeat(most / 5) });
    test.skip(status === 422, 'the service takes no such letters, as it may');
    expect(await v1.createTransaction({ ...others, [name]: '\u00e9'.repeat(most) })).toAnswer(201);
    expect(await v1.createTransaction({ ...others, [name]: '\u00e9'.repeat(most + 1) })).toBeFault(422);
  });
}

test('accepts details of 140 characters beside a code and an identifier of 35', rule('V1-TRC-15'), async ({ v1 }) => {
  const longest = TEXTS.map(([, name, most]) => [name, v1.sampleOfLength(name, most)] as const);
  test.skip(
    longest.some(([, text]) => text === undefined),
    'there is not a sample of the greatest length of each',
  );
  expect(await v1.createTransaction(Object.fromEntries(longest))).toAnswer(201);
});

for (const payment_code of [undefined, null]) {
  test(
    `accepts details with a code ${payment_code === null ? 'of null' : 'left out'}`,
    rule('V1-TRC-16'),
    async ({ v1 }) => {
      expect(await v1.createTransaction({ payment_code })).toAnswer(201);
    },
  );
}

for (const payment_details of [undefined, null]) {
  test(
    `accepts a code with details ${payment_details === null ? 'of null' : 'left out'}`,
    rule('V1-TRC-18'),
    async ({ v1 }) => {
      const payment_code = v1.sample('payment_code');
      expect(await v1.createTransaction({ payment_details, payment_code })).toAnswer(201);
    },
  );
}

test('accepts a code without details over SWIFT', rule('V1-TRC-18'), async ({ v1 }) => {
  const payment_code = v1.sample('payment_code');
  const swift = await overSwift(v1, { payment_code });
  expect(await v1.createTransaction({ ...swift, payment_details: undefined })).toAnswer(201);
});

for (const end_to_end_ident of [undefined, null]) {
  const how = end_to_end_ident === null ? 'of null' : 'left out';
  test(`accepts an end-to-end identifier ${how}`, rule('V1-TRC-20'), async ({ v1 }) => {
    expect(await v1.createTransaction({ end_to_end_ident })).toAnswer(201);
  });
}

/** What of a body may stand beside the rails that are asked for, or beside none. */
const BESIDE = {
  'a code alone': (v1: V1Client) => ({ payment_details: undefined, payment_code: v1.sample('payment_code') }),
  "the recipient's bank": (v1: V1Client) => v1.transferParties(),
};

/** Ways to ask for rails, the rails that a transaction asked for in this way never shows, and what comes beside. */
const RAILS = [
  ['V1-TRC-21', 'sepa', 'with sepa', /swift/i],
  ['V1-TRC-22', 'swift', 'with swift', /sepa/i],
  ['V1-TRC-24', undefined, 'by naming none', /swift/i],
  ['V1-TRC-24', undefined, 'by naming none beside a code alone', /swift/i, 'a code alone'],
  ['V1-TRC-24', undefined, "by naming none beside the recipient's bank", /swift/i, "the recipient's bank"],
  ['V1-TRC-24', null, 'by null', /swift/i],
] as const;

for (const [id, payment_type, how, never, beside] of RAILS) {
  test(`lets the rails be asked for ${how}`, rule(id), async ({ v1, target }) => {
    const parties = {
      ...(payment_type === 'swift' ? v1.transferParties() : {}),
      ...(beside === undefined ? {} : BESIDE[beside](v1)),
    };
    // After one by the other rails, which this one is not to be taken for.
    await v1.createTransaction(payment_type === 'swift' ? {} : { ...v1.transferParties(), payment_type: 'swift' });
    const reply = await v1.createTransaction({ ...parties, payment_type });
    const isAbroad = beside === "the recipient's bank" && reply.status === 422;
    test.skip(isAbroad, 'a transfer to that bank is refused where no rails are asked for, as it may be');
    expect(reply).toAnswer(201);
    const shown = (await v1.showCreated(reply, ['payment_type'])).payment_type;
    expect(String(requireSeen(shown, 'the payment_type of a transaction'))).not.toMatch(never);
    const [uuid] = requireEntries(listUuids([reply.object]), 'uuids of created transactions');
    const read = await v1.readTransaction(uuid!);
    expect(String(read.object.payment_type), 'the payment_type of a transaction that is read').not.toMatch(never);
    if (payment_type !== 'swift' || target.control.complete === undefined) return;
    await v1.triggerEnd(uuid!);
    const completed = await v1.readTransaction(uuid!);
    expect(String(completed.object.payment_type), 'the payment_type of one that was completed').not.toMatch(never);
  });
}

test(
  'lets the rails be asked for with swift from the second account',
  rule('V1-TRC-22', { needs: ['account.second'] }),
  async ({ v1, target }) => {
    const account_uuid = target.v1!.secondAccount!;
    const swift = { ...v1.transferParties(), payment_type: 'swift', account_uuid };
    const reply = await v1.createTransaction(swift, { query: { account_uuid } });
    test.skip(reply.status !== 201, 'nothing can be paid over SWIFT from the second account');
    const [uuid] = requireEntries(listUuids([reply.object]), 'uuids of created transactions');
    const read = await v1.readTransaction(uuid!, account_uuid);
    const seen = [reply.object, read.object].flatMap(({ payment_type }) => payment_type ?? []);
    for (const one of requireEntries(seen, 'payment types')) expect(String(one)).not.toMatch(/sepa/i);
  },
);

test('shows no rails of SWIFT where none are asked for', rule('V1-TRC-24'), async ({ v1 }) => {
  const railsOf = async (changes: Readonly<Record<string, unknown>>) => {
    const { payment_type } = await v1.showCreated(await v1.createTransaction(changes), ['payment_type']);
    return requireSeen(payment_type, 'the payment_type of a transaction');
  };
  const sepa = await railsOf({ payment_type: 'sepa' });
  for (const payment_type of [undefined, null]) {
    const swift = await railsOf(await overSwift(v1));
    test.skip(swift === sepa, 'transactions over SEPA and over SWIFT show the same payment_type');
    expect(await railsOf({ payment_type })).not.toBe(swift);
  }
});

test('refuses other rails', rule('V1-TRC-23'), async ({ v1 }) => {
  for (const payment_type of ['card', 'target2', 'sepa-or-swift'])
    expect(await v1.createTransaction({ payment_type }), `payment_type ${payment_type}`).toBeFault(422);
});

const amount = fc.integer({ min: 1, max: 2000 }).map((cents) => cents / 100);

/** Text of the characters that a service takes: what rails or a database may trim, join or read as an order is not in it. */
function textOf(characters: string, most: number): fc.Arbitrary<string> {
  return fc.string({ unit: fc.constantFrom(...characters), minLength: 1, maxLength: most }).map((drawn) => {
    const plain = drawn.replace(/ {2,}/g, ' ').replace(/[/:-]{2,}/g, '-');
    return plain.replace(/^[^A-Za-z0-9]+|[^A-Za-z0-9]+$/g, '') || 'A';
  });
}

function orderlyBody({ samples, characters }: NonNullable<Target['v1']>['wire']) {
  const sober = [...characters].filter((one) => /[A-Za-z0-9]/.test(one)).join('');
  const nullable = (one: fc.Arbitrary<string>) => fc.option(one, { freq: 3 });
  return fc
    .record(
      {
        amount,
        payment_details: nullable(textOf(characters, 140)),
        payment_code: nullable(fc.constantFrom(...samples.payment_code)),
        end_to_end_ident: nullable(textOf(sober, 35)),
        payment_type: fc.constantFrom('sepa', null),
      },
      { requiredKeys: ['amount', 'payment_details'] },
    )
    .filter(({ payment_details, payment_code }) => payment_details !== null || payment_code != null);
}

test(
  'accepts every body in order and shows it as sent',
  rule('V1-TRC-08', 'V1-TRC-04'),
  async ({ v1, target }, info) => {
    const property = fc.asyncProperty(orderlyBody(target.v1!.wire), async (sent) => {
      const reply = await v1.createTransaction(sent);
      assertPromise(reply.status === 201, '201 to a body in order', `${reply.status}`, 'V1-TRC-08');
      const { payment_type: _, ...echoed } = sent;
      const changed = altered(await v1.showCreated(reply, Object.keys(echoed)), echoed);
      const same = changed.length === 0;
      assertPromise(same, 'a transaction that shows what was sent', `another ${changed.join(', ')}`, 'V1-TRC-04');
    });
    await assertProperty(info, 'a body in order is accepted and shown as sent', property, { runs: 20 });
  },
);
