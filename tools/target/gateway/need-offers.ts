import type { ServiceNeeds } from '../target-service.ts';
import { namesCallbackUrl } from './names-callback-url.ts';
import { CARD_BEHAVIOURS, type GatewayTarget, type TargetCardBehaviour } from './types.ts';

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
  badscore: 'has the worst score and is approved by its issuer',
};

/** Need to the lines of a target file that offer it. */
export const GATEWAY_NEED_OFFERS: ServiceNeeds<'gateway', GatewayTarget> = {
  requestor: {
    code: 'credentials',
    what: 'requestor',
    lines: ['gateway.address', 'gateway.requestors.main'],
    offered: (gateway) => gateway,
  },
  'requestor.second': {
    code: 'credentials',
    what: 'second requestor',
    lines: ['gateway.requestors.second'],
    offered: (gateway) => gateway?.requestors.second,
  },
  'requestor.multicurrency': {
    code: 'credentials',
    what: 'requestor with several currencies',
    lines: ['gateway.requestors.multicurrency'],
    offered: (gateway) => gateway?.requestors.multicurrency,
  },
  'requestor.allowlist': {
    code: 'credentials',
    what: 'requestor behind an allowlist',
    lines: ['gateway.requestors.allowlisted with allowed and refused'],
    offered: (gateway) => gateway?.requestors.allowlisted?.allowed && gateway.requestors.allowlisted.refused,
  },
  'host.second': {
    code: 'credentials',
    what: 'requestor on another host',
    lines: ['gateway.requestors.elsewhere with its address'],
    offered: (gateway) => gateway?.requestors.elsewhere?.address,
  },
  merchant: {
    code: 'credentials',
    what: 'merchant login',
    lines: ['gateway.merchant'],
    offered: (gateway) => gateway?.merchant,
  },
  'merchant.second': {
    code: 'credentials',
    what: 'second merchant login',
    lines: ['gateway.secondMerchant'],
    offered: (gateway) => gateway?.secondMerchant,
  },
  manager: {
    code: 'credentials',
    what: 'manager login',
    lines: ['gateway.manager'],
    offered: (gateway) => gateway?.manager,
  },
  client: {
    code: 'credentials',
    what: 'client id',
    lines: ['gateway.client'],
    offered: (gateway) => gateway?.client,
  },
  oauth: {
    code: 'credentials',
    what: 'signing credentials, or no transfer payload',
    lines: ['gateway.oauth', 'gateway.wire.transfer'],
    offered: (gateway) => gateway?.oauth && gateway.wire.transfer,
  },
  ...cards(),
  recurring: {
    code: 'capability',
    what: 'way to register a card',
    lines: ['gateway.wire.recurring'],
    offered: (gateway) => gateway?.wire.recurring,
  },
  report: {
    code: 'capability',
    what: 'transaction report',
    lines: ['gateway.wire.report', 'gateway.merchant'],
    offered: (gateway) => gateway?.wire.report && gateway.merchant,
  },
  form: {
    code: 'capability',
    what: 'hosted form',
    lines: ['gateway.form'],
    offered: (gateway) => gateway?.form,
  },
  callback: {
    code: 'capability',
    what: 'way for callbacks to reach this machine',
    lines: ['callback', 'a gateway.wire.urls that names the callbackUrl, control.callback or callback.registered'],
    offered: (gateway, { callback, control }) =>
      gateway && callback && (callback.registered || control.callback || namesCallbackUrl(gateway)),
  },
  later: {
    code: 'capability',
    what: 'way to change an order later',
    lines: ['control.chargeback or control.later'],
    offered: (_gateway, { control }) => control.later ?? control.chargeback,
  },
  'gateway.description': {
    code: 'capability',
    what: 'published interface description',
    lines: ['gateway.description'],
    offered: (gateway) => gateway?.description,
  },
  'gateway.fault': {
    code: 'capability',
    what: 'way to make the gateway fail',
    lines: ['control.gatewayFault'],
    offered: (gateway, { control }) => gateway && control.gatewayFault,
  },
};

type CardNeeds = Pick<
  ServiceNeeds<'gateway', GatewayTarget>,
  `card.${Exclude<TargetCardBehaviour, 'listed' | 'unlisted2'>}`
>;

function cards(): CardNeeds {
  return Object.fromEntries(
    CARD_BEHAVIOURS.filter((behaviour) => behaviour in CARDS).map((behaviour) => [
      `card.${behaviour}`,
      {
        code: 'card',
        what: `card that ${CARDS[behaviour]}`,
        lines: [`gateway.cards.${behaviour}`],
        offered: (gateway) => gateway?.cards[behaviour],
      } satisfies CardNeeds['card.approved'],
    ]),
  ) as unknown as CardNeeds;
}
