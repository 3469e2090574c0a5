import { setTimeout as wait } from 'node:timers/promises';
import {
  type ApiReply,
  assertPromise,
  attributeTo,
  type EventInbox,
  expect,
  listUuids,
  type MessageReceiver,
  passMoment,
  type ReceivedDelivery,
  requireEntries,
  requireSeen,
  rule,
  type Target,
  test,
  type V1Client,
} from '#harness';
import { bringAbout } from './support/bring-about.ts';
import { payFromSecond } from './support/transfers.ts';

/** In seconds. */
const DAY = 86_400;

/** What a check of an occasion asks for. */
interface Scene {
  readonly inbox: EventInbox;
  readonly receiver: MessageReceiver;
  readonly v1: V1Client;
  readonly target: Target;
}

/** Demands of messages that they came to the url of the configuration, with its token. */
function expectDelivered(inbox: EventInbox, came: readonly ReceivedDelivery[]): void {
  expect(
    came.map(({ path }) => path),
    'V1-EVT-05',
  ).toEqual(came.map(() => inbox.path));
  attributeTo('V1-EVT-07', () => inbox.demandToken(came));
}

/** How many different messages have come about a transaction. */
function countTold(inbox: EventInbox, uuid: string): number {
  return new Set(inbox.deliveriesAbout(uuid).map(({ text }) => text)).size;
}

/** Skips a check on the end of a transaction that may have ended by itself, and nothing shows whether it had: only how often it was told of. */
function skipOpenEnd(status: unknown, told: number): void {
  const isOpen = status === undefined && told > 1;
  test.skip(isOpen, 'more than its creation was told of before, and nothing shows whether it had ended by itself');
}

/** Has something about an account come about. @returns the uuid that messages about it may name */
const raise =
  (occasion: 'accountEvent' | 'virtualIbanEvent', isSecond = false) =>
  async ({ inbox, receiver, v1, target }: Scene) => {
    const account = isSecond ? target.v1!.secondAccount! : v1.account;
    receiver.expectedEvent = occasion;
    await inbox.forgetEarlier();
    await bringAbout(inbox.trigger(occasion, account), isSecond);
    return account;
  };

test('delivers an event of an account', rule('V1-EVT-01'), async ({ inbox, receiver, v1 }) => {
  await inbox.forgetEarlier();
  receiver.expectedEvent = 'accountEvent';
  await inbox.trigger('accountEvent', v1.account);
  expect(await inbox.waitForNews(v1.account)).not.toEqual([]);
});

for (const [id, occasion, title] of [
  ['V1-EVT-01', 'accountEvent', 'delivers an event of the second account'],
  ['V1-EVT-10', 'virtualIbanEvent', 'delivers a change in the status of a virtual IBAN of the second account'],
] as const)
  test(title, rule(id, { needs: ['account.second'] }), async ({ inbox, receiver, v1, target }) => {
    const account = await raise(occasion, true)({ inbox, receiver, v1, target });
    expect(await inbox.waitForNews(account)).not.toEqual([]);
  });

/** Ways that a transfer goes, and what asks for them. */
const WAYS = [
  ['the default way', () => ({ payment_type: undefined })],
  ['SWIFT', (v1: V1Client) => v1.overSwift()],
] as const;

for (const [way, changes] of [
  ...WAYS,
  ['SEPA by its name', () => ({ payment_type: 'sepa' })],
  ['a payment type of null', () => ({ payment_type: null })],
] as const)
  test(`announces a transaction that was created by ${way}`, rule('V1-EVT-02'), async ({ inbox, v1 }) => {
    expect(await inbox.waitFor(await v1.arrangeTransaction(changes(v1)))).not.toEqual([]);
  });

test('announces a transaction whose request has an id', rule('V1-EVT-02'), async ({ inbox, v1 }) => {
  const sent = { query: { account_uuid: v1.account }, headers: v1.requestIdHeader() };
  expect(await inbox.waitFor(await v1.arrangeTransaction({}, sent))).not.toEqual([]);
});

test('announces a transaction that has a payment code and no details', rule('V1-EVT-02'), async ({ inbox, v1 }) => {
  const reply = await v1.createTransaction({ payment_details: undefined, payment_code: v1.sample('payment_code') });
  test.skip(reply.status !== 201, `a transfer with a payment code alone was answered ${reply.status}`);
  const [uuid] = requireEntries(listUuids([reply.object]), 'uuids of created transactions');
  expect(await inbox.waitFor(uuid!)).not.toEqual([]);
});

