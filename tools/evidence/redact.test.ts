import { createHash } from 'node:crypto';
import { expect, test } from '@playwright/test';
import { Redactor } from './redact.ts';

const CARD = '1111222233334440';
const DIGEST = createHash('sha256').update(CARD).digest('hex');
const TOKEN = 'tok-7f3a9b2c4d5e6f708192';

for (const [what, text, learn] of [
  ['a value', `first ${TOKEN}`, (redactor) => redactor.add(TOKEN)],
  ['a card number', CARD, (redactor) => redactor.addCard(CARD)],
  ['a name', '{"waypoint":"north"}', (redactor) => redactor.addKey('waypoint')],
  ['a member', '{"waypoint":"123"}', (redactor) => redactor.addMember(['waypoint'], 'reference')],
  ['a digest', DIGEST, (redactor) => redactor.learnDigests([Buffer.from(DIGEST, 'hex')])],
  ['a token under its name', `seen: ${TOKEN}`, (redactor) => redactor.header('authorization', `Bearer ${TOKEN}`)],
] as const satisfies readonly (readonly [string, string, (redactor: Redactor) => unknown])[])
  test(`takes out of a text that it left alone before what it learned since: ${what}`, () => {
    const redactor = new Redactor();
    for (let turn = 0; turn < 2; turn += 1) expect(redactor.text(text)).toBe(text);
    learn(redactor);
    for (let turn = 0; turn < 2; turn += 1) expect(redactor.text(text)).not.toBe(text);
  });

test('takes the hash of a body that holds a card out of a text that may stay beside another', () => {
  const redactor = new Redactor();
  const text = `{"body_hash":"${'a1'.repeat(20)}"}`;
  for (let turn = 0; turn < 2; turn += 1) {
    expect(redactor.body(text, false)).toBe(text);
    expect(redactor.body(text, true)).not.toBe(text);
  }
});

test('an address without a card number is looked at again once a number is known that it holds', () => {
  const redactor = new Redactor();
  const url = 'https://gateway.example/orders/1111222233334440';
  for (let turn = 0; turn < 2; turn += 1) expect(redactor.holdsCard(url)).toBe(false);
  redactor.addCard('1111222233334440');
  for (let turn = 0; turn < 2; turn += 1) expect(redactor.holdsCard(url)).toBe(true);
});
