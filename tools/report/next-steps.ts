import { groupByCause, loudestRules } from './loudest-rules.ts';
import { countSkipReasons } from './skip-reasons.ts';
import type { RunResult } from './types.ts';

/** Something that is to be done after a run, and by whom. */
export interface NextStep {
  readonly who: string;
  readonly what: string;
  /** Rules it is about, the gravest first. */
  readonly rules: readonly string[];
}

/** Reasons for a skip that a line of the target file takes away. */
const TARGET_LACKS: readonly string[] = ['capability', 'credentials', 'card', 'cost', 'service'];

/** Who has to do what after a run, the most pressing first; what follows from something else is not named again. */
export function planNextSteps(run: RunResult): NextStep[] {
  const ids = (verdict: 'fail' | 'warn' | 'broken', side?: 'client') =>
    groupByCause(loudestRules(run, [verdict]))
      .flat()
      .filter((rule) => rule.side === side)
      .map(({ id }) => id);
  const [failed, warned, undecided] = [ids('fail'), ids('warn'), ids('broken')];
  const lacking = run.rules.filter(
    ({ verdict, reason }) => verdict === 'skipped' && TARGET_LACKS.includes(reason!.code),
  );
  const browserless = countSkipReasons(run).some(({ code }) => code === 'browser');
  const step = (who: string, what: string, rules: readonly string[]): NextStep[] =>
    rules.length === 0 ? [] : [{ who, what, rules }];
  return [
    ...step('Team of the client', 'mends what the client does wrong', ids('fail', 'client')),
    ...step('Team of the client', 'looks whether to do what only should be done', ids('warn', 'client')),
    ...step('Provider of the service', 'mends what is broken, or says which reading of the document is meant', failed),
    ...step('Provider and client', 'agree whether to mend what only should be so', warned),
    ...step('Whoever runs the suite', 'finds out why these could not be decided, and runs them again', undecided),
    ...run.waivers
      .filter(({ state }) => state === 'expired' || state === 'stale' || state === 'unknown rule')
      .map(({ rule, owner, state }) => ({
        who: owner,
        what: `decides anew about a waiver that is ${state}`,
        rules: [rule],
      })),
    ...step(
      'Keeper of the target file',
      'adds what these need, where the service can do it: assay doctor names each line',
      lacking.map(({ id }) => id),
    ),
    ...(browserless
      ? [{ who: 'Whoever runs the suite', what: 'installs a browser: assay doctor --fix', rules: [] }]
      : []),
    ...(run.signOff === undefined && run.target.kind !== 'embedded' && run.target.kind !== 'mock'
      ? [
          {
            who: 'Reviewer',
            what: 'decides, and signs the run off: assay report DIR --sign-off NAME --decision WORD --sign',
            rules: [],
          },
        ]
      : []),
    ...(run.complete || run.counts.rules.broken > 0 || undecided.length > 0
      ? []
      : [{ who: 'Whoever runs the suite', what: 'runs it again to its end', rules: [] }]),
  ];
}
