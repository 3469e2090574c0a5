import { expect, test } from '@playwright/test';
import { ApiReply } from './api-reply.ts';

const replyOf = (text: string) =>
  new ApiReply({
    exchange: 'a.b.1',
    operation: 'status',
    status: 200,
    headers: new Map(),
    body: new TextEncoder().encode(text),
  });

test('an integer beyond what a number holds comes as a bigint', () => {
  // All of these are the same number to JSON.parse.
  const digits = ['9007199254740992', '9007199254740993', '-9007199254740993'];
  const reply = replyOf(`{"note":"9007199254740992","ids":[${digits}],"id":1,"id":9007199254740993}`);
  expect(digits.map((_, index) => reply.at(`/ids/${index}`))).toEqual(digits.map(BigInt));
  expect(reply.at('/id'), 'the last of two members of one name, as JSON.parse has it').toBe(9007199254740993n);
});

test('what a number holds stays a number', () => {
  const reply = replyOf('{"safe":9007199254740991,"amount":12.34,"large":1e30,"none":null}');
  expect(['/safe', '/amount', '/large', '/none', '/absent'].map((pointer) => reply.at(pointer))).toEqual([
    9007199254740991,
    12.34,
    1e30,
    null,
    undefined,
  ]);
});
