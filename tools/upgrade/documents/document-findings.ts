import { formatCount } from '#report';
import type { UpgradeFinding } from '../result.ts';
import type { ClauseChange, DocumentsComparison } from './documents.ts';

/** What the documents bring to the verdict: each clause that waits for a decision, what else is not as it was, and idle decisions. */
export function documentFindings({ changes, stale }: DocumentsComparison, today: string): UpgradeFinding[] {
  const quiet = changes.filter(({ weight, decision }) => weight === 'note' && decision === undefined);
  const decided = changes.flatMap(({ decision }) => decision ?? []);
  return [
    ...changes
      .filter(({ weight }) => weight === 'unknown')
      .map(
        (change): UpgradeFinding => ({
          kind: 'open-clause',
          weight: 'unknown',
          text: clauseInShort(change),
          advice: `${change.why} Read both wordings below and enter what you decide for ${change.clause}.`,
          clause: change.clause,
        }),
      ),
    ...decided
      .filter(({ date }) => date > today)
      .map(
        ({ clause, owner, date, place }): UpgradeFinding => ({
          kind: 'early-decision',
          weight: 'unknown',
          text: `The decision on ${clause} (${owner}) is of ${date}, a day that is still to come`,
          advice: 'Correct the date: a decision counts from the day it was taken.',
          place,
          clause,
        }),
      ),
    ...(decided.length === 0
      ? []
      : [
          {
            kind: 'documents' as const,
            weight: 'note' as const,
            text: `${formatCount(decided.length, 'changed clause')} ${decided.length === 1 ? 'was' : 'were'} decided on by a person`,
            advice: 'The section on documents says by whom and how.',
          },
        ]),
    ...(quiet.length === 0
      ? []
      : [
          {
            kind: 'documents' as const,
            weight: 'note' as const,
            text: `${formatCount(quiet.length, 'clause')} not as before without a rule that binds`,
            advice: 'Read them once.',
          },
        ]),
    ...stale.map(
      ({ clause, owner, place }): UpgradeFinding => ({
        kind: 'idle-decision',
        weight: 'note',
        text: `The decision on ${clause} (${owner}) decides nothing: no clause changed that way`,
        advice: 'Take it out, or correct its letters.',
        place,
      }),
    ),
  ];
}

/** A changed clause in one line: where, how it begins, what differs and which rules come from it. */
export function clauseInShort({ document, section, begins, fate, nature, facts, rules }: ClauseChange): string {
  const differs = facts && [...facts.gone, '→', ...facts.come].join(' ').trim();
  const what =
    fate === 'changed'
      ? nature === 'facts'
        ? `says something else (${differs})`
        : 'is worded otherwise'
      : FATES[fate];
  const musts = rules.filter(({ level }) => level === 'must');
  const named = (musts.length > 0 ? musts : rules).map(({ id }) => id).join(', ');
  const under =
    named !== ''
      ? `, under ${named}${musts.length > 0 ? '' : ' (should)'}`
      : fate === 'gone'
        ? ''
        : ', read by no rule';
  return `${document}, ${section || 'preface'}: “${begins} …” ${what}${under}`;
}

const FATES = { gone: 'is gone', new: 'is new', moved: 'stands under another heading' };
