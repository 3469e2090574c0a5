import { createHash } from 'node:crypto';
import { expect, test } from '@playwright/test';
import { DigestTable } from './digest-table.ts';

const digestOf = (number: number) =>
  createHash(number % 2 === 0 ? 'md5' : 'sha512')
    .update(String(number))
    .digest();

test('knows many thousand digests by how they begin, in either encoding, and none that it was not given', () => {
  const table = new DigestTable();
  const count = 5000;
  for (let number = 0; number < count; number += 1) table.add(digestOf(number));
  for (let number = 0; number < count; number += 1) table.add(digestOf(number));
  expect(table.size).toBe(count);
  const told: unknown[] = [];
  const wanted: unknown[] = [];
  for (const encoding of ['hex', 'base64url'] as const)
    for (let number = 0; number < 2 * count; number += 7) {
      const digest = digestOf(number).toString(encoding);
      const start = encoding === 'hex' ? 12 : 8;
      // Behind a letter, then followed by one that does not go on as it would, then too short.
      const other = digest[start] === '0' ? '1' : '0';
      const texts = [`0${digest}`, `${digest.slice(0, start)}${other}`, digest.slice(0, start - 1)];
      told.push(texts.map((text) => table.find(text, encoding)));
      wanted.push(number < count ? [[[1, 1 + digest.length]], [[0, start]], []] : [[], [], []]);
    }
  expect(told).toEqual(wanted);
});

test('tells nothing by digests of fewer than six bytes', () => {
  const table = new DigestTable();
  table.add(Buffer.from('0102030405', 'hex'));
  expect([table.size, table.find('0102030405', 'hex')]).toEqual([0, []]);
});
