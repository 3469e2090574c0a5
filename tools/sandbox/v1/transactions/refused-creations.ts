import { type ActiveLies, decision } from '../../decision.ts';
import { countCharacters } from '../wire/request-form.ts';
import { namesBank } from './transfer-party.ts';

type Sent = Readonly<Record<string, unknown>>;

const isLong = (text: unknown, most: number) => typeof text === 'string' && countCharacters(text) > most;

/** Bodies that are refused: the rule, what they are, and whether what was sent is one. */
export const REFUSED_CREATIONS: readonly (readonly [rule: string, what: string, isWrong: (sent: Sent) => boolean])[] = [
  ['V1-TRC-06', 'creation-without-details-and-code', (sent) => !(sent['payment_details'] || sent['payment_code'])],
  ['V1-TRC-09', 'creation-without-body-account', (sent) => sent['account_uuid'] === undefined],
  ['V1-TRC-10', 'creation-without-amount', (sent) => sent['amount'] === undefined],
  ['V1-TRC-11', 'amount-below-zero', (sent) => Number(sent['amount']) < 0],
  [
    'V1-TRC-12',
    'amount-of-three-decimals',
    ({ amount }) => typeof amount === 'number' && Number(amount.toFixed(2)) !== amount,
  ],
  ['V1-TRC-15', 'long-details', (sent) => isLong(sent['payment_details'], 140)],
  ['V1-TRC-17', 'long-code', (sent) => isLong(sent['payment_code'], 35)],
  ['V1-TRC-19', 'long-ident', (sent) => isLong(sent['end_to_end_ident'], 35)],
  ['V1-TRC-23', 'rails', (sent) => !['sepa', 'swift', undefined, null].includes(sent['payment_type'] as string)],
];

const ENTERED_ALL_THE_SAME = REFUSED_CREATIONS.map(([rule, what, isWrong]) =>
  decision({
    rule,
    honest: (_sent: Sent) => false,
    lies: {
      [`refused-${what}-entered-all-the-same`]: isWrong,
      // Rails that there are not are none of SWIFT.
      ...(rule !== 'V1-TRC-23' && {
        [`refused-${what}-entered-over-swift`]: (sent: Sent) => sent['payment_type'] === 'swift' && isWrong(sent),
      }),
    },
  }),
);

const ANNOUNCED_ALL_THE_SAME = REFUSED_CREATIONS.map(([rule, what, isWrong]) =>
  decision({
    rule,
    honest: (_sent: Sent, _hasRequestId: boolean) => false,
    lies: {
      [`refused-${what}-announced-all-the-same`]: isWrong,
      [`refused-${what}-announced-under-a-request-id`]: (sent, hasRequestId) => hasRequestId && isWrong(sent),
    },
  }),
);

const OVERLOOKED = REFUSED_CREATIONS.map(([rule, what, isWrong]) =>
  decision({
    rule,
    honest: (_sent: Sent, _isFirst: boolean, _hasRequestId: boolean) => false,
    lies: {
      [`${what}-overlooked-under-a-request-id`]: (sent, _isFirst, hasRequestId) => hasRequestId && isWrong(sent),
      [`${what}-overlooked-in-second-account`]: (sent, isFirst) => !isFirst && isWrong(sent),
      [`${what}-overlooked-where-a-bank-is-named`]: (sent) => namesBank(sent['recipient']) && isWrong(sent),
      // Neither is without details or a code, and of one that is too long much is said above.
      ...(['V1-TRC-06', 'V1-TRC-15', 'V1-TRC-17'].includes(rule)
        ? {}
        : {
            [`${what}-overlooked-beside-details-and-code`]: (sent: Sent) =>
              sent['payment_details'] != null && sent['payment_code'] != null && isWrong(sent),
          }),
      // Without details one that lacks a code as well is no other than the plain one, and none are too long.
      ...(['V1-TRC-06', 'V1-TRC-15'].includes(rule)
        ? {}
        : {
            [`${what}-overlooked-beside-a-code-alone`]: (sent: Sent) =>
              sent['payment_details'] == null && sent['payment_code'] != null && isWrong(sent),
          }),
      ...(rule === 'V1-TRC-23'
        ? {}
        : {
            [`${what}-overlooked-where-sepa-is-named`]: (sent: Sent) =>
              sent['payment_type'] === 'sepa' && isWrong(sent),
          }),
    },
  }),
);

