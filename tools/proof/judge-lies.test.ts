import { expect, test } from '@playwright/test';
import type { CheckLine } from '#evidence';
import { toldLies } from './judge-lies.ts';

const LIES = [
  { name: 'one', rule: 'A-1' },
  { name: 'two', rule: 'A-1' },
  { name: 'three', rule: 'A-2' },
];
const CHECKS = [
  { file: 'a.spec.ts', title: 'first', rules: ['A-1'] },
  { file: 'a.spec.ts', title: 'second', rules: ['A-1', 'A-2'] },
];
const claiming = ({ rule }: { rule: string }) => CHECKS.filter(({ rules }) => rules.includes(rule));

/** The line of a check, `title` or `title lie`, and how it ended. */
function line(name: string, outcome: CheckLine['outcome'] = 'pass', code?: 'interrupted'): CheckLine {
  const [title, lie] = name.split(' ');
  const check = CHECKS.find((one) => one.title === title)!;
  return {
    kind: 'check',
    ...check,
    id: title!,
    line: 1,
    project: '',
    outcome,
    failures: [],
    exchanges: 0,
    startedAt: '',
    duration: 0,
    ...(lie === undefined ? {} : { lie }),
    ...(code === undefined ? {} : { reason: { code, text: '' } }),
  };
}

const names = (lines: readonly CheckLine[], asked = claiming) => toldLies(LIES, lines, asked).map(({ name }) => name);

test('a lie is told when every check of its rule was heard, with it and without', () => {
  const whole = [line('first'), line('second'), line('first one', 'fail'), line('second one')];
  expect(names(whole)).toEqual(['one']);
  for (const [at] of whole.entries()) expect(names(whole.toSpliced(at, 1))).toEqual([]);
  expect(names([...whole, line('second three')])).toEqual(['one', 'three']);
});

test('a check that was interrupted was not heard, and one that is red without a lie tells of none', () => {
  const honest = [line('first'), line('second')];
  const told = [line('first one'), line('second three', 'fail')];
  expect(names([...honest, ...told, line('second one', 'broken', 'interrupted')])).toEqual(['three']);
  expect(names([line('first', 'broken'), line('second'), ...told, line('second one')])).toEqual(['three']);
});

test('where every check of a service is asked, each of them has to be heard', () => {
  const lines = [line('first'), line('second'), line('second three', 'fail')];
  expect(names(lines, () => CHECKS)).toEqual([]);
  expect(names([...lines, line('first three')], () => CHECKS)).toEqual(['three']);
});
