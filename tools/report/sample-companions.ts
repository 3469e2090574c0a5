import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { baselineOfJournal } from './baseline.ts';
import { PREVIOUS_FILE } from './previous-run.ts';
import { writeProof } from './proof-file.ts';
import { HISTORY_FILE, type RunHistory } from './run-history.ts';
import { sampleLines } from './sample-run.ts';
import type { LieOutcome, ProofFile } from './types.ts';

const told = (name: string, more: Partial<LieOutcome> = {}): LieOutcome => ({
  name,
  caught: true,
  by: ['a0000002'],
  ...more,
});

const SEALED = { seal: '0123456789abcdef', finishedAt: '2026-03-01T22:00:00.000Z', full: true } as const;

/** A proof with everything in it that a proof can have: caught, missed, a check never red, no lie told, changed since, collateral of each kind. */
export function sampleProofs(more: Partial<ProofFile> = {}): ProofFile {
  return {
    suite: 'ab'.repeat(32),
    known: 40,
    rules: {
      'GW-CAP-01': {
        ...SEALED,
        checks: 2,
        lies: [told('capture-short', { by: ['a0000001'], found: 'nothing was captured' })],
      },
      'GW-CAP-02': {
        ...SEALED,
        checks: 1,
        lies: [
          told('capture-above', { beside: ['GW-CAP-01'] }),
          ...Array.from({ length: 26 }, (_, i) => told(`capture-above-by-${i + 1}`)),
        ],
      },
      'GW-STS-01': { ...SEALED, checks: 1, lies: [told('state-eighth', { caught: false, by: [] })] },
      'GW-STS-02': {
        ...SEALED,
        checks: 3,
        idle: ['tests/gateway/status.spec.ts: lists the transactions of an order'],
        lies: [
          told('transaction-left-out', {
            apart: [
              { rule: 'GW-CAP-01', reason: 'a capture is seen in the list only' },
              { rule: 'GW-STS-01' },
              { rule: 'V1-TRX-01' },
            ],
          }),
        ],
      },
      'V1-TRX-01': { ...SEALED, stale: true, checks: 1, lies: [told('page-of-sixteen', { by: ['a0000009'] })] },
    },
    ...more,
  };
}

/** The sample run as it was a day before, when other things were broken. */
export function samplePrevious() {
  const before = baselineOfJournal(sampleLines());
  return {
    ...before,
    id: '20260301-090000-11aa',
    startedAt: '2026-03-01T09:00:00.000Z',
    rules: { ...before.rules, 'GW-CAP-01': 'fail', 'GW-CAP-02': 'pass' },
    holes: { ...before.holes, 'V1-HOLE-01': ['/user string'] },
    timing: { ...before.timing, status: { count: 9, median: 900, p90: 990 } },
  };
}

/** Three runs before the sample, in which one rule was not always kept. */
export function sampleHistory(): RunHistory {
  const runs = [0, 1, 2].map((day) => {
    const { verdict, counts, rules } = samplePrevious();
    return {
      id: `2026022${day + 5}-090000-22bb`,
      startedAt: `2026-02-2${day + 5}T09:00:00.000Z`,
      verdict,
      counts: { ...counts, pass: counts.pass - day, fail: counts.fail + day },
      rules: { ...rules, 'GW-ERR-01': day === 1 ? 'fail' : 'pass' },
    };
  });
  return { format: 'assay.history/1', runs };
}

/** Lays all three beside a journal. */
export function writeSampleCompanions(folder: string): void {
  writeProof(folder, sampleProofs());
  writeFileSync(join(folder, PREVIOUS_FILE), JSON.stringify(samplePrevious()));
  writeFileSync(join(folder, HISTORY_FILE), JSON.stringify(sampleHistory()));
}
