import { expect, type ListedDocument, listUuids, mixCalls, requireEntries, rule, test } from '#harness';
import { DOCUMENT_TYPES } from '../support/document-sheets.ts';

test('takes a type that there is not for no other type', rule('V1-DOC-05'), async ({ documents, v1 }) => {
  const both = [
    await documents.arrangeUpload({ type: 'passport' }),
    await documents.arrangeUpload({ type: 'identity_card' }),
  ];
  const type = v1.freshName();
  const reply = await documents.list({ type });
  if (reply.status !== 200) return expect(reply).toBeTurnedDown();
  const others = listUuids((await documents.listAll({ type })).filter((one) => one.type !== type));
  // Nothing matches such a filter, or there is none: in between is the filter of another type.
  const isFiltered = both.some(({ uuid }) => others.includes(uuid)) !== both.every(({ uuid }) => others.includes(uuid));
  expect(isFiltered).toBe(false);
});

test('lists documents of the type asked for, without it all', rule('V1-DOC-05'), async ({ documents, v1 }) => {
  v1.leaveDefaultsUnsaid();
  const made = new Map<string, string>();
  for (const type of DOCUMENT_TYPES) made.set(type, (await documents.arrangeUpload({ type })).uuid);
  for (const [type, uuid] of made) {
    const listed = await documents.listAll({ type });
    expect(
      listed.filter((one) => one.type !== undefined && one.type !== type),
      `other types among ${type}`,
    ).toEqual([]);
    const own = listUuids(listed).filter((one) => [...made.values()].includes(String(one)));
    expect(own, type).toEqual([uuid]);
    const usual = (await v1.send('listDocuments', { query: { type } })).list() as readonly ListedDocument[];
    const others = usual.filter((one) => one.type !== undefined && one.type !== type);
    expect(others, `other types among ${type} on a page of the usual size`).toEqual([]);
  }
  expect(listUuids(await documents.listAll())).toEqual(expect.arrayContaining([...made.values()]));
});

test('lists documents of the type asked for in the order asked for', rule('V1-DOC-05'), async ({ documents }) => {
  const passport = await documents.arrangeUpload({ type: 'passport' });
  const card = await documents.arrangeUpload({ type: 'identity_card' });
  for (const direction of ['desc', 'asc']) {
    const query = { type: 'passport', sort: 'created_at', direction };
    // That there is an order upwards is not said.
    if (direction === 'asc' && (await documents.list(query)).status !== 200) continue;
    const listed = listUuids(await documents.listAll(query));
    // Of a very long list that goes upwards, the latest are not looked at.
    if (direction === 'desc') expect(listed).toContain(passport.uuid);
    expect(listed, direction).not.toContain(card.uuid);
  }
});

test(
  'lists documents of the type asked for alone where two types are asked for at once',
  rule('V1-DOC-05'),
  async ({ documents, together }) => {
    const types = ['passport', 'identity_card'] as const;
    for (const type of types) await documents.arrangeUpload({ type });
    const list = (type: string) => () => documents.list({ type });
    const { ones, others } = await mixCalls(together, list(types[0]), list(types[1]));
    // Whether as many are taken at once is not said.
    for (const [i, replies] of [ones, others].entries())
      for (const reply of requireEntries(
        replies.filter(({ status }) => status === 200),
        'lists of a type at once',
      )) {
        const shown = (reply.list() as readonly ListedDocument[]).map(({ type }) => type);
        expect(shown.filter((one) => one !== undefined && one !== types[i])).toEqual([]);
      }
  },
);

test('lists documents of the type asked for beside a file name', rule('V1-DOC-05'), async ({ documents }) => {
  const { uuid, file_name } = await documents.arrangeUpload({ type: 'passport' });
  const filename = String(file_name);
  expect(listUuids(await documents.listAll({ type: 'passport', filename }))).toContain(uuid);
  expect(listUuids(await documents.listAll({ type: 'identity_card', filename }))).not.toContain(uuid);
});

test('lists documents of the type asked for on every page', rule('V1-DOC-05'), async ({ documents }) => {
  const wanted: string[] = [];
  for (let i = 0; i < 3; i += 1) {
    await documents.arrangeUpload({ type: 'identity_card' });
    wanted.push((await documents.arrangeUpload({ type: 'passport' })).uuid);
    await documents.arrangeUpload({ type: 'identity_card' });
  }
  for (const page of [1, 2, 3, 4, 5]) {
    const reply = await documents.list({ type: 'passport', per_page: 2, page });
    // Three are there, so the first page is full and the second is not empty; those after it may not be there.
    const listed = (page > 2 && reply.status !== 200 ? [] : reply.list()) as readonly ListedDocument[];
    const others = listed.filter((one) => one.type !== undefined && one.type !== 'passport');
    expect(others, `others on page ${page}`).toEqual([]);
    if (page <= 2) expect(listed.length, `entries on page ${page}`).toBeGreaterThanOrEqual(3 - page);
  }
  expect(listUuids(await documents.listAll({ type: 'passport' }))).toEqual(expect.arrayContaining(wanted));
});

