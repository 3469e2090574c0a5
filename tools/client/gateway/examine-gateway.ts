import { createPublicKey, createSign, createVerify, randomBytes } from 'node:crypto';
import { inLetters } from '#evidence';
import { valueAt } from '#json-pointer';
import { loadKey, signRequest } from '#oauth';
import type { GatewayTarget, TargetRequestor } from '#target';
import { type ProbeAnswer, sendProbe } from '../doctor/probe.ts';
import type { AddFinding, ExaminedTarget } from '../doctor/types.ts';

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const refused = ({ status, json }: ProbeAnswer) => status === 401 || valueAt(json, '/errorCode') === -7;

/** Whether the gateway answered itself, with the state of an order or an error of its own, and did not refuse the caller. */
const isOwnAnswer = (answer: ProbeAnswer) =>
  !refused(answer) && (answer.status === 200 || valueAt(answer.json, '/errorCode') !== undefined);

/** Whether each gateway token opens what it is for; a 401 is walked in the documented order: host, then requestor, then token. */
export async function examineGateway(patient: ExaminedTarget, tell: AddFinding): Promise<void> {
  const gateway = patient.target.gateway!;
  const { address, requestors, merchant, secondMerchant, manager, client, cards } = gateway;
  const order = { orderMerchantId: `assay-doctor-${inLetters(randomBytes(6).toString('hex'))}` };
  const nobody = await sendProbe(patient, 'POST', `${address}/payments/status/${requestors.main.id}`, { body: order });
  if (valueAt(nobody.json, '/errorCode') !== -6)
    tell(
      'note',
      'gateway.address',
      `a request without Authorization is answered ${nobody.text}, not 400 with errorCode -6`,
      'check that the address is the API itself: it ends in /api, and no proxy answers in its place',
    );
  const opens = (base: string, { id, token, allowed }: TargetRequestor) =>
    sendProbe(patient, 'POST', `${base}/payments/status/${id}`, { ...bearer(token), body: order, from: allowed });
  for (const [name, one] of Object.entries(requestors) as [string, TargetRequestor][]) {
    const line = `gateway.requestors.${name}`;
    const heard = await opens(one.address ?? address, one);
    if (heard.status === 0) tell('dead', line, heard.text);
    else if (valueAt(heard.json, '/errorCode') === -20)
      tell(
        'fail',
        line,
        `${one.id}: ${one.allowed ?? 'this machine'} is not on its allowlist`,
        one.allowed === undefined
          ? 'add this machine in the console'
          : 'check allowed, and that the service takes the client address from X-Forwarded-For',
      );
    else if (isOwnAnswer(heard)) tell('ok', line, `${one.id}: its token opens it`);
    else if (!refused(heard))
      tell(
        'fail',
        line,
        `${one.id}: answered ${heard.text}, as no gateway answers`,
        'check gateway.address: it ends in /api',
      );
    else await walk(patient, line, one, heard, tell);
  }
  const login = async (
    line: string,
    one: { login: string; token: string } | undefined,
    path: string,
    body?: unknown,
  ) => {
    if (one === undefined) return;
    const heard = await sendProbe(patient, 'POST', `${address}${path}${encodeURIComponent(one.login)}`, {
      ...bearer(one.token),
      body,
    });
    if (refused(heard))
      tell('fail', line, `the token does not open ${path}: ${heard.text}`, 'check host, then login, then token');
    else if (heard.status === 200) tell('ok', line, `the token opens ${path}`);
    else tell('note', line, `${path} is answered ${heard.text}`);
    return heard;
  };
  const all = await login('gateway.merchant', merchant, '/balance/by-merchant-all/');
  await login('gateway.secondMerchant', secondMerchant, '/balance/by-merchant-all/');
  const listed = valueAt(all?.json, '/merchantBalances');
  const names = Array.isArray(listed) ? listed.map((one) => String(valueAt(one, '/balanceName'))) : [];
  const { balance, balances = [] } = gateway;
  const written = [
    ...(balance === undefined ? [] : [['gateway.balance', balance]]),
    ...balances.map((one) => ['gateway.balances', one]),
  ];
  for (const [line, name] of written as [string, string][])
    if (names.length > 0 && !names.includes(name))
      tell('fail', line, `the merchant has no balance ${name}`, `use one of ${names.join(', ')}`);
  await login('gateway.manager', manager, '/balance/by-manager/', {
    balanceName: gateway.balance ?? names[0] ?? 'main',
  });
  if (client !== undefined) {
    const number = cards.approved?.number ?? '4111111111111111';
    const url = `${address}/card-info/get-card-info/${encodeURIComponent(client.id)}`;
    const heard = await sendProbe(patient, 'POST', url, { ...bearer(client.token), body: { cardNumber: number } });
    if (refused(heard))
      tell(
        'fail',
        'gateway.client',
        `the token does not open card info: ${heard.text}`,
        'check host, then client id, then token',
      );
    else tell(heard.status === 200 ? 'ok' : 'note', 'gateway.client', `card info is answered ${heard.text}`);
  }
  const { oauth, wire } = gateway;
  if (oauth === undefined) return;
  await examineSigning(patient, 'gateway.oauth', oauth, tell);
  if (oauth.second !== undefined) await examineSigning(patient, 'gateway.oauth.second', oauth.second, tell);
  if (wire.transfer === undefined) tell('note', 'gateway.wire.transfer', 'absent, so no transfer is checked');
}

