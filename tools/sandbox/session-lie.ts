import type { Api } from '#apis';
import { suggestWord, Trouble } from '#trouble';
import { listLies } from './decision.ts';
import type { WireMutation } from './wire-mutation.ts';

/** How a service tells something during a session: changes of what it sends, or requests that it answers by an error and does not look at. */
export interface SessionMeans {
  readonly wire?: readonly WireMutation[];
  readonly fails?: { readonly status: number; readonly count: number };
}

/** What a sandbox tells a client during one session of the client's own tests. */
export interface SessionLie {
  readonly name: string;
  /** Whether the documents permit it, so that every client has to take it. */
  readonly isGentle: boolean;
  /** What happens, for a reader. */
  readonly does: string;
  /** By service; a service that is not among them is honest. */
  readonly means: Partial<Readonly<Record<Api, SessionMeans>>>;
  /** Lies about rules that are told as well. */
  readonly lies: readonly string[];
}

/** What can be told in a session, the plainest first: name, whether the documents permit it, and what happens. */
const SESSION_LIES = {
  slow: [true, 'each answer waits one and a half seconds'],
  'cut-off': [true, 'the first answer about money breaks off in the middle; what was asked for is done'],
  'error-after': [true, 'the first answer about money is a 500; what was asked for is done'],
  'error-before': [true, 'the first request is answered by a 500, and nothing is done'],
  'too-many': [true, 'the first request is answered by a 429, and nothing is done'],
  'stays-open': [true, 'the first three answers about an order are PROCESSING'],
  'message-twice': [true, 'each callback comes twice'],
  'message-first': [true, 'the first answer to a payment comes after its callback'],
  'older-message': [true, 'after each callback comes another with what was so before'],
  'extra-members': [true, 'answers and messages have members that no document names'],
  'unnamed-word': [true, 'a status is a word that the document does not name, where its list is open'],
  'unknown-state': [false, 'the first three answers about an order have a state that there is not'],
  'never-final': [false, 'whatever becomes of an order, answers and callbacks say PROCESSING'],
  'false-message': [false, 'callbacks say APPROVED of orders that every answer calls PROCESSING'],
  'message-again': [false, 'a delivery that was taken comes again'],
} as const;

/** Names of what can be told in a session. */
export type SessionLieName = keyof typeof SESSION_LIES;

/** How the services tell them. */
export type SessionMeansTable = Partial<Readonly<Record<SessionLieName, SessionMeans>>>;

/**
 * What `--lies` asks for: `gentle` for all that the documents permit, `all`, or names of these and of lies about rules, each once.
 * @throws Trouble (usage) for a name that nothing has, with the nearest one
 */
export function chooseSessionLies(
  names: readonly string[],
  services: readonly (readonly [Api, SessionMeansTable])[],
): SessionLie[] {
  const known = Object.keys(SESSION_LIES) as SessionLieName[];
  const chosen = names.flatMap((name): readonly string[] => {
    if (name === 'all') return known;
    return name === 'gentle' ? known.filter((one) => SESSION_LIES[one][0]) : [name];
  });
  const rules = new Map(listLies().map(({ name, rule }) => [name, rule]));
  return [...new Set(chosen)].map((name): SessionLie => {
    const entry = known.find((one) => one === name);
    if (entry !== undefined) {
      const [isGentle, does] = SESSION_LIES[entry];
      const means = services.flatMap(([api, table]) => (table[entry] === undefined ? [] : [[api, table[entry]]]));
      return { name, isGentle, does, means: Object.fromEntries(means) as SessionLie['means'], lies: [] };
    }
    const rule = rules.get(name);
    if (rule !== undefined) return { name, isGentle: false, does: `a lie about ${rule}`, means: {}, lies: [name] };
    const fix =
      suggestWord(name, [...known, ...rules.keys()]) || `use gentle, all, ${known.join(', ')}, or one of assay lies`;
    throw new Trouble('usage', `nothing that a session could be told is called ${name}`, { fix });
  });
}
