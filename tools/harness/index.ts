/**
 * @module harness
 * Where Playwright meets the rest: `test`, `expect`, `rule` and the fixtures of the checks. Every exchange of a check is recorded and
 * held against the contract without the check asking for it. Checks and CLI import it.
 */
export { Finding, NoAnswer, type Reply, said, Unarranged, Unoffered } from '#client';
export { place } from '#target';
export { about } from './about.ts';
export { findBrowser, provideBrowser, SWITCHES } from './browser.ts';
export type { Callbacks } from './callbacks.ts';
export type { Customer } from './customer.ts';
export type { Documents, Entry } from './documents.ts';
export { embeddedLookup } from './embedded.ts';
export { shows, uuids } from './entries.ts';
export { expect } from './expect.ts';
export { FINAL, type Gateway, type Order, type Payment, PENDING, pick } from './gateway.ts';
export type { HostedForm } from './hosted-form.ts';
export type { Inbox } from './inbox.ts';
export { readAnswer } from './issuer.ts';
export { hold, replayed } from './property.ts';
export { type Delivery, Receiver } from './receiver.ts';
export type { Prepared, Requests, Subject } from './requests.ts';
export { checkId, rule } from './rule.ts';
export { EMBEDDED, settings } from './settings.ts';
export { bare, test } from './test.ts';
export { isSame, standing, type ThreeDS, type Waiting } from './three-ds.ts';
export { BROKEN, type Change, contextOf, type Sent, type Transfers } from './transfers.ts';
export type { Options, V1 } from './v1.ts';
export { type Call, calls, faults, GROUPS, sweep, told } from './v1-sweep.ts';
export type { Newcomer, Webhook } from './webhook.ts';
