import { compareConditions } from './conditions.ts';
import { nameParts } from './flatten.ts';
import { samenessOf } from './sameness.ts';
import { compareArrays } from './schema-arrays.ts';
import { compareObjects } from './schema-objects.ts';
import type { CompareSchemas, SchemaDifference, SchemaNode, SchemaPair } from './schema-pair.ts';
import { compareAnnotations, compareTexts } from './schema-texts.ts';
import { compareLimits, compareSorts } from './schema-values.ts';
import { shapeOf } from './shape.ts';
import type { SpecSource } from './source.ts';
import { compareUnions } from './unions.ts';

/** @param old and @param now the two descriptions */
export function schemaComparison(old: SpecSource, now: SpecSource): CompareSchemas {
  const nodes = new Map<string, SchemaNode>();
  const same = samenessOf(old, now);
  const nothing: SchemaNode = { locals: [], edges: [] };
  const compare: CompareSchemas = (a, b, direction, asText) => {
    const key = `${direction} ${asText} ${nameParts(a)} ${nameParts(b)}`;
    const known = nodes.get(key);
    if (known) return known;
    if (same(a, b)) {
      nodes.set(key, nothing);
      return nothing;
    }
    const locals: SchemaDifference[] = [];
    const edges: { path: string; to: () => SchemaNode }[] = [];
    const [before, after] = [shapeOf(old, a), shapeOf(now, b)];
    const near = [before.at, after.at] as const;
    const pair: SchemaPair = {
      old: before,
      new: after,
      direction,
      asText,
      same,
      tell: (kind, text, values, at, path = '') =>
        void locals.push({ id: `${direction}-${kind}`, path, text, old: values[0], new: values[1], at, near }),
      note: (id, text, values, at) =>
        void locals.push({ id, path: '', text, old: values[0], new: values[1], at, near }),
      go: (path, one, other) => void edges.push({ path, to: () => compare(one, other, direction, asText) }),
    };
    const node = { locals, edges };
    nodes.set(key, node);
    compareShapes(pair);
    return node;
  };
  return compare;
}

function compareShapes(pair: SchemaPair): void {
  const { old, new: now, tell } = pair;
  if (old.never || now.never) {
    if (now.never && !old.never) tell('value-refused', '{} takes no value any more.', [true, false], [old.at, now.at]);
    if (old.never && !now.never) tell('value-accepted', '{} takes values.', [false, true], [old.at, now.at]);
    return;
  }
  compareAnnotations(pair);
  // Another type is the whole story: limits of the one say nothing about the other.
  if (compareUnions(pair) === 'told' || compareSorts(pair) === 'told') return;
  compareLimits(pair);
  compareTexts(pair);
  compareObjects(pair);
  compareArrays(pair);
  compareConditions(pair);
}
