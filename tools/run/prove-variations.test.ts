import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { parseDocument } from 'yaml';
import { findBrowser } from '#browser';
import { callInTurn } from '#call-in-turn';
import type { CalledProgram } from '#call-program';
import { SUITE_FOLDER } from '#folders';
import { examineOnce } from '#kept-examinations';
import { drawVariation, VARIATION_DOZEN } from '#sandbox';
import { parseTarget } from '#target';
import { readVariation, variationTarget } from './prove-variations.ts';
import { rehearseTarget } from './rehearse-target.test-support.ts';
import { leaveOutLines } from './sparse-target.ts';

let folder: string;
test.beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-variations-'));
});
test.afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Writes the target file of the first variation that makes certain choices. @returns its path */
function writeVariation(
  makes: (choices: ReturnType<typeof drawVariation>) => boolean,
  mend = (text: string) => text,
): string {
  const numbers = Array.from({ length: VARIATION_DOZEN ** 2 }, (_, i) => i + 1);
  const number = numbers.find((one) => makes(drawVariation({ seed: 7, number: one })));
  if (number === undefined) throw new Error('no variation makes these choices');
  const path = join(folder, 'target.yaml');
  writeFileSync(path, mend(variationTarget({ seed: 7, number })));
  return path;
}

/** Leaves a line out of a target file. @param line as its path, between dots */
const without = (line: string) => (text: string) => {
  const file = parseDocument(text);
  file.deleteIn(line.split('.'));
  return file.toString();
};

/** What a play comes to: exit code, what became of each rule or why it was not judged, what else the checks say. */
interface RehearsedVariation {
  readonly code: number;
  readonly verdicts: Readonly<Record<string, string>>;
  /** Titles of checks that neither passed nor were skipped. */
  readonly red: readonly string[];
  /** Why checks were skipped, each once. */
  readonly skips: readonly string[];
  /** Whether an exchange names an order like this. */
  readonly namesOrder: boolean;
}

/** Plays the checks of some rules at a variation, unless what comes of it is known. */
function rehearseVariation(
  path: string,
  names: readonly string[],
  env: Readonly<Record<string, string>> = {},
  order = /^$/,
): Promise<RehearsedVariation> {
  return examineOnce(async () => {
    const { code, lines, rules } = await rehearseTarget(path, names, env);
    const checks = lines.filter((line) => line.kind === 'check');
    return {
      code,
      verdicts: Object.fromEntries(rules.map(({ id, verdict, reason }) => [id, reason?.code ?? verdict])),
      red: checks.filter(({ outcome }) => !['pass', 'skipped'].includes(outcome)).map(({ title }) => title),
      skips: [...new Set(checks.flatMap(({ reason }) => reason?.text ?? []))],
      namesOrder: order.test(JSON.stringify(lines)),
    };
  });
}

test('the target file of every variation is valid, and says which variation it is', () => {
  for (let number = 1; number <= VARIATION_DOZEN; number += 1) {
    const path = join(folder, `${number}.yaml`);
    writeFileSync(path, variationTarget({ seed: 7, number }));
    const { root } = parseTarget(path);
    expect(root.kind).toBe('embedded');
    expect(root.variation).toEqual({ seed: 7, number });
    expect(root.gateway?.wire?.amount).toBe(drawVariation({ seed: 7, number }).gateway.amount);
    expect(root.gateway?.requestors.main.token).toBe('embedded:gateway.main.token');
  }
});

test('only the embedded sandbox has variations', () => {
  const path = join(folder, 'target.yaml');
  writeFileSync(path, variationTarget({ seed: 7, number: 1 }).replace('kind: embedded', 'kind: mock'));
  expect(() => parseTarget(path)).toThrow(/only the embedded sandbox has variations/);
});

test('a variation is named by seed and number, and by nothing else', () => {
  expect(readVariation('7/3')).toEqual({ seed: 7, number: 3 });
  for (const text of ['7', '7/0', '7/x', '', '1/2/3']) expect(() => readVariation(text), text).toThrow(/no variation/);
});

