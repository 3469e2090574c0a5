import { type StepMismatch, smallestExplanation } from './compare-parameter-strings.ts';
import type { DifferenceCause } from './difference-causes.ts';
import { ENCODING_MISTAKES } from './signing-mistakes.ts';

/** How a base string departs from ours although its parts, taken by themselves, agree (RFC 5849 section 3.4.1.1). */
export function compareBaseStrings(ours: string, theirs: string): StepMismatch {
  const mine = ours.split('&');
  const other = theirs.split('&');
  const parting = (
    cause: DifferenceCause,
    expected: string,
    actual: string,
    also: readonly DifferenceCause[] = [],
  ): StepMismatch => {
    return { step: 'baseString', cause, also, expected, actual };
  };
  if (other.length !== 3) return parting('base-string-not-joined', ours, theirs);
  if (mine[0] !== other[0]) {
    const small = other[0]!.toUpperCase() === mine[0];
    return parting(small ? 'method-in-small-letters' : 'method-changed', mine[0]!, other[0]!);
  }
  const at = mine.findIndex((part, index) => part !== other[index]);
  const guilty = smallestExplanation(
    ENCODING_MISTAKES,
    { made: ours, undone: theirs },
    ({ ours: make, theirs: undo }, before) => {
      const after = { made: make?.(before.made) ?? before.made, undone: undo(before.undone) };
      return after.made === before.made && after.undone === before.undone ? undefined : after;
    },
    ({ made, undone }) => made === undone,
  );
  const [cause, ...also] = guilty?.map((each) => each.cause) ?? ['base-string-inconsistent' as const];
  return parting(cause!, mine[at]!, other[at]!, also);
}
