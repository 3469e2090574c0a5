/**
 * @module client
 * Takes requests for a target; gives answers, each recorded on both sides and held against the contract. Knows the target's time,
 * spends its rate budget and its money, and takes back what a run left there. Never imports the sandbox: they meet on the wire.
 * Harness and CLI import it.
 */
export { Client, type Outgoing } from './client.ts';
export { type Examination, examine } from './doctor/examine.ts';
export { type Forecast, forecast } from './doctor/forecast.ts';
export type { Symptom } from './doctor/types.ts';
export { Finding, NoAnswer, said, Unarranged, Unoffered } from './failure.ts';
export { lock } from './lock.ts';
export { Reply } from './reply.ts';
export { type Returned, takeBack } from './take-back.ts';
export { steer, type Time, time } from './time.ts';
export { hosts, Transport } from './transport.ts';