for (const [what, changes] of [
  ['with letters outside ASCII', (v1: V1Client) => ({ payment_details: `\u00dcberweisung ${v1.freshName()}` })],
  ['that names all the parties', (v1: V1Client) => v1.transferParties()],
] as const)
  test(`announces a transaction ${what}`, rule('V1-EVT-02'), async ({ inbox, v1 }) => {
    v1.nameNoMore();
    const reply = await v1.createTransaction(changes(v1));
    // That it is taken is not said.
    test.skip(reply.status !== 201, `a transfer ${what} was answered ${reply.status}`);
    const [uuid] = requireEntries(listUuids([reply.object]), 'uuids of created transactions');
    expect(await inbox.waitFor(uuid!)).not.toEqual([]);
  });

test('announces each of many transactions', rule('V1-EVT-02'), async ({ inbox, v1, clock }) => {
  const payment_details = v1.sampleOfLength('payment_details', 140) ?? v1.sample('payment_details');
  const made = [await v1.arrangeTransaction({ payment_details })];
  for (let i = 1; i < (clock.steered ? 11 : 3); i += 1) made.push(await v1.arrangeTransaction({ amount: 1 }));
  made.push(...(await makeSmall(v1)));
  for (const uuid of made) expect(await inbox.waitFor(uuid)).not.toEqual([]);
});

test(
  'announces a transaction that is made while the messages about another one fail',
  rule('V1-EVT-02'),
  async ({ inbox, receiver, v1, clock }) => {
    receiver.answer = failing(inbox, 3, 500);
    const failed = await inbox.waitForAttempts(await v1.arrangeTransaction(), 3);
    test.skip(failed.length < 3, 'messages that fail do not come again');
    const came = await inbox.waitFor(await v1.arrangeTransaction());
    // When to try again is not documented, and what comes later may wait for that.
    const isOpen = came.length === 0 && clock.lever('deliveries') !== 'moves';
    test.skip(isOpen, 'a later message may wait until the first one is taken');
    expect(came).not.toEqual([]);
  },
);

test('announces each of four transactions made at once', rule('V1-EVT-02'), async ({ inbox, v1, together }) => {
  const sent = await together([1, 2, 3, 4].map((amount) => () => v1.createTransaction({ amount })));
  const taken = sent.filter(({ status }) => status === 201).map(({ object }) => object);
  const made = requireEntries(listUuids(taken), 'uuids of created transactions');
  for (const uuid of made) expect(await inbox.waitFor(uuid)).not.toEqual([]);
});

test(
  'announces a transaction of every account of the user',
  rule('V1-EVT-02', { needs: ['account.second'] }),
  async ({ inbox, v1, target }) => {
    const account_uuid = target.v1!.secondAccount!;
    const reply = await payFromSecond(v1, account_uuid);
    const [uuid] = listUuids([reply.object]);
    test.skip(uuid === undefined, 'the created transaction does not show its uuid');
    expect(await inbox.waitFor(uuid!)).not.toEqual([]);
  },
);

test(
  'announces a transaction days after the webhook was configured, with its token',
  rule('V1-EVT-02', 'V1-EVT-07', { needs: ['clock'] }),
  async ({ inbox, v1 }) => {
    await inbox.configure();
    await v1.sleep(3 * 86_400);
    const came = await inbox.waitFor(await v1.arrangeTransaction());
    expect(came, 'V1-EVT-02').not.toEqual([]);
    attributeTo('V1-EVT-07', () => inbox.demandToken(came));
  },
);

