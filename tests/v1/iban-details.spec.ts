import {
  type ApiReply,
  expect,
  requireSeen,
  requireTargetLine,
  rule,
  type Target,
  test,
  twice,
  type V1Client,
} from '#harness';

const lookUp = (v1: V1Client, iban: string | undefined) => v1.send('getIbanDetails', { query: { iban } });

test('refuses a lookup without an IBAN', rule('V1-IBN-01'), async ({ v1 }) => {
  await requireServed(v1);
  await twice(async () => expect(await lookUp(v1, undefined)).toBeFault(422));
});

const BROKEN = {
  'is empty': '',
  'is a sentence': 'not an iban at all',
  'holds a sign': 'DE89#70400440532013000',
  'has no country': '1289370400440532013000',
  'has no check digits': 'DEXX370400440532013000',
  'stops after the check digits': 'DE89',
  'has 64 characters': `DE89${'0'.repeat(60)}`,
  'has 64 characters in groups of four': `DE89${' 0000'.repeat(15)}`,
  'has 64 characters and a country in small letters': `de89${'0'.repeat(60)}`,
};

for (const [what, iban] of Object.entries(BROKEN)) {
  test(`never calls an IBAN valid that ${what}`, rule('V1-IBN-02'), async ({ v1 }) => {
    await requireServed(v1);
    expectNotValid(await lookUp(v1, iban));
  });
}

test(
  'never calls the broken IBAN of the target valid',
  rule('V1-IBN-02', { needs: ['iban.broken'] }),
  async ({ v1, target }) => {
    await requireServed(v1);
    // Twice, as what was found out of an IBAN may be kept.
    for (let i = 0; i < 2; i += 1) expectNotValid(await lookUp(v1, target.v1!.ibans.broken));
  },
);

/** Demands that a lookup which is in order is served: who refuses every one refuses none for what is wrong with it. */
async function requireServed(v1: V1Client): Promise<void> {
  const { status } = await lookUp(v1, v1.iban);
  requireSeen(status === 200 || undefined, 'a bank of the IBAN that the target names');
}

/** Holds that a lookup is turned down, or says something else of its IBAN than that it is valid. */
function expectNotValid(reply: ApiReply): void {
  if (reply.status === 200)
    expect(requireSeen(reply.object.is_valid, 'is_valid of an IBAN of broken format')).not.toBe(true);
  else expect(reply).toBeTurnedDown();
}

/** An IBAN as it is printed. */
const inGroups = (iban: string) => plain(iban).replace(/.{4}(?=.)/g, '$& ');

/** An IBAN without spaces. */
const plain = (iban: unknown) => String(iban).replace(/\s/g, '').toUpperCase();

/** Another IBAN of the same bank: its last figure is one more, and its check digits fit (ISO 13616). */
function siblingOf(iban: string): string {
  const [country, account] = [plain(iban).slice(0, 2), plain(iban).slice(4)];
  const other = account.replace(/\d$/, (last) => String((Number(last) + 1) % 10));
  const figures = [...`${other}${country}00`].map((one) => Number.parseInt(one, 36)).join('');
  return `${country}${String(98n - (BigInt(figures) % 97n)).padStart(2, '0')}${other}`;
}

/** Details of sound IBANs of several countries. */
async function lookUpEach(v1: V1Client, target: Target) {
  const found = new Map<string, ApiReply>();
  for (const iban of [v1.iban, ...target.v1!.ibans.further])
    if (!found.has(iban.slice(0, 2))) found.set(iban.slice(0, 2), await lookUp(v1, iban));
  return [...found.values()].filter(({ status }) => status === 200).map(({ object }) => object);
}

for (const [id, member, what] of [
  ['V1-IBN-03', 'bank_bic', 'BIC'],
  ['V1-IBN-04', 'bank_name', 'name'],
] as const) {
  test(`does not find the same ${what} for banks of several countries`, rule(id), async ({ v1, target }) => {
    const details = await lookUpEach(v1, target);
    const named = details.map((one) => one[member]).filter((one) => typeof one === 'string' && one !== '');
    test.skip(named.length < 2, `fewer than two banks of the target's IBANs are listed`);
    // A name may be shared across borders; a BIC may not be, and of three names two differ.
    if (member === 'bank_bic' || named.length > 2) expect(new Set(named).size).toBeGreaterThan(1);
  });
}

test(
  'finds the same bank, or none, after another was looked for',
  rule('V1-IBN-03', 'V1-IBN-04'),
  async ({ v1, target }) => {
    const other = requireTargetLine(target.v1!.ibans.further[0], 'v1.ibans.further');
    const bank = async (iban: string) => (await lookUp(v1, iban)).object;
    for (const iban of [v1.iban, target.v1!.ibans.unlisted ?? v1.iban]) {
      await bank(v1.iban);
      const before = await bank(iban);
      await bank(other);
      const after = await bank(iban);
      expect(after.bank_bic, 'V1-IBN-03').toBe(before.bank_bic);
      expect(after.bank_name, 'V1-IBN-04').toBe(before.bank_name);
    }
    // What was not found of one IBAN is found of the next.
    const known = await bank(v1.iban);
    for (const iban of [BROKEN['stops after the check digits'], target.v1!.ibans.unlisted]) {
      await lookUp(v1, iban);
      const next = await bank(v1.iban);
      expect(next.bank_bic, 'V1-IBN-03').toBe(known.bank_bic);
      expect(next.bank_name, 'V1-IBN-04').toBe(known.bank_name);
    }
  },
);

