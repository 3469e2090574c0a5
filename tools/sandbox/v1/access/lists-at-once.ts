import type { ActiveLies } from '../../decision.ts';
import { decideMixUp, type Rush } from '../../rush.ts';
import type { UserAccount } from './api-users.ts';

/** How long a list of an account goes on in which others are of that account as well. */
const mixUps = {
  transactions: decideMixUp('V1-TRL-07', 'lists-at-once-of-one-account'),
  documents: decideMixUp('V1-DOC-07', 'document-lists-at-once-of-one-account'),
};

/** How long a list goes on in which others show its page. */
const pageMixUps = {
  transactions: decideMixUp('V1-PAG-05', 'transactions-pages-at-once-mixed'),
  documents: decideMixUp('V1-PAG-05', 'documents-pages-at-once-mixed'),
};

/** Pages of the lists that go on, under lies. */
const pagesUnderWay = new WeakMap<Rush, { readonly number: number }>();

/**
 * The page that is shown: honestly, the one that was asked for.
 * @returns it, and milliseconds for the answer to wait
 */
export function pageListed<Page extends { readonly number: number }>(
  activeLies: ActiveLies,
  rush: Rush,
  what: keyof typeof pageMixUps,
  asked: Page,
): { readonly page: Page; readonly lasts: number } {
  const { lasts, isAtOnce } = rush.begin(activeLies, `page of ${what}`, pageMixUps[what]);
  if (lasts === 0) return { page: asked, lasts };
  const { number } = (isAtOnce && pagesUnderWay.get(rush)) || asked;
  pagesUnderWay.set(rush, { number });
  return { page: { ...asked, number }, lasts };
}

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
