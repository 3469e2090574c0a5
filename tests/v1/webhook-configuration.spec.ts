import fc from 'fast-check';
import {
  type ApiReply,
  assertPromise,
  assertProperty,
  expect,
  type NewcomerUser,
  passMoment,
  requireEntries,
  requireSeen,
  rule,
  test,
  twice,
  type V1Client,
} from '#harness';
import { MISTAKABLE, SIGNS } from './support/signs.ts';
import { webhookCommands } from './support/webhook-model.ts';

/** Values at the edge of each limit, and within it when bytes are counted for characters. */
const LIMITS = [
  {
    id: 'V1-WHK-16',
    field: 'url',
    takes: { 'of 255 characters': (v1: V1Client) => v1.webhookUrl(v1.freshName(), 255) },
    refuses: { 'of 256 characters': (v1: V1Client) => v1.webhookUrl(v1.freshName(), 256) },
  },
  {
    id: 'V1-WHK-18',
    field: 'token',
    takes: { 'of 16 characters': () => 't'.repeat(16) },
    refuses: {
      'of 15 characters': () => 't'.repeat(15),
      'of none': () => '',
      'of 8 two-byte characters': () => '\u00fc'.repeat(8),
    },
  },
  {
    id: 'V1-WHK-19',
    field: 'token',
    takes: { 'of 100 characters': () => 't'.repeat(100) },
    refuses: { 'of 101 characters': () => 't'.repeat(101) },
  },
  {
    id: 'V1-WHK-21',
    field: 'name',
    takes: { 'of 255 characters': () => 'n'.repeat(255), 'of 200 two-byte characters': () => 'ü'.repeat(200) },
    refuses: { 'of 256 characters': () => 'n'.repeat(256) },
  },
  {
    id: 'V1-WHK-23',
    field: 'description',
    takes: { 'of 500 characters': () => 'd'.repeat(500), 'of 400 two-byte characters': () => 'ü'.repeat(400) },
    refuses: { 'of 501 characters': () => 'd'.repeat(501) },
  },
];

const NO_URLS = ['not a url', 'receiver.invalid/assay', '', 'http://'];

/** What a reader sees of a configuration, beside uuid and token. */
const shown = ({ object: { url, name, description, is_active } }: ApiReply) => ({ url, name, description, is_active });

/** Holds a creation against its refusal, which leaves the newcomer without a configuration. */
async function expectRefused(newcomer: NewcomerUser, changes: Readonly<Record<string, unknown>>): Promise<void> {
  const body = newcomer.configurationBody(changes);
  await twice(async () => expect(await newcomer.create(body)).toBeFault(422));
  // Where there is none, a 200 without one is as good as a 404.
  const read = await newcomer.read();
  expect(read.status === 200 && typeof Object(read.json).url === 'string').toBe(false);
}

// Creations that are refused leave a newcomer as it was, so they come first; each that is accepted uses one up.

for (const [id, field] of [
  ['V1-WHK-14', 'url'],
  ['V1-WHK-17', 'token'],
] as const) {
  test(`refuses a creation without ${field}`, rule(id, { needs: ['v1.user'] }), async ({ newcomer }) => {
    for (const value of [undefined, null]) await expectRefused(newcomer, { [field]: value });
  });
}

for (const text of NO_URLS) {
  test(`refuses "${text}" as url of a creation`, rule('V1-WHK-15', { needs: ['v1.user'] }), async ({ newcomer }) => {
    await expectRefused(newcomer, { url: text });
  });
}

for (const { id, field, refuses } of LIMITS) {
  for (const [what, value] of Object.entries(refuses)) {
    test(`refuses a ${field} ${what} in a creation`, rule(id, { needs: ['v1.user'] }), async ({ newcomer, v1 }) => {
      await expectRefused(newcomer, { [field]: value(v1) });
    });
  }
}

test(
  'shows the configuration of one user to no other who has none',
  rule('V1-WHK-01', { needs: ['v1.user'] }),
  async ({ webhook, v1, target }) => {
    // Its url holds the name, too.
    const { name } = await webhook.arrangeConfiguration();
    // Whoever is shown one is no newcomer any more for other checks.
    expect((await v1.lookForWebhook(target.v1!.newcomers[0])).text).not.toContain(name);
  },
);

