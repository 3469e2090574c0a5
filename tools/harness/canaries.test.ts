import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { CODE, CRES, canaries, KEY, PARES, PASSPHRASE, TOKEN } from '#canaries';
import { PromiseFinding } from '#client';
import { projectContract } from '#contract';
import { findLeaks, Journal, type Line, Recorder, type Redacted, Redactor, type RunLine } from '#evidence';
import { signRun, verifyRun, writeReport } from '#report';
import { expect as checkExpect } from './expect.ts';
import { judgeCheck } from './verdict.ts';

test('a run full of canaries leaves a signed folder in which none is found', () => {
  const folder = join(mkdtempSync(join(tmpdir(), 'assay-canaries-')), 'run');
  mkdirSync(folder);
  const redactor = new Redactor();
  for (const secret of [TOKEN, PASSPHRASE, KEY]) redactor.add(secret);
  const journal = new Journal(folder);
  journal.write(runLine() as RunLine as Redacted<Line>);
  const planted = [
    ...canaries(),
    ...[`"cvv2":"${CODE}"`, `cres=${CRES}`, `PaRes=${encodeURIComponent(PARES)}`].map((text) => ({
      text,
      never: [CODE, CRES, PARES],
    })),
  ];
  let checks = 0;
  let exchanges = 0;
  for (const { text } of planted) {
    checks += 1;
    const id = `c0de${checks.toString(16).padStart(4, '0')}`;
    const recorder = new Recorder(id, redactor, journal);
    const line = text.replace(/[\r\n]+/g, ' ');
    recorder.exchange(
      {
        api: 'gateway',
        direction: 'out',
        operation: 'capture',
        at: 1_763_692_127_123,
        duration: 5,
        request: {
          method: 'POST',
          url: `https://gateway.example/capture/7?note=${encodeURIComponent(text)}`,
          headers: [
            ['x-note', line],
            ['authorization', `Bearer ${line}`],
          ],
          body: Buffer.from(JSON.stringify({ note: text, deep: JSON.stringify([{ text }]) })),
        },
        response: { status: 400, headers: [['x-note', line]], body: Buffer.from(`<p title="${text}">${text}</p>`) },
        violations: [{ rule: 'GW-ERR-01', expected: 'an error', actual: `a page that says ${text}`, where: '' }],
      },
      [{ hole: 'GW-HOLE-01', where: '/errorMessage', what: `value ${text}` }],
    );
    exchanges += 1;
    recorder.effect({ what: 'order', id: '400001', restored: false });
    const thrown = [
      thrownBy(() =>
        checkExpect({ note: text, deep: { list: [text] } }).toEqual({ note: 'another', deep: { list: [] } }),
      ),
      thrownBy(() => checkExpect([text]).toContain('another')),
      new PromiseFinding('another text', `a text that says ${text}`),
    ];
    recorder.finish({
      title: 'plants a canary',
      file: 'tests/gateway/canaries.spec.ts',
      line: 1,
      project: 'gateway',
      rules: ['GW-CAP-02'],
      startedAt: '2026-03-02T09:00:00.000Z',
      duration: 1,
      ...judgeCheck({ thrown, status: 'failed', recorder, claimed: new Set(['GW-CAP-02']), concluded: new Set() }),
    });
  }
  const end = {
    kind: 'end',
    finishedAt: '2026-03-02T09:05:00.000Z',
    status: 'complete',
    counts: { checks, exchanges },
  };
  journal.write(end as Line as Redacted<Line>);
  journal.close();
  const run = writeReport(folder, { redactor, ownsFolder: true });
  expect(run.counts.checks.fail).toBe(checks);
  signRun(folder, run.id);
  expect(verifyRun(folder).findings).toEqual([]);
  const names = readdirSync(folder);
  expect(names).toHaveLength(10);
  const leaked: string[] = [];
  for (const name of names) {
    const text = readFileSync(join(folder, name), 'utf8');
    // A code of four digits may happen to be in a hash; nothing else may.
    const withoutHashes = text.replaceAll(/\b[0-9a-f]{64}\b/g, '');
    for (const found of findLeaks(name, text, redactor)) leaked.push(`${name}: ${found.kind}`);
    for (const { never, text: canary } of planted)
      for (const one of never)
        if (typeof one === 'string' ? (one === CODE ? withoutHashes : text).includes(one) : one.test(text))
          leaked.push(`${name}: ${canary}`);
  }
  expect(leaked).toEqual([]);
  rmSync(join(folder, '..'), { recursive: true });
});

function thrownBy(body: () => void): unknown {
  try {
    body();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
}

/** Identity and register of a run, as small as a run can be. */
function runLine(): RunLine {
  const known = projectContract();
  const only = <T>(entries: ReadonlyMap<string, T>, id: string) => [entries.get(id)!];
  return {
    kind: 'run',
    id: '20260302-090000-5a3c',
    startedAt: '2026-03-02T09:00:00.000Z',
    target: {
      name: 'canaries',
      kind: 'sandbox',
      file: 'targets/canaries.yaml',
      sha256: '0'.repeat(64),
      hosts: { gateway: 'https://gateway.example' },
    },
    suite: { version: '0.1.0' },
    runtime: { node: process.version, openssl: process.versions.openssl ?? '', platform: process.platform },
    // Specs of another day: what was planted breaks no promise of these.
    specs: [],
    seed: 1,
    argv: ['run'],
    register: {
      areas: only(known.areas, 'GW-CAP'),
      rules: [...only(known.rules, 'GW-CAP-02'), ...only(known.rules, 'GW-ERR-01')],
      holes: [{ ...[...known.holes.values()][0]!, id: 'GW-HOLE-01' }],
      readings: [],
      operations: [],
    },
    waivers: [],
  };
}
