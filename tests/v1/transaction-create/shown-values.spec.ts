import fc from 'fast-check';
import {
  type ApiReply,
  assertPromise,
  assertProperty,
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
import { bringAbout } from '../support/bring-about.ts';
import { isOnSmallPage } from '../support/small-pages.ts';
import {
  invoiceBody,
  listAltered,
  listWith,
  overSwift,
  payFromSecond,
  pickLasting,
  showEverywhere,
} from '../support/transfers.ts';

test('shows amount, details and end-to-end identifier as sent', rule('V1-TRC-04'), async ({ v1 }) => {
  const body = {
    // An amount that binary fractions miss.
    amount: 4.35,
    payment_details: `Invoice ${v1.freshName()} of a Conformance check`,
    end_to_end_ident: v1.freshUuid().slice(0, 18),
  };
  const reply = await v1.createTransaction(body);
  expect(reply).toAnswer(201);
  expect(listAltered(await v1.showCreated(reply, Object.keys(body)), body)).toEqual([]);
});

test('shows a payment code as sent', rule('V1-TRC-04'), async ({ v1 }) => {
  const payment_code = v1.sample('payment_code');
  const reply = await v1.createTransaction({ payment_details: undefined, payment_code });
  expect(reply).toAnswer(201);
  expect(listAltered(await v1.showCreated(reply, ['payment_code']), { payment_code })).toEqual([]);
});

test('shows no payment code of another transfer', rule('V1-TRC-04'), async ({ v1, target }) => {
  v1.nameNoMore();
  const [one, other] = target.v1!.wire.samples.payment_code;
  test.skip(other === undefined || one === other, 'v1.wire.samples.payment_code of the target file has one code alone');
  const follow = async (payment_code: string) => {
    const coded = await v1.createTransaction({ payment_code });
    test.skip(coded.status !== 201, `a transfer with details and code was answered ${coded.status}`);
    requireSeen((await v1.showCreated(coded, ['payment_code'])).payment_code ?? undefined, 'the code of a transfer');
    const reply = await v1.createTransaction();
    expect(reply).toAnswer(201);
    return (await v1.showCreated(reply, ['payment_code'])).payment_code;
  };
  const shown = [await follow(one!), await follow(other!)];
  // A code that stands where none was given is the same each time.
  expect(shown).not.toEqual([one, other]);
});

test('shows what a language takes for nothing as the text that was sent', rule('V1-TRC-04'), async ({ v1, target }) => {
  const { characters } = target.v1!.wire;
  // The latter a reader may take for a moment, and write otherwise.
  const texts = ['0', 'null', '2024-05-01T10:00:00+02:00'].filter((text) =>
    [...text].every((one) => characters.includes(one)),
  );
  const nothings = texts.map((payment_details) => ({ payment_details }));
  for (const body of [...nothings, { payment_details: v1.freshName(), end_to_end_ident: '0' }]) {
    const reply = await v1.createTransaction(body);
    if (reply.status === 201) expect(listAltered(await v1.showCreated(reply, Object.keys(body)), body)).toEqual([]);
    else v1.leaveOut(`${JSON.stringify(body)}: it was answered ${reply.status}`);
  }
});

test(
  'lists and reads an accepted transfer of a few cents, with what was sent',
  rule('V1-TRC-05', 'V1-TRC-04'),
  async ({ v1 }) => {
    const body = invoiceBody(v1, 0.07);
    const reply = await v1.createTransaction(body);
    test.skip(reply.status !== 201, `a transfer with details, code and identifier was answered ${reply.status}`);
    await expectFound(v1, reply, body);
  },
);

test('shows digits as the text that was sent', rule('V1-TRC-04'), async ({ v1 }) => {
  const body = { payment_details: '0042', end_to_end_ident: `00${v1.freshUuid().replace(/\D/g, '').slice(0, 8)}` };
  const reply = await v1.createTransaction(body);
  test.skip(reply.status !== 201, `a transfer with details of digits alone was answered ${reply.status}`);
  expect(listAltered(await v1.showCreated(reply, Object.keys(body)), body)).toEqual([]);
});

test('shows an amount of more than a thousand as sent', rule('V1-TRC-04', 'V1-TRC-05'), async ({ v1, target }) => {
  const { total } = target.manners.money;
  test.skip(total < 1_000_000, 'manners.money of the target file is too little for it');
  // Of the latter there are more cents than 32 bits count.
  for (const amount of [1234.56, ...(total < 100_000_000 ? [] : [43_000_000])]) {
    const body = { amount, payment_details: v1.freshName() };
    const reply = await v1.createTransaction(body);
    test.skip(amount < 2000 && reply.status !== 201, `a transfer of more than a thousand was answered ${reply.status}`);
    if (reply.status !== 201) {
      v1.leaveOut(`a transfer of millions: it was answered ${reply.status}`);
      continue;
    }
    await expectFound(v1, reply, body);
    for (const shown of Object.values(await showEverywhere(v1, reply, Object.keys(body))))
      expect(listAltered(shown, body), 'V1-TRC-04').toEqual([]);
  }
});

/** An IBAN that nothing is masked of. */
const WHOLE_IBAN = /^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/;

/** The IBAN of a party without spaces; none is an empty text. */
function plainIban(party: unknown): string {
  return String(Object(party).iban ?? '')
    .replace(/\s/g, '')
    .toUpperCase();
}

/** The IBANs of the recipient, without spaces, where they are shown whole. */
function wholeIbans(shown: readonly object[]): string[] {
  return shown.map((one) => plainIban(Object(one).recipient)).filter((iban) => WHOLE_IBAN.test(iban));
}

/** Holds each IBAN of the recipient that is shown whole to the one that was sent. */
function expectRecipient(shown: readonly object[], sent: unknown): void {
  const others = wholeIbans(shown).filter((iban) => iban !== plainIban(sent));
  expect(others.length, 'V1-TRC-04').toBe(0);
}

test('shows the IBAN of the recipient as sent', rule('V1-TRC-04'), async ({ v1 }) => {
  const body = v1.transferBody({ payment_details: v1.freshName() });
  const reply = await v1.createTransaction(body);
  expect(reply).toAnswer(201);
  // What is shown of one that was sent is not nothing.
  const shown = await v1.showCreated(reply, ['recipient']);
  expect(Object(shown.recipient).iban).not.toBe('');
  requireEntries(wholeIbans([shown]), 'whole IBANs of the recipient');
  expectRecipient([shown], body.recipient);
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
    const shown = [read.object, Object(listed)];
    requireEntries(wholeIbans(shown), 'whole IBANs of the recipient');
    expectRecipient(shown, body.recipient);
  },
);

test('shows of two recipients with one name the IBAN of each', rule('V1-TRC-04'), async ({ v1, target }) => {
  const { further, unlisted } = target.v1!.ibans;
  const { recipient } = v1.transferBody();
  const ibans = requireEntries(
    [v1.iban, ...further, unlisted].filter((one) => one !== undefined),
    'IBANs',
  ).slice(0, 5);
  let taken = 0;
  for (const iban of ibans) {
    const body = { recipient: { ...Object(recipient), iban, country_code: iban.slice(0, 2) } };
    const reply = await v1.createTransaction(body);
    // A bank abroad may be out of reach.
    if (reply.status !== 201) continue;
    const shown = Object.values(await showEverywhere(v1, reply, ['recipient']));
    requireEntries(wholeIbans(shown), 'whole IBANs of the recipient');
    expectRecipient(shown, { iban });
    taken += 1;
    if (taken === 2) return;
  }
  test.skip(true, 'the service took transfers to no two of the IBANs in v1.ibans of the target file');
});

test('takes letters outside the SEPA set and shows them as sent', rule('V1-TRC-25', 'V1-TRC-05'), async ({ v1 }) => {
  const body = {
    payment_details: `\u00dcberweisung f\u00fcr ${v1.freshName()}, d\u00e9j\u00e0 vu`,
    end_to_end_ident: `\u00e9t\u00e9-${v1.freshUuid().slice(0, 18)}`,
  };
  const reply = await v1.createTransaction(body);
  expect(reply, 'V1-TRC-25').toAnswer(201);
  // However they are written, it is there.
  const [uuid] = requireEntries(listUuids([reply.object]), 'uuids of created transactions');
  expect(listUuids(await listWith(v1, [uuid!])), 'V1-TRC-05').toContain(uuid);
  const read = await v1.readTransaction(uuid!);
  expect(read, 'V1-TRC-05').toAnswer(200);
  expect(listAltered(await v1.showCreated(reply, Object.keys(body)), body), 'V1-TRC-25').toEqual([]);
  expect(findContradictions(body, read.object), 'V1-TRC-25').toEqual([]);
});

test('shows what was sent when the transaction is read and listed, too', rule('V1-TRC-04'), async ({ v1, target }) => {
  const { samples, characters } = target.v1!.wire;
  const codes = samples.payment_code;
  // Marks that pages and messages write otherwise.
  const marks = [...characters].filter((one) => /[^A-Za-z0-9 ]/.test(one)).join('a');
  const made = new Map<string, object>();
  // What is shown of both alike is sent with one alone.
  // Amounts that binary fractions miss.
  for (const [i, amount] of [4.35, 8.29].entries()) {
    const body = {
      ...invoiceBody(v1, amount),
      payment_code: codes[i % codes.length],
      ...(i > 0 && { payment_details: `Invoice ${v1.freshName()} a${marks}a`.slice(0, 140) }),
    };
    made.set(await v1.arrangeTransaction(body), body);
  }
  const bare = { amount: 1.23, payment_code: codes[0] };
  made.set(await v1.arrangeTransaction({ ...bare, payment_details: undefined }), bare);
  // A whole amount, of which noughts are no decimals.
  const plain = { amount: 20, payment_details: v1.freshName() };
  made.set(await v1.arrangeTransaction(plain), plain);
  const list = (await v1.listTransactions({ per_page: 100 })).list('/transactions');
  for (const [uuid, body] of made) {
    const read = await v1.readTransaction(uuid);
    const again = await v1.readTransaction(uuid);
    const listed = Object(list.find((one) => hasValues(one, { uuid })));
    const shown = { read: read.object, listed, again: again.object };
    const altered = Object.entries(shown).map(([where, one]) => [where, listAltered(one, body)]);
    expect(Object.fromEntries(altered)).toEqual({ read: [], listed: [], again: [] });
    // What was left out may be filled in, not by the word for nothing.
    for (const name of ['payment_details', 'payment_code', 'end_to_end_ident'])
      if (!Object.hasOwn(body, name))
        for (const one of [read.object, listed]) expect(['null', 'undefined'], name).not.toContain(one[name] ?? '');
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
    const body = invoiceBody(v1);
    const swift = await overSwift(v1);
    const reply = await v1.createTransaction({ ...swift, ...body });
    expect(reply, 'V1-TRC-05').toAnswer(201);
    const expectAsSent = async () => {
      const shown = Object.values(await showEverywhere(v1, reply, Object.keys(body)));
      for (const one of shown) expect(listAltered(one, body), 'V1-TRC-04').toEqual([]);
      expectRecipient(shown, swift.recipient);
    };
    await expectAsSent();
    const [uuid] = listUuids([reply.object]);
    if (uuid === undefined) return;
    // It may be completed by itself as well.
    if (target.control.complete === undefined) await v1.sleep(5);
    else await v1.triggerEnd(uuid);
    expect(await v1.readTransaction(uuid), 'V1-TRC-05').toAnswer(200);
    expect(listUuids(await listWith(v1, [uuid])), 'V1-TRC-05').toContain(uuid);
    await expectAsSent();
  },
);

test('names no recipient of another transfer', rule('V1-TRC-04'), async ({ v1 }) => {
  const { recipient } = v1.transferBody();
  const others: readonly Readonly<Record<string, string>>[] = [
    { name: 'Alan Test', address: '7 Example Street' },
    { name: 'Ada Example', address: '9 Sample Road' },
    // What is left out is not that of the one before, either.
    {},
  ];
  const made: Readonly<Record<string, unknown>>[] = [];
  const [ultimate, another] = [{ name: 'Grace Sample' }, { name: 'Edith Sample' }];
  for (const [i, other] of others.entries()) {
    const { payer } = v1.transferBody();
    const paying = i === 0 ? { payer: { ...Object(payer), ultimate } } : { payer: undefined };
    const body = { recipient: { ...Object(recipient), ...other } };
    const paid = { recipient: { ...body.recipient, ...(i === 0 && { ultimate: another }) } };
    let reply = await v1.createTransaction({ ...paying, ...paid });
    // Another payer than the usual one may be refused, and none.
    if (reply.status !== 201) reply = await v1.createTransaction(body);
    test.skip(reply.status !== 201, `a transfer to another name was answered ${reply.status}`);
    made.push(reply.object);
  }
  requireEntries(listUuids(made.slice(1)), 'uuids of created transactions');
  // Whoever is paid, it is the same that pays.
  const payers = made.slice(1).flatMap((one) => Object(one.payer).name ?? []);
  expect(new Set(payers).size, 'names of the payer').toBeLessThan(2);
  const shown: unknown[] = [];
  const strange: unknown[] = [];
  for (const [i, created] of made.entries()) {
    if (i === 0) continue;
    const earlier = others.slice(0, i).flatMap((one) => Object.values(one));
    const [uuid] = listUuids([created]);
    for (const one of uuid === undefined ? [created] : [created, (await v1.readTransaction(uuid)).object]) {
      expect(Object(Object(one.payer).ultimate).name, 'the ultimate payer').not.toBe(ultimate.name);
      expect(Object(Object(one.recipient).ultimate).name, 'the ultimate recipient').not.toBe(another.name);
      const { name, address } = Object(one.recipient);
      const told = [name, address].filter((value) => value != null);
      shown.push(...told);
      // How a name is written, or whose account it is, is the bank's affair; whom another transfer names is not.
      strange.push(...told.filter((value) => earlier.includes(String(value))));
    }
  }
  requireEntries(shown, 'names and addresses of the recipient');
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
  const shown = Object.values(await showEverywhere(v1, reply, ['recipient']));
  const all = shown.map((one) => Object(one.recipient));
  // How a name is written is the bank's affair; who else is named in the same transfer is not.
  const payers = shown.flatMap((one) => Object(one.payer).address ?? []);
  const strange = { name: [bank.name, ultimate.name], address: [bank.address, ...payers] };
  const seen = Object.entries(strange).flatMap(([member, others]) =>
    all.flatMap((one) => (one[member] == null ? [] : [{ member, shown: one[member], others }])),
  );
  for (const { member, shown, others } of requireEntries(seen, 'names and addresses of the recipient'))
    if (!others.includes(recipient[member])) expect(others, member).not.toContain(shown);
});

test('lets an accepted transfer be read', rule('V1-TRC-05'), async ({ v1 }) => {
  const coded = { payment_details: undefined, payment_code: v1.sample('payment_code') };
  for (const changes of [{}, coded])
    expect(await v1.readTransaction(await v1.arrangeTransaction(changes))).toAnswer(200);
});

test('lists an accepted transfer, by whatever rails, with details or a code', rule('V1-TRC-05'), async ({ v1 }) => {
  const made = [await v1.arrangeTransaction()];
  made.push(await v1.arrangeTransaction({ payment_details: undefined, payment_code: v1.sample('payment_code') }));
  const swift = await v1.createTransaction(v1.overSwift());
  if (swift.status === 201) made.push(...listUuids([swift.object]));
  else v1.leaveOut(`a transfer over SWIFT: it was answered ${swift.status}`);
  expect(listUuids(await listWith(v1, made))).toEqual(expect.arrayContaining(made));
});

for (const { when, needs, wait, parties = () => ({}) } of [
  { when: '', needs: [], wait: async () => {} },
  { when: ' over SWIFT', needs: [], parties: (v1: V1Client) => v1.overSwift(), wait: async () => {} },
  {
    when: ' that was completed',
    needs: ['trigger'],
    wait: async (v1: V1Client, made: ApiReply) => {
      const [uuid] = requireEntries(listUuids([made.object]), 'uuids of created transactions');
      await bringAbout(v1.triggerEnd(uuid!), true);
      await v1.sleep(5);
    },
  },
  { when: ' days later', needs: ['clock'], wait: (v1: V1Client) => v1.sleep(2 * 86_400) },
] as const)
  test(
    `lists and reads an accepted transfer of the second account${when}, with what was sent`,
    rule('V1-TRC-05', 'V1-TRC-04', { needs: ['account.second', ...needs] }),
    async ({ v1, target }) => {
      const account_uuid = target.v1!.secondAccount!;
      const body = invoiceBody(v1);
      const reply = await payFromSecond(v1, account_uuid, { ...parties(v1), ...body });
      await wait(v1, reply);
      await expectFound(v1, reply, body, account_uuid);
    },
  );

for (const payment_type of ['sepa', null])
  test(
    `lists and reads an accepted transfer whose payment type is ${payment_type}, with what was sent`,
    rule('V1-TRC-05', 'V1-TRC-04'),
    async ({ v1 }) => {
      const body = invoiceBody(v1, 8.29);
      const reply = await v1.createTransaction({ ...body, payment_type });
      test.skip(reply.status !== 201, `a transfer whose payment type is ${payment_type} was answered ${reply.status}`);
      await expectFound(v1, reply, body);
    },
  );

for (const how of ['', ' over SWIFT'])
  test(
    `lists and reads what was accepted${how} under a request id, with what was sent`,
    rule('V1-TRC-05', 'V1-TRC-04'),
    async ({ v1 }) => {
      const parties = how === '' ? v1.transferBody() : await overSwift(v1);
      const { status } = await v1.createTransaction({ ...parties, ...invoiceBody(v1, 8.29) });
      test.skip(status !== 201, `a transfer with details, code and identifier was answered ${status}`);
      const body = invoiceBody(v1);
      const reply = await v1.createTransaction({ ...parties, ...body }, { headers: v1.requestIdHeader() });
      expect(reply, 'V1-TRC-05').toAnswer(201);
      expectRecipient(await expectFound(v1, reply, body), parties.recipient);
    },
  );

/**
 * Finds a created transaction where it is read and where it is listed, with what was sent.
 * @returns it as it is shown: read, listed, and where the creation's answer shows it, there
 */
async function expectFound(
  v1: V1Client,
  reply: ApiReply,
  body: object,
  account_uuid = v1.account,
): Promise<readonly object[]> {
  const [uuid] = requireEntries(listUuids([reply.object]), 'uuids of created transactions');
  const read = await v1.readTransaction(uuid!, account_uuid);
  expect(read, 'V1-TRC-05').toAnswer(200);
  const list = await listWith(v1, [uuid!], account_uuid);
  const listed = list.find((one) => hasValues(one, { uuid }));
  expect(listed, 'V1-TRC-05').toBeDefined();
  // The answer to the creation may show none of it.
  const isShown = Object.keys(body).some((name) => Object.hasOwn(reply.object, name));
  const shown = [...(isShown ? [reply.object] : []), read.object, Object(listed)];
  for (const one of shown) expect(listAltered(one, body), 'V1-TRC-04').toEqual([]);
  return shown;
}

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
      const body = invoiceBody(v1);
      const uuid = await v1.arrangeTransaction(body);
      await befall(v1, uuid);
      await v1.sleep(5);
      const read = await v1.readTransaction(uuid);
      expect(read, 'V1-TRC-05').toAnswer(200);
      const list = await listWith(v1, [uuid]);
      const listed = list.find((one) => hasValues(one, { uuid }));
      if (isListed) expect(listed, 'V1-TRC-05').toBeDefined();
      if (fate === 'days later') {
        // One of today comes first.
        await listWith(v1, [await v1.arrangeTransaction()]);
        expect(await isOnSmallPage((page) => v1.listTransactions(page), '/transactions', uuid), 'V1-TRC-05').toBe(true);
      }
      // That there is an order upwards is not said, and in a long list the latest are on its last page.
      const upwards = await v1.listTransactions({ per_page: 100, direction: 'asc' });
      const turned = isListed && upwards.status === 200 ? upwards.list('/transactions') : undefined;
      if (turned !== undefined && turned.length < 100)
        expect(
          turned.some((one) => hasValues(one, { uuid })),
          'V1-TRC-05',
        ).toBe(true);
      const shown = listed === undefined ? [read.object] : [read.object, Object(listed)];
      for (const one of shown) expect(listAltered(one, body), 'V1-TRC-04').toEqual([]);
      expectRecipient(shown, v1.transferBody().recipient);
    },
  );

