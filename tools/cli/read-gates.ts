import { type RunGates, VERDICTS, type Verdict } from '#evidence';
import { verdictWord } from '#report';
import { suggestWord, Trouble } from '#trouble';
import type { CommandFlag, GivenArguments } from './arguments.ts';

/** Flags that say what a run must have judged to count as kept. */
export const GATE_FLAGS = {
  require: { value: 'ID|AREA', repeatable: true, help: 'exit with 3 unless these rules were judged; may be repeated' },
  'max-skipped': { value: 'N', help: 'exit with 3 when more selected rules were skipped' },
  'max-not-seen': { value: 'N', help: 'exit with 3 when more selected rules spoke of what never came' },
  'only-verdicts': { value: 'LIST', help: 'exit with 3 when a selected rule came out otherwise, e.g. pass,waived' },
} as const satisfies Record<string, CommandFlag>;

/** Reads the gates of a run. @throws Trouble (usage) for a number or verdict that is none */
export function readGates(given: GivenArguments): RunGates {
  const required = given.flags('require');
  const [maxSkipped, maxNotSeen] = [readCount(given, 'max-skipped'), readCount(given, 'max-not-seen')];
  const words = given.flag('only-verdicts');
  return {
    ...(required.length === 0 ? {} : { require: required }),
    ...(maxSkipped === undefined ? {} : { maxSkipped }),
    ...(maxNotSeen === undefined ? {} : { maxNotSeen }),
    ...(words === undefined ? {} : { onlyVerdicts: words.split(',').map((word) => readVerdict(word.trim())) }),
  };
}

function readCount(given: GivenArguments, flag: 'max-skipped' | 'max-not-seen'): number | undefined {
  const text = given.flag(flag);
  if (text === undefined) return undefined;
  if (!/^\d{1,5}$/.test(text)) throw new Trouble('usage', `--${flag} ${text} is no number`, { fix: `--${flag} 20` });
  return Number(text);
}

function readVerdict(word: string): Verdict {
  const verdict = VERDICTS.find((one) => one === word || verdictWord(one) === word);
  if (verdict !== undefined) return verdict;
  const words = VERDICTS.map(verdictWord);
  throw new Trouble('usage', `${word || 'nothing'} is no verdict`, {
    fix: suggestWord(word, words) || `verdicts are ${words.join(', ')}`,
  });
}