test('finds the same bank days later', rule('V1-IBN-03', 'V1-IBN-04', { needs: ['clock'] }), async ({ v1 }) => {
  const before = (await lookUp(v1, v1.iban)).object;
  await v1.sleep(2 * 86_400);
  const after = (await lookUp(v1, v1.iban)).object;
  expect(after.bank_bic, 'V1-IBN-03').toBe(before.bank_bic);
  expect(after.bank_name, 'V1-IBN-04').toBe(before.bank_name);
});

test(
  'finds the same bank for another user',
  rule('V1-IBN-03', 'V1-IBN-04', { needs: ['v1.unprivileged'] }),
  async ({ v1, target }) => {
    const ours = (await lookUp(v1, v1.iban)).object;
    const asked = { query: { iban: v1.iban }, token: target.v1!.unprivileged! };
    const { status, object: theirs } = await v1.send('getIbanDetails', asked);
    test.skip(status !== 200, `a lookup of a user without rights on the account was answered ${status}`);
    expect(theirs.bank_bic, 'V1-IBN-03').toBe(ours.bank_bic);
    expect(theirs.bank_name, 'V1-IBN-04').toBe(ours.bank_name);
  },
);

/** Bank, country, place, and maybe branch (ISO 9362). */
const BIC = /^[A-Z0-9]{4}[A-Z]{2}[A-Z0-9]{2}([A-Z0-9]{3})?$/i;

test('finds the BIC of a known bank', rule('V1-IBN-03'), async ({ v1, target }) => {
  expect(String((await lookUp(v1, v1.iban)).object.bank_bic)).toMatch(BIC);
  const others = (await lookUpEach(v1, target)).flatMap(({ bank_bic }) => bank_bic || []);
  expect(others.filter((bic) => !BIC.test(String(bic)))).toEqual([]);
});

test('finds the name of a known bank', rule('V1-IBN-04'), async ({ v1 }) => {
  const { bank_name, bank_bic } = (await lookUp(v1, v1.iban)).object;
  expect({ type: typeof bank_name, blank: String(bank_name).trim() === '' }).toEqual({ type: 'string', blank: false });
  expect(String(bank_name).toUpperCase()).not.toBe(String(bank_bic).toUpperCase());
});

test('answers a lookup with the details', rule('V1-IBN-05'), async ({ v1 }) => {
  const reply = await lookUp(v1, v1.iban);
  expect(reply).toAnswer(200);
  expect(Object.keys(reply.object)).not.toEqual([]);
});

test('shows the IBAN that was asked about', rule('V1-IBN-06'), async ({ v1, target }) => {
  const { further, unlisted = v1.iban } = target.v1!.ibans;
  // Another of the same country, too, if there is one.
  for (const iban of [v1.iban, ...further, unlisted])
    expect(plain((await lookUp(v1, iban)).object.iban)).toBe(plain(iban));
});

test(
  'shows the IBAN that was asked about however it is written, broken or of the same bank too',
  rule('V1-IBN-06'),
  async ({ v1 }) => {
    await lookUp(v1, v1.iban);
    for (const iban of ['DE893704', 'FR14200410100505', siblingOf(v1.iban), inGroups(v1.iban), v1.iban.toLowerCase()]) {
      const reply = await lookUp(v1, iban);
      // It may be refused for that.
      if (reply.status === 200) expect(plain(reply.object.iban)).toBe(plain(iban));
      else expect(reply).toBeTurnedDown();
    }
  },
);

test(
  'shows each of several that ask at once their IBAN, and its bank',
  rule('V1-IBN-06', 'V1-IBN-03', 'V1-IBN-04'),
  async ({ v1, target, together }) => {
    const ibans = [v1.iban, ...target.v1!.ibans.further].slice(0, 4);
    const banks: ApiReply['object'][] = [];
    for (const iban of ibans) banks.push((await lookUp(v1, iban)).object);
    const replies = await together(ibans.map((iban) => () => lookUp(v1, iban)));
    for (const [i, { status, object }] of replies.entries()) {
      if (status !== 200) continue;
      expect(plain(object.iban), 'V1-IBN-06').toBe(plain(ibans[i]));
      expect(object.bank_bic, 'V1-IBN-03').toBe(banks[i]!.bank_bic);
      expect(object.bank_name, 'V1-IBN-04').toBe(banks[i]!.bank_name);
    }
  },
);

test('calls an IBAN of sound format valid', rule('V1-IBN-07'), async ({ v1, target }) => {
  const { further, unlisted = v1.iban } = target.v1!.ibans;
  // Of a bank that is not known the format is sound all the same.
  for (const iban of [v1.iban, ...further, unlisted]) expect((await lookUp(v1, iban)).object.is_valid).toBe(true);
  await lookUp(v1, BROKEN['is a sentence']);
  expect((await lookUp(v1, v1.iban)).object.is_valid, 'after a broken one').toBe(true);
});

test('gives the bank of a known IBAN as text', rule('V1-IBN-08', 'V1-IBN-09'), async ({ v1 }) => {
  expect(await lookUp(v1, v1.iban)).toAnswer(200);
});

test(
  'gives a bank it does not list as null',
  rule('V1-IBN-08', 'V1-IBN-09', { needs: ['iban.unlisted'] }),
  async ({ v1, target }) => {
    const reply = await lookUp(v1, target.v1!.ibans.unlisted);
    expect(reply).toAnswer(200);
    // A bank that is known all the same has a BIC.
    const { bank_bic } = reply.object;
    if (typeof bank_bic === 'string' && bank_bic !== '') expect(bank_bic, 'V1-IBN-08').toMatch(BIC);
  },
);
