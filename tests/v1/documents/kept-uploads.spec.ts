import fc from 'fast-check';
import {
  assertProperty,
  expect,
  findContradictions,
  listUuids,
  requireEntries,
  rule,
  test,
  type V1Client,
} from '#harness';
import { documentCommands } from '../support/document-model.ts';
import { DOCUMENT_TYPES, FRONT, PIXEL } from '../support/document-sheets.ts';
import { MISTAKABLE, SIGNS } from '../support/signs.ts';
import { isOnSmallPage } from '../support/small-pages.ts';

/** What is sent of an upload, in capitals and longer than a line. */
const writeSheet = (v1: V1Client) => ({
  type: 'identity_card',
  file_name: `${v1.freshName()}-Front.PNG`,
  description: `Front of ${v1.freshName()}, as handed in for the Conformance check of this account`,
});

test('keeps type, file name and description of an upload', rule('V1-DOC-01'), async ({ documents, v1 }) => {
  const sheet = writeSheet(v1);
  await documents.upload(sheet);
  const listed = await documents.findByName(sheet.file_name);
  expect(listed).toMatchObject(sheet);
  expect((await documents.read(String(listed?.uuid))).object).toMatchObject(sheet);
  const bare = { ...sheet, file_name: `${v1.freshName()}.png` };
  // Whether there has to be a file is not said.
  if ((await documents.upload({ ...bare, attachment: undefined })).reply.status === 200)
    expect((await documents.findByName(bare.file_name)) ?? {}, 'without a file').toMatchObject(bare);
  const undescribed = { type: sheet.type, file_name: `${v1.freshName()}-Back.PNG` };
  // That it may come without a description is for another check.
  if ((await documents.upload({ ...undescribed, description: undefined })).reply.status !== 200) return;
  const named = (await documents.listAll()).filter(({ file_name }) => file_name === undescribed.file_name);
  expect(named, 'without a description').toEqual([expect.objectContaining(undescribed)]);
});

test('keeps type, file name and description of both sides of a card', rule('V1-DOC-01'), async ({ documents, v1 }) => {
  // One side more than once, too: of another card.
  const sheets = ['front', 'back', 'front'].map((page_type) => ({
    type: 'drivers_license',
    file_name: `${v1.freshName()}.png`,
    description: `The ${page_type} of ${v1.freshName()}`,
    attachment: { content: PIXEL, page_type },
  }));
  // That there is a back is not said.
  const taken = [];
  for (const sheet of sheets) if ((await documents.upload(sheet)).reply.status === 200) taken.push(sheet);
  for (const { attachment: _, ...sheet } of requireEntries(taken, 'sides of a card that are taken')) {
    const listed = await documents.findByName(sheet.file_name);
    expect(listed).toMatchObject(sheet);
    expect((await documents.read(String(listed?.uuid))).object).toMatchObject(sheet);
  }
});

test('describes no upload as another one', rule('V1-DOC-01'), async ({ documents, v1 }) => {
  const description = `Of ${v1.freshName()} alone`;
  await documents.arrangeUpload({ description });
  const { uuid, ...listed } = await documents.arrangeUpload({ description: undefined });
  const read = (await documents.read(uuid)).object;
  // What was left out may be filled in, not by the word for nothing.
  for (const strange of [description, 'null', 'undefined'])
    expect([listed.description, read.description]).not.toContain(strange);
});

test('keeps both of two uploads with one file name', rule('V1-DOC-01'), async ({ documents, v1 }) => {
  const sheet = { type: 'drivers_license', file_name: `${v1.freshName()}.png` };
  const { uuid } = await documents.arrangeUpload({ ...sheet, attachment: FRONT });
  // A name in other letters is another one, or the same.
  for (const file_name of [sheet.file_name.toUpperCase(), sheet.file_name]) {
    const { reply } = await documents.upload({ ...sheet, file_name, attachment: { ...FRONT, page_type: 'back' } });
    if (file_name !== sheet.file_name && reply.status !== 200) continue;
    test.skip(reply.status !== 200, `another side under the same file name was answered ${reply.status}`);
    expect(await documents.read(uuid), file_name).toAnswer(200);
    expect(listUuids(await documents.listAll()), file_name).toContain(uuid);
  }
});

