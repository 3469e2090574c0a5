import { expect, test } from '@playwright/test';
import type { ApiReply } from '#client';
import { BothIds } from './order-ids.ts';

const answer = (status: number, orderState = 'APPROVED') => ({ status, at: () => orderState }) as unknown as ApiReply;

/** What is sent for captures that a service answers like this, one after the other. */
async function idsSent(captures: number, answerTo: (ids: 'both' | 'one', at: number) => ApiReply) {
  const bothIds = new BothIds();
  const sent: string[] = [];
  const states: unknown[] = [];
  for (let i = 0; i < captures; i++) {
    const reply = await bothIds.send('capture', async (ids) => {
      sent.push(ids);
      return answerTo(ids, i);
    });
    states.push(reply.status === 200 ? reply.at('/orderState') : reply.status);
  }
  return { sent, states };
}

const REFUSALS = [answer(400), answer(422), answer(200, 'DECLINED'), answer(200, 'ERROR'), answer(200, 'FILTERED')];

for (const [i, refusal] of REFUSALS.entries()) {
  test(`a service that refuses both ids is asked with one from then on (refusal ${i})`, async () => {
    const { sent, states } = await idsSent(3, (ids) => (ids === 'both' ? refusal : answer(200)));
    expect(sent).toEqual(['both', 'one', 'one', 'one']);
    expect(states).toEqual(['APPROVED', 'APPROVED', 'APPROVED']);
  });

  test(`a refusal of something else says nothing of both ids (refusal ${i})`, async () => {
    const { sent } = await idsSent(2, (_ids, at) => (at === 0 ? refusal : answer(200)));
    expect(sent).toEqual(['both', 'one', 'both']);
  });
}

for (const taken of [
  answer(200),
  answer(200, 'PROCESSING'),
  answer(200, 'UNKNOWN'),
  answer(500),
  answer(503),
  answer(401),
  answer(429),
])
  test(`nothing is sent again that may have been carried out or was not looked at: ${taken.status} ${taken.at('/orderState')}`, async () => {
    expect((await idsSent(1, () => taken)).sent).toEqual(['both']);
  });

test('once both were taken, a refusal is about something else', async () => {
  const { sent } = await idsSent(3, (_ids, at) => (at === 1 ? answer(400) : answer(200)));
  expect(sent).toEqual(['both', 'both', 'both']);
});
