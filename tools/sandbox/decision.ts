import { suggestWord, Trouble } from '#trouble';

/** The lies a sandbox instance is telling, by name. Empty: it is honest. */
export type ActiveLies = ReadonlySet<string>;

/** A named lie about exactly one rule. */
export interface Lie {
  readonly name: string;
  readonly rule: string;
}

/** One documented behaviour: called with the instance's activeLies and the facts, it answers truthfully or with the lie switched on. */
export type Decision<Facts extends unknown[], Answer> = (activeLies: ActiveLies, ...facts: Facts) => Answer;

const registered = new Map<string, Lie>();

/**
 * Puts the truth about one rule and the lies about it side by side.
 * @param spec.rule rule id the behaviour belongs to
 * @param spec.honest what the document promises, from the facts
 * @param spec.lies by name (kebab-case, unique in the sandbox): what a server that breaks exactly this rule would do instead
 * @throws Error when a lie's name is taken: a mistake in the sandbox itself
 */
export function decision<Facts extends unknown[], Answer>(spec: {
  rule: string;
  honest: (...facts: Facts) => Answer;
  lies: Readonly<Record<string, (...facts: Facts) => Answer>>;
}): Decision<Facts, Answer> {
  const names = Object.keys(spec.lies);
  for (const name of names) {
    if (registered.has(name))
      throw new Error(`lie ${name} is told twice (${registered.get(name)?.rule}, ${spec.rule})`);
    registered.set(name, { name, rule: spec.rule });
  }
  return (activeLies, ...facts) => {
    const told = activeLies.size === 0 ? undefined : names.find((name) => activeLies.has(name));
    return (told === undefined ? spec.honest : spec.lies[told]!)(...facts);
  };
}

/** Every lie the sandbox can tell, sorted by rule and name. */
export function listLies(): readonly Lie[] {
  return [...registered.values()].sort((a, b) => a.rule.localeCompare(b.rule) || a.name.localeCompare(b.name));
}

/**
 * The set of activeLies with these names.
 * @throws Trouble (usage) for a name that no decision knows, with the nearest one
 */
export function activateLies(names: readonly string[]): ActiveLies {
  for (const name of names) {
    if (!registered.has(name)) {
      const fix = suggestWord(name, registered.keys()) || 'assay lies prints them all';
      throw new Trouble('usage', `no lie is called ${name}`, { fix });
    }
  }
  return new Set(names);
}