test('the program proves a variation, finds a lie told in it, and tells those about a rule there in turn', async () => {
  test.setTimeout(240_000);
  const argv = ['prove', '--variations', '7/5', '--rule', 'V1-IBN-06'];
  const inTurn = ['prove', '--in', '7/5', '--rule', 'V1-IBN-06', '--workers', '1'];
  const [kept, told, turns] = callInTurn(
    [{ argv: [...argv, '--json'] }, { argv: [...argv, '--lie', 'lookup-masks-iban'] }, { argv: inTurn }],
    SUITE_FOLDER,
  ) as [CalledProgram, CalledProgram, CalledProgram];
  expect(kept.code, kept.err).toBe(0);
  const { variations } = JSON.parse(kept.out) as { variations: { passed: number; varied: string[]; red: unknown[] }[] };
  expect(variations).toHaveLength(1);
  expect(variations[0]).toMatchObject({ seed: 7, number: 5, failed: 0, broken: 0, red: [] });
  expect(variations[0]!.passed).toBeGreaterThan(0);
  expect(variations[0]!.varied.length).toBeGreaterThan(30);

  expect(told.code, told.err).toBe(4);
  expect(told.out).toMatch(/red {2}V1-IBN-06/);
  expect(told.out).toContain('again: npx assay run --target reports/variations/7-5.yaml --seed 7 --rule V1-IBN-06');
  const file = join(SUITE_FOLDER, 'reports/variations/7-5.yaml');
  expect(readFileSync(file, 'utf8')).toBe(variationTarget({ seed: 7, number: 5 }));
  rmSync(file);

  expect(turns.code, turns.err).toBe(0);
  expect(turns.out).toContain('1 of 1 rules proven');
});

test('a target file alone brings its variation back: a v1 service that shows nothing but the uuid of a transaction breaks nothing, and keeps nothing said of its members', async () => {
  test.setTimeout(240_000);
  const path = writeVariation(
    ({ gateway: { systemIdAs, systemIdAt }, v1 }) =>
      systemIdAs === 'prefixed' && systemIdAt === '/id' && v1.transactionMembers === 'uuid alone',
  );
  const asked = ['GW-STS-02', 'V1-TRN', 'V1-TRC'];
  const { code, verdicts, red, namesOrder } = await rehearseVariation(path, asked, {}, /ord-\d+-x/);
  expect([code, red]).toEqual([0, []]);
  expect(namesOrder).toBe(true);
  const kept = ['GW-STS-02', 'V1-TRN-01', 'V1-TRN-02', 'V1-TRC-08', 'V1-TRC-11'];
  for (const id of kept) expect(verdicts[id], id).toBe('pass');
  const members = [...Array(29).keys()].map((i) => `V1-TRN-${String(i + 3).padStart(2, '0')}`);
  for (const id of [...members, 'V1-TRC-04', 'V1-TRC-21', 'V1-TRC-22', 'V1-TRC-24', 'V1-TRC-25'])
    expect(verdicts[id], id).toBe('unseen');
});

test('a flag of the card history is seen wherever it stands', async () => {
  test.setTimeout(240_000);
  const path = writeVariation(({ gateway }) => gateway.historyFields === 'in rows');
  const { code, verdicts } = await rehearseVariation(path, ['GW-HIS-17']);
  expect([code, verdicts['GW-HIS-17']]).toEqual([0, 'pass']);
});

test('where there is no webhook configuration, a 200 that shows none is no broken promise', async () => {
  test.setTimeout(240_000);
  for (const way of ['null', 'nothing in it']) {
    const path = writeVariation(({ v1 }) => v1.noWebhook === way);
    const { code, red } = await rehearseVariation(path, ['V1-WHK', 'V1-ERR-04', 'V1-LIM-08']);
    expect([code, red], way).toEqual([0, []]);
  }
});

test('what is let go of an authorization is no refund, although it is listed as one', async () => {
  test.setTimeout(240_000);
  const path = writeVariation(({ gateway }) => gateway.captures === 'one' && gateway.releases === 'listed');
  const { code, red } = await rehearseVariation(path, ['GW-REV-06']);
  expect([code, red]).toEqual([0, []]);
});

test('where a clock is moved that nothing reads, what was made is found all the same, and no day is held against it', async () => {
  test.setTimeout(240_000);
  const path = writeVariation(
    ({ v1: { transactionMembers, sortedBy } }) => transactionMembers === 'all' && sortedBy === 'milliseconds',
    without('control.now'),
  );
  const { code, verdicts, red } = await rehearseVariation(path, ['V1-TRC-05', 'V1-TRL-05', 'V1-PAG-09', 'V1-TRN-19']);
  expect([code, red]).toEqual([0, []]);
  expect(verdicts).toMatchObject({ 'V1-TRC-05': 'pass', 'V1-PAG-09': 'pass', 'V1-TRN-19': 'partly' });
});

test('where there is no hosted form, what is told of payments on it is not asked for', async () => {
  test.setTimeout(240_000);
  const path = writeVariation(() => true, without('gateway.form'));
  const { code, red } = await rehearseVariation(path, ['GW-CBK-04']);
  expect([code, red]).toEqual([0, []]);
});

test('where no address off the allowlist is known, what is told of refused transfers is asked of none', async () => {
  test.setTimeout(240_000);
  const path = writeVariation(() => true, without('gateway.requestors.allowlisted.refused'));
  const { code, verdicts, red } = await rehearseVariation(path, ['OA-ERR-01', 'OA-ERR-05', 'OA-SIG-01']);
  expect([code, red]).toEqual([0, []]);
  expect(verdicts).toMatchObject({ 'OA-ERR-01': 'partly', 'OA-ERR-05': 'partly' });
});