for (const [id, occasion, title] of [
  ['V1-EVT-03', 'complete', 'announces a transaction that completes'],
  ['V1-EVT-04', 'fail', 'announces a transaction that ends otherwise'],
] as const) {
  const expectTold = async (
    inbox: EventInbox,
    v1: V1Client,
    created: ApiReply,
    { account_uuid = v1.account, days = 0, isAddressed = false, wasInactive = false } = {},
  ) => {
    const [uuid] = requireEntries(listUuids([created.object]), 'uuids of created transactions');
    const status = async () => (await v1.readTransaction(uuid!, account_uuid)).object.status;
    if (!wasInactive) await inbox.waitFor(uuid!);
    const first = days > 0 ? await status() : undefined;
    // It may end by itself.
    await v1.sleep(days > 0 ? days * 86_400 : 2);
    const now = await status();
    const hasEnded =
      !wasInactive && !isAddressed && created.object.status === 'pending' && ENDS[occasion].test(String(now));
    if (hasEnded) await expectEndTold(inbox, uuid!, String(now));
    test.skip(days > 0 && now !== first, 'the transaction ended by itself within days');
    test.skip(wasInactive && now === undefined, 'nothing shows whether the transaction had ended by itself');
    // What is told of is the transaction, under whatever configuration it was made.
    await inbox.configure();
    await inbox.forgetEarlier();
    const before = await status();
    const endsLater =
      !wasInactive && !isAddressed && !hasEnded && now === 'pending' && ENDS[occasion].test(String(before));
    // It ended by itself meanwhile.
    if (endsLater) return expectEndTold(inbox, uuid!, String(before));
    const earlier = countTold(inbox, uuid!);
    await bringAbout(inbox.trigger(occasion, uuid!), account_uuid !== v1.account);
    const came = await inbox.waitForNews(uuid!);
    if (came.length === 0) skipOpenEnd(before, earlier);
    const ended = came.length === 0 && before !== undefined && before !== 'pending' && before === (await status());
    if (ended && hasEnded) return;
    test.skip(ended, 'the transaction had ended by itself before it could be ended');
    if (!isAddressed) return expect(came).not.toEqual([]);
    requireEntries(came, 'messages about the end of the transaction');
    // What was raised before the replacement may come late, and as it was raised.
    const isOpen = before === undefined || before !== now || before === (await status());
    test.skip(isOpen, 'nothing shows that the end was told of after the replacement');
    const atUrl = async () => (await inbox.waitForNews(uuid!)).filter(({ path }) => path === inbox.path);
    for (let i = 0; i < 2 && (await atUrl()).length === 0; i += 1)
      await inbox.waitFor(uuid!, inbox.deliveriesAbout(uuid!).length + 1);
    const arrived = await atUrl();
    expect(arrived, 'V1-EVT-05').not.toEqual([]);
    attributeTo('V1-EVT-07', () => inbox.demandToken(arrived));
  };

  for (const [way, changes] of WAYS)
    test(`${title} by ${way}`, rule(id), async ({ inbox, v1 }) => {
      await expectTold(inbox, v1, (await v1.createTransaction(changes(v1))).requireStatus(201));
    });

  test(`${title} at the url and with the token of that time`, rule('V1-EVT-05', 'V1-EVT-07'), async ({ inbox, v1 }) => {
    const created = (await v1.createTransaction()).requireStatus(201);
    await expectTold(inbox, v1, created, { isAddressed: true });
  });

  test(`${title} and was created while the webhook was inactive`, rule(id), async ({ inbox, v1 }) => {
    await inbox.configure({ is_active: false });
    const created = (await v1.createTransaction()).requireStatus(201);
    await expectTold(inbox, v1, created, { wasInactive: true });
  });

  test(`${title} and was asked for under a request id`, rule(id), async ({ inbox, v1 }) => {
    const headers = v1.requestIdHeader();
    await expectTold(inbox, v1, (await v1.createTransaction({}, { headers })).requireStatus(201));
  });

  test(`${title} in the second account`, rule(id, { needs: ['account.second'] }), async ({ inbox, v1, target }) => {
    const account_uuid = target.v1!.secondAccount!;
    const reply = await payFromSecond(v1, account_uuid);
    await expectTold(inbox, v1, reply, { account_uuid });
  });

  test(`${title} days after it was created`, rule(id, { needs: ['clock'] }), async ({ inbox, v1 }) => {
    const created = (await v1.createTransaction()).requireStatus(201);
    await expectTold(inbox, v1, created, { days: 3 });
  });
}

/** Has a transaction of a cent made, of a code alone: so small an amount is not nothing. @returns its uuid, where it is taken */
async function makeSmall(v1: V1Client): Promise<string[]> {
  const payment_code = v1.sample('payment_code');
  const { status, object } = await v1.createTransaction({ amount: 0.01, payment_details: undefined, payment_code });
  return status === 201 ? listUuids([object]) : [];
}

for (const [id, occasion, how] of [
  ['V1-EVT-03', 'complete', 'complete'],
  ['V1-EVT-04', 'fail', 'end otherwise'],
] as const)
  test(
    `announces each of two transactions, and of one of a cent, that ${how} right after one another`,
    rule(id, { needs: ['trigger'] }),
    async ({ inbox, v1 }) => {
      const made = [await v1.arrangeTransaction(), await v1.arrangeTransaction(), ...(await makeSmall(v1))];
      for (const uuid of made) await inbox.waitFor(uuid);
      await inbox.waitOutSilence();
      await inbox.forgetEarlier();
      const statuses = await Promise.all(made.map(async (uuid) => (await v1.readTransaction(uuid)).object.status));
      test.skip(!statuses.every((one) => one === 'pending'), 'the transactions may have ended by themselves');
      const earlier = made.map((uuid) => inbox.deliveriesAbout(uuid).length);
      for (const uuid of made) await inbox.trigger(occasion, uuid);
      for (const [i, uuid] of made.entries())
        expect((await inbox.waitFor(uuid, earlier[i]! + 1)).length).toBeGreaterThan(earlier[i]!);
    },
  );

/** Words for a status in which nothing happens to a transaction any more; others may come between. */
const ENDS = {
  complete: /^(complete|settle|execute|finish|book)d|^(success|succeeded|done|paid)/i,
  fail: /^(fail|reject|decline|cancel|return)/i,
} as const;