const FIELDS = ['V1-WHK-09', 'V1-WHK-10', 'V1-WHK-11', 'V1-WHK-12', 'V1-WHK-13'];
const SHOWN = ['V1-WHK-02', 'V1-WHK-03', 'V1-WHK-04', 'V1-WHK-05', 'V1-WHK-08', ...FIELDS];

/** Creations that are accepted: each settles as much as one can, and which rule its refusal is about is said by the field it names. */
const CREATIONS = [
  {
    title: 'takes a creation with every field at its most',
    body: (v1: V1Client) => ({
      url: v1.webhookUrl(v1.freshName(), 255),
      token: v1.freshToken().repeat(4).slice(0, 100),
      name: 'n'.repeat(255),
      description: 'd'.repeat(500),
    }),
    about: { url: 'V1-WHK-16', token: 'V1-WHK-19', name: 'V1-WHK-21', description: 'V1-WHK-23' },
  },
  {
    title: 'takes a creation with a token of 16 characters, a name of null and no description',
    body: (v1: V1Client) => ({ token: v1.freshToken().slice(0, 16), name: null, description: undefined }),
    about: { token: 'V1-WHK-18', name: 'V1-WHK-20', description: 'V1-WHK-22' },
  },
  {
    title: 'takes a creation without a name and with a description of null',
    body: () => ({ name: undefined, description: null }),
    about: { name: 'V1-WHK-20', description: 'V1-WHK-22' },
  },
  {
    title: 'takes a creation whose texts are full of two-byte characters',
    body: () => ({ name: '\u00fc'.repeat(200), description: '\u00fc'.repeat(400) }),
    about: { name: 'V1-WHK-21', description: 'V1-WHK-23' },
  },
] as const;

for (const { title, body, about: fields } of CREATIONS) {
  const about: Readonly<Record<string, string>> = { ...fields, is_active: 'V1-WHK-25' };
  test(title, rule(...SHOWN, ...Object.values(about), { needs: ['v1.user'] }), async ({ newcomer, v1 }) => {
    const token = v1.freshToken();
    const sent: Readonly<Record<string, unknown>> = { token, ...body(v1) };
    const reply = await newcomer.create(sent);
    const named = reply.status === 422 ? Object.keys(Object(reply.at('/errors'))) : [];
    const blamed = Object.entries(about).filter(([field]) => named.includes(field));
    for (const [field, id] of blamed) assertPromise(false, 'a creation that is accepted', `a 422 for ${field}`, id);
    expect(reply, 'V1-WHK-02').toAnswer(201);
    for (const id of Object.values(about)) assertPromise(true, 'a creation that is accepted', 'one', id);
    const read = await newcomer.read();
    expect(read, 'V1-WHK-05').toAnswer(200);
    const { token: secret, ...values } = sent;
    const present = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
    // What the answer shows is what was sent; what it leaves out is for a reader to see.
    expect({ ...present, ...reply.object }, 'V1-WHK-02').toMatchObject(present);
    expect({ uuid: reply.object.uuid, ...read.object }, 'V1-WHK-08').toMatchObject({
      uuid: reply.object.uuid ?? read.object.uuid,
    });
    // A nullable field without a value may be null or left out.
    expect({ name: null, description: null, ...read.object }, 'V1-WHK-03').toMatchObject(present);
    expectHidden(read, secret);
  });
}

test('has one configuration, however often one is created', rule('V1-WHK-01'), async ({ webhook, v1 }) => {
  await webhook.arrangeConfiguration({ is_active: false });
  const before = await webhook.read();
  const { uuid } = before.object;
  for (let i = 0; i < 2; i += 1) {
    const reply = await webhook.createSecond({ description: v1.freshName() });
    if (reply.status < 300) expect(reply.object.uuid).toBe(uuid);
    else if (i === 0) expect(shown(await webhook.read())).toEqual(shown(before));
    expect((await webhook.read()).object.uuid).toBe(uuid);
  }
});

