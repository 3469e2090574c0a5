import { expect, test } from '@playwright/test';
import { startSandbox } from './index.ts';
import { type WireMutation, WireMutator } from './wire-mutation.ts';

const ANSWER = { method: 'POST', path: '^/status/\\d+$', status: 200 };
const SENT = { status: 200, headers: { 'content-type': 'application/json', 'x-left': '3' }, body: '' };
const BODY = { state: 'APPROVED', sum: 10, open: true, list: [{ id: 'a1' }, { id: 'b2' }] };

function send(mutation: Omit<WireMutation, 'answer'>, body: unknown = BODY) {
  const sent = { ...SENT, body: JSON.stringify(body) };
  return new WireMutator({ answer: ANSWER, ...mutation }).answer(
    { method: 'POST', path: '/status/7', content: '' },
    sent,
  );
}
const bodyOf = (mutation: Omit<WireMutation, 'answer'>) => JSON.parse(send(mutation).body);

for (const [mutation, expected] of [
  [
    { operator: 'drop', member: ['state'] },
    { ...BODY, state: undefined },
  ],
  [
    { operator: 'value', member: ['open'], value: null },
    { ...BODY, open: null },
  ],
  [
    { operator: 'flip', member: ['open'] },
    { ...BODY, open: false },
  ],
  [
    { operator: 'shift', member: ['sum'] },
    { ...BODY, sum: 11 },
  ],
  [
    { operator: 'change-case', member: ['state'] },
    { ...BODY, state: 'approved' },
  ],
  [
    { operator: 'empty', member: ['list'] },
    { ...BODY, list: [] },
  ],
  [
    { operator: 'first-only', member: ['list'] },
    { ...BODY, list: [{ id: 'a1' }] },
  ],
  [
    { operator: 'reverse', member: ['list'] },
    { ...BODY, list: [{ id: 'b2' }, { id: 'a1' }] },
  ],
  [
    { operator: 'repeat-last', member: ['list'] },
    { ...BODY, list: [{ id: 'a1' }, { id: 'b2' }, { id: 'b2' }] },
  ],
  [
    { operator: 'shift', member: ['list', '*', 'id'] },
    { ...BODY, list: [{ id: 'a2' }, { id: 'b3' }] },
  ],
  [{ operator: 'drop', member: ['elsewhere'] }, BODY],
  [{ operator: 'value', member: ['elsewhere'], value: 1 }, BODY],
  [
    { operator: 'add', member: ['elsewhere'], value: 1 },
    { ...BODY, elsewhere: 1 },
  ],
] as const satisfies readonly (readonly [Omit<WireMutation, 'answer'>, unknown])[])
  test(`mutates an answer: ${mutation.operator} ${mutation.member.join('.')}`, () => {
    expect(bodyOf(mutation)).toEqual(JSON.parse(JSON.stringify(expected)));
  });

test('mutates the answer as a whole: status, header, form', () => {
  expect(send({ operator: 'status', value: 201 }).status).toBe(201);
  expect(send({ operator: 'drop', header: 'x-left' }).headers['x-left']).toBeUndefined();
  expect(send({ operator: 'value', header: 'x-new', value: 1 }).headers['x-new']).toBeUndefined();
  expect(send({ operator: 'add', header: 'x-new', value: 1 }).headers['x-new']).toBe('1');
  expect(() => JSON.parse(send({ operator: 'not-json' }).body)).toThrow();
  expect(send({ operator: 'empty' }).body).toBe('');
});

test('sends ever after what came first', () => {
  const mutator = new WireMutator({ answer: ANSWER, operator: 'first', member: ['sum'] });
  const ask = (sum: number) =>
    JSON.parse(
      mutator.answer({ method: 'POST', path: '/status/7', content: '' }, { ...SENT, body: JSON.stringify({ sum }) })
        .body,
    );
  expect([ask(1), ask(2), ask(3)]).toEqual([{ sum: 1 }, { sum: 1 }, { sum: 1 }]);
  const { headers } = send({ operator: 'shift', header: 'x-left' });
  expect(headers['x-left']).toBe('4');
});

test('leaves other paths, methods and statuses alone', () => {
  const mutator = new WireMutator({ answer: ANSWER, operator: 'empty' });
  const sent = { ...SENT, body: '{}' };
  expect(mutator.answer({ method: 'POST', path: '/capture/7', content: '' }, sent)).toBe(sent);
  expect(mutator.answer({ method: 'GET', path: '/status/7', content: '' }, sent)).toBe(sent);
  expect(mutator.answer({ method: 'POST', path: '/status/7', content: '' }, { ...sent, status: 400 }).body).toBe('{}');
});

