import { valueAt } from '#json-pointer';

import { sendProbe } from '../doctor/probe.ts';
import type { AddFinding, ExaminedTarget } from '../doctor/types.ts';

/** Whether each v1 token opens what it is for, and what a run would meet there. */
export async function examineV1(patient: ExaminedTarget, tell: AddFinding): Promise<void> {
  const { address, token, unprivileged, newcomers, account, secondAccount, customer, webhookToken } =
    patient.target.v1!;
  const get = (path: string, by: string) =>
    sendProbe(patient, 'GET', `${address}${path}`, { authorization: `Bearer ${by}` });
  const day = (offset: number) => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10);
  const list = (uuid: string) =>
    `/api/v1/transactions?account_uuid=${encodeURIComponent(uuid)}&date_from=${day(-7)}&date_to=${day(1)}&per_page=1`;

  const who = await get('/api/v1/auth', token);
  if (who.status !== 200)
    return tell(
      who.status === 0 ? 'dead' : 'fail',
      'v1.token',
      `/api/v1/auth is answered ${who.text}`,
      who.status === 404 ? 'v1.address goes without /api/v1' : 'check the token',
    );
  const [left, limit] = ['remaining', 'limit'].map((name) => who.headers.get(`x-ratelimit-${name}`));
  tell(
    'ok',
    'v1.token',
    `opens /api/v1/auth${left === undefined ? '' : `; ${left} of ${limit ?? '?'} calls left this minute`}`,
  );
  for (const [line, uuid] of [
    ['v1.account', account],
    ['v1.secondAccount', secondAccount],
  ] as const) {
    if (uuid === undefined) continue;
    const heard = await get(list(uuid), token);
    if (heard.status === 200) tell('ok', line, 'its transactions can be listed');
    else
      tell(
        'fail',
        line,
        `listing its transactions is answered ${heard.text}`,
        'check the uuid, and the rights of v1.token',
      );
  }
  if (unprivileged !== undefined) {
    const heard = await get(list(account), unprivileged);
    if (heard.status === 403) tell('ok', 'v1.unprivileged', 'a valid token, without rights on the account');
    else if (heard.status === 200)
      tell('fail', 'v1.unprivileged', 'this token may list the account', 'give one that may not');
    else
      tell(
        'fail',
        'v1.unprivileged',
        `answered ${heard.text}, not 403`,
        'give a token that is valid but has no rights',
      );
  }
  if (customer !== undefined) {
    const heard = await get(`/api/v1/customers/${customer}/accounts/${account}/documents?per_page=1`, token);
    if (heard.status === 200) tell('ok', 'v1.customer', 'its documents can be listed');
    else
      tell('fail', 'v1.customer', `listing its documents is answered ${heard.text}`, 'check that it owns v1.account');
  }
  const hook = await get('/api/v1/webhooks', token);
  const url = valueAt(hook.json, '/url');
  if (typeof url === 'string' && webhookToken === undefined && !/\/assay/.test(url))
    tell(
      'note',
      'v1.webhookToken',
      'there is a webhook configuration; without its token it is left alone and its checks are skipped',
    );
  let further = 0;
  for (const [index, newcomer] of newcomers.entries()) {
    const line = index === 0 ? 'v1.newcomer' : `v1.newcomers.${index - 1}`;
    const heard = await get('/api/v1/webhooks', newcomer);
    if (heard.status === 401) tell('fail', line, 'not a valid token', 'check the token');
    else if (heard.status === 200 && patient.target.control.forget === undefined)
      tell('note', line, 'has a webhook configuration by now', 'give another user, or control.forget');
    else if (index === 0) tell('ok', line, 'a valid token');
    else further += 1;
  }
  if (further > 0) tell('ok', 'v1.newcomers', further === 1 ? 'a valid token' : `${further} valid tokens`);
}
