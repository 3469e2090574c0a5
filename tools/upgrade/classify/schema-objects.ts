import { appendPointer } from '#json-pointer';

import { canonicalText } from './canonical.ts';
import type { SchemaPart } from './flatten.ts';
import type { SchemaPair } from './schema-pair.ts';
import { plainOf, type SchemaShape, shapeOf } from './shape.ts';

/** Fields of objects: listed, required, matching a pattern, all others, and what they demand of one another. */
export function compareObjects(pair: SchemaPair): void {
  compareProperties(pair);
  compareRest(pair);
  comparePatterns(pair);
  compareNames(pair);
  compareDependents(pair);
}

const fieldAt = (shape: SchemaShape, name: string) => shape.properties.get(name)?.at ?? shape.required.get(name);

function compareProperties(pair: SchemaPair): void {
  const { old, new: now, tell, go, direction } = pair;
  const names = [
    ...new Set([...old.properties.keys(), ...now.properties.keys(), ...old.required.keys(), ...now.required.keys()]),
  ];
  for (const name of names.sort()) {
    const path = appendPointer('', name);
    const at = [fieldAt(old, name), fieldAt(now, name)] as const;
    const [a, b] = [old.properties.get(name)?.value, now.properties.get(name)?.value];
    const mustAt = [old.required.get(name), now.required.get(name)] as const;
    const [must, musts] = [mustAt[0] !== undefined, mustAt[1] !== undefined];
    if (a && b && must === musts && pair.same(a, b)) continue;
    const [hidden, hides] = [a && isHidden(old, a, direction), b && isHidden(now, b, direction)];
    if ((hidden || !a) && (hides || !b) && (a || b)) continue;
    // Only where a field is on one side its whole schema is the value.
    const values =
      a && b
        ? ([undefined, undefined] as const)
        : ([a && canonicalText(old.source, a), b && canonicalText(now.source, b)] as const);
    if (a && b && hidden !== hides) {
      const kind = direction === 'request' ? 'read-only' : 'write-only';
      const text = hides ? `{} became ${kind}.` : `{} is no longer ${kind}.`;
      tell(`property-${hides ? 'became' : 'left'}-${kind}`, text, [!hides, hides], at, path);
      if (!hides && musts) tell('property-became-required', '{} is required.', [false, true], at, path);
    } else if (!a && b) {
      const closed = old.rest?.value === false && direction === 'response';
      // A name that was required before its schema was written is not new.
      if (must) go(path, [], b);
      else if (closed)
        tell('property-added-to-closed-object', '{} is new where no other fields came.', values, at, path);
      else if (musts) tell('required-property-added', '{} is new and required.', values, at, path);
      else tell('optional-property-added', '{} is new and optional.', values, at, path);
      if (must && !musts)
        tell('property-became-optional', '{} was required and is optional.', [true, false], mustAt, path);
    } else if (a && !b) {
      const closed = now.rest?.value === false && direction === 'request';
      if (musts) go(path, a, []);
      else if (closed) tell('property-refused', '{} is gone, and no other fields are taken.', values, at, path);
      else
        tell(
          must ? 'required-property-removed' : 'optional-property-removed',
          `{} is gone; it was ${must ? 'required' : 'optional'}.`,
          values,
          at,
          path,
        );
      if (musts && !must)
        tell('property-became-required', '{} was optional and is required.', [false, true], mustAt, path);
    } else {
      if (musts && !must)
        tell(
          'property-became-required',
          '{} was optional and is required.',
          [false, true],
          mustAt[0] ? mustAt : at,
          path,
        );
      if (must && !musts)
        tell(
          'property-became-optional',
          '{} was required and is optional.',
          [true, false],
          mustAt[1] ? mustAt : at,
          path,
        );
      if (a && b) go(path, a, b);
    }
  }
}