test('a stale answer is the one before it to the same request', () => {
  const mutator = new WireMutator({ answer: ANSWER, operator: 'stale' });
  const ask = (content: string, body: string) =>
    mutator.answer({ method: 'POST', path: '/status/7', content }, { ...SENT, body }).body;
  expect([ask('one', '1'), ask('two', '2'), ask('one', '3'), ask('one', '4')]).toEqual(['1', '2', '1', '3']);
});

const message = (body: unknown, headers = {}) => ({ headers, body });

test('holds messages back, or sends them twice', () => {
  const messages = (operator: WireMutation['operator']) =>
    new WireMutator({ message: 'orderCallback', operator }).message('orderCallback', message({ a: 1 }));
  const bodies = (mutator: WireMutator, ...sent: number[]) =>
    sent.map((n) => mutator.message('orderCallback', message(n)).map(({ body }) => body));
  expect(messages('suppress')).toEqual([]);
  expect(messages('send-twice')).toEqual([message({ a: 1 }), message({ a: 1 })]);
  const late = new WireMutator({ message: 'orderCallback', operator: 'send-late' });
  expect(bodies(late, 1, 2, 3)).toEqual([[], [2, 1], []]);
  const some = new WireMutator({ message: 'orderCallback', operator: 'suppress-some' });
  expect(bodies(some, 1, 2, 3)).toEqual([[1], [], [3]]);
  const first = new WireMutator({ message: 'orderCallback', operator: 'suppress-first' });
  expect(bodies(first, 1, 2, 3)).toEqual([[], [2], [3]]);
  const later = new WireMutator({ message: 'orderCallback', operator: 'suppress-later' });
  expect(bodies(later, 1, 2, 3)).toEqual([[1], [], []]);
  const again = new WireMutator({ message: 'orderCallback', operator: 'send-before-again' });
  expect(bodies(again, 1, 2, 3)).toEqual([[1], [2, 1], [3, 2]]);
  expect(bodies(new WireMutator({ message: 'other', operator: 'suppress' }), 1)).toEqual([[1]]);
});

test('changes the headers that a message has of its own, and nothing where it has none', () => {
  const sent = (operator: WireMutation['operator'], ...tokens: string[]) => {
    const mutator = new WireMutator({ message: 'event', header: '*', operator });
    const all = tokens.map((token) => mutator.message('event', message({}, { 'x-token': token }))[0]!.headers);
    expect(mutator.hasChanged).toBe(true);
    return all.map((headers) => headers['x-token']);
  };
  expect(sent('drop', 'a1')).toEqual([undefined]);
  expect(sent('shift', 'a1')).toEqual(['a2']);
  expect(sent('change-case', 'a1')).toEqual(['A1']);
  expect(sent('first', 'a1', 'b2')).toEqual(['a1', 'a1']);
  const bare = new WireMutator({ message: 'event', header: '*', operator: 'drop' });
  expect(bare.message('event', message({}))).toEqual([message({})]);
  expect(bare.hasChanged).toBe(false);
});

test('a running sandbox sends what a mutation makes of its answers, until it is taken away', async () => {
  const sandbox = await startSandbox({ seed: 'mutation' });
  try {
    const ask = async () =>
      (
        await fetch(`${sandbox.addresses.gateway}/payments/status/1`, { method: 'POST', body: '{}' })
      ).json() as Promise<object>;
    const answer = { method: 'POST', path: '/payments/status/[^/]+$', status: 400 };
    sandbox.mutate({ answer, operator: 'drop', member: ['errorCode'] });
    expect(await ask()).not.toHaveProperty('errorCode');
    sandbox.mutate(undefined);
    expect(await ask()).toHaveProperty('errorCode');
  } finally {
    await sandbox.close();
  }
});

test('what is changed throughout stays under a mutation and without one, and an answer can be made to wait', async () => {
  const answer = { method: 'POST', path: '/payments/status/[^/]+$', status: 400 };
  const wire = [
    { answer, operator: 'add', member: ['vendor'], value: 'ours' },
    { answer, operator: 'delay', value: 120 },
  ] as const;
  const sandbox = await startSandbox({ seed: 'mutation', wire });
  try {
    const ask = async () =>
      (
        await fetch(`${sandbox.addresses.gateway}/payments/status/1`, { method: 'POST', body: '{}' })
      ).json() as Promise<object>;
    const began = performance.now();
    expect(await ask()).toMatchObject({ vendor: 'ours' });
    expect(performance.now() - began).toBeGreaterThan(110);
    sandbox.mutate({ answer, operator: 'value', member: ['vendor'], value: 'theirs' });
    expect(await ask()).toMatchObject({ vendor: 'theirs' });
    expect(sandbox.hasMutated).toBe(true);
    sandbox.mutate(undefined);
    sandbox.reset();
    expect(await ask()).toMatchObject({ vendor: 'ours' });
  } finally {
    await sandbox.close();
  }
});
