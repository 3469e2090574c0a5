import type { Contract } from '#contract';
import type { WatchedExchange } from '#evidence';
import { recogniseOperation } from './recognise-exchange.ts';
import { MESSAGE_READERS } from './services.ts';
import type { Traffic, TrafficExchange, TrafficLack, TrafficSession } from './traffic.ts';

/** Collects what a watcher on the wire hands over, and says of each exchange who asked whom. */
export class TrafficCollector {
  readonly #contract: Contract;
  readonly #exchanges: TrafficExchange[] = [];
  readonly #sessions: { readonly session: Omit<TrafficSession, 'from'>; readonly from: number }[] = [];

  constructor(contract: Contract) {
    this.#contract = contract;
  }

  /** How many there are so far. */
  get size(): number {
    return this.#exchanges.length;
  }

  add({ api, message, ...exchange }: WatchedExchange): void {
    if (message === 'delivery') this.#exchanges.push(this.#placeDelivery({ ...exchange, api, direction: 'in' }));
    else this.#exchanges.push({ api, ...exchange, ...placeExchange(this.#contract, message, exchange.request) });
  }

  /** What comes from now on is of another session. */
  begin(session: Omit<TrafficSession, 'from'>): void {
    this.#sessions.push({ session, from: this.#exchanges.length });
  }

  /** A delivery of a service that does not say which event it is. */
  #placeDelivery(exchange: TrafficExchange): TrafficExchange {
    for (const [api, read] of MESSAGE_READERS) {
      const operation = read(exchange, this.#exchanges);
      if (operation !== undefined) return { ...exchange, api, operation };
    }
    return exchange;
  }

  /** What was collected. */
  traffic(
    parts: Omit<Traffic, 'exchanges' | 'lacks' | 'sessions'> & { readonly lacks?: Iterable<TrafficLack> },
  ): Traffic {
    const sessions = this.#sessions.map(({ session: { name, lie, isMet }, from }) => ({ name, lie, isMet, from }));
    const known = sessions.length === 0 ? {} : { sessions };
    return { ...parts, exchanges: [...this.#exchanges], lacks: new Set(parts.lacks), ...known };
  }
}

/** Whom a request came from, and for which operation or event: what no document speaks of and lies beside the API is a page. */
function placeExchange(
  contract: Contract,
  message: string,
  { method, url }: TrafficExchange['request'],
): Pick<TrafficExchange, 'direction' | 'operation'> {
  if (message !== 'request') return { direction: 'in', operation: message };
  const known = recogniseOperation(contract, method, url);
  if (known?.isMethodRight) return { direction: 'out', operation: known.operation.id };
  return { direction: known !== undefined || /\/api(?:\/|$)/.test(url.split('?')[0]!) ? 'out' : 'browser' };
}
