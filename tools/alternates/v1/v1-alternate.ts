import { randomBytes, randomUUID } from 'node:crypto';
import { AlternateClock } from '../clock.ts';
import type { AlternateDefects } from '../defects.ts';
import { type AlternateAnswer, type AlternateRequest, serveAlternate, writeInStyle } from '../server.ts';
import { AccountDocuments } from './account-documents.ts';
import type { V1AlternateChoices } from './choices.ts';
import { refuseFields, refuseWithStatus, V1AlternateRefusal } from './refusals.ts';
import { AlternateTransfers } from './transfers.ts';
import { AlternateWebhooks } from './webhooks.ts';

/** A v1 service of somebody else's, and what its owner would tell a tester. */
export interface V1Alternate {
  readonly address: string;
  readonly choices: V1AlternateChoices;
  readonly tokens: { readonly main: string; readonly unprivileged: string; readonly newcomer: string };
  readonly accounts: readonly [string, string];
  readonly customer: string;
  close(): Promise<void>;
}

const FORM = /^[A-Za-z0-9]{8}(-[A-Za-z0-9]{4}){3}-[A-Za-z0-9]{12}$/;

/**
 * Opens one.
 * @param defects what it does wrong, if anything
 * @param watch told of every request before it is answered, which waits for it
 * @param clock that it goes by together with another service; absent: its own
 */