/** Which of host, requestor and token is wrong, as far as the file's own addresses, ids and tokens can tell. */
async function walk(
  patient: ExaminedTarget,
  line: string,
  one: TargetRequestor,
  heard: ProbeAnswer,
  tell: AddFinding,
): Promise<void> {
  const { address, requestors } = patient.target.gateway!;
  const all = Object.entries(requestors) as [string, TargetRequestor][];
  const try_ = async (base: string, id: number, token: string) =>
    isOwnAnswer(
      await sendProbe(patient, 'POST', `${base}/payments/status/${id}`, {
        ...bearer(token),
        body: { orderMerchantId: 'assay-doctor' },
      }),
    );
  const said = `${one.id}: ${heard.text}`;
  const here = one.address ?? address;
  for (const base of new Set([address, ...all.flatMap(([, { address: other }]) => other ?? [])])) {
    if (base !== here && (await try_(base, one.id, one.token)))
      return tell(
        'fail',
        line,
        `${said}; at ${new URL(base).host} the same token works`,
        `the host is wrong: set ${line}.address to ${base}`,
      );
  }
  for (const [name, other] of all) {
    if (other.id !== one.id && (await try_(here, other.id, one.token)))
      return tell(
        'fail',
        line,
        `${said}; the token opens requestor ${other.id}`,
        `the requestor is wrong: it is ${name}'s token`,
      );
  }
  for (const [name, other] of all) {
    if (other.token !== one.token && (await try_(here, one.id, other.token)))
      return tell('fail', line, `${said}; the token of ${name} opens it`, 'the token is wrong');
  }
  tell(
    'fail',
    line,
    said,
    `check in this order: 1. is ${new URL(here).host} the host the token was issued for, 2. is ${one.id} its requestor, 3. is the token complete (${one.token.length} characters${/\s/.test(one.token) ? ', with a blank inside' : ''})`,
  );
}

/** The key pair by itself, and by one signed transfer without payment data, which nothing can carry out. */
async function examineSigning(
  patient: ExaminedTarget,
  line: string,
  signer: NonNullable<NonNullable<GatewayTarget['oauth']>['second']>,
  tell: AddFinding,
): Promise<void> {
  const { address } = patient.target.gateway!;
  let key: ReturnType<typeof loadKey>;
  try {
    key = loadKey(signer.privateKey, signer.passphrase);
    const probe = createSign('RSA-SHA256').update('assay').sign(key);
    if (!createVerify('RSA-SHA256').update('assay').verify(createPublicKey(key), probe))
      throw new Error('the pair does not fit');
  } catch (error) {
    const { message, fix } = error as Error & { fix?: string };
    return tell('fail', `${line}.privateKey`, message, fix ?? 'give an RSA private key as PEM');
  }
  tell('ok', `${line}.privateKey`, `RSA, ${key.asymmetricKeyDetails?.modulusLength} bits; signs and verifies`);
  const url = `${address}/payments/transfer/${signer.requestor}`;
  const body = '{}';
  const { header, steps } = signRequest({ method: 'POST', url, body }, { consumerKey: signer.consumerKey, key });
  const heard = await sendProbe(patient, 'POST', url, { authorization: header, body });
  const code = valueAt(heard.json, '/errorCode');
  if (heard.status === 0) tell('dead', line, heard.text);
  else if (code === -13) {
    const base = valueAt(heard.json, '/context/baseUrl');
    const moved = typeof base === 'string' && base !== steps.baseUri;
    tell(
      'fail',
      line,
      moved
        ? `a signed call is refused; the gateway computed with ${base}, we with ${steps.baseUri}`
        : `a signed call is refused: ${heard.text}`,
      moved
        ? 'a proxy changes scheme, host or port; call the address the gateway sees'
        : 'check that the public half of this key is registered for the requestor, with this consumer key',
    );
  } else if (heard.status === 401 || code === -7 || code === -18 || code === -19)
    tell(
      'fail',
      line,
      `a signed call is refused: ${heard.text}`,
      'check host, requestor, consumer key and registered public key',
    );
  else tell('ok', line, 'a signed transfer without a payment in it passes the signature check, and moves nothing');
}
