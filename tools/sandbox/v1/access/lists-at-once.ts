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
  const { value: number, lasts } = rush.lend(activeLies, `page of ${what}`, pageMixUps[what], asked.number);
  return { page: number === asked.number ? asked : { ...asked, number }, lasts };
}

/**
 * The account of which a list is made: honestly, the one that was asked for.
 * @returns it, and milliseconds for the answer to wait
 */
export function accountListed(
  activeLies: ActiveLies,
  rush: Rush,
  what: keyof typeof mixUps,
  asked: UserAccount,
): { readonly value: UserAccount; readonly lasts: number } {
  return rush.lend(activeLies, `list of ${what}`, mixUps[what], asked);
}
