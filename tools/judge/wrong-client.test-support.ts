import type { ScriptedClient } from './scripted-client.test-support.ts';

/** A client that breaks one rule, and only that. */
export interface WrongClient {
  /** What it does wrong. */
  readonly name: string;
  readonly rule: string;
  play(client: ScriptedClient): Promise<unknown>;
}

/** A wrong client, in short. */
export function wrongClient(rule: string, name: string, play: WrongClient['play']): WrongClient {
  return { rule, name, play };
}

/** The card that is approved at once. */
export const APPROVED_CARD = '5555444433331111 123';
/** The card that stays in PROCESSING for some seconds. */
export const PENDING_CARD = '4000000000000705 123';
