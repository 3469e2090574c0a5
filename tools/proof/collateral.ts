import type { LieResult, UndeclaredCollateral } from './types.ts';

/** Rules that a lie about another rule may well turn red, and why. */
export interface DeclaredCollateral {
  /** A lie, or the rule or area that lies are about. */
  readonly lie: string;
  /** Rules or areas. */
  readonly reds: readonly string[];
  readonly reason: string;
}

/**
 * The collateral reds that nothing accounts for. A check that claims both rules settles both by one observation and needs no word.
 * @param declared what the project says beforehand
 * @returns them, and the declarations that nothing used
 */
export function matchDeclarations(
  results: readonly LieResult[],
  declared: readonly DeclaredCollateral[],
): { undeclared: UndeclaredCollateral[]; unused: DeclaredCollateral[] } {
  const used = new Set<DeclaredCollateral>();
  const undeclared = results.flatMap(({ name, rule, apart }) =>
    apart
      .filter((red) => {
        const found = declarationsFor(declared, { name, rule }, red);
        for (const one of found) used.add(one);
        return found.length === 0;
      })
      .map((red) => ({ lie: name, rule, red })),
  );
  return { undeclared, unused: declared.filter((one) => !used.has(one)) };
}

/** The declarations that account for a rule which a lie about another one turned red. */
export function declarationsFor(
  declared: readonly DeclaredCollateral[],
  { name, rule }: Pick<LieResult, 'name' | 'rule'>,
  red: string,
): readonly DeclaredCollateral[] {
  return declared.filter(
    (one) => (one.lie === name || covers(one.lie, rule)) && one.reds.some((word) => covers(word, red)),
  );
}

/** Whether a rule is the one named, or of the area named. */
function covers(word: string, rule: string): boolean {
  return word === rule || rule.startsWith(`${word}-`);
}
