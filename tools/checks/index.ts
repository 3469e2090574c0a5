/**
 * @module checks
 * What checks of a user's own are written with, published as `@assay-conformance/assay/checks`: `test`, `rule` and `expect`, and the
 * few words a check needs besides. Nobody inside imports it; what stands here stays as it is until the next major version.
 */
import {
  expect as houseExpect,
  rule as houseRule,
  test as houseTest,
  type Target as ReadTarget,
  type ApiReply as Reply,
} from '#harness';

/**
 * A check: `test('declines the card of the addendum', rule('SHOP-CRD-01'), async ({ gateway }) => { … })`. Every exchange is recorded,
 * redacted and held against the contract without being asked to. Fixtures: `gateway`, `v1` (clients that write bodies as the target file
 * says), `client` (any request), `receiver` (callbacks and events), `clock`, `target`.
 */
export const test: typeof houseTest = houseTest;

/**
 * Claims rules of your own for a check; the last argument may say what else it needs of a target: `rule('SHOP-CRD-01', { needs: ['later'] })`.
 * @throws while checks are collected, with file and line: an unknown rule, one that is not yours, an unknown need
 */
export const rule: typeof houseRule = houseRule;

/**
 * Playwright's expect with matchers for answers: `toAnswer(200)`, `toBeRefused()`, `toBeFault(422)`, … A failed expectation is the
 * service's; say which rule it is about when a check claims several: `expect(reply, 'SHOP-CRD-02')`.
 */
export const expect: typeof houseExpect = houseExpect;

/** An answer as it came: status, headers, `object`, `list(pointer)`, `at(pointer)`, `milliseconds`. */
export type ApiReply = Reply;

/** What the target file says, complete. */
export type Target = ReadTarget;

export {
  /** Holds something against a promise without an expectation: `assertPromise(sum <= 1000, 'at most 10.00', () => `${sum}`)`. */
  assertPromise,
  /** Charges what fails inside to one of several claimed rules. */
  attributeTo,
  /** A list that must have entries: none means that nothing was seen, which is never a pass. */
  requireEntries,
  /** A value that may be absent: absent means that nothing was seen. */
  requireSeen,
} from '#harness';