test('keeps what takes the file name of a deleted document as what it is', rule('V1-DOC-01'), async ({ documents }) => {
  const { uuid, file_name } = await documents.arrangeUpload({ type: 'identity_card', description: 'The former one' });
  await documents.remove(uuid);
  const sheet = { type: 'passport', file_name, description: 'The latter one' };
  const { reply, name } = await documents.upload(sheet);
  // When the name is free again is not said.
  test.skip(reply.status !== 200, `an upload under the name of a deleted document was answered ${reply.status}`);
  expect((await documents.findByName(name)) ?? {}).toMatchObject(sheet);
});

test(
  'keeps both of two uploads at once with one file name, where it keeps both of two in turn',
  rule('V1-DOC-01'),
  async ({ documents, v1, together }) => {
    const count = async (file_name: string) =>
      new Set(listUuids((await documents.listAll()).filter((one) => one.file_name === file_name))).size;
    const upload = (file_name: string) => async () => (await documents.upload({ file_name })).reply;
    const [inTurn, atOnce] = [`${v1.freshName()}.png`, `${v1.freshName()}.png`];
    for (let i = 0; i < 2; i += 1) await upload(inTurn)();
    test.skip((await count(inTurn)) !== 2, 'two documents of one file name are not kept');
    const replies = await together([upload(atOnce), upload(atOnce)]);
    const taken = replies.filter(({ status }) => status === 200);
    expect(await count(atOnce)).toBe(requireEntries(taken, 'uploads that were taken').length);
  },
);

test('keeps a file name with letters outside ASCII', rule('V1-DOC-01'), async ({ documents, v1 }) => {
  const file_name = `${v1.freshName()}-Stra\u00dfe.png`;
  expect((await documents.upload({ file_name })).reply).toAnswer(200);
  expect((await documents.listAll()).map((one) => one.file_name)).toContain(file_name);
});

test(
  'keeps a long description and file name, spaces and signs, where it takes them',
  rule('V1-DOC-01'),
  async ({ documents, v1 }) => {
    const file_name = `${v1.freshName()}-${'of-the-Conformance-check-'.repeat(4)}.png`;
    const description = `Of ${v1.freshName()}: ${'as handed in '.repeat(25)}`.trim();
    const signed = `Of ${v1.freshName()} & "others"`;
    const spaced = `${v1.freshName()} of  it (1).png`;
    const otherwise = `${v1.freshName()}.jpg`;
    const sheets = [
      { file_name },
      { file_name: `${v1.freshName()}-${'of-the-Conformance-check-'.repeat(8)}.png` },
      { file_name: spaced },
      { file_name: otherwise },
      ...['', '.v2.final.png', "-o'neil.png"].map((end) => ({ file_name: `${v1.freshName()}${end}` })),
      { description },
      { description: `${description} `.repeat(2).trim() },
      { description: signed },
      // Letters beyond those of the west, and names with none, with more than one or with another point than the usual.
      ...[...MISTAKABLE, SIGNS].map((text) => ({ description: text })),
      { description: `Of ${v1.freshName()} \u2013 \u0141\u00f3d\u017a` },
      { file_name: `${v1.freshName()}-\u0141\u00f3d\u017a.png` },
    ];
    for (const sheet of sheets) {
      // Whatever its content is, a file has the name that it had.
      const picture = { attachment: { content: PIXEL, page_type: null } };
      const { reply, name } = await documents.upload({ ...sheet, ...(sheet.file_name === otherwise && picture) });
      if (reply.status === 200) expect((await documents.findByName(name)) ?? {}).toMatchObject(sheet);
      else v1.leaveOut(`such a ${Object.keys(sheet)}: it was answered ${reply.status}`);
    }
    for (const [what, sign] of [
      ['a smile', '\u{1f600}'],
      ['a line break', '\n'],
    ] as const) {
      const { reply, name } = await documents.upload({ description: `With a ${sign} before its end` });
      if (reply.status !== 200) {
        v1.leaveOut(`a description with ${what}: it was answered ${reply.status}`);
        continue;
      }
      // That such a sign is shown as it is, is not said; what stands behind it is a part of the description all the same.
      const shown = (await documents.findByName(name))?.description;
      if (shown != null && shown !== '') expect(shown, what).toContain('before its end');
    }
  },
);

