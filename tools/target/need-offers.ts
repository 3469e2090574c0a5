import type { TargetNeed } from '#contract';
import { CARD_BEHAVIOURS, type Target } from './types.ts';

/** Why a check is skipped that needs what a target does not have. */
export type LackReason = 'capability' | 'credentials' | 'card' | 'browser' | 'cost' | 'service';

/** How a target file offers a need. */
export interface NeedOffer {
  readonly code: LackReason;
  /** What the target has, as the end of "the target offers no …". */
  readonly what: string;
  /** Lines of the target file, as paths; all of them are needed. */
  readonly lines: readonly string[];
  /** Whether a resolved target has them. `browser` is not the target's affair and never offered here. */
  readonly offered: (target: Omit<Target, 'offers'>) => unknown;
}

const CARDS: Readonly<Record<string, string>> = {
  approved: 'is approved without 3-D Secure',
  declined: 'is declined',
  inactive: 'is not valid and active, so that even its verification is declined',
  filtered: 'ends in FILTERED',
  error: 'ends in ERROR',
  pending: 'is PROCESSING for some seconds before its end',
  unknown: 'is UNKNOWN before its end',
  chain: 'is in CHAIN_STEP before its end',
  debit: 'is a debit card and approved',
  credit: 'is a credit card and approved',
  method: 'asks for the 3DS method and then goes on',
  challenge: 'asks for a 3-D Secure 2 challenge and is approved when it is passed',
  pareq: 'asks for 3-D Secure 1.0.2 and is approved when it is passed',
  frictionless: 'is approved by 3-D Secure 2 without a challenge',
  unlisted: 'has an issuer the service does not know',
  history: 'has deposits and withdrawals on record',
  nohistory: 'has none on record',
};

