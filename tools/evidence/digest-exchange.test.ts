import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { findLeaks, joinDigestExchange, MASK, openDigestExchange, Redactor } from './index.ts';

const CARD = '5555555555554444';
const BODY = JSON.stringify({ orderCode: 'o-1', card: { number: CARD } });
const inHex = (algorithm: string, text = BODY) => createHash(algorithm).update(text).digest('hex');

let folder: string;
test.beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-digests-'));
});
test.afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('a digest of what one worker sent shows in nothing that another one writes', async () => {
  const [parent, sender, other] = [new Redactor(), new Redactor(), new Redactor()];
  const exchange = await openDigestExchange(folder, parent);
  const leave = [await joinDigestExchange(exchange.address, sender), await joinDigestExchange(exchange.address, other)];
  sender.learnRequest(BODY, Buffer.from(BODY), ['c2lnbmVkIG92ZXIgYSBjYXJkIG51bWJlcg==']);
  const answer = { echo: inHex('sha512'), signed: 'c2lnbmVkIG92ZXIgYSBjYXJkIG51bWJlcg==' };
  await expect.poll(() => other.text(JSON.stringify(answer))).toBe(JSON.stringify({ echo: MASK, signed: MASK }));

  const late = new Redactor();
  leave.push(await joinDigestExchange(exchange.address, late));
  await expect.poll(() => late.text(inHex('md5'))).toBe(MASK);

  for (const one of leave) await one();
  await exchange.close();
  // The last look at the files of the run knows them as well.
  expect(findLeaks('evidence.ndjson', `{"hash":"${inHex('sha256')}"}\n`, parent)).toMatchObject([{ line: 1 }]);
  expect(findLeaks('evidence.ndjson', `{"hash":"${inHex('sha256').slice(0, 24)}…"}\n`, parent)).toHaveLength(1);
  expect(findLeaks('evidence.ndjson', `{"hash":"${inHex('sha256', 'another body')}"}\n`, parent)).toEqual([]);
});

test('all that a worker said before it left is known', async () => {
  const [parent, worker] = [new Redactor(), new Redactor()];
  const exchange = await openDigestExchange(folder, parent);
  const leave = await joinDigestExchange(exchange.address, worker);
  for (let i = 0; i < 500; i += 1) worker.learnRequest(`${CARD} ${i}`, Buffer.from(`${CARD} ${i}`), []);
  await Promise.all([leave(), exchange.close()]);
  expect(findLeaks('x', inHex('sha1', `${CARD} 499`), parent)).toHaveLength(1);
});

test('the digest of nothing gives nothing back', () => {
  const redactor = new Redactor();
  redactor.learnRequest(`/cards/${CARD}`, new Uint8Array(), []);
  expect(redactor.text(inHex('sha256', ''))).toBe(inHex('sha256', ''));
});

test('a worker by itself needs no exchange', async () => {
  const leave = await joinDigestExchange(undefined, new Redactor());
  await leave();
});
