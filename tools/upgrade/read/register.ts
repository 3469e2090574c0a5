import { CLAUSE_HASH_DIGITS, type RuleLevel as Duty, type SpecFile } from '#contract';
import { appendPointer, pointerTokens } from '#json-pointer';

/** A rule or a hole as a description keeps it, wherever it stands. */
export interface RegisterEntry {
  readonly id: string;
  readonly text: string;
  readonly level: Duty;
  /** Pointer of the object that holds it. */
  readonly at: string;
  readonly source: readonly ClaimedClause[];
}

/** The clause something comes from; without a section, one of these words anywhere. */
export interface ClaimedClause {
  readonly section?: string;
  readonly sha256: string;
}

/** Something whose removal is announced for a day. */
export interface AnnouncedRemoval {
  readonly name: string;
  readonly at: string;
  /** YYYY-MM-DD. */
  readonly day: string;
}

/** What of the register a description brings along; a description of somebody else brings nothing. */
export interface UpgradeRegister {
  readonly rules: readonly RegisterEntry[];
  readonly holes: readonly RegisterEntry[];
  /** Clauses that promise nothing. */
  readonly contexts: readonly RegisterEntry[];
  readonly removals: readonly AnnouncedRemoval[];
}

const KEPT = ['x-rules', 'x-holes', 'x-unknowns', 'x-context', 'x-removed'];

/** Gathers rules, holes and announced removals from anywhere in a description; a retired rule is left out. */
export function registerOf({ root }: Pick<SpecFile, 'root'>): UpgradeRegister {
  const rules: RegisterEntry[] = [];
  const holes: RegisterEntry[] = [];
  const contexts: RegisterEntry[] = [];
  const removals: AnnouncedRemoval[] = [];
  const path: string[] = [];
  const walk = (node: unknown) => {
    if (typeof node !== 'object' || node === null) return;
    const fields = node as Record<string, unknown>;
    const at = KEPT.some((key) => key in fields) ? appendPointer('', ...path) : '';
    for (const [key, entries, words] of [
      ['x-rules', rules, 'text'],
      ['x-holes', holes, 'unknown'],
      // Its older name.
      ['x-unknowns', holes, 'unknown'],
    ] as const) {
      const listed = fields[key];
      if (!Array.isArray(listed)) continue;
      for (const one of listed as Record<string, unknown>[]) {
        if (typeof one?.id !== 'string' || one.retired !== undefined) continue;
        entries.push({
          id: one.id,
          text: String(one[words] ?? ''),
          level: one.level === 'should' ? 'should' : 'must',
          at,
          source: sourcesOf(one.source),
        });
      }
    }
    for (const one of Array.isArray(fields['x-context']) ? fields['x-context'] : [])
      contexts.push({ id: String(one?.why), text: '', level: 'should', at, source: sourcesOf(one) });
    if (typeof fields['x-removed'] === 'string')
      removals.push({ name: pointerTokens(at).at(-1) ?? '', at, day: fields['x-removed'] });
    for (const [key, value] of Object.entries(fields)) {
      if (key.startsWith('x-') || typeof value !== 'object') continue;
      path.push(key);
      walk(value);
      path.pop();
    }
  };
  walk(root);
  return { rules, holes, contexts, removals };
}

function sourcesOf(written: unknown): ClaimedClause[] {
  return [written].flat().flatMap((one) => {
    const { section, sha256 } = (one ?? {}) as Record<string, unknown>;
    return typeof sha256 === 'string'
      ? [{ sha256: sha256.slice(0, CLAUSE_HASH_DIGITS), ...(typeof section === 'string' ? { section } : {}) }]
      : [];
  });
}

/** The rules at a place and below it, else those at the nearest place above, up to its operation or its named part. */
export function rulesNear(rules: readonly RegisterEntry[], pointer: string): readonly RegisterEntry[] {
  const inside = rules.filter(({ at }) => at === pointer || at.startsWith(`${pointer}/`));
  if (inside.length > 0) return inside;
  const tokens = pointer.split('/');
  const least = ['components', 'paths', 'webhooks'].includes(tokens[1] ?? '') ? 4 : 3;
  for (let length = tokens.length - 1; length >= least; length -= 1) {
    const above = tokens.slice(0, length).join('/');
    const found = rules.filter(({ at }) => at === above);
    if (found.length > 0) return found;
  }
  return [];
}
