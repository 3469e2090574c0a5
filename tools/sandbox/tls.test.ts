import { createPrivateKey, X509Certificate } from 'node:crypto';
import { request } from 'node:https';
import { expect, test } from '@playwright/test';
import { signRequest } from '#oauth';
import { startSandbox } from './start-sandbox.ts';
import { issueTlsIdentity } from './tls-authority.ts';

/** Posts JSON to an HTTPS address, trusting one authority only. */
function post(url: string, ca: string, headers: Record<string, string>, body: string): Promise<[number, string]> {
  return new Promise((done, fail) => {
    request(url, { method: 'POST', ca, headers: { 'content-type': 'application/json', ...headers } }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('end', () => done([answer.statusCode ?? 0, Buffer.concat(chunks).toString()]));
    })
      .once('error', fail)
      .end(body);
  });
}

test('the services speak TLS to whoever trusts the authority, and to nobody else; the control plane does not', async () => {
  const sandbox = await startSandbox({ tls: true, control: true });
  const { addresses, authority, credentials } = sandbox;
  try {
    expect(addresses.control).toMatch(/^http:/);
    const { id, token } = credentials.gateway.main;
    const url = `${addresses.gateway}/payments/sale/${id}`;
    const sale = JSON.stringify({
      order: { orderAmount: '10', orderCurrencyCode: 'EUR' },
      browser: {},
      card: { cardNumber: '4000000000000101', cvv2: '123', expireMonth: '10', expireYear: '2099' },
      feature: { redirectUrlCreation: 'CREATE_IN_RESPONSE' },
    });
    for (const there of [url, url.replace('127.0.0.1', 'localhost')]) {
      const [status, text] = await post(there, authority!, { authorization: `Bearer ${token}` }, sale);
      expect(status).toBe(200);
      const { outputRedirectToUrl, threeDSAuth } = JSON.parse(text);
      const { origin } = new URL(there);
      expect(outputRedirectToUrl).toContain(`${origin}/acs/`);
      expect(threeDSAuth.acsUrl).toBe(`${origin}/acs/challenge`);
    }
    await expect(post(url, issueTlsIdentity('127.0.0.1').authority, {}, sale)).rejects.toThrow(
      /certificate|issuer|signature/,
    );
    await expect(post(`${addresses.v1}/api/v1/webhooks`, authority!, {}, '{}')).resolves.toEqual([
      401,
      expect.any(String),
    ]);
  } finally {
    await sandbox.close();
  }
});

test('a transfer is signed over the https address that was called', async () => {
  const sandbox = await startSandbox({ tls: true });
  try {
    const { requestor, consumerKey, privateKey } = sandbox.credentials.gateway.oauth;
    const url = `${sandbox.addresses.gateway}/payments/transfer/${requestor}`;
    const body = JSON.stringify({
      order: { orderAmount: '10', orderCurrencyCode: 'EUR', orderMerchantId: 'a' },
      card: { cardNumber: '5555444433331111' },
    });
    const sign = (called: string) =>
      signRequest(
        { method: 'POST', url: called, body: Buffer.from(body) },
        { consumerKey, key: createPrivateKey(privateKey) },
      ).header;
    expect((await post(url, sandbox.authority!, { authorization: sign(url) }, body))[0]).toBe(200);
    const [status, refusal] = await post(
      url,
      sandbox.authority!,
      { authorization: sign(url.replace('https', 'http')) },
      body,
    );
    expect([status, JSON.parse(refusal).context.baseUrl]).toEqual([401, url]);
  } finally {
    await sandbox.close();
  }
});

test('the authority signs for every name of this machine and for nothing that could sign further', () => {
  const { authority, certificate, key } = issueTlsIdentity('192.0.2.7');
  const [root, own] = [new X509Certificate(authority), new X509Certificate(certificate)];
  expect(root.ca).toBe(true);
  expect(own.ca).toBe(false);
  expect(own.checkIssued(root) && own.verify(root.publicKey) && root.verify(root.publicKey)).toBe(true);
  for (const address of ['127.0.0.1', '::1', '192.0.2.7']) expect(own.checkIP(address), address).toBeDefined();
  for (const name of ['localhost', 'host.docker.internal']) expect(own.checkHost(name), name).toBeDefined();
  expect(own.checkHost('shop.example')).toBeUndefined();
  expect(issueTlsIdentity('0.0.0.0').authority).not.toBe(authority);
  expect(key).toContain('PRIVATE KEY');
  expect(authority + certificate).not.toContain('PRIVATE');
});