test('lists documents of the file name asked for, without it all', rule('V1-DOC-06'), async ({ documents, v1 }) => {
  v1.leaveDefaultsUnsaid();
  const type = 'passport';
  const file_name = `${v1.freshName()}-Stra\u00dfe.png`;
  const one = await documents.arrangeUpload({ type, file_name });
  // Its name is none, wherever else it is named.
  const other = await documents.arrangeUpload({ type, description: `Beside ${file_name}` });
  for (const beside of [{}, { type }, { sort: 'created_at', direction: 'desc' }, { direction: 'asc' }]) {
    // That there is an order upwards is not said.
    if (beside.direction === 'asc' && (await documents.list(beside)).status !== 200) continue;
    const listed = listUuids(await documents.listAll({ ...beside, filename: String(one.file_name) }));
    expect(listed, `beside ${JSON.stringify(beside)}`).toContain(one.uuid);
    expect(listed, `beside ${JSON.stringify(beside)}`).not.toContain(other.uuid);
  }
  const usual = await v1.send('listDocuments', { query: { filename: String(one.file_name) } });
  expect(listUuids(usual.list()), 'on a page of the usual size').not.toContain(other.uuid);
  expect(listUuids(await documents.listAll())).toEqual(expect.arrayContaining([one.uuid, other.uuid]));
});

test('lists documents of a file name with blanks and signs', rule('V1-DOC-06'), async ({ documents, v1 }) => {
  const ends = [' of  it (1)', '+a&b', '-50%25', '-#1', '-\u0141\u00f3d\u017a', "-o'neil", ';2', ',3', '=4?5'];
  const names = ends.map((end) => `${v1.freshName()}${end}.png`);
  // A service may refuse such a name, or keep it in other letters.
  for (const file_name of names) await documents.upload({ file_name });
  const kept = (await documents.listAll()).filter((one) => names.includes(String(one.file_name)));
  test.skip(kept.length === 0, 'no document is listed under such a name');
  for (const { uuid, file_name } of kept) {
    const listed = listUuids(await documents.listAll({ filename: String(file_name) }));
    expect(listed, String(file_name)).toContain(uuid);
  }
});

for (const [title, begin, ...ends] of [
  ['lists documents of a long file name', `-${'of-a-long-name-'.repeat(5)}`, 'one', 'two'],
  ['lists no document whose file name differs in one sign', '-scan', '_1', '-1'],
  ['lists no document whose file name has more in place of a sign', '-100', '%', '-and-more'],
] as const)
  test(title, rule('V1-DOC-06'), async ({ documents, v1 }) => {
    const word = v1.freshName();
    const names = ends.map((end) => `${word}${begin}${end}.png`);
    // How long a name may be, and of which signs, is not said.
    for (const file_name of names) await documents.upload({ file_name });
    const kept = (await documents.listAll()).filter((one) => names.includes(String(one.file_name)));
    test.skip(kept.length < 2, 'documents of such names are not listed');
    for (const { uuid, file_name } of kept) {
      const listed = await documents.listAll({ filename: String(file_name) });
      const found = listUuids(listed.filter((one) => names.includes(String(one.file_name))));
      expect(found, String(file_name)).toEqual([uuid]);
    }
  });

test('lists documents of the file name asked for on every page', rule('V1-DOC-06'), async ({ documents }) => {
  const type = 'passport';
  const others = [await documents.arrangeUpload({ type }), await documents.arrangeUpload({ type })];
  const { uuid, file_name } = await documents.arrangeUpload({ type });
  others.push(await documents.arrangeUpload({ type }), await documents.arrangeUpload({ type }));
  // Of one such document, a page of one holds all: neither the newest nor the oldest of them all.
  for (const beside of [{}, { type }]) {
    const only = await documents.list({ ...beside, filename: String(file_name), per_page: 1 });
    expect(listUuids(only.list()), `the first page beside ${JSON.stringify(beside)}`).toEqual([uuid]);
  }
  for (const page of [2, 3, 4]) {
    const reply = await documents.list({ filename: String(file_name), per_page: 1, page });
    // There may be no such page.
    const listed = reply.status === 200 ? listUuids(reply.list()) : [];
    expect(
      others.filter(({ uuid }) => listed.includes(uuid)),
      `others on page ${page}`,
    ).toEqual([]);
  }
});

test('answers the list with an array', rule('V1-DOC-08'), async ({ documents, target }) => {
  await documents.arrangeUpload();
  const { uuid } = await documents.arrangeUpload({ type: 'passport' });
  for (const query of [{}, { type: 'passport' }]) {
    const reply = await documents.list(query);
    const asked = JSON.stringify(query);
    expect(reply, asked).toAnswer(200);
    expect(listUuids(reply.list()), asked).toContain(uuid);
  }
  for (const query of [{ per_page: 1, page: 2 }, { direction: 'asc' }]) {
    const reply = await documents.list(query);
    // There may be no such page any more, and no such direction.
    if (reply.status === 200) expect(reply.json, JSON.stringify(query)).toBeInstanceOf(Array);
  }
  // It may be none of the customer.
  const { secondAccount } = target.v1!;
  if (secondAccount !== undefined) expect(await documents.list({}, secondAccount)).not.toAnswer(500);
});

test('answers the list with an array where nothing is found', rule('V1-DOC-08'), async ({ documents, v1 }) => {
  await documents.arrangeUpload();
  const reply = await documents.list({ filename: v1.freshName() });
  expect(reply).toAnswer(200);
  expect(reply.list()).toEqual(expect.any(Array));
});
