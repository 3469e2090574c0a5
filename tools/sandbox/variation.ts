import { CHOICE_TABLES, type ServiceChoices } from './choices.ts';

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
export const PLAIN_CHOICES: ServiceChoices = choose((ways) => ways[0]);

/**
 * Draws a variation. Each choice deals its ways to the twelve of a dozen as evenly as they go, in an order of its own, so every way is
 * met and any two choices meet in most combinations.
 */
export function drawVariation({ seed, number }: VariationId): Variation {
  const dozen = Math.floor((number - 1) / VARIATION_DOZEN);
  const place = (number - 1) % VARIATION_DOZEN;
  const choices = choose((ways, name) => shuffleList(deal(ways), seededRandom(`${seed} ${dozen} ${name}`))[place]);
  return Object.freeze({ seed, number, ...choices });
}

/** A random source that a text starts: the same numbers in [0, 1) for the same text. */
export function seededRandom(text: string): () => number {
  let state = hash(text);
  return () => {
    // Mulberry32.
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A list in a drawn order. */
export function shuffleList<One>(list: readonly One[], next: () => number): One[] {
  const drawn = [...list];
  for (let i = drawn.length - 1; i > 0; i -= 1) {
    const j = Math.floor(next() * (i + 1));
    [drawn[i], drawn[j]] = [drawn[j] as One, drawn[i] as One];
  }
  return drawn;
}

/** 32 bits of a text (FNV-1a). */
function hash(text: string): number {
  let bits = 0x811c9dc5;
  for (let i = 0; i < text.length; i += 1) bits = Math.imul(bits ^ text.charCodeAt(i), 0x01000193);
  return bits >>> 0;
}

function deal(ways: readonly unknown[]): unknown[] {
  return Array.from({ length: VARIATION_DOZEN }, (_, i) => ways[i % ways.length]);
}

function choose(draw: (ways: readonly unknown[], name: string) => unknown): ServiceChoices {
  const drawn = Object.entries(CHOICE_TABLES).map(([service, table]) => [
    service,
    Object.freeze(
      Object.fromEntries(Object.entries(table).map(([name, ways]) => [name, draw(ways, `${service}.${name}`)])),
    ),
  ]);
  return Object.freeze(Object.fromEntries(drawn)) as ServiceChoices;
}

/** The choices in which a variation differs from the plain sandbox, as `service.name: way`. */
export function listDifferences(choices: ServiceChoices): string[] {
  return Object.entries(CHOICE_TABLES).flatMap(([service, table]) =>
    Object.entries(table)
      .map(([name, ways]) => ({
        name,
        plain: ways[0] as unknown,
        way: (choices[service as keyof ServiceChoices] as Readonly<Record<string, unknown>>)[name],
      }))
      .filter(({ plain, way }) => way !== plain)
      .map(({ name, way }) => `${service}.${name}: ${String(way)}`),
  );
}
