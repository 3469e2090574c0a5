import { randomUUID } from 'node:crypto';
import type { AlternateClock } from '../clock.ts';
import type { AlternateDefects } from '../defects.ts';
import type { AlternateAnswer, AlternateRequest } from '../server.ts';
import type { AlternateWebhookMessage, V1AlternateChoices } from './choices.ts';
import { absentOr, demandFields, type FieldTable, refuseWithStatus, textUpTo } from './refusals.ts';

interface Configuration {
  readonly uuid: string;
  readonly url: string;
  readonly token: string;
  readonly name: string | null;
  readonly description: string | null;
  readonly is_active: boolean;
}

const POSTED: FieldTable = {
  url: (value) =>
    textUpTo(255)(value) && /^https?:$/.test(URL.canParse(String(value)) ? new URL(String(value)).protocol : ''),
  token: textUpTo(100, 16),
  name: absentOr(textUpTo(255)),
  description: absentOr(textUpTo(500, 0)),
};
const PUT: FieldTable = { ...POSTED, is_active: (value) => typeof value === 'boolean' };

/** The webhook configurations, one for each user, and the messages sent to them. */
export class AlternateWebhooks {
  readonly #choices: V1AlternateChoices;
  readonly #clock: AlternateClock;
  readonly #newUuid: () => string;
  readonly #defects: AlternateDefects;
  readonly #kept = new Map<string, Configuration>();

  constructor(choices: V1AlternateChoices, clock: AlternateClock, newUuid: () => string, defects: AlternateDefects) {
    this.#choices = choices;
    this.#clock = clock;
    this.#newUuid = newUuid;
    this.#defects = defects;
  }

  forgetUser(user: string): void {
    this.#kept.delete(user);
  }

  answer(user: string, { method, json }: AlternateRequest): AlternateAnswer {
    const kept = this.#kept.get(user);
    const body = (json ?? {}) as Configuration;
    if (method === 'GET') {
      if (kept === undefined) throw refuseWithStatus(this.#choices, 404);
      return { status: 200, body: this.#shown(kept, false) };
    }
    if (method === 'PUT') {
      demandFields(this.#choices, { ...body }, PUT);
      if (kept === undefined) throw refuseWithStatus(this.#choices, 404);
      return { status: 200, body: this.#keep(user, kept.uuid, body, body.is_active) };
    }
    if (method !== 'POST') throw refuseWithStatus(this.#choices, 404);
    demandFields(this.#choices, { ...body }, POSTED);
    if (kept === undefined) return { status: 201, body: this.#keep(user, this.#newUuid(), body, true) };
    if (this.#choices.secondWebhook !== 'same') throw refuseWithStatus(this.#choices, this.#choices.secondWebhook);
    return { status: 201, body: this.#keep(user, kept.uuid, body, kept.is_active) };
  }

  #keep(user: string, uuid: string, body: Configuration, active: boolean): object {
    const { url, token, name = null, description = null } = body;
    const kept = { uuid, url, token, name, description, is_active: active };
    this.#kept.set(user, kept);
    return this.#shown(kept, this.#choices.writesToken);
  }

  #shown(kept: Configuration, bare: boolean): object {
    const token = bare || this.#defects.has('token readable') ? kept.token : this.#choices.masked(kept.token);
    const shown = { ...kept, token };
    if (this.#choices.nulls === 'shown') return shown;
    return Object.fromEntries(Object.entries(shown).filter(([, value]) => value !== null));
  }

  /** Sends a message to a user, until it is taken. */
  sendMessage(user: string, family: AlternateWebhookMessage['family'], subject: string, state: string): void {
    this.#clock.track(this.#attempt(user, { id: randomUUID(), family, subject, state, attempt: 1, token: '' }));
  }

  async #attempt(user: string, message: AlternateWebhookMessage): Promise<void> {
    const kept = this.#kept.get(user);
    if (kept === undefined || !kept.is_active) return;
    const { headers, body } = this.#choices.deliver({ ...message, token: kept.token });
    const status = await fetch(kept.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(this.#choices.patience * 1000),
    }).then(
      (answer) => answer.status,
      () => 0,
    );
    const taken = status === 202 && !this.#defects.has('sends again after 202');
    const most = this.#defects.has('gives up after three') ? 2 : 60;
    if (taken || this.#choices.acceptedStatuses.includes(status) || message.attempt > most) return;
    const gap = this.#choices.retryDelays[message.attempt - 1] ?? this.#choices.retryDelays.at(-1)!;
    const again = () => this.#attempt(user, { ...message, attempt: message.attempt + 1 });
    const { resendsBehind = 0 } = this.#choices;
    this.#clock.after(gap, resendsBehind === 0 ? again : () => void setTimeout(again, resendsBehind).unref());
  }
}
