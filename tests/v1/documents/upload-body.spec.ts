import { randomBytes } from 'node:crypto';
import { expect, requireEntries, rule, test, twice } from '#harness';
import { DOCUMENT_TYPES, FRONT, PIXEL } from '../support/document-sheets.ts';

for (const type of DOCUMENT_TYPES) {
  test(`takes a ${type} as such`, rule('V1-DOC-02'), async ({ documents }) => {
    const { reply, name } = await documents.upload({ type });
    expect(reply).toAnswer(200);
    expect(await documents.findByName(name)).toMatchObject({ type });
  });
}

for (const type of ['identity_card', 'drivers_license']) {
  test(`takes a page side with a ${type}`, rule('V1-DOC-03'), async ({ documents }) => {
    const { reply, name } = await documents.upload({ type, attachment: FRONT });
    expect(reply).toAnswer(200);
    expect([undefined, null, 'front']).toContain((await documents.findByName(name))?.page_type);
  });
}

test('shows the page side of either kind of card, or of none', rule('V1-DOC-03'), async ({ documents }) => {
  const shown = [];
  for (const type of ['identity_card', 'drivers_license']) {
    const { uuid, page_type } = await documents.arrangeUpload({ type, attachment: FRONT });
    const read = (await documents.read(uuid)).object;
    shown.push({ listed: page_type === 'front', read: read.page_type === 'front' });
  }
  expect(shown[1]).toEqual(shown[0]);
});

test('shows no back of a card as its front', rule('V1-DOC-03'), async ({ documents }) => {
  for (const type of ['identity_card', 'drivers_license']) {
    const { reply, name } = await documents.upload({ type, attachment: { content: PIXEL, page_type: 'back' } });
    // That there is a back is not said.
    if (reply.status !== 200) continue;
    const listed = await documents.findByName(name);
    const read = (await documents.read(String(listed?.uuid))).object;
    expect([listed?.page_type, read.page_type], type).not.toContain('front');
  }
});

test('shows the page side of a card with no passport', rule('V1-DOC-03'), async ({ documents }) => {
  await documents.arrangeUpload({ type: 'identity_card', attachment: FRONT });
  const { uuid } = await documents.arrangeUpload({ type: 'passport' });
  // In the order of the pages of a list, the card may come first or last.
  const all = await documents.listAll();
  expect(all.find((one) => one.uuid === uuid)?.page_type).not.toBe('front');
  const cards = all.filter((one) => one.type === 'identity_card').slice(0, 3);
  for (const card of requireEntries(cards, 'identity cards')) await documents.read(String(card.uuid));
  expect((await documents.read(uuid)).object.page_type).not.toBe('front');
});

test('shows a card without a side as it did before one with a side', rule('V1-DOC-03'), async ({ documents }) => {
  const bare = { content: PIXEL, page_type: null };
  for (const type of ['identity_card', 'drivers_license']) {
    const shown = [];
    for (const attachment of [bare, FRONT, bare]) {
      const { uuid, page_type } = await documents.arrangeUpload({ type, attachment });
      const read = (await documents.read(uuid)).object;
      shown.push([page_type ?? null, read.page_type ?? null]);
    }
    expect(shown[2], type).toEqual(shown[0]);
  }
});

test('answers an upload with 200 and nothing else', rule('V1-DOC-04'), async ({ documents }) => {
  for (const type of DOCUMENT_TYPES) {
    const { reply } = await documents.upload({ type });
    expect(reply, type).toAnswer(200);
    expect(reply.body.byteLength, `bytes in the answer to a ${type}`).toBe(0);
  }
});

test('either takes or refuses an upload without an attachment', rule('V1-DOC-04'), async ({ documents }) => {
  const { reply, name } = await documents.upload({ attachment: undefined });
  expect([200, 422]).toContain(reply.status);
  if (reply.status === 200) expect(reply.body.byteLength).toBe(0);
  expect((await documents.findByName(name)) !== undefined).toBe(reply.status === 200);
});

for (const [what, spoil] of [
  ['a type that there is not', (word: string) => ({ type: word })],
  [
    'a page side that there is not',
    (word: string) => ({ type: 'identity_card', attachment: { content: PIXEL, page_type: word } }),
  ],
  ['content that is no base64', (word: string) => ({ attachment: { content: `${word}, %`, page_type: null } })],
  ['an attachment that is a word', (word: string) => ({ attachment: word })],
] as const)
  test(`either takes or refuses an upload with ${what}`, rule('V1-DOC-04'), async ({ documents, v1 }) => {
    const { reply, name } = await documents.upload(spoil(v1.freshName()));
    if (reply.status !== 200) expect(reply).toBeTurnedDown();
    expect((await documents.findByName(name)) !== undefined).toBe(reply.status === 200);
  });

test('refuses an upload without a type', rule('V1-DOC-20'), async ({ documents, v1 }) => {
  await documents.arrangeUpload();
  for (const type of [undefined, null]) {
    const file_name = `${v1.freshName()}.png`;
    await twice(async () => expect((await documents.upload({ type, file_name })).reply, `type ${type}`).toBeFault(422));
    expect(await documents.findByName(file_name)).toBeUndefined();
  }
});

test('takes an upload without a description', rule('V1-DOC-21'), async ({ documents }) => {
  for (const type of DOCUMENT_TYPES) {
    const { reply, name } = await documents.upload({ type, description: undefined });
    expect(reply, type).toAnswer(200);
    expect(await documents.findByName(name), type).toBeDefined();
  }
});

test('refuses an upload without a file name', rule('V1-DOC-22'), async ({ documents, v1 }) => {
  await documents.arrangeUpload();
  const description = v1.freshName();
  const attachment = { content: PIXEL, page_type: null };
  for (const sheet of [{ attachment: undefined }, { attachment }, { attachment, file_name: null }])
    await twice(async () =>
      expect((await documents.upload({ file_name: undefined, description, ...sheet })).reply).toBeFault(422),
    );
  expect((await documents.listAll()).filter((one) => one.description === description)).toEqual([]);
});

test('takes an upload whose page side is null', rule('V1-DOC-23'), async ({ documents }) => {
  for (const type of DOCUMENT_TYPES) {
    expect((await documents.upload({ type, attachment: { content: PIXEL, page_type: null } })).reply, type).toAnswer(
      200,
    );
  }
});

test(
  'takes a file as base64, small or large, and answers nothing else',
  rule('V1-DOC-24', 'V1-DOC-04'),
  async ({ documents }) => {
    // After its end a picture may carry anything, so that it stays one at every size, with one sign of padding, two or none.
    for (const more of [0, 1, 2, 60_000]) {
      const content = Buffer.concat([Buffer.from(PIXEL, 'base64'), randomBytes(more)]).toString('base64');
      const { reply, name } = await documents.upload({ attachment: { content, page_type: null } });
      expect(reply, 'V1-DOC-24').toAnswer(200);
      expect(reply.body.byteLength, 'V1-DOC-04').toBe(0);
      expect(await documents.findByName(name), 'V1-DOC-24').toBeDefined();
    }
  },
);
