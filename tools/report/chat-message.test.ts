import { expect, test } from '@playwright/test';
import { renderChatMessage } from './chat-message.ts';
import { judgeJournal } from './run-result.ts';
import { sampleLines } from './sample-run.ts';
import type { RunResult } from './types.ts';

const run = judgeJournal(sampleLines());
const broken = run.rules.filter(({ verdict }) => verdict === 'fail' || verdict === 'warn');
const since = (rules: readonly string[]): NonNullable<RunResult['since']> => ({
  from: 'a',
  to: 'b',
  sameSpecs: true,
  verdicts: rules.map((rule) => ({ rule, from: 'pass', to: 'fail', worse: true })),
  drift: [],
  shapes: [],
  timing: [],
  fromStartedAt: run.startedAt,
  fromVerdict: 'kept',
});
const textOf = (of: RunResult) => (JSON.parse(renderChatMessage(of)!) as { text: string }).text;

test('without a run before every broken promise is told, and each waiver whose day is over', () => {
  expect(broken.length).toBeGreaterThan(1);
  const text = textOf(run);
  for (const { id } of broken) expect(text).toContain(id);
  const expired = run.waivers.filter(({ state }) => state === 'expired');
  for (const { rule } of expired) expect(text).toContain(`*expired waiver* ${rule}`);
});

test('beside a run before only what got worse is told, and nothing when nothing did', () => {
  const waivers = run.waivers.filter(({ state }) => state !== 'expired');
  const [first, second] = broken;
  const text = textOf({ ...run, waivers, since: since([first!.id]) });
  expect(text).toContain(first!.id);
  expect(text).not.toContain(second!.id);
  expect(renderChatMessage({ ...run, waivers, since: since([]) })).toBeUndefined();
  expect(textOf({ ...run, waivers: [{ ...run.waivers[0]!, state: 'expired' }], since: since([]) })).toContain(
    'expired',
  );
});

test('what a service says calls nobody and links to nothing', () => {
  const hostile = {
    message: '',
    sentence: '<!channel> <https://evil.example|here> *@here* `x`',
    checks: [],
    exchanges: [],
  };
  const rules = run.rules.map((rule) => ({ ...rule, ...(rule.id === broken[0]!.id ? { failures: [hostile] } : {}) }));
  const text = textOf({ ...run, rules, since: since([broken[0]!.id]) });
  expect(text).toContain('&lt;!channel&gt;');
  expect(text).not.toMatch(/<|[^\u200b]@|evil\.example\|here>/);
});
