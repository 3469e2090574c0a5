import type { Target } from '#target';
import type { Transport } from '../transport.ts';

/** One thing that was looked at. */
export interface ExaminationFinding {
  /** `note`: the run works, with less; `fail`: what the line is for does not work; `dead`: nobody answers. */
  readonly mark: 'ok' | 'note' | 'fail' | 'dead';
  /** Line of the target file, as a path. */
  readonly line: string;
  readonly text: string;
  readonly fix?: string;
}

/** What an examination stands on. */
export interface ExaminedTarget {
  readonly target: Target;
  readonly transport: Transport;
  /** Milliseconds of each answer so far. */
  readonly paces: number[];
}

/** Adds up what is found. */
export type AddFinding = (mark: ExaminationFinding['mark'], line: string, text: string, fix?: string) => void;