test('where nothing tells the issuer where to post the CRes, none is missed', async () => {
  test.skip(findBrowser() === undefined, 'there is no browser here');
  test.setTimeout(240_000);
  const path = writeVariation(
    () => true,
    (text) => text.replace(/^.*\$\{cresUrl\}.*\n/m, ''),
  );
  const { code, verdicts, red } = await rehearseVariation(path, ['GW-TDS-09', 'GW-TDS-12']);
  expect([code, red]).toEqual([0, []]);
  expect(verdicts).toMatchObject({ 'GW-TDS-09': 'partly', 'GW-TDS-12': 'pass' });
});

test('where no manager sees it, what is held back besides may make less available', async () => {
  test.setTimeout(240_000);
  const path = writeVariation(({ gateway }) => gateway.bufferHold === 'deducted', without('gateway.manager'));
  const { code, verdicts, red } = await rehearseVariation(path, ['GW-BAL-03']);
  expect([code, red]).toEqual([0, []]);
  expect(verdicts).toMatchObject({ 'GW-BAL-03': 'pass' });
});

test('where nothing tells messages apart, one that repeats the words of another is not missed', async () => {
  test.setTimeout(240_000);
  const path = writeVariation(
    ({ v1: { transactionMembers, settlesAfter, moreMessages, deliveryAfter } }) =>
      transactionMembers === 'uuid alone' &&
      settlesAfter === 5 &&
      moreMessages === 'of the account' &&
      deliveryAfter === 7,
    without('v1.wire.message'),
  );
  const { code, red } = await rehearseVariation(path, ['V1-EVT-03', 'V1-EVT-05']);
  expect([code, red]).toEqual([0, []]);
});

test('where no transaction of an approved order is understood, none is missed', async () => {
  test.setTimeout(240_000);
  const path = writeVariation(
    ({ gateway }) => gateway.entryFields === 'nested',
    without('gateway.wire.read.transaction'),
  );
  const { code, verdicts, red } = await rehearseVariation(path, ['GW-CAP-02', 'GW-STS-07', 'GW-STR-01']);
  expect([code, red]).toEqual([0, []]);
  expect(verdicts).toMatchObject({ 'GW-CAP-02': 'partly', 'GW-STR-01': 'unseen' });
});

test('an order is not asked for by a correlation id that no answer showed where the target file says', async () => {
  test.setTimeout(240_000);
  const path = writeVariation(
    ({ gateway }) => gateway.correlationAt !== '/correlationId',
    without('gateway.wire.read.correlationId'),
  );
  const { code, red } = await rehearseVariation(path, ['GW-STS-04', 'GW-STS-06', 'GW-STS-07']);
  expect([code, red]).toEqual([0, []]);
});

test('every third variation has a target file that lacks lines, which is valid all the same', () => {
  for (let number = 1; number <= 2 * VARIATION_DOZEN; number += 1) {
    const file = parseDocument(variationTarget({ seed: 7, number }));
    const left = leaveOutLines(file, { seed: 7, number });
    expect(left.length > 0, String(number)).toBe(number % 3 === 0);
    for (const line of left) expect(file.hasIn(line.split('.')), line).toBe(false);
    const path = join(folder, `${number}.yaml`);
    writeFileSync(path, file.toString());
    expect(parseTarget(path).root.gateway?.cards?.approved).toBeDefined();
  }
});

/** A lie that the plain sandbox tells in another way: what it is about, its rule, its name, and what a variation has to choose for it. */
type ToldElsewhere = readonly [what: string, rule: string, lie: string, makes: Parameters<typeof writeVariation>[0]];