test(
  'keeps an upload, and the deletion of another, for days',
  rule('V1-DOC-01', 'V1-DOC-05', 'V1-DOC-06', 'V1-DOC-11', 'V1-DOC-27', { needs: ['clock'] }),
  async ({ documents, v1 }) => {
    const sheet = writeSheet(v1);
    const [kept, gone] = [await documents.arrangeUpload(sheet), await documents.arrangeUpload()];
    const { created_at } = (await documents.read(kept.uuid)).object;
    await documents.remove(gone.uuid);
    await v1.sleep(8 * 86_400);
    const listed = await documents.listAll();
    const read = await documents.read(kept.uuid);
    expect(read, 'V1-DOC-01').toAnswer(200);
    expect(listUuids(listed), 'V1-DOC-01').toContain(kept.uuid);
    // One of today comes first.
    await documents.arrangeUpload();
    expect(await isOnSmallPage((page) => documents.list(page), '', kept.uuid), 'V1-DOC-01').toBe(true);
    expect(listUuids(await documents.listAll({ type: sheet.type })), 'V1-DOC-05').toContain(kept.uuid);
    expect(listUuids(await documents.listAll({ filename: sheet.file_name })), 'V1-DOC-06').toContain(kept.uuid);
    for (const one of [read.object, listed.find(({ uuid }) => uuid === kept.uuid)!]) {
      expect(one, 'V1-DOC-01').toMatchObject(sheet);
      if (created_at === undefined) continue;
      expect(findContradictions({ created_at }, { created_at: one.created_at }), 'V1-DOC-27').toEqual([]);
    }
    // What has been there for long is deleted as well as what is new.
    await documents.remove(kept.uuid);
    const left = listUuids(await documents.listAll());
    for (const { uuid } of [gone, kept]) {
      expect((await documents.read(uuid)).status, 'V1-DOC-11').not.toBe(200);
      expect(left, 'V1-DOC-11').not.toContain(uuid);
    }
  },
);

test('keeps an upload once', rule('V1-DOC-01'), async ({ documents }) => {
  const names: unknown[] = [];
  for (const type of DOCUMENT_TYPES) names.push((await documents.arrangeUpload({ type })).file_name);
  const listed = await documents.listAll();
  for (const [i, type] of DOCUMENT_TYPES.entries()) {
    // An entry may stand on two pages when others upload meanwhile.
    const kept = listed.filter((one) => one.file_name === names[i]).map(({ uuid }) => uuid);
    expect([...new Set(kept)], type).toHaveLength(1);
  }
});

test('keeps each of many uploads', rule('V1-DOC-01'), async ({ documents, clock }) => {
  const names: string[] = [];
  // More than one page holds.
  for (let i = 0; i < (clock.steered ? 16 : 4); i += 1) {
    const { reply, name } = await documents.upload();
    expect(reply).toAnswer(200);
    names.push(name);
  }
  const listed = await documents.listAll();
  expect(names.filter((name) => !listed.some((one) => one.file_name === name))).toEqual([]);
  const first = listed.find((one) => one.file_name === names[0]);
  expect(await documents.read(String(first?.uuid))).toAnswer(200);
});

test(
  'keeps each of five uploads at once as what it is',
  rule('V1-DOC-01', 'V1-DOC-13'),
  async ({ documents, v1, together }) => {
    const sheets = [...DOCUMENT_TYPES, ...DOCUMENT_TYPES.slice(0, 2)].map((type) => ({
      type,
      description: `Of ${v1.freshName()}`,
    }));
    const sent = await together(sheets.map((sheet) => () => documents.upload(sheet)));
    const taken = sheets.map((sheet, i) => ({ ...sheet, file_name: sent[i]!.name, reply: sent[i]!.reply }));
    const kept = taken.filter(({ reply }) => reply.status === 200).map(({ reply: _, ...sheet }) => sheet);
    const listed = await documents.listAll();
    const uuids = requireEntries(kept, 'uploads that were taken').map((sheet) => {
      const entry = listed.find(({ file_name }) => file_name === sheet.file_name);
      expect(entry ?? {}, 'V1-DOC-01').toMatchObject(sheet);
      return entry!.uuid;
    });
    expect(new Set(uuids).size, 'V1-DOC-13').toBe(uuids.length);
  },
);

test(
  'behaves like a drawer of documents',
  rule('V1-DOC-01', 'V1-DOC-05', 'V1-DOC-06', 'V1-DOC-09', 'V1-DOC-11'),
  async ({ documents, v1 }, info) => {
    const property = fc.asyncProperty(
      documentCommands(() => v1.freshName()),
      async (commands) => {
        await fc.asyncModelRun(() => ({ model: new Map(), real: documents }), commands);
        await documents.removeLeftovers();
      },
    );
    await assertProperty(info, 'documents behave like a drawer', property, { runs: 16 });
  },
);
