import { seededRandom, shuffleList } from './seeded-random.ts';
import type { TargetLine } from './service-offer.ts';
import { SERVICE_LIST, type ServiceChoices } from './services.ts';

/** Choices that say most about a variation, as `service.name`. */
export const TELLING_CHOICES: readonly string[] = SERVICE_LIST.flatMap(([service, { tellingChoices }]) =>
  tellingChoices.map((name) => `${service}.${name}`),
);

/** Which variation: the same seed and number give the same choices. */
export interface VariationId {
  readonly seed: number;
  /** Counted from 1. */
  readonly number: number;
}

/** A way to keep both documents: one way for each free choice. */
export interface Variation extends VariationId, ServiceChoices {}

/** Variations of a seed are drawn by the dozen, so that within each dozen every way of every choice comes up. */
export const VARIATION_DOZEN = 12;

/** The plain sandbox's own choices: the first way of each. */
export const PLAIN_CHOICES: ServiceChoices = decideChoices((ways) => ways[0]);

/**
 * Draws a variation. Each choice deals its ways to the twelve of a dozen as evenly as they go, in an order of its own, so every way is
 * met and any two choices meet in most combinations.
 */
export function drawVariation({ seed, number }: VariationId): Variation {
  const dozen = Math.floor((number - 1) / VARIATION_DOZEN);
  const place = (number - 1) % VARIATION_DOZEN;
  const choices = decideChoices(
    (ways, name) => shuffleList(deal(ways), seededRandom(`${seed} ${dozen} ${name}`))[place],
  );
  return Object.freeze({ seed, number, ...choices });
}

function deal(ways: readonly unknown[]): unknown[] {
  return Array.from({ length: VARIATION_DOZEN }, (_, i) => ways[i % ways.length]);
}

/** One way for each choice of each service. @param draw is given the ways and `service.choice` */
export function decideChoices(draw: (ways: readonly unknown[], name: string) => unknown): ServiceChoices {
  const drawn = SERVICE_LIST.map(([service, { choices }]) => [
    service,
    Object.freeze(
      Object.fromEntries(Object.entries(choices).map(([name, ways]) => [name, draw(ways, `${service}.${name}`)])),
    ),
  ]);
  return Object.freeze(Object.fromEntries(drawn)) as ServiceChoices;
}

/** The choices in which a variation differs from the plain sandbox, as `service.name: way`. */
export function listDifferences(drawn: ServiceChoices): string[] {
  return SERVICE_LIST.flatMap(([service, { choices }]) =>
    Object.entries(choices)
      .map(([name, ways]) => ({
        name,
        plain: ways[0] as unknown,
        way: (drawn[service] as Readonly<Record<string, unknown>>)[name],
      }))
      .filter(({ plain, way }) => way !== plain)
      .map(({ name, way }) => `${service}.${name}: ${String(way)}`),
  );
}

/** What a target file has to say of a sandbox that makes these choices: every line that the choices decide. */
export function targetLines(drawn: ServiceChoices): readonly TargetLine[] {
  return SERVICE_LIST.flatMap(([service, offer]) => offer.targetLines(drawn[service] as never));
}
