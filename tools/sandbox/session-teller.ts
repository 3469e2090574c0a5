import type { Api } from '#apis';
import type { SessionLie } from './session-lie.ts';
import { WireMutator } from './wire-mutation.ts';
import type { SandboxService } from './world.ts';

/** A session as it began: its name, and what is told in it. */
export interface BegunSession {
  readonly name: string;
  readonly lie: SessionLie;
  /** Whether anything that went out was other than it would have been; undefined where that cannot be told. */
  readonly isMet: boolean | undefined;
}

/** A service with its name. */
interface ToldService {
  readonly name: Api;
  readonly service: SandboxService;
}

/** Name of what comes before anybody has begun a session. */
const WHOLE_SESSION = 'all that was sent';

/**
 * Tells another lie in each session. Sessions of one name go through all lies one after the other, each name from another one on: tests that
 * run once meet different lies, and tests that are repeated meet all.
 */
export class SessionTeller {
  readonly #lies: readonly SessionLie[];
  readonly #services: readonly ToldService[];
  readonly #next = new Map<string, number>();
  #mutators: readonly WireMutator[] = [];
  #told: SessionLie | undefined;
  #end = () => {};

  /** @param lies what is told in turn; none: there are no sessions */
  constructor(lies: readonly SessionLie[], services: readonly ToldService[]) {
    this.#lies = lies;
    this.#services = services;
  }

  /** What changes the wire in the present session. */
  get mutators(): readonly WireMutator[] {
    return this.#mutators;
  }

  /** Lies about rules that are told in it. */
  get lies(): readonly string[] {
    return this.#told?.lies ?? [];
  }

  /** Begins the first session, before anybody has named one. */
  open(): BegunSession | undefined {
    const [first] = this.#lies;
    return first && this.#begin(WHOLE_SESSION, first);
  }

  /** Ends the present session and begins one of this name; undefined where nothing is to be told. */
  begin(name: string): BegunSession | undefined {
    if (this.#lies.length === 0) return undefined;
    const at = this.#next.get(name) ?? this.#next.size;
    this.#next.set(name, at + 1);
    return this.#begin(name, this.#lies[at % this.#lies.length]!);
  }

  #begin(name: string, lie: SessionLie): BegunSession {
    this.#end();
    const mutators = this.#services.flatMap(({ name: api }) =>
      (lie.means[api]?.wire ?? []).map((one) => new WireMutator(one)),
    );
    const failing = this.#services.map(({ name: api, service }) => {
      const { status, count } = lie.means[api]?.fails ?? { status: 500, count: 0 };
      service.failNext(status, count);
      return { service, count };
    });
    const isMet = () =>
      mutators.some(({ hasChanged }) => hasChanged) ||
      failing.some(({ service, count }) => service.failuresLeft < count);
    let known: boolean | undefined;
    // What a service has not failed by then is forgotten when the next session begins.
    this.#end = () => {
      known = isMet();
    };
    this.#mutators = mutators;
    this.#told = lie;
    return {
      name,
      lie,
      get isMet() {
        return lie.lies.length > 0 ? undefined : (known ?? isMet());
      },
    };
  }
}