test(
  'has one configuration when two are created at once',
  rule('V1-WHK-01', { needs: ['v1.user'] }),
  async ({ newcomer, together }) => {
    const replies = await newcomer.createTogether(together, 2);
    const made = replies.filter(({ status }) => status < 300).map(({ object }) => object.uuid);
    expect(new Set(made).size).toBeLessThanOrEqual(1);
    const { uuid } = (await newcomer.read()).object;
    for (const one of made) expect(one).toBe(uuid);
  },
);

test(
  'keeps the configurations of two users apart, and holds what the other one replaces to the same limits',
  rule(
    ...['V1-WHK-01', 'V1-WHK-02', 'V1-WHK-03', 'V1-WHK-04', 'V1-WHK-08'],
    ...['V1-WHK-07', 'V1-WHK-14', 'V1-WHK-15', 'V1-WHK-17', 'V1-WHK-24'],
    ...LIMITS.map(({ id }) => id),
    { needs: ['v1.user'] },
  ),
  async ({ webhook, newcomer, v1, together }) => {
    const { url, name, description } = await webhook.arrangeConfiguration();
    // One receiver may serve several users.
    const made = { url, name: v1.freshName(), description: 'Of another user' };
    expect(await newcomer.create(made), 'V1-WHK-02').toAnswer(201);
    expect((await webhook.read()).object, 'V1-WHK-01').toMatchObject({ url, name, description });
    await webhook.arrangeConfiguration();
    expect((await newcomer.read()).object, 'V1-WHK-01').toMatchObject(made);
    const before = await webhook.read();
    const written = tellingValues(v1, ENDS[0]);
    const token = v1.freshToken();
    const replaced = (await newcomer.replace({ ...written, token })).requireStatus(200).object;
    expect(shown(await webhook.read()), 'V1-WHK-01').toEqual(shown(before));
    const read = await newcomer.read();
    expectHidden(read, token);
    const others = read.object;
    expect(replaced.uuid, 'V1-WHK-08').toBe(others.uuid);
    expect(others, 'V1-WHK-03').toMatchObject(written);
    expect(others.uuid, 'V1-WHK-08').not.toBe(before.object.uuid);
    const [own, other] = await together([() => webhook.read(), () => newcomer.read()]);
    // Whether both are taken at once is not said.
    if (own!.status === 200) expect(shown(own!), 'V1-WHK-01').toEqual(shown(before));
    if (other!.status === 200) expect(other!.object, 'V1-WHK-01').toMatchObject(written);
    expect(await newcomer.replace({ ...written, url: NO_URLS[0] }), 'V1-WHK-15').toBeFault(422);
    for (const missing of [undefined, null]) {
      expect(await newcomer.replace({ ...written, url: missing }), 'V1-WHK-14').toBeFault(422);
      expect(await newcomer.replace({ ...written, token: missing }), 'V1-WHK-17').toBeFault(422);
    }
    expect(await newcomer.replace({ ...written, is_active: undefined }), 'V1-WHK-24').toBeFault(422);
    for (const { id, field, refuses } of LIMITS)
      expect(await newcomer.replace({ ...written, [field]: Object.values(refuses)[0]!(v1) }), id).toBeFault(422);
    const sheets = [webhook.configurationBody(), { ...written, name: v1.freshName() }] as const;
    const both = await together([() => webhook.replace(sheets[0]), () => newcomer.replace(sheets[1])]);
    const found = [await webhook.read(), await newcomer.read()];
    // Whether both are taken at once is not said.
    for (const [i, { status }] of both.entries())
      if (status === 200) expect(found[i]!.object.name, 'V1-WHK-01').toBe(sheets[i]!.name);
    // What is one user's own may be another's as well.
    const same = await webhook.arrangeConfiguration();
    expect(await newcomer.replace({ ...same }), 'V1-WHK-07').toAnswer(200);
    // What is alike is not for that one and the same.
    await webhook.arrangeConfiguration();
    const { token: _, ...kept } = same;
    expect((await newcomer.read()).object, 'V1-WHK-01').toMatchObject(kept);
  },
);

/** How an address may end that is kept as it was written. */
const ENDS = ['?of=&Key=Value%2Fof%20it+1&B=2', '/'] as const;

