import type { Fixtures } from '@playwright/test';
import type { RecordingClient, TargetTime } from '#client';
import type { Journal, Recorder, Redactor } from '#evidence';
import type { Sandbox } from '#sandbox';
import type { Target } from '#target';
import type { BrowserWindow } from './browser-window.ts';
import type { MessageReceiver } from './message-receiver.ts';
import type { PageProxy } from './page-proxy.ts';
import type { WorkerPulse } from './worker-pulse.ts';

/** What a worker keeps for all its checks. */
export interface WorkerHome {
  readonly target: Target;
  /** Reads the target anew: a lie may change what the sandbox issues. */
  renew(): Promise<void>;
  readonly sandbox: Sandbox | undefined;
  readonly redactor: Redactor;
  readonly journal: Journal | undefined;
  readonly pulse: WorkerPulse;
  /** The only way out of its browser. */
  readonly pageProxy: PageProxy;
}

/** What a worker sets up once. */
export interface WorkerFixtures {
  readonly home: WorkerHome;
  /** Where customers see pages. */
  readonly browserWindow: BrowserWindow;
}

/** What every check may ask for, whichever service it is about. */
export interface CommonFixtures {
  readonly target: Target;
  readonly recorder: Recorder;
  readonly clock: TargetTime;
  readonly client: RecordingClient;
  /** Sends requests to the check's service at the same moment, one by each call. */
  readonly together: <T>(calls: readonly (() => Promise<T>)[]) => Promise<T[]>;
  /** A receiver for callbacks and events, listening. */
  readonly receiver: MessageReceiver;
}

/** Fixtures of one service, on top of the common ones. */
export type ServiceFixtureTable<Own extends object> = Fixtures<Own, object, CommonFixtures, WorkerFixtures>;

/** Milliseconds, where others or the service have to be waited for. */
export const LONG_MILLISECONDS = 600_000;