/** Demands of a transaction that began as pending and ended by itself that a message tells how it ended, or that there is more than one. */
async function expectEndTold(inbox: EventInbox, uuid: string, status: string): Promise<void> {
  const isTold = () => {
    const came = inbox.deliveriesAbout(uuid);
    const messages = new Set(came.map((one) => inbox.messageKey(one) ?? one.text));
    return messages.size > 1 || came.some(({ text }) => text.includes(status));
  };
  for (let count = 1; count < 4 && !isTold(); count += 1) await inbox.waitFor(uuid, count);
  requireEntries(inbox.deliveriesAbout(uuid), 'messages about the transaction');
  assertPromise(isTold(), `a message of the end of the transaction, ${status}`, 'none but of its creation');
}

test('delivers a change in the status of a virtual IBAN', rule('V1-EVT-10'), async ({ inbox, receiver, v1 }) => {
  await inbox.forgetEarlier();
  receiver.expectedEvent = 'virtualIbanEvent';
  await inbox.trigger('virtualIbanEvent', v1.account);
  expect(await inbox.waitForNews(v1.account)).not.toEqual([]);
});

test(
  'sends to the url of the configuration, and after a change to the new one',
  rule('V1-EVT-05'),
  async ({ inbox, receiver, v1 }) => {
    const exact = '/Of-Assay/index?of=&Key=Value%2Fof%20it+1&B=';
    const rest = 'x'.repeat(Math.max(0, 250 - `${receiver.address}/${v1.freshName()}${exact}`.length));
    for (let i = 0; i < 2; i += 1) {
      const uuid = await v1.arrangeTransaction();
      const came = await inbox.waitFor(uuid);
      expect(came.map(({ path }) => path)).toEqual(came.map(() => inbox.path));
      expect(came).not.toEqual([]);
      await inbox.waitOutSilence();
      // To no other address as well.
      const all = inbox.deliveriesAbout(uuid);
      expect(all.map(({ path }) => path)).toEqual(all.map(() => inbox.path));
      await inbox.configure({}, exact + rest);
    }
  },
);

test(
  'tells a user without rights on the account of none of its transactions',
  rule('V1-EVT-11', 'V1-EVT-06'),
  async ({ inbox, v1, target }) => {
    await inbox.withStranger(target.v1!.unprivileged!, async (path) => {
      const uuid = await v1.arrangeTransaction();
      requireEntries(await inbox.waitFor(uuid), 'messages about the transaction');
      if (target.control.complete !== undefined) await inbox.trigger('complete', uuid);
      await inbox.waitOutSilence();
      expect(
        inbox.deliveriesAbout(uuid).filter((one) => one.path === path),
        'V1-EVT-11',
      ).toEqual([]);
    });
    // That the other user's is inactive now says nothing of ours.
    expect(await inbox.waitFor(await v1.arrangeTransaction()), 'V1-EVT-06').not.toEqual([]);
  },
);

test(
  'sends nothing while inactive, and again when active, to where it is active and with that token',
  rule('V1-EVT-06', 'V1-EVT-05', 'V1-EVT-07'),
  async ({ inbox, v1 }) => {
    await inbox.change({ is_active: false });
    const unsaid = await v1.arrangeTransaction();
    await inbox.waitOutSilence();
    expect(inbox.deliveriesAbout(unsaid), 'V1-EVT-06').toEqual([]);
    // Name and description are optional.
    await inbox.configure({ name: null, description: null });
    const came = await inbox.waitFor(await v1.arrangeTransaction());
    expect(came, 'V1-EVT-06').not.toEqual([]);
    expectDelivered(inbox, came);
    for (const is_active of [false, true]) await inbox.change({ is_active });
    expect(await inbox.waitFor(await v1.arrangeTransaction()), 'V1-EVT-06').not.toEqual([]);
    // How it is called changes nothing of where it sends.
    await inbox.change({ name: v1.freshName() });
    expect(await inbox.waitFor(await v1.arrangeTransaction()), 'V1-EVT-06').not.toEqual([]);
  },
);

test(
  'announces a transaction a moment after the webhook was configured anew, at its url and with its token',
  rule('V1-EVT-05', 'V1-EVT-07', { isIdle: true }),
  async ({ inbox, v1 }) => {
    await inbox.configure();
    await passMoment();
    expectDelivered(inbox, requireEntries(await inbox.waitFor(await v1.arrangeTransaction()), 'messages about it'));
  },
);

test(
  'sends nothing a moment after the webhook was made inactive',
  rule('V1-EVT-06', { isIdle: true }),
  async ({ inbox, v1 }) => {
    await inbox.configure({ is_active: false, name: null });
    await passMoment();
    const unsaid = await v1.arrangeTransaction();
    await inbox.waitOutSilence();
    expect(inbox.deliveriesAbout(unsaid)).toEqual([]);
  },
);

