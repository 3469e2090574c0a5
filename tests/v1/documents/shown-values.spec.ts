import { expect, findContradictions, listUuids, requireEntries, requireSeen, rule, test } from '#harness';
import { FRONT } from '../support/document-sheets.ts';
import { readSteadyEntries } from '../support/steady-entries.ts';
import { inOtherLetters, uuidsBeside } from '../support/uuids-beside.ts';

test('reads the document that is asked for', rule('V1-DOC-09'), async ({ documents, together }) => {
  const sent = [await documents.arrangeUpload(), await documents.arrangeUpload(), await documents.arrangeUpload()];
  for (const { uuid, file_name } of sent) {
    expect((await documents.read(uuid)).object).toMatchObject({ uuid, file_name });
    for (const other of uuidsBeside(uuid)) {
      // It may be that of a document as well, though of another one.
      const reply = await documents.read(other);
      if (reply.status !== 200) expect(reply, 'another uuid').toBeTurnedDown();
      else expect([reply.object.uuid === uuid, reply.object.file_name === file_name]).not.toContain(true);
    }
  }
  const { uuid, file_name } = sent.at(-1)!;
  // Whether letters of either kind are the same in a uuid is not said; it is that of no other document.
  const reply = await documents.read(inOtherLetters(uuid));
  if (reply.status !== 200) expect(reply, 'in other letters').toBeTurnedDown();
  else expect(reply.object.file_name, 'in other letters').toBe(file_name);
  const replies = await together(
    sent.map(
      ({ uuid }) =>
        () =>
          documents.read(uuid),
    ),
  );
  for (const [i, reply] of replies.entries()) {
    const { uuid, file_name } = sent[i]!;
    if (reply.status === 200) expect(reply.object, 'read at once').toMatchObject({ uuid, file_name });
  }
});

test('answers a read document with 200 and its details', rule('V1-DOC-10'), async ({ documents }) => {
  const { uuid } = await documents.arrangeUpload();
  for (let time = 0; time < 2; time += 1) {
    const reply = await documents.read(uuid);
    expect(reply).toAnswer(200);
    expect(reply.object.uuid).toBe(uuid);
  }
});

test('shows a document in the list as it shows it by itself', rule('V1-DOC-27'), async ({ documents, v1 }) => {
  await documents.arrangeUpload();
  await documents.arrangeUpload({ type: 'identity_card', attachment: FRONT });
  // What it shows of its creation is not the time at which it is looked at.
  await v1.sleep(5);
  const read = async (uuid: string) => (await documents.read(uuid)).object;
  const steady = await readSteadyEntries(() => documents.listAll(), read, 6);
  for (const one of requireEntries(steady, 'documents that both show and that did not change meanwhile'))
    expect(findContradictions(one.listed, one.read)).toEqual([]);
});

test(
  'shows a document in a list by type, by name and page by page as it shows it by itself',
  rule('V1-DOC-27'),
  async ({ documents, v1 }) => {
    const { file_name } = await documents.arrangeUpload({ type: 'passport', description: 'The first of three' });
    await documents.arrangeUpload({ type: 'identity_card', description: 'The second of three', attachment: FRONT });
    await documents.arrangeUpload({ type: 'passport', description: 'The third of three' });
    // What it shows of its creation is not the time at which it is looked at.
    await v1.sleep(5);
    v1.leaveDefaultsUnsaid();
    const filename = String(file_name);
    let compared = 0;
    for (const query of [
      { type: 'passport' },
      { type: 'identity_card' },
      { filename },
      { type: 'passport', filename },
      { per_page: 1, page: 2 },
      { per_page: 1, page: 3 },
      { direction: 'asc' },
      {},
    ]) {
      // There may be no such page any more, and no such direction.
      const listed = async () => {
        const isUsual = Object.keys(query).length === 0;
        const reply = isUsual ? await v1.send('listDocuments') : await documents.list(query);
        return reply.status === 200 ? reply.list() : [];
      };
      const steady = await readSteadyEntries(listed, async (uuid) => (await documents.read(uuid)).object, 3);
      compared += steady.length;
      for (const one of steady)
        expect(findContradictions(one.listed, one.read), `by ${Object.keys(query)}`).toEqual([]);
    }
    requireSeen(compared || undefined, 'a document that such a list and it itself show');
  },
);