/** Need to the lines of a target file that offer it; the only list of this kind. */
export const NEED_OFFERS: Readonly<Record<TargetNeed, NeedOffer>> = {
  requestor: {
    code: 'credentials',
    what: 'requestor',
    lines: ['gateway.address', 'gateway.requestors.main'],
    offered: ({ gateway }) => gateway,
  },
  'requestor.second': {
    code: 'credentials',
    what: 'second requestor',
    lines: ['gateway.requestors.second'],
    offered: ({ gateway }) => gateway?.requestors.second,
  },
  'requestor.multicurrency': {
    code: 'credentials',
    what: 'requestor with several currencies',
    lines: ['gateway.requestors.multicurrency'],
    offered: ({ gateway }) => gateway?.requestors.multicurrency,
  },
  'requestor.allowlist': {
    code: 'credentials',
    what: 'requestor behind an allowlist',
    lines: ['gateway.requestors.allowlisted with allowed and refused'],
    offered: ({ gateway }) => gateway?.requestors.allowlisted?.allowed && gateway.requestors.allowlisted.refused,
  },
  'host.second': {
    code: 'credentials',
    what: 'requestor on another host',
    lines: ['gateway.requestors.elsewhere with its address'],
    offered: ({ gateway }) => gateway?.requestors.elsewhere?.address,
  },
  merchant: {
    code: 'credentials',
    what: 'merchant login',
    lines: ['gateway.merchant'],
    offered: ({ gateway }) => gateway?.merchant,
  },
  'merchant.second': {
    code: 'credentials',
    what: 'second merchant login',
    lines: ['gateway.secondMerchant'],
    offered: ({ gateway }) => gateway?.secondMerchant,
  },
  manager: {
    code: 'credentials',
    what: 'manager login',
    lines: ['gateway.manager'],
    offered: ({ gateway }) => gateway?.manager,
  },
  client: {
    code: 'credentials',
    what: 'client id',
    lines: ['gateway.client'],
    offered: ({ gateway }) => gateway?.client,
  },
  oauth: {
    code: 'credentials',
    what: 'signing credentials, or no transfer payload',
    lines: ['gateway.oauth', 'gateway.wire.transfer'],
    offered: ({ gateway }) => gateway?.oauth && gateway.wire.transfer,
  },
  ...cards(),
  recurring: {
    code: 'capability',
    what: 'way to register a card',
    lines: ['gateway.wire.recurring'],
    offered: ({ gateway }) => gateway?.wire.recurring,
  },
  report: {
    code: 'capability',
    what: 'transaction report',
    lines: ['gateway.wire.report', 'gateway.merchant'],
    offered: ({ gateway }) => gateway?.wire.report && gateway.merchant,
  },
  form: {
    code: 'capability',
    what: 'hosted form',
    lines: ['gateway.form'],
    offered: ({ gateway }) => gateway?.form,
  },
  browser: {
    code: 'browser',
    what: 'browser on this machine',
    lines: [],
    offered: () => false,
  },
  callback: {
    code: 'capability',
    what: 'way for callbacks to reach this machine',
    lines: ['callback', 'a gateway.wire.urls that names the callbackUrl, control.callback or callback.registered'],
    offered: ({ gateway, callback, control }) =>
      gateway &&
      callback &&
      (callback.registered || control.callback || /\$\{callbackUrl\W/.test(JSON.stringify(gateway.wire))),
  },
  clock: {
    code: 'capability',
    what: 'way to move its clock',
    lines: ['control.advance'],
    offered: ({ control }) => control.advance,
  },
  later: {
    code: 'capability',
    what: 'way to change an order later',
    lines: ['control.chargeback or control.later'],
    offered: ({ control }) => control.later ?? control.chargeback,
  },
  v1: { code: 'service', what: 'v1 service', lines: ['v1'], offered: ({ v1 }) => v1 },
  'v1.unprivileged': {
    code: 'credentials',
    what: 'v1 token without rights',
    lines: ['v1.unprivileged'],
    offered: ({ v1 }) => v1?.unprivileged,
  },
  'v1.user': {
    code: 'credentials',
    what: 'v1 user without a webhook configuration',
    lines: ['v1.newcomer'],
    offered: ({ v1 }) => v1?.newcomer,
  },
  account: { code: 'credentials', what: 'account', lines: ['v1.account'], offered: ({ v1 }) => v1?.account },
  'account.second': {
    code: 'credentials',
    what: 'second account',
    lines: ['v1.secondAccount'],
    offered: ({ v1 }) => v1?.secondAccount,
  },
  customer: { code: 'credentials', what: 'customer', lines: ['v1.customer'], offered: ({ v1 }) => v1?.customer },
  'iban.valid': {
    code: 'card',
    what: 'IBAN of a known bank',
    lines: ['v1.ibans.valid'],
    offered: ({ v1 }) => v1?.ibans.valid,
  },
  'iban.unlisted': {
    code: 'card',
    what: 'IBAN of an unknown bank',
    lines: ['v1.ibans.unlisted'],
    offered: ({ v1 }) => v1?.ibans.unlisted,
  },
  'iban.broken': {
    code: 'card',
    what: 'broken IBAN',
    lines: ['v1.ibans.broken'],
    offered: ({ v1 }) => v1?.ibans.broken,
  },
  receiver: {
    code: 'capability',
    what: 'way for events to reach this machine',
    lines: ['callback'],
    offered: ({ v1, callback }) => v1 && callback,
  },
  trigger: {
    code: 'capability',
    what: 'way to bring an event about',
    lines: ['control.accountEvent, control.virtualIbanEvent, control.complete or control.fail'],
    offered: ({ control }) => control.accountEvent ?? control.virtualIbanEvent ?? control.complete ?? control.fail,
  },
  exhaustion: {
    code: 'cost',
    what: 'leave to use up its rate limit',
    lines: ['manners.exhaust: true'],
    offered: ({ v1, manners }) => v1 && manners.exhaust,
  },
};

/** Which needs a target offers. */
export function listOfferedNeeds(target: Omit<Target, 'offers'>): ReadonlySet<TargetNeed> {
  return new Set((Object.keys(NEED_OFFERS) as TargetNeed[]).filter((need) => NEED_OFFERS[need].offered(target)));
}

/** Why a check that needs this is skipped, and which lines of the target file would change that. */
export function describeLack(need: TargetNeed): { readonly code: LackReason; readonly text: string } {
  const { code, what, lines } = NEED_OFFERS[need];
  const remedy =
    lines.length === 0
      ? 'install Chromium, Chrome or Edge, or name one with ASSAY_BROWSER'
      : `${lines.join(' and ')} in the target file would enable it`;
  return { code, text: `${need === 'browser' ? 'there is' : 'the target offers'} no ${what}; ${remedy}` };
}

function cards(): Record<Extract<TargetNeed, `card.${string}`>, NeedOffer> {
  return Object.fromEntries(
    CARD_BEHAVIOURS.filter((behaviour) => behaviour in CARDS).map((behaviour) => [
      `card.${behaviour}`,
      {
        code: 'card',
        what: `card that ${CARDS[behaviour]}`,
        lines: [`gateway.cards.${behaviour}`],
        offered: ({ gateway }) => gateway?.cards[behaviour],
      } satisfies NeedOffer,
    ]),
  ) as unknown as Record<Extract<TargetNeed, `card.${string}`>, NeedOffer>;
}
