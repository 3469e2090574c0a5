import { generateKeyPairSync } from 'node:crypto';
import { expect, test } from '@playwright/test';
import type { ApiReply } from '#client';
import type { Target } from '#target';
import type { GatewayClient } from './gateway-client.ts';
import { SignedTransfers } from './signed-transfers.ts';

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const ADDRESS = 'http://127.0.0.1:4300/api';

/** Transfers to a gateway that gives these answers. */
function transfersTo(answer: (request: { authorization: string; host?: string }) => object, now: () => number) {
  const target = {
    kind: 'sandbox',
    gateway: {
      address: ADDRESS,
      requestors: { main: { id: 1234, token: 'none', currency: 'EUR' } },
      oauth: {
        requestor: 1234,
        consumerKey: 'key',
        privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }),
      },
      wire: { transfer: {}, amount: 'minor-number' },
      cards: { approved: { number: '5555444433331111', code: '123', month: '10', year: '2049' } },
    },
  } as unknown as Target;
  const gateway = {
    paymentBody: () => ({ merchantId: 'own-1' }),
    sendRaw: async (_method: string, _url: string, sent: { authorization: string; headers: { host?: string } }) => {
      const { host } = sent.headers;
      const object = answer({ authorization: sent.authorization, ...(host !== undefined && { host }) });
      return { status: Object.keys(object).length === 0 ? 200 : 401, object } as ApiReply;
    },
  } as unknown as GatewayClient;
  return new SignedTransfers({ gateway, target, now: async () => now(), nonce: () => 'once' });
}

test('a signature names real time where a gateway goes by it although its clock was moved', async () => {
  const isNow = ({ authorization }: { authorization: string }) =>
    Math.abs(Number(/oauth_timestamp="(\d+)"/.exec(authorization)![1]) - Date.now() / 1000) < 600;
  const ahead = () => Date.now() + 1_080_000;
  const byReal = transfersTo((request) => (isNow(request) ? {} : { errorCode: -13 }), ahead);
  expect((await byReal.sendAccepted()).reply.status).toBe(200);
  const byItsOwn = transfersTo((request) => (isNow(request) ? { errorCode: -13 } : {}), ahead);
  expect((await byItsOwn.sendAccepted()).reply.status).toBe(200);
});

test('a transfer whose time was found out before is the next one', async () => {
  let isArmed = false;
  const transfers = transfersTo(
    () => {
      const failed = isArmed;
      isArmed = false;
      return failed ? { errorCode: -500 } : {};
    },
    () => Date.now() + 1_080_000,
  );
  await transfers.findSigningTime();
  isArmed = true;
  expect((await transfers.send()).reply.object).toEqual({ errorCode: -500 });
});

test('of a host that the credentials are not bound to nothing follows, unless it is the signature that does not match', async () => {
  const refusing = (errorCode: number) => {
    let calls = 0;
    return transfersTo(({ host }) => {
      calls += 1;
      return calls === 1 ? { errorCode: -13, context: { baseUrl: `http://${host}/api` } } : { errorCode };
    }, Date.now);
  };
  expect(await refusing(-3).sendAcceptedToHost('localhost')).toBe(false);
  await expect(refusing(-13).sendAcceptedToHost('localhost')).rejects.toThrow(/errorCode -13/);
});