/** Bodies that are refused for what is null in them, or nothing. */
const NULL_CREATIONS: typeof REFUSED_CREATIONS = [
  [
    'V1-TRC-06',
    'details-and-code-of-null',
    (sent) => sent['payment_details'] === null && sent['payment_code'] === null,
  ],
  ['V1-TRC-09', 'body-account-of-null', (sent) => sent['account_uuid'] === null],
  ['V1-TRC-10', 'amount-of-null', (sent) => sent['amount'] === null],
  ['V1-TRC-11', 'amount-of-zero', (sent) => sent['amount'] === 0],
];

const NULL_OVERLOOKED = NULL_CREATIONS.map(([rule, what, isWrong]) =>
  decision({
    rule,
    honest: (_sent: Sent, _hasRequestId: boolean) => false,
    lies: { [`${what}-overlooked-under-a-request-id`]: (sent, hasRequestId) => hasRequestId && isWrong(sent) },
  }),
);

/** Creations that are right: the rule, what they are, and whether what was sent is one. */
const RIGHT_CREATIONS: typeof REFUSED_CREATIONS = [
  ['V1-TRC-11', 'amount-of-a-cent', ({ amount }) => amount === 0.01],
  ['V1-TRC-12', 'amount-of-two-decimals', ({ amount }) => Number(Number(amount).toFixed(1)) !== amount],
  ['V1-TRC-15', 'details-of-140-characters', (sent) => isLong(sent['payment_details'], 139)],
  ['V1-TRC-17', 'code-of-35-characters', (sent) => isLong(sent['payment_code'], 34)],
  ['V1-TRC-19', 'ident-of-35-characters', (sent) => isLong(sent['end_to_end_ident'], 34)],
];

const REFUSED_THOUGH_RIGHT = RIGHT_CREATIONS.map(([rule, what, isIt]) =>
  decision({
    rule,
    honest: (_sent: Sent, _hasRequestId: boolean) => false,
    lies: {
      [`${what}-refused-under-a-request-id`]: (sent, hasRequestId) => hasRequestId && isIt(sent),
      [`${what}-refused-where-a-bank-is-named`]: (sent) => namesBank(sent['recipient']) && isIt(sent),
    },
  }),
);

/** Whether a creation that is refused is entered all the same, for what is wrong with it. */
export function isEnteredAllTheSame(activeLies: ActiveLies, sent: Sent): boolean {
  return ENTERED_ALL_THE_SAME.some((isEntered) => isEntered(activeLies, sent));
}

/** Whether a creation that is refused is announced all the same, for what is wrong with it. */
export function isAnnouncedAllTheSame(activeLies: ActiveLies, sent: Sent, hasRequestId: boolean): boolean {
  return ANNOUNCED_ALL_THE_SAME.some((isAnnounced) => isAnnounced(activeLies, sent, hasRequestId));
}

/** Whether a creation is accepted in spite of what is wrong with it, by the way it goes. */
export function isOverlooked(activeLies: ActiveLies, sent: Sent, isFirst: boolean, hasRequestId: boolean): boolean {
  return (
    OVERLOOKED.some((overlooks) => overlooks(activeLies, sent, isFirst, hasRequestId)) ||
    NULL_OVERLOOKED.some((overlooks) => overlooks(activeLies, sent, hasRequestId))
  );
}

/** Whether a creation that is right is refused for what it comes with. */
export function isRefusedThoughRight(activeLies: ActiveLies, sent: Sent, hasRequestId: boolean): boolean {
  return REFUSED_THOUGH_RIGHT.some((isRefused) => isRefused(activeLies, sent, hasRequestId));
}
