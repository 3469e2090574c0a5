import type { TestInfo } from '@playwright/test';
import type { CheckLine, Failure, Recorder, SkipCode } from '#evidence';

/** Text without terminal colours. */
export function stripColours(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what a colour starts with
  return text.replace(/\u001b\[[0-9;]*m/g, '');
}

/**
 * What became of a check, from Playwright's errors: a failed expectation or a finding is the API's doing, anything else is ours.
 * Violations charged to a rule the check claims are findings; those charged to other rules are left to their own rows.
 */
export function judgeCheck(
  info: TestInfo,
  recorder: Recorder,
  claimed: ReadonlySet<string>,
): Pick<CheckLine, 'outcome' | 'failures'> & Partial<Pick<CheckLine, 'reason'>> {
  const last = recorder.count === 0 ? {} : { exchange: `${recorder.check}.${recorder.count}` };
  const charged = recorder.violations
    .filter(({ rule }) => claimed.has(rule))
    .map(
      ({ rule, expected, actual, where, exchange }): Failure => ({
        message: `the answer breaks its schema at ${where || 'the top'}`,
        expected,
        actual,
        exchange,
        rule,
      }),
    );
  const errors = info.errors.map((error) => ({ text: stripColours(error.message ?? String(error.value ?? '')) }));
  const found = errors
    .filter(({ text }) => isFinding(text))
    .filter(
      ({ text }) => !charged.some(({ expected, actual }) => text === `Finding: expected ${expected}; got ${actual}`),
    );
  const failures = [
    ...charged,
    ...found.flatMap(({ text }) => named(text, claimed).map((one) => ({ ...one, ...last }))),
  ].map((one) => ({
    ...one,
    message: recorder.redact(one.message),
    ...(one.expected === undefined ? {} : { expected: recorder.redact(one.expected) }),
    ...(one.actual === undefined ? {} : { actual: recorder.redact(one.actual) }),
  }));
  const ours = errors.find(({ text }) => !isFinding(text));
  if (failures.length > 0) return { outcome: 'fail', failures };
  if (info.status === 'timedOut')
    return { outcome: 'broken', reason: { code: 'timeout', text: 'the check did not end in time' }, failures: [] };
  if (ours === undefined) return { outcome: 'pass', failures: [] };
  const unoffered = /^Unoffered: (\w+): ([^\n]*)/.exec(ours.text);
  if (unoffered) {
    const reason = { code: unoffered[1] as SkipCode, text: recorder.redact(unoffered[2]!) };
    return { outcome: 'skipped', reason, failures: [] };
  }
  const code = ours.text.startsWith('Unarranged')
    ? 'arrange'
    : ours.text.startsWith('NoAnswer')
      ? 'unreachable'
      : 'defect';
  return {
    outcome: 'broken',
    reason: { code, text: recorder.redact(ours.text.split('\n').slice(0, 3).join(' ')) },
    failures: [],
  };
}

/**
 * An expectation or a finding of a check that claims several rules may say which of them it is about, as in
 * `expect(reply, 'GW-CAP-03')`: the failure is charged to that one. Without a word it is charged to all.
 */
function named(text: string, claimed: ReadonlySet<string>): Failure[] {
  const { rules, said } = splitRuleIds(text);
  const about = rules.filter((id) => claimed.has(id));
  return about.length === 0 ? [failure(text)] : about.map((rule) => ({ ...failure(said), rule }));
}

/** The rules that stand before what an error says, `GW-CAP-03, GW-CAP-04: …` or on a line of their own, and the rest of it. */
export function splitRuleIds(text: string): { rules: string[]; said: string } {
  const [, kind = '', ids, said = ''] =
    /^(?:Error: )?(Finding: )?((?:[A-Z0-9]+-[A-Z0-9]+-\d+(?:, )?)+)(?:: |\n+)([\s\S]*)$/.exec(text) ?? [];
  return ids === undefined ? { rules: [], said: text } : { rules: ids.split(', '), said: kind + said };
}

function isFinding(text: string): boolean {
  return (
    /^(?:Error: )?(?:Finding: |expect\(|.*\n*.*expect\()/.test(text) &&
    !/^(?:Unarranged|Unoffered|NoAnswer|TypeError|ReferenceError)/.test(text)
  );
}

/** What an expectation says, taken apart: the lines it labels, or the two sides of its comparison. */
function failure(text: string): Failure {
  const finding = /^(?:Error: )?Finding: expected ([\s\S]*?); got ([\s\S]*)$/.exec(text);
  if (finding)
    return { message: `expected ${finding[1]}; got ${finding[2]}`, expected: finding[1]!, actual: finding[2]! };
  const lines = text.replace(/^Error: /, '').split('\n');
  const side = (mark: '-' | '+', label: RegExp) => {
    const marked = lines.filter((line) => line.startsWith(`${mark} `) && !/^[-+] (?:Expected|Received) /.test(line));
    const labelled = lines.map((line) => label.exec(line)?.[1]).find((one) => one !== undefined);
    return labelled ?? (marked.length > 0 ? marked.map((line) => line.slice(2).trim()).join(' ') : undefined);
  };
  const expected = side('-', /^Expected[^:]*:\s*(.*)$/);
  const actual = side('+', /^Received[^:]*:\s*(.*)$/);
  const said = lines[0]!.startsWith('expect(') ? undefined : lines[0]!;
  return {
    message: [
      said,
      expected === undefined ? lines[0] : `expected ${expected}`,
      actual === undefined ? undefined : `got ${actual}`,
    ]
      .filter((one, index, all) => one !== undefined && all.indexOf(one) === index)
      .join('; '),
    ...(expected === undefined ? {} : { expected: said === undefined ? expected : `${said}: ${expected}` }),
    ...(actual === undefined ? {} : { actual }),
  };
}
