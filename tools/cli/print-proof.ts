import {
  type DeclaredCollateral,
  type MutantResult,
  type ProofNumbers,
  type ProofResult,
  rulesWithoutLie,
  scoreMutants,
} from '#proof';
import { EXIT_CODES } from '#trouble';

/** Prints what a proof came to: what was missed, never red, red beside, or declared in vain, then its numbers. */
export function printProof(proof: ProofResult, numbers: ProofNumbers, unused: readonly DeclaredCollateral[]): void {
  for (const id of proof.dishonest) console.log(`dishonest  ${id}  the honest sandbox does not keep it`);
  for (const { name, rule, by, quiet } of proof.lies) {
    if (by.length > 0) continue;
    const why =
      quiet.length === 0
        ? 'no check claims the rule'
        : quiet
            .map(
              ({ check, outcome, reason }) =>
                `${check} ${outcome === 'broken' ? 'could not run' : outcome}${reason ? ` (${reason.slice(0, 120)})` : ''}`,
            )
            .join(', ');
    console.log(`missed     ${rule}  ${name}: ${why}`);
  }
  for (const id of rulesWithoutLie(proof)) console.log(`no lie     ${id}`);
  for (const { rule, file, title } of proof.idle)
    console.log(`never red  ${rule}  ${file}: ${title}: tell a lie that it catches, or let it claim less`);
  for (const { lie, rule, red } of proof.undeclared)
    console.log(
      `collateral ${red} turned red under ${lie}, a lie about ${rule}: declare it in tests/collateral.yaml or mend it`,
    );
  for (const { lie, reds } of unused)
    console.log(`unused     collateral of ${lie} declared on ${reds.join(', ')} was not seen`);
  const percent = (share: number) => `${(share * 100).toFixed(1)} %`;
  console.log(
    `${numbers.proven} of ${numbers.rules} rules proven, ${numbers.caught} of ${numbers.lies} lies caught, ${numbers.checksPerRule.toFixed(2)} checks a rule, precision ${percent(numbers.precision)}`,
  );
}

/** Prints the mutants that no check saw, those that one saw though they are permitted, and the score. */
export function printMutants(results: readonly MutantResult[]): void {
  const { judged, killed, right, permitted, unreached } = scoreMutants(results);
  for (const { id, tried, fate, open, because, rules } of results) {
    if (fate === 'survived')
      console.log(`${open === undefined ? 'survived ' : 'open     '}  ${id}  (${tried.length} checks)`);
    // Either the permission is too wide, or the check asks for more than the documents say.
    if (fate.startsWith('killed') && because !== undefined)
      console.log(`permitted  ${id}, and yet ${rules.join(', ')} turned red`);
  }
  const percent = (share: number, of: number) => `${((share / Math.max(1, of)) * 100).toFixed(1)} %`;
  console.log(
    `${killed} of ${judged} mutants killed (${percent(killed, judged)}), ${percent(right, killed)} at a rule about the place; ${permitted} permitted, ${unreached} not reached`,
  );
}

/** Kept when some were judged, and every survivor is one that `tests/permitted.yaml` lists. */
export function exitCodeOfMutants(results: readonly MutantResult[]): number {
  const isKnown = results.every(({ fate, open }) => fate !== 'survived' || open !== undefined);
  return isKnown && scoreMutants(results).judged > 0 ? EXIT_CODES.kept : EXIT_CODES.unprovable;
}