test(
  'lists and reads each of many accepted transfers, none under the uuid of another',
  rule('V1-TRC-05', 'V1-TRN-02'),
  async ({ v1, clock }) => {
    const made: string[] = [];
    for (let i = 0; i < (clock.steered ? 11 : 3); i += 1) made.push(await v1.arrangeTransaction({ amount: 1 }));
    expect(new Set(made).size, 'V1-TRN-02').toBe(made.length);
    const listed = listUuids(await listWith(v1, made));
    expect(
      made.filter((uuid) => !listed.includes(uuid)),
      'V1-TRC-05',
    ).toEqual([]);
    for (const uuid of made) expect(await v1.readTransaction(uuid), 'V1-TRC-05').toAnswer(200);
  },
);

test('answers a creation 201 with the transaction', rule('V1-TRC-08'), async ({ v1 }) => {
  v1.nameNoMore();
  for (const reply of [await v1.createTransaction(), await v1.createFullTransaction(), await v1.createOverSwift()]) {
    if (reply === undefined) continue;
    expect(reply).toAnswer(201);
    requireEntries(Object.keys(reply.object), 'members of a created transaction');
  }
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
        expect(findContradictions(pickLasting(object), pickLasting(read.object)), fate).toEqual([]);
      }
    },
  );

test(
  'answers a creation of the second account with the transaction that is read',
  rule('V1-TRC-08', { needs: ['account.second'] }),
  async ({ v1, target }) => {
    const account_uuid = target.v1!.secondAccount!;
    expect(await v1.createTransaction({ account_uuid }, { query: { account_uuid } })).not.toAnswer(500);
    const { object } = await payFromSecond(v1, account_uuid);
    const [uuid] = requireEntries(listUuids([object]), 'uuids of created transactions');
    const read = await v1.readTransaction(uuid!, account_uuid);
    expect(findContradictions(pickLasting(object), pickLasting(read.object))).toEqual([]);
  },
);

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
      const { payment_type: _, ...given } = sent;
      // What stands where nothing was given is for the service to say: rails have a word of their own for no identifier.
      const echoed = Object.fromEntries(Object.entries(given).filter(([, value]) => value != null));
      const changed = listAltered(await v1.showCreated(reply, Object.keys(echoed)), echoed);
      const same = changed.length === 0;
      assertPromise(same, 'a transaction that shows what was sent', `another ${changed.join(', ')}`, 'V1-TRC-04');
    });
    await assertProperty(info, 'a body in order is accepted and shown as sent', property, { runs: 20 });
  },
);