test(
  'goes on sending after a 410, to the url that is shown',
  rule('V1-EVT-06', 'V1-WHK-03'),
  async ({ inbox, receiver, webhook, v1, clock }) => {
    receiver.answer = failing(inbox, 1, 410);
    requireEntries(await inbox.waitFor(await v1.arrangeTransaction()), 'messages about the transaction');
    const came = await inbox.waitFor(await v1.arrangeTransaction());
    const { is_active, url } = (await webhook.read()).object;
    // When to try again is not documented, and what comes later may wait for that.
    const isOpen = came.length === 0 && is_active === true && clock.lever('deliveries') !== 'moves';
    test.skip(isOpen, 'a later message may wait until the first one is taken');
    expect(came, 'V1-EVT-06').not.toEqual([]);
    expect(url, 'V1-WHK-03').toBe(receiver.address + inbox.path);
  },
);

test('does not go on sending a message again while inactive', rule('V1-EVT-06'), async ({ inbox, receiver, v1 }) => {
  receiver.answer = () => 500;
  const uuid = await v1.arrangeTransaction();
  requireEntries(await inbox.waitFor(uuid), 'deliveries about the transaction');
  await inbox.configure({ is_active: false });
  const before = inbox.deliveriesAbout(uuid);
  // The times between two attempts may be long by now.
  for (let i = 0; i < 3; i += 1) await inbox.waitOutSilence();
  // One of each message may have been under way.
  const messages = new Set(before.map((one) => inbox.messageKey(one) ?? one.text));
  expect(inbox.deliveriesAbout(uuid).length - before.length).toBeLessThanOrEqual(messages.size);
});

test('brings the configured token, and after a change the new one', rule('V1-EVT-07'), async ({ inbox, v1 }) => {
  const longest = `Aa+/${v1.freshToken()}`.repeat(4).slice(0, 100);
  const digits = `000${BigInt(`0x${v1.freshToken()}`)}`;
  for (const changes of [{}, ...[longest, v1.freshToken().slice(0, 16), digits].map((token) => ({ token })), {}]) {
    await inbox.configure(changes);
    inbox.demandToken(await inbox.waitFor(await v1.arrangeTransaction()));
  }
  await inbox.change({ token: v1.freshToken() });
  inbox.demandToken(await inbox.waitFor(await v1.arrangeTransaction()));
  // In other letters it is another.
  await inbox.change({ token: inbox.token.toUpperCase() });
  inbox.demandToken(await inbox.waitFor(await v1.arrangeTransaction()));
});

test(
  'goes on with the token after a replacement by another that is refused',
  rule('V1-EVT-07'),
  async ({ inbox, webhook, v1 }) => {
    const { status } = await webhook.replace({ url: undefined });
    test.skip(status === 200, 'a replacement without a url is taken');
    inbox.demandToken(await inbox.waitFor(await v1.arrangeTransaction()));
  },
);

const GOES_ON = ['V1-EVT-05', 'V1-EVT-06', 'V1-EVT-07'];

test(
  'goes on to the url after a replacement by another, inactive, that is refused',
  rule(...GOES_ON),
  async ({ inbox, receiver, webhook, v1 }) => {
    const { status } = await webhook.replace({ url: receiver.address + elsewhere(inbox, receiver), token: 'short' });
    test.skip(status === 200, 'a replacement by too short a token is taken');
    const came = await inbox.waitFor(await v1.arrangeTransaction());
    expect(came, 'V1-EVT-06').not.toEqual([]);
    expectDelivered(inbox, came);
  },
);

test(
  'goes on to the url, with the token, after a second creation that is refused',
  rule('V1-EVT-05', 'V1-EVT-07'),
  async ({ inbox, receiver, webhook, v1 }) => {
    const { status } = await webhook.createSecond({ url: receiver.address + elsewhere(inbox, receiver) });
    test.skip(status < 300, 'a second creation is taken, as it may be');
    const came = await inbox.waitFor(await v1.arrangeTransaction());
    expectDelivered(inbox, requireEntries(came, 'messages about the transaction'));
  },
);

/** A path of the receiver that the configuration does not name. */
function elsewhere(inbox: EventInbox, receiver: MessageReceiver): string {
  const path = `${inbox.path}/elsewhere`;
  receiver.expectPath(path);
  return path;
}

test(
  'brings each of two users a token of their own',
  rule('V1-EVT-07', { needs: ['v1.user'] }),
  async ({ inbox, webhook, newcomer, receiver, v1 }) => {
    const path = `${inbox.path}/newcomer`;
    const { token, url } = webhook.configurationBody({ url: receiver.address + path });
    (await newcomer.create({ token, url })).requireStatus(201);
    (await newcomer.replace({ token, url, is_active: true })).requireStatus(200);
    const ours = await v1.arrangeTransaction();
    const query = { account_uuid: v1.account };
    // Whether a user who has no configuration has rights on the account is not known.
    await v1.createTransaction({}, { query, token: newcomer.apiToken });
    inbox.demandToken((await inbox.waitFor(ours)).filter((one) => one.path === inbox.path));
    await inbox.waitOutSilence();
    const theirs = receiver.deliveries.filter((one) => one.path === path);
    test.skip(theirs.length === 0, 'no message goes to a user beside the first');
    inbox.demandToken(theirs, String(token));
  },
);

