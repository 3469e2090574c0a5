import { withValueAt } from '#json-pointer';
import type { AlternateDefects } from '../defects.ts';

import type { AlternateAnswer } from '../server.ts';
import type { GatewayAlternateChoices } from './choices.ts';
import type { AlternateOrder } from './orders.ts';

/** Cards that were registered for later payments. */
export class RegisteredCards {
  readonly #choices: GatewayAlternateChoices;
  readonly #defects: AlternateDefects;
  readonly #owners = new Map<string, number>();

  constructor(choices: GatewayAlternateChoices, defects: AlternateDefects) {
    this.#choices = choices;
    this.#defects = defects;
  }

  /** Registers the card of an order. */
  register({ requestor }: AlternateOrder): AlternateAnswer {
    const { cardId, cardIdAt } = this.#choices.journeys;
    const id = cardId(this.#owners.size + 1);
    this.#owners.set(String(id), requestor);
    if (cardIdAt.startsWith('header:')) return { status: 200, body: {}, headers: { [cardIdAt.slice(7)]: String(id) } };
    return { status: 200, body: withValueAt({}, cardIdAt, id) };
  }

  /** Whether a card may pay for a requestor. */
  mayPayFor(cardId: unknown, requestor: number): boolean {
    const owner = this.#owners.get(String(cardId));
    return owner === requestor || (owner !== undefined && this.#defects.has('cards work for everybody'));
  }
}
