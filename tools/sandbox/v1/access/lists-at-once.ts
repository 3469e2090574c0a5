import type { ActiveLies } from '../../decision.ts';
import { decideMixUp, type Rush } from '../../rush.ts';
import type { UserAccount } from './api-users.ts';

/** How long a list of an account goes on in which others are of that account as well. */
const mixUps = {
  transactions: decideMixUp('V1-TRL-07', 'lists-at-once-of-one-account'),
  documents: decideMixUp('V1-DOC-07', 'document-lists-at-once-of-one-account'),
};

/** Accounts of the lists that go on, under lies. */
const underWay = new WeakMap<Rush, UserAccount>();

/**
 * The account of which a list is made: honestly, the one that was asked for.
 * @returns it, and milliseconds for the answer to wait
 */
export function accountListed(
  activeLies: ActiveLies,
  rush: Rush,
  what: keyof typeof mixUps,
  asked: UserAccount,
): { readonly account: UserAccount; readonly lasts: number } {
  const { lasts, isAtOnce } = rush.begin(activeLies, `list of ${what}`, mixUps[what]);
  if (lasts === 0) return { account: asked, lasts };
  const account = (isAtOnce && underWay.get(rush)) || asked;
  underWay.set(rush, account);
  return { account, lasts };
}
