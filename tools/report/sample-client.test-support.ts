import type { Line, SessionLine } from '#evidence';
import { finishJournal, sampleCheck, sampleExchange, sampleRunLine } from './sample-run.ts';

/** A journal about a client that was told lies by sessions: one did harm, one did not, one did not show, one was never told. */
export function sampleClientLines(): Line[] {
  const plain = sampleRunLine();
  const bound = plain.register.rules.find(({ id }) => id === 'GW-CAP-02')!;
  const rules = [
    { ...bound, id: 'GW-CMY-01', area: 'GW-CMY', side: 'client' as const, text: 'No order is paid a second time.' },
    { ...bound, id: 'GW-COR-04', area: 'GW-CMY', side: 'client' as const, text: 'A callback is confirmed.' },
  ];
  const areas = [{ id: 'GW-CMY', api: 'gateway' as const, title: 'Money of a caller', file: 'gateway/money-rules' }];
  const target = { ...plain.target, name: 'application at the sandbox', kind: 'embedded' as const };
  const check = 'c0000001';
  const actual = 'paid again, and the first may have gone through, while it was told cut-off';
  const session = (
    name: string | undefined,
    lie: string,
    gentle: boolean,
    done: 'fail' | 'pass' | undefined,
    met = true,
  ): SessionLine => ({
    kind: 'session',
    ...(name === undefined ? {} : { name, met }),
    lie,
    does: 'what happens then',
    gentle,
    exchanges: name === undefined ? 0 : 2,
    deeds:
      done === undefined
        ? []
        : [
            {
              deed: 'paid twice',
              harm: 'money',
              verdict: done,
              ...(done === 'fail' ? { rules: ['GW-CMY-01'], exchange: `${check}.2` } : { rules: [] }),
            },
            { deed: 'trusted a callback', harm: 'outcome', verdict: 'unseen', rules: [] },
          ],
    others: [],
  });
  return finishJournal([
    sampleRunLine({
      subject: 'client',
      target,
      argv: ['sandbox', '--judge', '--lies', 'all'],
      register: { ...plain.register, areas, rules, readings: [] },
    }),
    sampleExchange(check, 1),
    sampleExchange(check, 2),
    sampleCheck(check, 'what the client sent and was sent', [], { exchanges: 2 }),
    session('pays', 'cut-off', true, 'fail'),
    session('pays', 'slow', true, 'pass'),
    session('pays', 'too-many', true, 'pass', false),
    session(undefined, 'never-final', false, undefined),
    sampleCheck('c0000002', 'No order is paid a second time.', ['GW-CMY-01'], {
      outcome: 'fail',
      failures: [
        {
          message: `The client broke it: ${actual}.`,
          clauses: { should: 'the client should have kept to it', did: `it did not: ${actual}` },
          expected: 'No order is paid a second time.',
          actual,
          exchange: `${check}.2`,
          rule: 'GW-CMY-01',
        },
      ],
    }),
    sampleCheck('c0000003', 'A callback is confirmed.', ['GW-COR-04']),
  ]);
}