/** Values that show what is cut, written otherwise or left out. */
const tellingValues = (v1: V1Client, end: (typeof ENDS)[number]) => ({
  url: v1.webhookUrl(`Assay/${v1.freshName()}${end}`),
  name: `${v1.freshName()} & "others"`,
  description: `Of the Conformance check: ${'description '.repeat(12)}`.trim(),
});

test('shows the configuration as it was last written', rule('V1-WHK-03', { isIdle: true }), async ({ webhook, v1 }) => {
  for (const end of ENDS) {
    const is_active = end === ENDS[0];
    const { url, name, description } = await webhook.arrangeConfiguration({ is_active, ...tellingValues(v1, end) });
    expect(shown(await webhook.read())).toEqual({ url, name, description, is_active });
  }
  // What was not kept but in a memory is gone a moment later, in real time.
  const { url, name, description, is_active } = await webhook.arrangeConfiguration(tellingValues(v1, ENDS[0]));
  await passMoment();
  expect(shown(await webhook.read())).toEqual({ url, name, description, is_active });
});

test(
  'keeps the configuration for days',
  rule('V1-WHK-03', 'V1-WHK-04', 'V1-WHK-08', { needs: ['clock'] }),
  async ({ webhook, v1 }) => {
    const written = await webhook.arrangeConfiguration(tellingValues(v1, ENDS[0]));
    const { url, name, description, is_active, token } = written;
    const { uuid } = (await webhook.read()).object;
    await v1.sleep(2 * 86_400);
    const read = await webhook.read();
    expect(shown(read), 'V1-WHK-03').toEqual({ url, name, description, is_active });
    if (uuid !== undefined) expect(read.object.uuid, 'V1-WHK-08').toBe(uuid);
    expectHidden(read, token);
  },
);

test(
  'keeps the configuration as it was after a replacement that is refused',
  rule('V1-WHK-03'),
  async ({ webhook, v1 }) => {
    const { url, name, description, is_active } = await webhook.arrangeConfiguration({ is_active: true });
    const refusals = LIMITS.flatMap(({ field, refuses }) =>
      Object.values(refuses).map((value) => ({ [field]: value(v1) })),
    );
    for (const broken of [
      ...[{ url: undefined }, { token: 'short' }, { is_active: undefined }, { url: NO_URLS[0] }],
      ...[{ is_active: 'maybe' }, ...refusals],
    ]) {
      const { status } = await webhook.replace({
        name: 'Refused',
        description: 'Of a replacement that is refused',
        ...broken,
      });
      test.skip(status === 200, 'the replacement is taken');
      expect(shown(await webhook.read()), Object.keys(broken).join()).toEqual({ url, name, description, is_active });
    }
  },
);

test('keeps one of two replacements at once, and no mixture', rule('V1-WHK-06'), async ({ webhook, together }) => {
  const sheets = [webhook.configurationBody(), webhook.configurationBody()];
  const replies = await together(sheets.map((sheet) => () => webhook.replace(sheet)));
  const taken = sheets.filter((_, i) => replies[i]!.status === 200);
  const { url, name } = shown(await webhook.read());
  expect(
    requireEntries(taken, 'replacements that were taken').map((one) => ({ url: one.url, name: one.name })),
  ).toContainEqual({ url, name });
});

test(
  'shows no more than a part of the token to a reader, in no spelling',
  rule('V1-WHK-04'),
  async ({ webhook, v1 }) => {
    const longest = `${v1.freshToken()}${v1.freshToken()}${v1.freshToken()}0000`;
    const shortest = v1.freshToken().slice(0, 16);
    for (const changes of [{}, { token: longest }, { token: shortest }, { is_active: false }, { name: null }]) {
      const { token } = await webhook.arrangeConfiguration(changes);
      const read = await webhook.read();
      expectHidden(read, token);
      requireSeen(read.object.url, 'the url of the configuration');
    }
  },
);

/** Finds no more than half of a token in an answer, as it is or encoded. */
function expectHidden({ text, headers }: ApiReply, token: unknown): void {
  const everything = `${text} ${[...headers.values()].join(' ')}`;
  const word = String(token);
  const half = Math.ceil(word.length / 2) + 1;
  const parts = Array.from({ length: word.length - half + 1 }, (_, i) => word.slice(i, i + half));
  const bytes = Buffer.from(word);
  const spellings = [...parts, bytes.toString('base64').replace(/=+$/, ''), bytes.toString('hex')];
  const isHidden = !spellings.some((one) => everything.includes(one));
  assertPromise(isHidden, 'a token that is masked or left out', 'more than half of it', 'V1-WHK-04');
}

