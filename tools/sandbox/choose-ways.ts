import { suggestWord, Trouble } from '#trouble';
import { SERVICE_LIST, type ServiceChoices } from './services.ts';
import { decideChoices } from './variation.ts';

/** A free choice with its ways, as a developer names it. */
export interface NamedChoice {
  /** `service.name`. */
  readonly name: string;
  /** The first is the plain sandbox's own. */
  readonly ways: readonly (string | number)[];
}

/** Every free choice of every service. */
export function listChoices(): readonly NamedChoice[] {
  return SERVICE_LIST.flatMap(([service, { choices }]) =>
    Object.entries(choices).map(([name, ways]) => ({ name: `${service}.${name}`, ways })),
  );
}

/**
 * Takes other ways for some choices.
 * @param choices the ways so far
 * @param wishes each `service.choice=way`, or `choice=way` for every service that has this choice
 * @throws Trouble (usage) for a choice or a way that does not exist, with what there is
 */
export function chooseWays(choices: ServiceChoices, wishes: readonly string[]): ServiceChoices {
  const chosen = new Map(wishes.flatMap(readWish));
  return decideChoices((_ways, name) => {
    const [service, choice] = name.split('.') as [keyof ServiceChoices, string];
    return chosen.get(name) ?? (choices[service] as Readonly<Record<string, unknown>>)[choice];
  });
}

function readWish(wish: string): (readonly [name: string, way: string | number])[] {
  const [asked = '', ...rest] = wish.split('=');
  const all = listChoices();
  const meant = all.filter(({ name }) => name === asked || name.endsWith(`.${asked}`));
  if (meant.length === 0) {
    const known = all.flatMap(({ name }) => [name, name.slice(name.indexOf('.') + 1)]);
    const fix = suggestWord(asked, known) || 'assay sandbox --choices prints them all';
    throw new Trouble('usage', `no free choice of the sandbox is called “${asked}”`, { fix });
  }
  return meant.map(({ name, ways }) => {
    const way = ways.find((one) => String(one) === rest.join('='));
    if (way === undefined)
      throw new Trouble('usage', `${name} cannot be “${rest.join('=')}”`, {
        fix: `one of ${ways.map((one) => `--choose '${asked}=${one}'`).join(', ')}`,
      });
    return [name, way] as const;
  });
}
