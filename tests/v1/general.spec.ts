import {
  assertPromise,
  describeReplies,
  expect,
  listUuids,
  OPERATION_GROUPS,
  provokeErrors,
  requireSeen,
  rule,
  sweepOperations,
  test,
  twice,
} from '#harness';
import { AS_REFUSED } from './support/transfers.ts';

for (const { about, needs } of OPERATION_GROUPS) {
  test(`serves every operation on ${about} under /api/v1`, rule('V1-GEN-01', { needs }), async ({ v1 }) => {
    const lost = (await sweepOperations(v1, about)).filter(({ status }) => status === 404 || status === 405);
    assertPromise(lost.length === 0, 'every operation at its documented path', () => describeReplies(lost));
  });

  test(`answers in JSON about ${about}`, rule('V1-GEN-02', { needs }), async ({ v1 }) => {
    for (const reply of await sweepOperations(v1, about))
      if (reply.body.byteLength > 0) expect(reply.json, describeReplies([reply])).toBeDefined();
  });

  test(`labels its answers about ${about} as application/json`, rule('V1-GEN-03', { needs }), async ({ v1 }) => {
    for (const reply of await sweepOperations(v1, about))
      if (reply.body.byteLength > 0) expect(reply, describeReplies([reply])).toBeJson();
  });
}

test('answers errors in JSON', rule('V1-GEN-02'), async ({ v1 }) => {
  for (const reply of await provokeErrors(v1)) expect(reply.json, describeReplies([reply])).toBeDefined();
});

test('labels errors as application/json', rule('V1-GEN-03'), async ({ v1 }) => {
  for (const reply of await provokeErrors(v1)) expect(reply, describeReplies([reply])).toBeJson();
});

const SHORT = '5b0c7a51-6a3e-4c5e-9d61-0f2f7f6f1a0';
const MALFORMED = ['not-a-uuid', SHORT, `${SHORT}12`];

/** These, and a uuid of something that is there, with a digit behind it. */
const malformedBeside = (uuid: string) => [...MALFORMED, `${uuid}0`];

test('refuses a list of an account whose uuid is malformed', rule('V1-GEN-04'), async ({ v1 }) => {
  (await v1.listTransactions()).requireStatus(200);
  for (const account_uuid of ['', ...malformedBeside(v1.account)])
    await twice(async () => expect(await v1.listTransactions({ account_uuid }), account_uuid).toBeTurnedDown());
});

test('refuses a creation whose account has a malformed uuid in the query', rule('V1-GEN-04'), async ({ v1 }) => {
  await v1.requireTaken();
  const payment_details = v1.freshName();
  for (const account_uuid of ['', ...malformedBeside(v1.account)]) {
    const send = await v1.prepareTransaction({ payment_details }, { query: { account_uuid } });
    await twice(async () => expect(await send(), account_uuid).toBeTurnedDown());
  }
  const listed = (await v1.listTransactions({ per_page: 100 })).list('/transactions');
  const made = listed.map(Object).filter((one) => one.payment_details === payment_details);
  // What was refused may be kept on record as such.
  expect(made.filter(({ status }) => !AS_REFUSED.test(`${status}`))).toEqual([]);
});

test('refuses a creation whose account has a malformed uuid in the body', rule('V1-GEN-04'), async ({ v1 }) => {
  await v1.requireTaken();
  for (const account_uuid of ['', ...malformedBeside(v1.account), 42]) {
    const send = await v1.prepareTransaction({ account_uuid });
    await twice(async () => expect(await send(), String(account_uuid)).toBeTurnedDown());
  }
});

test('refuses to read a transaction whose account has a malformed uuid', rule('V1-GEN-04'), async ({ v1 }) => {
  const uuid = await v1.readableTransaction();
  for (const account_uuid of ['', ...malformedBeside(v1.account)])
    await twice(async () => expect(await v1.readTransaction(uuid, account_uuid), account_uuid).toBeTurnedDown());
});

test('refuses to read a transaction whose own uuid is malformed', rule('V1-GEN-04'), async ({ v1 }) => {
  const known = await v1.readableTransaction();
  for (const uuid of [...malformedBeside(known), known.slice(0, -1)])
    await twice(async () => expect(await v1.readTransaction(uuid), uuid).toBeTurnedDown());
});

for (const operation of ['readDocument', 'deleteDocument']) {
  test(
    `refuses ${operation} where a uuid of the path is malformed`,
    rule('V1-GEN-04', { needs: ['customer'] }),
    async ({ v1 }) => {
      const document_uuid = await v1.arrangeDocument();
      const there = { document_uuid, account_uuid: v1.account, customer_uuid: v1.customer };
      for (const name of ['document_uuid', 'account_uuid', 'customer_uuid'] as const) {
        for (const malformed of malformedBeside(there[name]))
          await twice(async () => {
            const reply = await v1.send(operation, { path: { document_uuid, [name]: malformed } });
            expect(reply, `${name} ${malformed}`).toBeTurnedDown();
          });
      }
    },
  );
}

for (const operation of ['listDocuments', 'uploadDocument']) {
  test(
    `refuses ${operation} where a uuid of the path is malformed`,
    rule('V1-GEN-04', { needs: ['customer'] }),
    async ({ v1 }) => {
      const options = operation === 'uploadDocument' ? { body: v1.documentBody() } : {};
      if (operation === 'uploadDocument') await v1.arrangeDocument();
      else (await v1.send(operation)).requireStatus(200);
      const there = { account_uuid: v1.account, customer_uuid: v1.customer };
      for (const name of ['account_uuid', 'customer_uuid'] as const) {
        for (const malformed of malformedBeside(there[name]))
          await twice(async () => {
            const reply = await v1.send(operation, { ...options, path: { [name]: malformed } });
            expect(reply, `${name} ${malformed}`).toBeTurnedDown();
          });
      }
    },
  );
}

/** A uuid as the document describes one. */
const FIVE_GROUPS = /^[A-Za-z0-9]{8}(-[A-Za-z0-9]{4}){3}-[A-Za-z0-9]{12}$/;

test('writes the uuids of accounts and transactions in five groups', rule('V1-GEN-05'), async ({ v1 }) => {
  const uuid = await v1.arrangeTransaction();
  const listed = (await v1.listTransactions()).list('/transactions');
  const read = await v1.readTransaction(uuid);
  for (const one of [uuid, ...listUuids([...listed, read.object])]) expect(one).toMatch(FIVE_GROUPS);
});

test('writes the uuids of documents in five groups', rule('V1-GEN-05', { needs: ['customer'] }), async ({ v1 }) => {
  const document_uuid = await v1.arrangeDocument();
  const listed = (await v1.send('listDocuments')).list();
  const read = await v1.send('readDocument', { path: { document_uuid } });
  for (const one of [document_uuid, ...listUuids([...listed, read.object])]) expect(one).toMatch(FIVE_GROUPS);
});

test('writes the uuid of the webhook configuration in five groups', rule('V1-GEN-05'), async ({ v1 }) => {
  const [, read] = await sweepOperations(v1, 'the webhook configuration');
  expect(requireSeen(read!.object.uuid, 'the uuid of the webhook configuration')).toMatch(FIVE_GROUPS);
});