test('answers a reader with 200 and the configuration', rule('V1-WHK-05'), async ({ webhook }) => {
  const { url } = await webhook.arrangeConfiguration();
  const reply = await webhook.read();
  expect(reply).toAnswer(200);
  expect(reply.object.url).toBe(url);
});

test('puts every new value in place of the old one', rule('V1-WHK-06'), async ({ webhook }) => {
  for (const is_active of [true, false, true]) {
    const { uuid } = (await webhook.read()).object;
    const sheet = {
      name: `A name of the Conformance check, active: ${is_active}`,
      description: `Active is ${is_active}`,
      is_active,
    };
    const { url } = await webhook.arrangeConfiguration(sheet);
    expect((await webhook.read()).object).toMatchObject({ uuid, url, ...sheet });
  }
});

test('puts one new value in place and keeps the others', rule('V1-WHK-06'), async ({ webhook, v1 }) => {
  let sheet = await webhook.arrangeConfiguration({ description: 'Before' });
  const [path, name] = [v1.freshName(), v1.freshName()];
  for (const change of [
    ...[{ url: v1.webhookUrl(path) }, { name }, { description: 'After' }],
    // In other letters it is another.
    ...[{ url: v1.webhookUrl(path.toUpperCase()) }, { name: name.toUpperCase() }, { description: 'AFTER' }],
  ]) {
    sheet = await webhook.arrangeConfiguration({ ...sheet, ...change });
    const { url, name, description, is_active } = sheet;
    expect(shown(await webhook.read()), Object.keys(change).join()).toEqual({ url, name, description, is_active });
  }
});

test(
  'shows digits, signs and letters of any script as they were last written, where it takes them',
  rule('V1-WHK-03'),
  async ({ webhook, v1 }) => {
    for (const text of [...MISTAKABLE, SIGNS, '\u0141\u00f3d\u017a \u2013 \u0395\u03bb\u03bb\u03ac\u03b4\u03b1']) {
      const { status } = await webhook.replace({ name: text, description: text });
      if (status !== 200) v1.leaveOut(`${text}: it was answered ${status}`);
      else expect((await webhook.read()).object).toMatchObject({ name: text, description: text });
    }
    for (const [what, sign] of [
      ['a smile', '\u{1f600}'],
      ['a line break', '\n'],
    ] as const) {
      const text = `With a ${sign} before its end`;
      const { status } = await webhook.replace({ name: text, description: text });
      if (status !== 200) {
        v1.leaveOut(`${what}: it was answered ${status}`);
        continue;
      }
      const { name, description } = (await webhook.read()).object;
      // That such a sign is shown as it is, is not said; what stands behind it is a part of the text all the same.
      for (const one of [name, description]) expect(one, what).toContain('before its end');
    }
  },
);

test('puts a name and a description in place without each other', rule('V1-WHK-06'), async ({ webhook }) => {
  for (const sheet of [
    { name: null, description: 'A description of the Conformance check' },
    { name: 'A name of the Conformance check', description: null },
  ]) {
    await webhook.arrangeConfiguration(sheet);
    // A nullable field without a value may be null or left out.
    expect({ name: null, description: null, ...(await webhook.read()).object }).toMatchObject(sheet);
  }
});

test('answers a replacement with 200 and the configuration', rule('V1-WHK-07'), async ({ webhook, v1 }) => {
  // Each of its texts may be as long as that; so may all of them.
  const most = { url: v1.webhookUrl(v1.freshName(), 255), name: 'n'.repeat(255), description: 'd'.repeat(500) };
  const token = v1.freshToken().repeat(4).slice(0, 100);
  expect(await webhook.replace({ ...most, token }), 'with every text at its most').toAnswer(200);
  for (const is_active of [true, false]) {
    const sheet = webhook.configurationBody({ is_active, description: `Active is ${is_active}` });
    const reply = await webhook.replace(sheet);
    expect(reply).toAnswer(200);
    const { url, name, description } = sheet;
    expect({ name, description, is_active, ...reply.object }).toMatchObject({ url, name, description, is_active });
    expect(await webhook.replace(sheet), 'once more').toAnswer(200);
  }
});