export async function openV1Alternate(
  choices: V1AlternateChoices,
  defects: AlternateDefects = new Set(),
  watch?: (asked: AlternateRequest) => Promise<void>,
  clock = new AlternateClock(choices.start === undefined ? undefined : Date.parse(choices.start)),
): Promise<V1Alternate> {
  const limitClock = choices.lever === 'limits' ? new AlternateClock(clock.now()) : clock;
  const newUuid = () => uuidOf(choices);
  const accounts = [newUuid(), newUuid()] as const;
  const customer = newUuid();
  const tokens = { main: secret(), unprivileged: secret(), newcomer: secret() };
  const webhooks = new AlternateWebhooks(choices, clock, newUuid, defects);
  const transfers = new AlternateTransfers(choices, clock, newUuid, webhooks, defects);
  const drawers = accounts.map(() => new AccountDocuments(choices, clock, newUuid, defects));
  const used: number[] = [];

  /** Counts a request. @returns how many are left; below zero: too many */
  const count = (): number => {
    const now = limitClock.now();
    const since = choices.window === 'aligned' ? Math.floor(now / 60_000) * 60_000 : now - 60_000;
    if (choices.window === 'fixed' && now - (used[0] ?? now) >= 60_000) used.length = 0;
    while (choices.window !== 'fixed' && used.length > 0 && used[0]! <= since) used.shift();
    if (used.length >= 500) return -1;
    used.push(now);
    return 500 - used.length;
  };

  const account = (uuid: string | null, user: string): number => {
    if (uuid === null) throw refuseFields(choices, ['account_uuid']);
    if (!FORM.test(uuid)) throw refuseWithStatus(choices, choices.malformed);
    const at = accounts.indexOf(uuid);
    if (at < 0) throw refuseWithStatus(choices, choices.unknownAccount);
    if (user === 'unprivileged') throw refuseWithStatus(choices, 403);
    return at;
  };

  const control = async (asked: AlternateRequest): Promise<AlternateAnswer> => {
    const [, , what, uuid = ''] = asked.path.split('/');
    const { seconds = 0, key = '' } = (asked.json ?? {}) as { seconds?: number; key?: string };
    if (what === 'advance') await limitClock.advance(Number(seconds));
    if (what === 'account') webhooks.sendMessage('main', 'account', uuid, 'frozen');
    if (what === 'iban') webhooks.sendMessage('main', 'virtual-iban', uuid, 'active');
    if (what === 'complete') transfers.endTransaction(uuid, 'completed');
    if (what === 'fail') transfers.endTransaction(uuid, 'rejected');
    if (what === 'forget') webhooks.forgetUser(key === tokens.newcomer ? 'newcomer' : '');
    const now = clock.now();
    return { status: 200, body: { unix: Math.floor(now / 1000), iso: new Date(now).toISOString(), time: { now } } };
  };

  const route = (asked: AlternateRequest, user: string): AlternateAnswer => {
    const [, api, version, thing, ...rest] = asked.path.split('/');
    if (api !== 'api' || version !== 'v1') throw refuseWithStatus(choices, 404);
    const { method, query } = asked;
    if (thing === 'auth' && rest.length === 0 && method === 'GET') return { status: 200, body: choices.user };
    if (thing === 'webhooks' && rest.length === 0) return webhooks.answer(user, asked);
    if (thing === 'transactions' && rest.length < 2) {
      if (rest[0] === 'iban-details') return transfers.lookUpBank(query.get('iban'));
      const at = account(query.get('account_uuid'), user);
      if (rest.length === 1 && method === 'GET') {
        if (!FORM.test(rest[0]!)) throw refuseWithStatus(choices, choices.malformed);
        return transfers.read(accounts[at]!, rest[0]!);
      }
      if (rest.length === 0 && method === 'GET') return transfers.list(accounts[at]!, query);
      if (rest.length === 0 && method === 'POST') return transfers.create(accounts[at]!, asked);
    }
    if (thing === 'customers' && rest[1] === 'accounts' && rest[3] === 'documents' && rest.length < 6) {
      for (const one of [rest[0]!, rest[2]!, rest[4] ?? customer])
        if (!FORM.test(one)) throw refuseWithStatus(choices, choices.malformed);
      if (rest[0] !== customer) throw refuseWithStatus(choices, choices.unknownAccount);
      return drawers[account(rest[2]!, user)]!.answer(asked, rest[4]);
    }
    throw refuseWithStatus(choices, 404);
  };

  const answer = async (asked: AlternateRequest): Promise<AlternateAnswer> => {
    if (asked.path.startsWith('/control/')) return control(asked);
    await watch?.(asked);
    const left = count();
    const rates = { 'X-RateLimit-Limit': '500', 'X-RateLimit-Remaining': String(Math.max(0, left)) };
    const said = await handled(asked, left);
    const media = said.body === undefined ? choices.emptyMedia : choices.media;
    const body = said.body === undefined ? undefined : writeInStyle(said.body, choices);
    return { ...said, body, headers: { ...rates, ...(media === undefined ? {} : { 'Content-Type': media }) } };
  };

  const handled = async (asked: AlternateRequest, left: number): Promise<AlternateAnswer> => {
    try {
      if (left < 0) throw refuseWithStatus(choices, 429);
      const token = /^Bearer (.+)$/.exec(asked.headers.authorization ?? '')?.[1];
      const user = Object.entries(tokens).find(([, one]) => one === token)?.[0];
      if (user === undefined && defects.has('401 without a body')) return { status: 401 };
      if (user === undefined) throw refuseWithStatus(choices, 401);
      return route(asked, user);
    } catch (error) {
      if (error instanceof V1AlternateRefusal) return error.answer;
      throw error;
    }
  };

  const { address, close } = await serveAlternate(answer);
  return {
    ...{ address, choices, tokens, accounts, customer },
    close: async () => {
      clock.stop();
      limitClock.stop();
      await close();
    },
  };
}

const secret = () => randomBytes(18).toString('base64url');

function uuidOf({ uuids }: V1AlternateChoices): string {
  if (uuids !== 'alphanumeric') return uuids === 'upper' ? randomUUID().toUpperCase() : randomUUID();
  const letters = 'ghijklmnopqrstuvwxyzGHIJKLMNOPQRSTUVWXYZ';
  return randomUUID().replace(/[a-f]/g, () => letters[randomBytes(1)[0]! % letters.length]!);
}