test(
  'tells of no page side in the list and none when read, or of the same',
  rule('V1-DOC-27'),
  async ({ documents }) => {
    const { uuid } = await documents.arrangeUpload({ type: 'identity_card', attachment: FRONT });
    const read = (await documents.read(uuid)).object;
    const listed = (await documents.listAll()).find((one) => one.uuid === uuid);
    // One that is left out says nothing; null says that there is none.
    const sides = [read, Object(listed)].map((one) => one.page_type).filter((side) => side !== undefined);
    expect(new Set(requireEntries(sides, 'page sides of the document')).size).toBe(1);
  },
);

test('shows the creation of a document as it was before', rule('V1-DOC-27'), async ({ documents, v1 }) => {
  const { uuid, created_at } = await documents.arrangeUpload();
  await v1.sleep(5);
  await documents.upload();
  const read = (await documents.read(uuid)).object;
  requireEntries(
    [created_at, read.created_at].filter((one) => one != null),
    'creation times of a document',
  );
  expect(findContradictions({ created_at }, { created_at: read.created_at })).toEqual([]);
});

test('gives every document a uuid of its own', rule('V1-DOC-13'), async ({ documents, target }) => {
  const name = String((await documents.arrangeUpload()).file_name);
  await documents.upload();
  await documents.upload({ file_name: name, type: 'drivers_license' });
  // One page of one answer: between two answers a document may move to the next page.
  const card = { type: 'identity_card', file_name: name, attachment: FRONT };
  await documents.upload(card);
  await documents.upload({ description: undefined });
  const { secondAccount } = target.v1!;
  if (secondAccount !== undefined) await documents.upload({}, secondAccount);
  const queries = [{}, { type: 'identity_card' }, { filename: name }, { type: 'identity_card', filename: name }];
  for (const [query, account] of [
    ...[...queries, { direction: 'asc' }].map((one) => [one, undefined] as const),
    ...(secondAccount === undefined ? [] : [[{}, secondAccount] as const]),
  ]) {
    const reply = await documents.list(query, account);
    // That there is an order upwards is not said, and the second account may be none of the customer.
    if (reply.status !== 200 && (account !== undefined || 'direction' in query)) continue;
    const page = listUuids(reply.list());
    expect(new Set(page).size, JSON.stringify(query)).toBe(page.length);
  }
  const { uuid: gone } = await documents.arrangeUpload();
  await documents.remove(gone);
  expect((await documents.arrangeUpload()).uuid).not.toBe(gone);
});

test(
  'shows documents field by field as described',
  rule('V1-DOC-14', 'V1-DOC-15', 'V1-DOC-16', 'V1-DOC-17', 'V1-DOC-18', 'V1-DOC-19', 'V1-DOC-25'),
  async ({ documents }) => {
    const card = { type: 'identity_card', attachment: FRONT, description: 'The front of a card' };
    const two = [await documents.upload(), await documents.upload(card)];
    // Of others' documents each may be gone by now.
    const names = two.map(({ name }) => name);
    const entries = (await documents.listAll()).filter(({ file_name }) => names.includes(String(file_name)));
    for (const { reply } of two) reply.requireStatus(200);
    for (const listed of entries) {
      const read = (await documents.read(String(listed.uuid))).requireStatus(200).object;
      if (listed.file_name === two[1]!.name)
        for (const { description } of [listed, read]) expect(description, 'V1-DOC-16').not.toBeNull();
    }
  },
);

/** Less than zones differ by. */
const ZONE = 1_500_000;

test(
  'tells the creation of a document as of when it was made',
  rule('V1-DOC-18'),
  async ({ documents, clock, target }) => {
    const before = await clock.now();
    const { uuid, created_at } = await documents.arrangeUpload();
    const read = await documents.read(uuid);
    const told = [created_at, read.object.created_at].map(String).filter((text) => !Number.isNaN(Date.parse(text)));
    // Its own clock may go wrong, though not by the hours of another zone against what it says itself.
    const said = target.control.now === undefined ? Date.parse(read.headers.get('date') ?? '') : await clock.now();
    for (const text of requireEntries(told, 'creation times of a document')) {
      const moment = Date.parse(text);
      // Without a zone it may be meant in any.
      expect(Math.abs(moment - before)).toBeLessThan(86_400_000);
      const isSure = /\d(Z|[+-]\d\d:?\d\d)$/i.test(text) && text.includes(':') && !Number.isNaN(said);
      if (isSure) expect(Math.abs(moment - said)).toBeLessThan(ZONE);
    }
  },
);