/** Whether a field does not travel in this direction. */
function isHidden(shape: SchemaShape, parts: readonly SchemaPart[], direction: SchemaPair['direction']): boolean {
  return plainOf(shapeOf(shape.source, parts), direction === 'request' ? 'readOnly' : 'writeOnly') === true;
}

function compareRest({ old, new: now, tell, go }: SchemaPair): void {
  const [a, b] = [old.rest, now.rest];
  const at = [a?.at, b?.at] as const;
  if (!isObject(old) || !isObject(now)) return;
  const values = [a?.value !== false, b?.value !== false] as const;
  if (b?.value === false) {
    if (a?.value !== false) tell('additional-properties-refused', '{} takes no fields but those listed.', values, at);
  } else if (a?.value === false)
    tell('additional-properties-allowed', '{} takes fields that are not listed.', values, at);
  else if (a && b) go('/*', a.value as readonly SchemaPart[], b.value);
  else if (b)
    tell(
      'additional-properties-constrained',
      'Fields of {} that are not listed must fit a schema.',
      ['anything', canonicalText(now.source, b.value)],
      at,
    );
  else if (a)
    tell(
      'additional-properties-unconstrained',
      'Fields of {} that are not listed may hold anything.',
      [canonicalText(old.source, a.value as readonly SchemaPart[]), 'anything'],
      at,
    );
}

const isObject = ({ sorts }: SchemaShape) => !sorts.types || sorts.types.has('object');

function comparePatterns({ old, new: now, tell, go }: SchemaPair): void {
  for (const pattern of new Set([...old.patterns.keys(), ...now.patterns.keys()])) {
    const [a, b] = [old.patterns.get(pattern), now.patterns.get(pattern)];
    const at = [a?.at, b?.at] as const;
    if (a && b) go(appendPointer('', `*${pattern}*`), a.value, b.value);
    else if (b)
      tell(
        'pattern-property-added',
        `Fields of {} whose names match ${pattern} have a schema.`,
        [undefined, pattern],
        at,
      );
    else
      tell(
        'pattern-property-removed',
        `Fields of {} whose names match ${pattern} have no schema any more.`,
        [pattern, undefined],
        at,
      );
  }
}

function compareNames({ old, new: now, tell, go }: SchemaPair): void {
  const [a, b] = [old.names, now.names];
  const at = [a?.at, b?.at] as const;
  if (a && b) go('/(names)', a.value, b.value);
  else if (b)
    tell(
      'property-names-constrained',
      'The names of the fields of {} must fit a schema.',
      ['anything', canonicalText(now.source, b.value)],
      at,
    );
  else if (a)
    tell(
      'property-names-unconstrained',
      'The names of the fields of {} may be anything.',
      [canonicalText(old.source, a.value), 'anything'],
      at,
    );
}

function compareDependents({ old, new: now, tell }: SchemaPair): void {
  for (const name of new Set([...old.dependents.keys(), ...now.dependents.keys()])) {
    const [a, b] = [old.dependents.get(name), now.dependents.get(name)];
    const come = (b?.value ?? []).filter((one) => !a?.value.includes(one));
    const gone = (a?.value ?? []).filter((one) => !b?.value.includes(one));
    const at = [a?.at, b?.at] as const;
    if (come.length)
      tell('dependent-required-added', `{} with ${name} must also have ${come.join(', ')}.`, [[], [name, ...come]], at);
    if (gone.length)
      tell(
        'dependent-required-removed',
        `{} with ${name} need no longer have ${gone.join(', ')}.`,
        [[name, ...gone], []],
        at,
      );
  }
  for (const name of new Set([...old.dependentSchemas.keys(), ...now.dependentSchemas.keys()])) {
    const [a, b] = [old.dependentSchemas.get(name), now.dependentSchemas.get(name)];
    const values = [a && canonicalText(old.source, a.value), b && canonicalText(now.source, b.value)] as const;
    if (values[0] !== values[1])
      tell('dependent-schemas-changed', `What {} with ${name} must be is different.`, values, [a?.at, b?.at]);
  }
}
