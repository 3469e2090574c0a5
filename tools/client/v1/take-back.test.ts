import { expect, test } from '@playwright/test';
import type { Target } from '#target';
import type { CreatedObjects } from '../created-objects.ts';
import type { Transport } from '../transport.ts';
import { takeBackV1 } from './take-back.ts';

const target = { v1: { address: 'http://v1.example', token: 'token-of-the-test' } } as Target;
const created = {
  list: () => [{ what: 'document', path: '/api/v1/customers/c/accounts/a/documents', name: 'assay-1.png' }],
} as unknown as CreatedObjects;

/** A service that lists one document of ours, after so many answers of 429. */
function limitedService(refusals: number): { transport: Pick<Transport, 'send'>; sent: string[] } {
  const sent: string[] = [];
  const send = async ({ method }: { readonly method: string }) => {
    sent.push(method);
    const status = sent.length <= refusals ? 429 : method === 'GET' ? 200 : 204;
    const rows = [{ uuid: 'u-1', file_name: 'assay-1.png' }];
    return { status, body: Buffer.from(status === 200 ? JSON.stringify(rows) : '') };
  };
  return { transport: { send } as unknown as Pick<Transport, 'send'>, sent };
}

test('waits for the end of a window that the run has used up', async () => {
  const waited: number[] = [];
  const { transport, sent } = limitedService(1);
  const returned = await takeBackV1(target, created, transport, async (seconds) => waited.push(seconds));
  expect(returned).toEqual([{ what: 'document', id: 'u-1', restored: true }]);
  expect(sent).toEqual(['GET', 'GET', 'DELETE']);
  expect(waited).toEqual([61]);
});

test('waits once, and says what was left', async () => {
  const waited: number[] = [];
  const { transport } = limitedService(Number.POSITIVE_INFINITY);
  const [left] = await takeBackV1(target, created, transport, async (seconds) => waited.push(seconds));
  expect(left).toMatchObject({ what: 'document', restored: false, reason: expect.stringContaining('429') });
  expect(waited).toEqual([61]);
});
