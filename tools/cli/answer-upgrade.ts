import { resolve } from 'node:path';
import { projectContract } from '#contract';
import { ownFolder, workspaceFile } from '#folders';
import { checksClaiming, isDay, linesReading } from '#run';
import { Trouble } from '#trouble';
import {
  classifyChanges,
  judgeUpgrade,
  readDecisions,
  registerOfOwnRules,
  type Upgrade,
  type UpgradeRequest,
  upgradeHeadline,
} from '#upgrade';
import type { GivenArguments } from './arguments.ts';

const SHOWN = 12;

/**
 * Judges an upgrade by what a command compares and by what every such command takes from its line and from the project:
 * `--run`, `--decisions`, `--today`, rules of one's own.
 * @throws Trouble (usage) for a day that is none, and whatever the comparison refuses
 */
export function judgeGivenUpgrade(
  given: GivenArguments,
  compared: Pick<UpgradeRequest, 'from' | 'to'> & Partial<UpgradeRequest>,
): Upgrade {
  const today = given.flag('today') ?? new Date().toISOString().slice(0, 10);
  if (!isDay(today)) throw new Trouble('usage', `--today ${today} is no day`, { fix: '--today 2026-01-31' });
  const decisions = given.flag('decisions');
  return judgeUpgrade(
    {
      seed: 1,
      ...compared,
      ...(ownFolder('rules') === undefined ? {} : { own: registerOfOwnRules(projectContract()) }),
      run: given.flag('run'),
      decisions:
        decisions === undefined
          ? readDecisions(workspaceFile('document-decisions.yaml'), true)
          : readDecisions(resolve(decisions)),
      today,
      checksOf: checksClaiming,
      readersOf: linesReading,
    },
    classifyChanges,
  );
}

/** The verdict on an upgrade for a terminal: its heaviest reasons, then its headline, a line each. */
export function listReasons(upgrade: Upgrade): string[] {
  const { reasons } = upgrade;
  return [
    ...reasons.slice(0, SHOWN).map(({ weight, text }) => `${weight.padEnd(7)}  ${text}`),
    ...(reasons.length > SHOWN ? [`and ${reasons.length - SHOWN} more reasons`] : []),
    upgradeHeadline(upgrade),
  ];
}