test(
  'brings the token with every attempt, to the whole of the url',
  rule('V1-EVT-05', 'V1-EVT-07'),
  async ({ inbox, receiver, v1 }) => {
    await inbox.configure({}, '?of=it');
    receiver.expectPath(inbox.path.replace('?of=it', ''));
    receiver.answer = failing(inbox, 2, 500);
    const uuid = await v1.arrangeTransaction();
    await inbox.waitForAttempts(uuid, 3);
    const came = inbox.deliveriesAbout(uuid);
    expectDelivered(inbox, came);
  },
);

test('sends again after a 500 and a 503, until a 202', rule('V1-EVT-08'), async ({ inbox, receiver, v1 }) => {
  receiver.answer = failing(inbox, 4, 500, 503);
  // Two at a time: the one does not take the other's turn.
  const made = [await v1.arrangeTransaction(), await v1.arrangeTransaction()];
  for (const uuid of made) expect((await inbox.waitForAttempts(uuid, 5)).length).toBeGreaterThanOrEqual(5);
});

test(
  'sends again what failed before the configuration was replaced',
  rule('V1-EVT-08'),
  async ({ inbox, receiver, v1 }) => {
    receiver.answer = () => 500;
    const uuid = await v1.arrangeTransaction();
    requireEntries(await inbox.waitFor(uuid), 'deliveries about the transaction');
    await inbox.configure();
    const { length } = await inbox.waitForAttempts(uuid, 1);
    expect((await inbox.waitForAttempts(uuid, length + 1)).length).toBeGreaterThan(length);
  },
);

test(
  'sends the message of a creation again that failed before the transaction ended',
  rule('V1-EVT-08', { needs: ['trigger'] }),
  async ({ inbox, receiver, v1, target }) => {
    inbox.requireMessageKey();
    receiver.answer = () => 500;
    const uuid = await v1.arrangeTransaction();
    const [first] = requireEntries(await inbox.waitFor(uuid), 'deliveries about the transaction');
    const attempts = () =>
      inbox.deliveriesAbout(uuid).filter((one) => inbox.messageKey(one) === inbox.messageKey(first!));
    await v1.triggerEnd(uuid, target.control.complete === undefined ? 'fail' : 'complete');
    receiver.answer = () => 202;
    for (let i = 0; i < 3 && attempts().at(-1)!.answered !== 202; i += 1)
      await inbox.waitFor(uuid, inbox.deliveriesAbout(uuid).length + 1);
    expect(attempts().map(({ answered }) => answered)).toContain(202);
  },
);

test(
  'sends again after no answer and after a slow 500',
  rule('V1-EVT-08', { isIdle: true }),
  async ({ inbox, receiver, v1 }) => {
    const [silent, failed] = [failing(inbox, 1, 500), failing(inbox, 2, 500)];
    // Each message meets both: were they told in turn, one of two messages would meet the one, and the other the other.
    receiver.answer = async (delivery) => {
      const answer = failed(delivery);
      if (silent(delivery) !== 202) return 'silence';
      if (answer !== 202) await wait(300);
      return answer;
    };
    expect((await inbox.waitForAttempts(await v1.arrangeTransaction(), 3)).length).toBeGreaterThanOrEqual(3);
  },
);

/** Has a transaction end. @returns its uuid; skips the check where that changes nothing */
const end =
  (occasion: 'complete' | 'fail', isSecond = false) =>
  async ({ inbox, v1, target }: Scene) => {
    const account_uuid = isSecond ? target.v1!.secondAccount! : v1.account;
    const reply = await v1.createTransaction({ account_uuid }, { query: { account_uuid } });
    test.skip(isSecond && reply.status !== 201, 'nothing can be paid from the second account');
    reply.requireStatus(201);
    const uuid = String(requireSeen(reply.at('/uuid'), 'the uuid of a created transaction'));
    await inbox.waitOutSilence();
    await inbox.forgetEarlier();
    const status = async () => (await v1.readTransaction(uuid, account_uuid)).object.status;
    const before = await status();
    skipOpenEnd(before, countTold(inbox, uuid));
    await bringAbout(inbox.trigger(occasion, uuid), isSecond);
    const hadEnded = before !== undefined && before !== 'pending' && before === (await status());
    test.skip(hadEnded, 'the transaction had ended by itself before it could be ended');
    return uuid;
  };

