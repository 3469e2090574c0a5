/**
 * @module client
 * Takes requests for a target; gives answers, each recorded on both sides and held against the contract. Knows the target's time,
 * spends its rate budget and its money, and takes back what a run left there. Never imports the sandbox: they meet on the wire.
 * Harness and CLI import it.
 */

export { ApiReply } from './api-reply.ts';
export { findBeforehand } from './call-group.ts';
export type { TakenBackObject } from './client-service.ts';
export { examineTarget, type TargetExamination } from './doctor/examine-target.ts';
export { forecastRun, type RunForecast } from './doctor/run-forecast.ts';
export type { AddFinding, ExaminationFinding } from './doctor/types.ts';
export {
  isArranged,
  NoAnswerError,
  PromiseFinding,
  requireEntries,
  requireSeen,
  requireTargetLine,
  UnarrangedError,
  UnofferedError,
  UnseenError,
} from './failures.ts';
export { parseJsonText } from './json-text.ts';
export { measurePace, type ServicePace } from './measure-pace.ts';
export { type OutgoingRequest, RecordingClient } from './recording-client.ts';
export { presetSpending, readSpending, type Spending } from './spend-cap.ts';
export { takeBackObjects } from './take-back.ts';
export {
  advanceClocks,
  closeControl,
  createTargetTime,
  hasClocksApart,
  type LeverEffect,
  performControl,
  type TargetTime,
} from './target-time.ts';
export { listTargetAddresses, Transport } from './transport.ts';
export { type WitnessedExchange, witness } from './witness.ts';
export { acquireLock } from './worker-lock.ts';
