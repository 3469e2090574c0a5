/**
 * @module judge
 * Takes what a client was seen to send and to be sent, from any source; gives what became of each rule that binds a client, a receiver
 * or a signer. One judge for all sources: what a source cannot tell makes rules *not seen*.
 * Imports contract, evidence and oauth. Run and the command line import it; it knows neither client nor sandbox of the suite.
 */

export { judgeSessions, locateSessions, type SessionResult } from './judge-sessions.ts';
export { type ClientVerdict, judgeTraffic, LACK_WORDS } from './judge-traffic.ts';
export { type EncounterResult, listEncounters } from './list-encounters.ts';
export { readRecordings } from './read-recording.ts';
export type { Traffic, TrafficExchange, TrafficLack, TrafficSession } from './traffic.ts';
export { TrafficCollector } from './traffic-collector.ts';
