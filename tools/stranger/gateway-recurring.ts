import type { GatewayChoices } from './gateway-choices.ts';
import type { Order } from './gateway-orders.ts';
import { put } from './pointer.ts';
import type { Said } from './serve.ts';

/** Cards that were registered for later payments. */
export class Wallet {
  readonly #choices: GatewayChoices;
  readonly #defect: string | undefined;
  readonly #owners = new Map<string, number>();

  constructor(choices: GatewayChoices, defect?: string) {
    this.#choices = choices;
    this.#defect = defect;
  }

  /** Registers the card of an order. */
  register({ requestor }: Order): Said {
    const { cardId, cardIdAt } = this.#choices.journeys;
    const id = cardId(this.#owners.size + 1);
    this.#owners.set(String(id), requestor);
    if (cardIdAt.startsWith('header:')) return { status: 200, body: {}, headers: { [cardIdAt.slice(7)]: String(id) } };
    return { status: 200, body: put({}, cardIdAt, id) };
  }

  /** Whether a card may pay for a requestor. */
  holds(cardId: unknown, requestor: number): boolean {
    const owner = this.#owners.get(String(cardId));
    return owner === requestor || (owner !== undefined && this.#defect === 'cards work for everybody');
  }
}
