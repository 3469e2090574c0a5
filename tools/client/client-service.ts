import type { Api } from '#apis';
import type { Target } from '#target';
import type { CreatedObjects } from './created-objects.ts';
import type { AddFinding, ExaminedTarget } from './doctor/types.ts';
import type { Transport, WireAnswer, WireRequest } from './transport.ts';

/** What became of something a run left behind. */
export interface TakenBackObject {
  readonly what: string;
  readonly id: string;
  readonly restored: boolean;
  /** Why not. */
  readonly reason?: string;
}

/** A request as it is sent for an operation of the contract. */
export interface NotedRequest {
  readonly target: Target;
  readonly operation: string | undefined;
  readonly sent: WireRequest;
}

/** Everything the client has to know about one service. */
export interface ClientService {
  readonly api: Api;
  /** Operations that move money, and whether what they are sent for counts as paid (an authorization only blocks it). */
  readonly moneyOperations: Readonly<Record<string, boolean>>;
  /** Whether its document limits how often it may be asked, and says so by a 429. */
  readonly limitsRate: boolean;
  /** A request that needs no rights. */
  readonly probe: { readonly method: string; readonly path: string };
  /** Lines of the target file with other addresses that are worth a look. */
  moreAddresses(target: Target): readonly (readonly [line: string, address: string])[];
  /** Looks at what a run will rely on; creates nothing and moves no money. */
  examine(examined: ExaminedTarget, add: AddFinding): Promise<void>;
  /** Takes note of what a request may leave behind. */
  noteRequest?(created: CreatedObjects, noted: NotedRequest): void;
  /** Takes note of what an exchange left behind, or showed to have been there. */
  noteAnswer?(created: CreatedObjects, noted: NotedRequest, answer: WireAnswer): void;
  /** Takes back what was noted. Never throws: what cannot be taken back is returned with the reason. */
  takeBack?(target: Target, created: CreatedObjects, transport: Transport): Promise<readonly TakenBackObject[]>;
}