/** Has a transfer made, of an account or on a way beside the first. @returns its uuid; skips the check where it is not taken */
const create =
  (changes: (v1: V1Client, target: Target) => Readonly<Record<string, unknown>>) =>
  async ({ inbox, v1, target }: Scene) => {
    // One that finds out what may be named would be told of as well.
    v1.nameNoMore();
    await inbox.forgetEarlier();
    const sent = v1.transferBody(changes(v1, target));
    const reply = await v1.createTransaction(sent, { query: { account_uuid: String(sent.account_uuid) } });
    test.skip(reply.status !== 201, `a valid transfer was answered ${reply.status}`);
    const [uuid] = requireEntries(listUuids([reply.object]), 'uuids of created transactions');
    return uuid!;
  };

/** Occasions beside a transfer of the first account by the default way: the other families of messages, both ends, other transfers. */
const OCCASIONS = [
  ['an account', ['trigger'], raise('accountEvent')],
  ['a virtual IBAN', ['trigger'], raise('virtualIbanEvent')],
  ['a transaction that completes', ['trigger'], end('complete')],
  ['a transaction that ends otherwise', ['trigger'], end('fail')],
  ['a transfer over SWIFT', [], create((v1) => v1.overSwift())],
  [
    'a transfer of the second account',
    ['account.second'],
    create((_v1, target) => ({ account_uuid: target.v1!.secondAccount })),
  ],
] as const;

/** Occasions that the second account has as well. */
const OCCASIONS_OF_SECOND = [
  ['the second account', ['trigger', 'account.second'], raise('accountEvent', true)],
  ['a virtual IBAN of the second account', ['trigger', 'account.second'], raise('virtualIbanEvent', true)],
  ['a transaction of the second account that completes', ['trigger', 'account.second'], end('complete', true)],
  ['a transaction of the second account that ends otherwise', ['trigger', 'account.second'], end('fail', true)],
] as const;

for (const [about, needs, bring] of [...OCCASIONS, ...OCCASIONS_OF_SECOND]) {
  test(
    `brings messages about ${about} to the configured url, with its token`,
    rule('V1-EVT-05', 'V1-EVT-07', { needs }),
    async ({ inbox, receiver, v1, target }) => {
      await inbox.configure();
      const came = await inbox.waitForNews(await bring({ inbox, receiver, v1, target }));
      expect(came, 'V1-EVT-05').not.toEqual([]);
      expectDelivered(inbox, came);
    },
  );

  test(
    `sends nothing about ${about} while inactive`,
    rule('V1-EVT-06', { needs }),
    async ({ inbox, receiver, v1, target }) => {
      await inbox.configure({ is_active: false });
      await bring({ inbox, receiver, v1, target });
      expect(await inbox.waitForNoNews()).toEqual([]);
    },
  );
}

for (const [about, needs, bring] of OCCASIONS) {
  test(
    `takes a 202 at once as the end of messages about ${about}`,
    rule('V1-EVT-09', { needs }),
    async ({ inbox, receiver, v1, target }) => {
      inbox.requireMessageKey();
      const came = await inbox.waitForNews(await bring({ inbox, receiver, v1, target }));
      await inbox.waitOutSilence();
      const keys = new Set(requireEntries(came, `messages about ${about}`).map((one) => inbox.messageKey(one)));
      const all = receiver.deliveries.filter((one) => keys.has(inbox.messageKey(one)));
      expect(all.filter((one, i) => isSettled(inbox, one, all.slice(0, i)))).toEqual([]);
    },
  );

  test(
    `sends messages about ${about} again until a 202`,
    rule('V1-EVT-07', 'V1-EVT-08', 'V1-EVT-09', { needs }),
    async ({ inbox, receiver, v1, target, clock }) => {
      inbox.requireMessageKey();
      // What comes in real time may come minutes later each time.
      const failures = clock.lever('deliveries') === 'moves' ? 3 : 1;
      receiver.answer = failing(inbox, failures, 500);
      const uuid = await bring({ inbox, receiver, v1, target });
      const came = await inbox.waitForNews(uuid);
      test.skip(!came.some((one) => inbox.isAbout(one, uuid)), 'no message names what it is about');
      const attempts = await inbox.waitForAttempts(uuid, failures + 1);
      expect(attempts.length, 'V1-EVT-08').toBeGreaterThan(failures);
      attributeTo('V1-EVT-07', () => inbox.demandToken(attempts));
      await inbox.waitOutSilence();
      const all = inbox.deliveriesAbout(uuid);
      expect(
        all.filter((one, i) => isSettled(inbox, one, all.slice(0, i))),
        'V1-EVT-09',
      ).toEqual([]);
    },
  );
}

