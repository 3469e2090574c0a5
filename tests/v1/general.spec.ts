import {
  assertPromise,
  describeReplies,
  expect,
  OPERATION_GROUPS,
  provokeErrors,
  rule,
  sweepOperations,
  test,
} from '#harness';

for (const { about, needs } of OPERATION_GROUPS) {
  test(`serves every operation on ${about} under /api/v1`, rule('V1-GEN-01', { needs }), async ({ v1 }) => {
    const lost = (await sweepOperations(v1, about)).filter(({ status }) => status === 404 || status === 405);
    assertPromise(lost.length === 0, 'every operation at its documented path', () => describeReplies(lost));
  });

  test(`answers in JSON about ${about}`, rule('V1-GEN-02', { needs }), async ({ v1 }) => {
    for (const reply of await sweepOperations(v1, about))
      if (reply.body.byteLength > 0) expect(reply.json).toBeDefined();
  });

  test(`labels its answers about ${about} as application/json`, rule('V1-GEN-03', { needs }), async ({ v1 }) => {
    for (const reply of await sweepOperations(v1, about)) if (reply.body.byteLength > 0) expect(reply).toBeJson();
  });
}

test('answers errors in JSON', rule('V1-GEN-02'), async ({ v1 }) => {
  for (const reply of await provokeErrors(v1)) expect(reply.json).toBeDefined();
});

test('labels errors as application/json', rule('V1-GEN-03'), async ({ v1 }) => {
  for (const reply of await provokeErrors(v1)) expect(reply).toBeJson();
});

const SHORT = '5b0c7a51-6a3e-4c5e-9d61-0f2f7f6f1a0';
const MALFORMED = ['not-a-uuid', SHORT, `${SHORT}12`];

test('refuses a list of an account whose uuid is malformed', rule('V1-GEN-04'), async ({ v1 }) => {
  for (const account_uuid of MALFORMED) expect(await v1.listTransactions({ account_uuid })).toBeTurnedDown();
});

test('refuses a creation whose account has a malformed uuid in the query', rule('V1-GEN-04'), async ({ v1 }) => {
  for (const account_uuid of MALFORMED)
    expect(await v1.createTransaction({}, { query: { account_uuid } })).toBeTurnedDown();
});

test('refuses a creation whose account has a malformed uuid in the body', rule('V1-GEN-04'), async ({ v1 }) => {
  for (const account_uuid of [...MALFORMED, 42]) expect(await v1.createTransaction({ account_uuid })).toBeTurnedDown();
});

test('refuses to read a transaction whose account has a malformed uuid', rule('V1-GEN-04'), async ({ v1 }) => {
  const path = { uuid: await v1.arrangeTransaction() };
  for (const account_uuid of MALFORMED)
    expect(await v1.send('readTransaction', { path, query: { account_uuid } })).toBeTurnedDown();
});

test('refuses to read a transaction whose own uuid is malformed', rule('V1-GEN-04'), async ({ v1 }) => {
  const query = { account_uuid: v1.account };
  for (const uuid of [...MALFORMED, (await v1.arrangeTransaction()).slice(0, -1)])
    expect(await v1.send('readTransaction', { path: { uuid }, query })).toBeTurnedDown();
});

for (const operation of ['readDocument', 'deleteDocument']) {
  test(
    `refuses ${operation} where a uuid of the path is malformed`,
    rule('V1-GEN-04', { needs: ['customer'] }),
    async ({ v1 }) => {
      const document_uuid = await v1.arrangeDocument();
      for (const malformed of MALFORMED) {
        for (const name of ['document_uuid', 'account_uuid', 'customer_uuid'])
          expect(await v1.send(operation, { path: { document_uuid, [name]: malformed } })).toBeTurnedDown();
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
      for (const malformed of MALFORMED) {
        for (const name of ['account_uuid', 'customer_uuid'])
          expect(await v1.send(operation, { ...options, path: { [name]: malformed } })).toBeTurnedDown();
      }
    },
  );
}

test('writes the uuids of accounts and transactions in five groups', rule('V1-GEN-05'), async ({ v1 }) => {
  const created = await v1.createTransaction();
  expect(created).toAnswer(201);
  expect(await v1.listTransactions()).toAnswer(200);
  const path = { uuid: String(created.object.uuid) };
  expect(await v1.send('readTransaction', { path, query: { account_uuid: v1.account } })).toAnswer(200);
});

test('writes the uuids of documents in five groups', rule('V1-GEN-05', { needs: ['customer'] }), async ({ v1 }) => {
  const document_uuid = await v1.arrangeDocument();
  expect(await v1.send('listDocuments')).toAnswer(200);
  expect(await v1.send('readDocument', { path: { document_uuid } })).toAnswer(200);
});

test('writes the uuid of the webhook configuration in five groups', rule('V1-GEN-05'), async ({ v1 }) => {
  const [, read] = await sweepOperations(v1, 'the webhook configuration');
  expect(read!).toAnswer(200);
});
