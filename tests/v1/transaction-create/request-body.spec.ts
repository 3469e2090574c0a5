import {
  expect,
  findContradictions,
  listUuids,
  requireEntries,
  requireSeen,
  rule,
  type Target,
  test,
  twice,
  type V1Client,
} from '#harness';
import { AS_REFUSED, isTransfer, listAltered, overSwift, payFromSecond, showEverywhere } from '../support/transfers.ts';

test('refuses a creation without an account in the query', rule('V1-TRC-01'), async ({ v1 }) => {
  (await v1.createTransaction()).requireStatus(201);
  v1.nameNoMore();
  expect(await v1.createTransaction({}, { query: {} })).toBeFault(422);
  const full = await v1.createFullTransaction({}, { query: {} });
  if (full !== undefined) expect(full, 'beside all that may be named').toBeFault(422);
  const swift = await v1.createOverSwift({}, { query: {} });
  if (swift !== undefined) expect(swift, 'over SWIFT').toBeFault(422);
  const headers = v1.requestIdHeader();
  expect(await v1.createTransaction({}, { query: {}, headers }), 'beside a request id').toBeFault(422);
});

for (const [how, payment_details, payment_code] of [
  ['left out', undefined, undefined],
  ['null', null, null],
  ['null and left out', null, undefined],
  ['left out and null', undefined, null],
] as const) {
  test(`refuses a creation with details and code ${how}`, rule('V1-TRC-06'), async ({ v1 }) => {
    await v1.requireTaken();
    await expectRefused(v1, { payment_details, payment_code });
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

test('refuses a creation without an account in the body', rule('V1-TRC-09'), async ({ v1 }) => {
  await v1.requireTaken();
  for (const account_uuid of [undefined, null]) await expectRefused(v1, { account_uuid });
});

test('refuses a creation without an amount', rule('V1-TRC-10'), async ({ v1 }) => {
  await v1.requireTaken();
  for (const amount of [undefined, null]) await expectRefused(v1, { amount });
});

test('refuses an amount that is not above zero', rule('V1-TRC-11'), async ({ v1 }) => {
  await v1.requireTaken();
  for (const amount of [0, -0.01, -10]) await expectRefused(v1, { amount });
});

/** Holds a transfer to being refused: by itself, under a request id where it names all that it may, and over SWIFT. */
async function expectRefused(v1: V1Client, changes: Readonly<Record<string, unknown>>): Promise<void> {
  const [[name, value] = []] = Object.entries(changes);
  v1.nameNoMore();
  expect(await v1.createTransaction(changes), `${name} ${value}`).toBeFault(422);
  const underId = () => ({ headers: v1.requestIdHeader() });
  const full = (await v1.createFullTransaction(changes, underId())) ?? (await v1.createTransaction(changes, underId()));
  expect(full, `${name} ${value}, under a request id beside all that may be named`).toBeFault(422);
  const swift = await v1.createOverSwift(changes, underId());
  if (swift !== undefined) expect(swift, `${name} ${value}, over SWIFT under a request id`).toBeFault(422);
}

/** Holds a transfer to being accepted: by itself, under a request id over SEPA by its name, and where it names all that it may. */
async function expectTaken(v1: V1Client, changes: Readonly<Record<string, unknown>>, what: string): Promise<void> {
  v1.nameNoMore();
  expect(await v1.createTransaction(changes), what).toAnswer(201);
  const headers = v1.requestIdHeader();
  const named = { payment_type: 'sepa', ...changes };
  expect(await v1.createTransaction(named, { headers }), `${what}, under a request id`).toAnswer(201);
  const full = await v1.createFullTransaction(changes);
  if (full !== undefined) expect(full, `${what}, beside all that may be named`).toAnswer(201);
}

/** The same of a transfer of an amount. */
const expectAmountTaken = (v1: V1Client, amount: number) => expectTaken(v1, { amount }, `amount ${amount}`);

test('accepts the smallest amount above zero', rule('V1-TRC-11'), async ({ v1 }) => {
  await expectAmountTaken(v1, 0.01);
  const swift = await v1.createOverSwift({ amount: 0.01 });
  if (swift !== undefined) expect(swift, 'over SWIFT').toAnswer(201);
});

test('accepts amounts of up to two decimals', rule('V1-TRC-12'), async ({ v1 }) => {
  for (const amount of [1, 1.1, 1.15, 0.07, 4.35]) await expectAmountTaken(v1, amount);
});

test('refuses amounts of more than two decimals', rule('V1-TRC-12'), async ({ v1 }) => {
  await v1.requireTaken();
  for (const amount of [1.001, 1.005, 0.0101, 1.99999, 0.001, 0.009, 1e-7]) await expectRefused(v1, { amount });
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
    for (const amount of [128.355, 12_345.678]) await expectRefused(v1, { amount });
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

/** Creations that are refused: the rule, what is wrong with them, and how to make it so. */
const REFUSED = [
  ['V1-TRC-01', 'no account in the query', {}],
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

/** What of a refused creation stands beside its body. */
const besideBody = (id: (typeof REFUSED)[number][0]) => (id === 'V1-TRC-01' ? { query: {} } : {});

for (const [id, what, changes] of REFUSED)
  test(`makes no transaction of a creation with ${what}`, rule(id), async ({ v1 }) => {
    v1.nameNoMore();
    // The one or the other tells it from all others.
    const payment_details = v1.freshName();
    const end_to_end_ident = v1.freshUuid().slice(0, 18);
    // One that is accepted shows that the history would tell.
    const twin = { payment_details: v1.freshName(), end_to_end_ident: v1.freshUuid().slice(0, 18) };
    (await v1.createTransaction(twin)).requireStatus(201);
    const sent = { payment_details, end_to_end_ident, ...changes };
    const send = await v1.prepareTransaction(sent, { ...besideBody(id), headers: {} });
    await twice(async () => expect(await send()).toBeFault(422));
    const underId = { ...besideBody(id), headers: v1.requestIdHeader() };
    expect(await v1.createTransaction(sent, underId), 'under a request id').toBeFault(422);
    // How one is refused whose id was processed is open.
    expect(await v1.createTransaction(sent, underId), 'under a request id, again').toBeTurnedDown();
    const full = await v1.createFullTransaction(sent, besideBody(id));
    if (full !== undefined) expect(full, 'beside all that may be named').toBeFault(422);
    const swift = await v1.createOverSwift(sent, besideBody(id));
    if (swift !== undefined) expect(swift, 'over SWIFT').toBeFault(422);
    await v1.sleep(2);
    const listed = (await v1.listTransactions({ per_page: 100 })).list('/transactions');
    const of = (marks: typeof twin) =>
      listed
        .filter((one) => Object.entries(marks).some(([name, mark]) => isTransfer(one, { [name]: mark })))
        .map(Object);
    requireEntries(of(twin), 'transfers that the history tells by their details or identifier');
    // What was refused may be kept on record as such.
    const made = of({ payment_details, end_to_end_ident });
    expect(made.filter(({ status }) => !AS_REFUSED.test(String(status)))).toEqual([]);
  });

test(
  'announces no transaction of a creation that it refuses',
  rule(...new Set(REFUSED.map(([id]) => id)), { needs: ['receiver'] }),
  async ({ v1, inbox }) => {
    const refused: (readonly [id: string, marks: readonly string[]])[] = [];
    v1.nameNoMore();
    for (const [id, , changes] of REFUSED) {
      const [payment_details, end_to_end_ident] = [v1.freshName(), v1.freshUuid().slice(0, 18)];
      const sent = { payment_details, end_to_end_ident, ...changes };
      const replies = [
        await v1.createTransaction(sent, { ...besideBody(id), headers: {} }),
        await v1.createTransaction(sent, { ...besideBody(id), headers: v1.requestIdHeader() }),
        await v1.createFullTransaction(sent, besideBody(id)),
        await v1.createOverSwift(sent, besideBody(id)),
      ];
      if (replies.some((one) => one?.status === 422)) refused.push([id, [payment_details, end_to_end_ident]]);
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

/** Ways that a transfer with plain details can go beside the plain one: what they need, and what in a body makes it go there. */
const WITH_DETAILS = [
  ['over SWIFT', [], (v1: V1Client) => v1.overSwift()],
  ['over SEPA by its name', [], () => ({ payment_type: 'sepa' })],
  [
    'from the second account',
    ['account.second'],
    (_v1: V1Client, target: Target) => ({ account_uuid: target.v1!.secondAccount }),
  ],
] as const;

/** Ways that a transfer can go beside the plain one. */
const OTHER_WAYS = [
  ...WITH_DETAILS,
  ['with details and code', [], (v1: V1Client) => ({ payment_code: v1.sample('payment_code') })],
  [
    'with a code alone',
    [],
    (v1: V1Client) => ({ payment_details: undefined, payment_code: v1.sample('payment_code') }),
  ],
] as const;

for (const [way, needs, changes] of OTHER_WAYS)
  test(
    `refuses ${way} what it refuses otherwise`,
    rule(...new Set(REFUSED.map(([id]) => id)), { needs }),
    async ({ v1, target }) => {
      const body: Readonly<Record<string, unknown>> = { ...v1.transferBody(), ...changes(v1, target) };
      const options = { query: { account_uuid: String(body.account_uuid) } };
      /** The one or the other tells it from all others, where it goes with both. */
      const mark = (): { payment_details?: string; end_to_end_ident: string } => ({
        ...(body['payment_details'] === undefined ? {} : { payment_details: v1.freshName() }),
        end_to_end_ident: v1.freshUuid().slice(0, 18),
      });
      // One that is accepted shows whether the history would tell.
      const twin = mark();
      const { status } = await v1.createTransaction({ ...body, ...twin }, options);
      test.skip(status !== 201, `a valid transfer ${way} was answered ${status}`);
      const tried = [];
      for (const [id, , wrong] of REFUSED) {
        const marks = mark();
        tried.push({ id, marks });
        const sent = { ...body, ...marks, ...wrong };
        expect(await v1.createTransaction(sent, { ...options, ...besideBody(id) }), id).toBeFault(422);
      }
      await v1.sleep(2);
      const list = (await v1.listTransactions({ ...options.query, per_page: 100 })).list('/transactions');
      const of = (marks: typeof twin) =>
        list
          .filter((one) => Object.entries(marks).some(([name, mark]) => isTransfer(one, { [name]: mark })))
          .map(Object);
      requireEntries(of(twin), 'transfers that the history tells by their details or identifier');
      // What was refused may be kept on record as such.
      for (const { id, marks } of tried)
        expect(
          of(marks).filter(({ status }) => !AS_REFUSED.test(String(status))),
          id,
        ).toEqual([]);
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
    await expectTaken(v1, { ...others, [name]: longest }, `${name} of ${most} characters`);
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
      await payFromSecond(v1, account_uuid, body);
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
    expect(listAltered(created, { [name]: longest })).toEqual([]);
    for (const shown of Object.values(later)) expect(findContradictions({ [name]: longest }, shown)).toEqual([]);
  });

  test(`refuses ${name} of more than ${most} characters`, rule(id), async ({ v1 }) => {
    await v1.requireTaken();
    for (const length of [most + 1, 4 * most]) await expectRefused(v1, { ...others, [name]: 'A'.repeat(length) });
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
  test(`accepts details with a code ${payment_code === null ? 'of null' : 'left out'}`, rule('V1-TRC-16'), ({ v1 }) =>
    expectTaken(v1, { payment_code }, 'details alone'),
  );
}

for (const payment_details of [undefined, null]) {
  test(
    `accepts a code with details ${payment_details === null ? 'of null' : 'left out'}`,
    rule('V1-TRC-18'),
    ({ v1 }) => expectTaken(v1, { payment_details, payment_code: v1.sample('payment_code') }, 'a code alone'),
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
    await expectTaken(v1, { end_to_end_ident }, `an identifier ${how}`);
  });
}

for (const [way, needs, changes] of WITH_DETAILS)
  test(
    `accepts ${way} what may be null or left out, too`,
    rule('V1-TRC-16', 'V1-TRC-18', 'V1-TRC-20', { needs }),
    async ({ v1, target }) => {
      const body: Readonly<Record<string, unknown>> = { ...v1.transferBody(), ...changes(v1, target) };
      const options = { query: { account_uuid: String(body.account_uuid) } };
      const pay = (members: object = {}) => v1.createTransaction({ ...body, ...members }, options);
      requireSeen((await pay()).status === 201 || undefined, `a transfer ${way}`);
      expect(await pay({ payment_code: null }), 'V1-TRC-16').toAnswer(201);
      expect(await pay({ end_to_end_ident: null }), 'V1-TRC-20').toAnswer(201);
      const payment_code = v1.sample('payment_code');
      // Beside details that code is taken there.
      requireSeen((await pay({ payment_code })).status === 201 || undefined, `a transfer ${way} with a code`);
      for (const payment_details of [undefined, null])
        expect(await pay({ payment_details, payment_code }), 'V1-TRC-18').toAnswer(201);
    },
  );

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
    v1.nameNoMore();
    const parties = {
      ...(payment_type === 'swift' ? v1.transferParties() : {}),
      ...(beside === undefined ? {} : BESIDE[beside](v1)),
    };
    // After one by the other rails, which this one is not to be taken for.
    await v1.createTransaction(payment_type === 'swift' ? {} : v1.overSwift());
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

for (const [id, payment_type, how, never] of RAILS.slice(0, 3))
  test(
    `lets the rails be asked for ${how} from the second account`,
    rule(id, { needs: ['account.second'] }),
    async ({ v1, target }) => {
      const account_uuid = target.v1!.secondAccount!;
      v1.nameNoMore();
      const parties = payment_type === 'swift' ? v1.transferParties() : {};
      const sent = { ...parties, payment_type, account_uuid };
      const reply = await v1.createTransaction(sent, { query: { account_uuid } });
      test.skip(reply.status !== 201, 'nothing can be paid so from the second account');
      const [uuid] = requireEntries(listUuids([reply.object]), 'uuids of created transactions');
      const read = await v1.readTransaction(uuid!, account_uuid);
      const seen = [reply.object, read.object].flatMap((one) => one.payment_type ?? []);
      for (const one of requireEntries(seen, 'payment types')) expect(String(one)).not.toMatch(never);
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
  await v1.requireTaken();
  for (const payment_type of ['card', 'target2', 'sepa-or-swift']) await expectRefused(v1, { payment_type });
});
