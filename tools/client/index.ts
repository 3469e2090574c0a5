/**
 * @module client
 * Takes requests for a target; gives answers, each recorded on both sides and held against the contract. Knows the target's time and
 * spends its rate budget. Never imports the sandbox: they meet on the wire. Harness imports it.
 */
export { Client, type Outgoing } from './client.ts';
export { Finding, NoAnswer, said, Unarranged, Unoffered } from './failure.ts';
export { Reply } from './reply.ts';
export { steer, type Time, time } from './time.ts';
