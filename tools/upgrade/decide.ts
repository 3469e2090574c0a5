import { formatCount } from '#report';
import { changedOperations, registeredId } from './impact.ts';
import type { FindingKind, JudgedChange, UpgradeFinding, UpgradeReason, UpgradeVerdict } from './result.ts';
import type { FindingWeight } from './types.ts';

/** More risky changes than this are counted, not named, among the reasons. */
const FEW = 4;
const WEIGHTS: readonly FindingWeight[] = ['work', 'unknown', 'note'];

/** How a kind of finding is told when there are several of it. */
const MANY: Readonly<Record<FindingKind, string>> = {
  'described-once': 'services are described on one side only',
  'no-version-bump': 'descriptions break clients without a new major version',
  'not-announced': 'changes, or groups of small ones, are not in the changelog',
  'not-found': 'sentences of the changelog have no change behind them',
  'expired-waiver': 'waivers are past their last day',
  'unused-waiver': 'waivers cover nothing',
  'early-removal': 'elements are gone before their announced day',
  'near-removal': 'elements go sooner than is usual',
  'past-removal': 'elements are used past the day of their removal',
  retirement: 'operations announce their end in headers',
  'recorded-request': 'kinds of recorded requests would be refused',
  'recorded-response': 'kinds of recorded answers are not described any more',
  'unexplained-body': 'bodies part the two descriptions without a change that says so',
  documents: 'findings in the documents',
  'open-clause': 'changed clauses of the documents wait for a decision',
  'early-decision': 'decisions on clauses are of days still to come',
  'idle-decision': 'decisions on clauses decide nothing',
  'worse-verdict': 'promises got worse from run to run',
  drift: 'observations drifted from run to run',
  'incomplete-run': 'runs are incomplete',
  'other-specs': 'runs were judged by other descriptions',
  'not-searched': 'descriptions could not be searched',
};

/** The verdict and every reason for it, the heaviest first. */
export function decideUpgrade(
  changes: readonly JudgedChange[],
  findings: readonly UpgradeFinding[],
): { verdict: UpgradeVerdict; reasons: readonly UpgradeReason[] } {
  const standing = changes.filter(({ waiver }) => waiver?.state !== 'in force');
  const reasons: UpgradeReason[] = [
    ...standing.filter(({ level }) => level === 'breaking').map((one) => reasonOf(one, 'work')),
    ...standing.filter(({ level }) => level === 'unclear').map((one) => reasonOf(one, 'unknown')),
  ];
  const risky = standing.filter(({ level }) => level === 'risky');
  const rules = risky.filter((one) => registeredId(one) !== undefined);
  const others = risky.filter((one) => !rules.includes(one));
  if (others.length > FEW) reasons.push({ weight: 'note', text: `${others.length} risky changes`, about: 'risky' });
  else reasons.push(...others.map((one) => reasonOf(one, 'note')));
  if (rules.length > 0)
    reasons.push({
      weight: 'note',
      text: `${formatCount(rules.length, 'promise')} of the register ${rules.length === 1 ? 'is' : 'are'} gone or weaker`,
      about: rules[0]!.fingerprint,
    });
  const waived = changes.filter(({ waiver, level }) => waiver?.state === 'in force' && level !== 'safe');
  if (waived.length > 0)
    reasons.push({
      weight: 'note',
      text: waived.length === 1 ? '1 change is waived' : `${waived.length} changes are waived`,
      about: 'waivers',
    });
  for (const weight of WEIGHTS) {
    const own = findings.filter((one) => one.weight === weight);
    for (const kind of new Set(own.map((one) => one.kind))) {
      const same = own.filter((one) => one.kind === kind);
      if (kind === 'open-clause' && same.length <= FEW) {
        for (const { text, clause } of same) reasons.push({ weight, text, about: clause ?? kind });
        continue;
      }
      const text = same.length === 1 ? same[0]!.text : `${same.length} ${MANY[kind]}`;
      reasons.push({ weight, text, about: kind === 'open-clause' ? 'clauses' : kind });
    }
  }
  const sorted = WEIGHTS.flatMap((weight) => reasons.filter((one) => one.weight === weight));
  return { verdict: verdictOf(sorted, changes), reasons: sorted.length > 0 ? sorted : [nothing(changes)] };
}

function verdictOf(reasons: readonly UpgradeReason[], changes: readonly JudgedChange[]): UpgradeVerdict {
  if (reasons.some(({ weight }) => weight === 'work')) return 'needs work';
  if (reasons.some(({ weight }) => weight === 'unknown')) return 'cannot tell';
  return reasons.length > 0 || changes.some(({ level }) => level === 'risky') ? 'safe with notes' : 'safe';
}

function nothing(changes: readonly JudgedChange[]): UpgradeReason {
  const text =
    changes.length === 0
      ? 'Nothing changed that a client can notice.'
      : changes.length === 1
        ? 'The one change cannot break a client.'
        : `None of the ${changes.length} changes can break a client.`;
  return { weight: 'note', text, about: 'changes' };
}

function reasonOf(change: JudgedChange, weight: FindingWeight): UpgradeReason {
  const [operation, ...more] = changedOperations(change);
  const where = operation === undefined ? '' : `${operation}${more.length > 0 ? ` and ${more.length} more` : ''}: `;
  return { weight, text: `${where}${change.text}`, about: change.fingerprint };
}