test('keeps the uuid of the configuration', rule('V1-WHK-08'), async ({ webhook }) => {
  const seen = [await webhook.replace(), await webhook.read(), await webhook.replace(), await webhook.read()];
  const [first, ...others] = seen.map(({ object }) => object.uuid);
  expect(first).toBeDefined();
  for (const other of others) expect(other).toBe(first);
});

test('shows a configuration field by field as described', rule(...FIELDS), async ({ webhook }) => {
  for (const text of ['Ledger', null]) {
    (await webhook.replace({ name: text, description: text })).requireStatus(200);
    (await webhook.read()).requireStatus(200);
  }
});

for (const [id, field] of [
  ['V1-WHK-14', 'url'],
  ['V1-WHK-17', 'token'],
  ['V1-WHK-24', 'is_active'],
] as const) {
  test(`refuses a replacement without ${field}`, rule(id), async ({ webhook }) => {
    const before = await webhook.arrangeConfiguration();
    for (const value of [undefined, null]) {
      const body = webhook.configurationBody({ [field]: value });
      await twice(async () => expect(await webhook.replace(body), `${field} ${value}`).toBeFault(422));
      if (field !== 'is_active')
        expect(await webhook.replace({ ...body, is_active: true }), `${field} ${value}, active`).toBeFault(422);
    }
    expect((await webhook.read()).object.url).toBe(before.url);
  });
}

test('refuses an is_active that is neither true nor false', rule('V1-WHK-24'), async ({ webhook }) => {
  for (const is_active of ['maybe', null])
    expect(await webhook.replace({ is_active }), `is_active ${is_active}`).toBeFault(422);
});

for (const text of NO_URLS) {
  test(`refuses "${text}" as url of a replacement`, rule('V1-WHK-15'), async ({ webhook }) => {
    const body = webhook.configurationBody({ url: text });
    await twice(async () => expect(await webhook.replace(body)).toBeFault(422));
    expect(await webhook.replace({ ...body, is_active: true }), 'of one that is active').toBeFault(422);
  });
}

for (const { id, field, takes, refuses } of LIMITS) {
  for (const [what, value] of Object.entries(takes)) {
    test(`takes a ${field} ${what} in a replacement`, rule(id), async ({ webhook, v1 }) => {
      const sent = value(v1);
      expect(await webhook.replace({ [field]: sent })).toAnswer(200);
      if (field !== 'token') expect((await webhook.read()).object[field]).toBe(sent);
    });
  }

  for (const [what, value] of Object.entries(refuses)) {
    test(`refuses a ${field} ${what} in a replacement`, rule(id), async ({ webhook, v1 }) => {
      const body = webhook.configurationBody({ [field]: value(v1) });
      await twice(async () => expect(await webhook.replace(body)).toBeFault(422));
      expect(await webhook.replace({ ...body, is_active: true }), 'of one that is active').toBeFault(422);
    });
  }
}

for (const [id, field] of [
  ['V1-WHK-20', 'name'],
  ['V1-WHK-22', 'description'],
] as const) {
  for (const [what, value] of [
    ['that is null', null],
    ['left out', undefined],
  ] as const) {
    test(`takes a ${field} ${what} in a replacement`, rule(id), async ({ webhook }) => {
      expect(await webhook.replace({ [field]: value })).toAnswer(200);
    });
  }
}

test(
  'behaves like one configuration that is replaced',
  rule('V1-WHK-01', 'V1-WHK-04', 'V1-WHK-06'),
  async ({ webhook, v1 }, info) => {
    const property = fc.asyncProperty(
      webhookCommands((path) => v1.webhookUrl(`assay-${path}`)),
      async (commands) => {
        const sheet = await webhook.arrangeConfiguration();
        const uuid = (await webhook.read()).object.uuid;
        await fc.asyncModelRun(() => ({ model: { uuid, sheet }, real: webhook }), commands);
      },
    );
    await assertProperty(info, 'the webhook configuration behaves like its model', property, { runs: 15 });
  },
);
