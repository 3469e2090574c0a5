import { randomUUID } from 'node:crypto';
import type { Clock } from './clock.ts';
import type { Asked, Said } from './serve.ts';
import type { Message, V1Choices } from './v1-choices.ts';
import { demand, perhaps, refusal, type Table, text } from './v1-errors.ts';

interface Configuration {
  readonly uuid: string;
  readonly url: string;
  readonly token: string;
  readonly name: string | null;
  readonly description: string | null;
  readonly is_active: boolean;
}

const POSTED: Table = {
  url: (value) =>
    text(255)(value) && /^https?:$/.test(URL.canParse(String(value)) ? new URL(String(value)).protocol : ''),
  token: text(100, 16),
  name: perhaps(text(255)),
  description: perhaps(text(500, 0)),
};
const PUT: Table = { ...POSTED, is_active: (value) => typeof value === 'boolean' };

/** The webhook configurations, one for each user, and the messages sent to them. */
export class Webhooks {
  readonly #choices: V1Choices;
  readonly #clock: Clock;
  readonly #newUuid: () => string;
  readonly #defect: string | undefined;
  readonly #kept = new Map<string, Configuration>();

  constructor(choices: V1Choices, clock: Clock, newUuid: () => string, defect?: string) {
    this.#choices = choices;
    this.#clock = clock;
    this.#newUuid = newUuid;
    this.#defect = defect;
  }

  forget(user: string): void {
    this.#kept.delete(user);
  }

  answer(user: string, { method, json }: Asked): Said {
    const kept = this.#kept.get(user);
    const body = (json ?? {}) as Configuration;
    if (method === 'GET') {
      if (kept === undefined) throw refusal(this.#choices, 404);
      return { status: 200, body: this.#shown(kept, false) };
    }
    if (method === 'PUT') {
      demand(this.#choices, { ...body }, PUT);
      if (kept === undefined) throw refusal(this.#choices, 404);
      return { status: 200, body: this.#keep(user, kept.uuid, body, body.is_active) };
    }
    if (method !== 'POST') throw refusal(this.#choices, 404);
    demand(this.#choices, { ...body }, POSTED);
    if (kept === undefined) return { status: 201, body: this.#keep(user, this.#newUuid(), body, true) };
    if (this.#choices.again !== 'same') throw refusal(this.#choices, this.#choices.again);
    return { status: 201, body: this.#keep(user, kept.uuid, body, kept.is_active) };
  }

  #keep(user: string, uuid: string, body: Configuration, active: boolean): object {
    const { url, token, name = null, description = null } = body;
    const kept = { uuid, url, token, name, description, is_active: active };
    this.#kept.set(user, kept);
    return this.#shown(kept, this.#choices.writesToken);
  }

  #shown(kept: Configuration, bare: boolean): object {
    const token = bare || this.#defect === 'token readable' ? kept.token : this.#choices.masked(kept.token);
    const shown = { ...kept, token };
    if (this.#choices.nulls === 'shown') return shown;
    return Object.fromEntries(Object.entries(shown).filter(([, value]) => value !== null));
  }

  /** Sends a message to a user, until it is taken. */
  tell(user: string, family: Message['family'], subject: string, state: string): void {
    this.#clock.track(this.#attempt(user, { id: randomUUID(), family, subject, state, attempt: 1, token: '' }));
  }

  async #attempt(user: string, message: Message): Promise<void> {
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
    const taken = status === 202 && this.#defect !== 'sends again after 202';
    if (taken || this.#choices.content.includes(status) || message.attempt > 60) return;
    const gap = this.#choices.gaps[message.attempt - 1] ?? this.#choices.gaps.at(-1)!;
    this.#clock.after(gap, () => this.#attempt(user, { ...message, attempt: message.attempt + 1 }));
  }
}