/** By the number of a variation that makes all these choices. */
const TOLD_ELSEWHERE: Readonly<Record<number, readonly ToldElsewhere[]>> = {
  308: [
    [
      'the last address where something on the way adds its own',
      'GW-ADR-03',
      'last-public-entry-counts-at-payments',
      ({ gateway: { frontEnd } }) => frontEnd === 'appends its peer',
    ],
    [
      "another account's transaction among fees",
      'V1-TRL-07',
      'list-of-every-account-on-later-pages',
      ({ v1: { fees, sortedBy, transactionMembers } }) =>
        fees === 'booked' && sortedBy === 'milliseconds' && transactionMembers === 'all',
    ],
    [
      'a later page that is turned round, with fees between what was made',
      'V1-PAG-09',
      'transactions-second-page-turned-round',
      ({ v1: { fees, sortedBy, transactionMembers } }) =>
        fees === 'booked' && sortedBy === 'milliseconds' && transactionMembers === 'all',
    ],
  ],
  3808: [
    [
      'a balance that stands still in one view, where payments are booked later',
      'GW-BAL-20',
      'manager-amount-stale',
      ({ gateway: { otherSales, outcomeAfter } }) => otherSales === 'none' && outcomeAfter > 0,
    ],
    [
      'money that is booked later',
      'GW-VER-04',
      'verification-books-its-amount',
      ({ gateway: { otherSales, bookedAfter } }) => otherSales === 'none' && bookedAfter > 0,
    ],
    [
      'a callback that tells of a payment under way, and none of its end',
      'GW-CBK-04',
      'no-callback-for-a-payment-that-failed',
      ({ gateway: { callbackWhilePending, callbackAgain, outcomeAfter } }) =>
        callbackWhilePending === 'sent' && callbackAgain !== 'once more when taken' && outcomeAfter > 0,
    ],
    [
      'an unknown order where a capture has to hold more than is documented',
      'GW-ERR-12',
      'charset-missing-on-unknown-orders',
      ({ gateway: { besides, otherCodes, unknownOrder } }) =>
        besides === 'channel' && otherCodes === 'small' && unknownOrder !== 'ERROR',
    ],
    [
      'a row of a fee in the place of one of a capture',
      'GW-REP-03',
      'report-second-capture-of-another-order',
      ({ gateway: { captures, otherEntries } }) => captures === 'several' && otherEntries === 'a fee',
    ],
    [
      'a step of 3-D Secure of an order that lists nothing yet',
      'GW-TDS-24',
      'any-order-without-three-ds-by-merchant-id',
      ({ gateway: { entriesListed } }) => entriesListed === 'approved with state',
    ],
    ['a creq that is null', 'GW-TDS-18', 'creq-missing', ({ gateway: { nulls } }) => nulls === 'shown'],
    [
      "another account's document on a later page",
      'V1-DOC-07',
      'documents-of-every-account-listed-on-later-pages',
      ({ v1: { sortedBy } }) => sortedBy === 'seconds, as entered',
    ],
    [
      'the second page for the first one, of transactions that do not show when they were made',
      'V1-PAG-07',
      'transactions-page-default-2',
      ({ v1: { transactionMembers } }) => transactionMembers === 'others',
    ],
    [
      'a gap between pages where there is none past the last',
      'V1-PAG-05',
      'documents-pages-skip',
      ({ v1: { pageBeyond } }) => pageBeyond === 404,
    ],
  ],
};

for (const [number, told] of Object.entries(TOLD_ELSEWHERE))
  test(`${told.length} lies are found where the plain sandbox does not tell them, in variation 7/${number}`, async () => {
    test.setTimeout(240_000);
    const id = { seed: 7, number: Number(number) };
    for (const [what, , , makes] of told) expect(makes(drawVariation(id)), what).toBe(true);
    const path = join(folder, 'target.yaml');
    writeFileSync(path, variationTarget(id));
    const asked = told.map(([, rule]) => rule);
    const lies = told.map(([, , lie]) => lie).join(',');
    const { verdicts } = await rehearseVariation(path, asked, { ASSAY_LIE: lies });
    for (const [what, rule] of told) expect(verdicts[rule], `${rule}: ${what}`).toBe('fail');
  });

test('a capture above what was authorized on a form is found where there is but one capture', async () => {
  test.skip(findBrowser() === undefined, 'there is no browser here');
  test.setTimeout(240_000);
  const path = writeVariation(
    ({ gateway: { captures, captureAbove, hostedForms } }) =>
      captures === 'one' && captureAbove === 'refused' && hostedForms === 'enabled',
  );
  const told = { ASSAY_LIE: 'capture-above-authorized-on-a-form' };
  const { code, verdicts } = await rehearseVariation(path, ['GW-CAP-05'], told);
  expect([code, verdicts['GW-CAP-05']]).toEqual([1, 'fail']);
});

test('where others sell all the time, nobody is charged with their sales', async () => {
  test.setTimeout(240_000);
  const path = writeVariation(
    ({ gateway: { otherSales, outcomeAfter, bookedAfter } }) =>
      otherSales === 'all the time' && outcomeAfter === 9 && bookedAfter === 30,
  );
  const { code, skips } = await rehearseVariation(path, ['GW-CAP-04']);
  expect(code).toBe(0);
  expect(skips).toContainEqual(expect.stringContaining('no time in which the balances stayed'));
});

test('a form that asks for another card after a decline keeps nobody waiting for a state that does not come', async () => {
  test.skip(findBrowser() === undefined, 'there is no browser here');
  test.setTimeout(240_000);
  const path = writeVariation(
    ({ gateway: { formDeclines, hostedForms } }) =>
      formDeclines === 'asks for another card' && hostedForms === 'enabled',
    (target) => target.replace('patience: 10', 'patience: 3'),
  );
  const { code, red } = await rehearseVariation(path, ['GW-FRM-07']);
  expect([code, red]).toEqual([0, []]);
});