/** Whether a delivery repeats a message that was answered 202 before. */
function isSettled(inbox: EventInbox, one: ReceivedDelivery, before: readonly ReceivedDelivery[]): boolean {
  return before.some((other) => other.answered === 202 && inbox.messageKey(other) === inbox.messageKey(one));
}

test(
  'sends again for as long as no 202 comes',
  rule('V1-EVT-08', { needs: ['clock'] }),
  async ({ inbox, receiver, v1 }) => {
    receiver.answer = failing(inbox, 11, 500);
    expect((await inbox.waitForAttempts(await v1.arrangeTransaction(), 12)).length).toBeGreaterThanOrEqual(12);
  },
);

test(
  'sends again for longer than a day as long as no 202 comes',
  rule('V1-EVT-08', { needs: ['clock'] }),
  async ({ inbox, receiver, v1, clock }) => {
    receiver.answer = () => 500;
    const uuid = await v1.arrangeTransaction();
    const began = performance.now();
    const first = clock.passed;
    let last = first;
    let before = first;
    let count = 1;
    // One that may take several days is not waited for.
    for (let looks = 1, isOver = false; looks < 30 && !isOver; looks += 1) {
      count += 1;
      isOver = last - first > DAY;
      expect((await inbox.waitForAttempts(uuid, count)).length).toBeGreaterThanOrEqual(count);
      const now = clock.passed;
      if (now - before > DAY || performance.now() - began > 10_000) break;
      last = now;
      // Those that come every few seconds are not counted for a day: it passes, and more have to come than the one due by then.
      if (looks === 3 && clock.lever('deliveries') === 'moves') {
        await passDay(v1);
        count = Math.max(count, (await inbox.waitForAttempts(uuid, 1)).length);
      }
      before = clock.passed;
    }
  },
);

/** Lets a day pass in growing steps, or as much of it as takes little time: a service may send on the way all that is due. */
async function passDay(v1: V1Client): Promise<void> {
  for (let seconds = 300, passed = 0; passed < DAY; seconds *= 2) {
    const began = performance.now();
    await v1.sleep(seconds, 'deliveries');
    if (performance.now() - began > 1000) return;
    passed += seconds;
  }
}

for (const [title, failures, status] of [
  ['a 202 at once', 0, 500],
  ['a 202 that follows a 500', 1, 500],
  ['a 202 that follows three times 500', 3, 500],
  ['a 202 that follows a 200', 1, 200],
  ['a 202 with a body at once', 0, 500],
] as const) {
  test(`takes ${title} as the end of a message`, rule('V1-EVT-09'), async ({ inbox, receiver, v1 }) => {
    inbox.requireMessageKey();
    receiver.answer = failing(inbox, failures, status);
    if (title.includes('body')) receiver.answerBody = { type: 'application/json', body: '{"taken":true}' };
    const uuid = await v1.arrangeTransaction();
    await inbox.waitFor(uuid, failures + 1);
    await inbox.waitOutSilence();
    const came = requireEntries(inbox.deliveriesAbout(uuid), 'deliveries about the transaction');
    expect(came.filter((one, i) => isSettled(inbox, one, came.slice(0, i)))).toEqual([]);
  });
}

test(
  'takes a 202 as the end of a message a moment later in real time, too',
  rule('V1-EVT-09', { isIdle: true }),
  async ({ inbox, v1 }) => {
    inbox.requireMessageKey();
    const uuid = await v1.arrangeTransaction();
    await inbox.waitFor(uuid);
    await passMoment();
    const came = requireEntries(inbox.deliveriesAbout(uuid), 'deliveries about the transaction');
    expect(came.filter((one, i) => isSettled(inbox, one, came.slice(0, i)))).toEqual([]);
  },
);

test(
  'takes a 202 as the end of a message also when the webhook is made inactive, and active again elsewhere',
  rule('V1-EVT-09'),
  async ({ inbox, v1 }) => {
    inbox.requireMessageKey();
    const uuid = await v1.arrangeTransaction();
    requireEntries(await inbox.waitFor(uuid), 'messages about the transaction');
    await inbox.change({ is_active: false });
    await inbox.configure();
    await inbox.waitOutSilence();
    const came = inbox.deliveriesAbout(uuid);
    expect(came.filter((one, i) => isSettled(inbox, one, came.slice(0, i)))).toEqual([]);
  },
);

/** Answers the first attempts of each message with failures, of these in turn, and the others with 202. */
function failing(
  inbox: EventInbox,
  attempts: number,
  ...statuses: readonly number[]
): (delivery: Omit<ReceivedDelivery, 'answered'>) => number {
  const seen = new Map<string, number>();
  return (delivery) => {
    // The text of a message may tell which attempt it is.
    const message = inbox.messageKey(delivery) ?? delivery.text;
    const count = (seen.get(message) ?? 0) + 1;
    seen.set(message, count);
    return count <= attempts ? statuses[(count - 1) % statuses.length]! : 202;
  };
}
