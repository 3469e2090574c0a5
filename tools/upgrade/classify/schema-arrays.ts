import { canonicalText } from './canonical.ts';
import type { SchemaPart } from './flatten.ts';
import type { SchemaPair } from './schema-pair.ts';

/** Elements of arrays: all, those at fixed places, and those of which some must be there. */
export function compareArrays({ old, new: now, tell, go }: SchemaPair): void {
  const at = [old.items?.at, now.items?.at] as const;
  const [a, b] = [old.items?.value, now.items?.value];
  const named = (source: typeof old.source, parts: readonly SchemaPart[]) => canonicalText(source, parts);
  if (b === false && a !== false)
    tell('more-items-refused', '{} takes no elements but those listed.', [true, false], at);
  else if (a === false && b !== false)
    tell('more-items-allowed', '{} takes elements beyond those listed.', [false, true], at);
  else if (a && b) go('/*', a, b);
  else if (b)
    tell('items-constrained', 'The elements of {} must fit a schema.', ['anything', named(now.source, b)], at);
  else if (a)
    tell('items-unconstrained', 'The elements of {} may be anything.', [named(old.source, a), 'anything'], at);
  for (const place of [...new Set([...old.prefix.keys(), ...now.prefix.keys()])].sort()) {
    const [one, other] = [old.prefix.get(place), now.prefix.get(place)];
    const spots = [one?.at, other?.at] as const;
    if (one && other) go(`/${place}`, one.value, other.value);
    else if (other)
      tell(
        'prefix-item-added',
        `Element ${place} of {} has a schema.`,
        [undefined, named(now.source, other.value)],
        spots,
      );
    else if (one)
      tell(
        'prefix-item-removed',
        `Element ${place} of {} has no schema any more.`,
        [named(old.source, one.value), undefined],
        spots,
      );
  }
  const [c, d] = [old.contains, now.contains];
  const spots = [c?.at, d?.at] as const;
  if (c && d) go('/(some)', c.value, d.value);
  else if (d)
    tell('contains-added', 'Some element of {} must fit a schema.', [undefined, named(now.source, d.value)], spots);
  else if (c)
    tell(
      'contains-removed',
      'No element of {} must fit a schema any more.',
      [named(old.source, c.value), undefined],
      spots,
    );
}
