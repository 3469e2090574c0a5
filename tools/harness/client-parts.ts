import type { RecordingClient, TargetTime } from '#client';
import type { Recorder } from '#evidence';
import type { Target } from '#target';
import type { CheckHabit } from './check-habits.ts';

/** What the client of a service works with. */
export interface ClientParts {
  readonly target: Target;
  readonly client: RecordingClient;
  readonly time: TargetTime;
  readonly recorder: Recorder;
  /** What its ids and draws start from: another for each check and each trial, as what they create must not have been there before. */
  readonly seed: string;
  /** What it does in every request; none by default. */
  readonly habits?: ReadonlySet<CheckHabit>;
}
