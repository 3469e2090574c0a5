import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { JOURNAL, Journal } from './journal.ts';
import { Recorder } from './recorder.ts';
import { Redactor } from './redact.ts';

test('an id that looks like a card number is recorded as one would be, and breaks nothing', () => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-effect-'));
  try {
    const journal = new Journal(folder);
    const recorder = new Recorder('0a1b2c3d', new Redactor(), journal);
    recorder.effect({ what: 'order', id: '100000001', restored: false });
    recorder.effect({ what: 'card', id: '4111111111111111', restored: false });
    journal.close();
    const lines = readFileSync(join(folder, JOURNAL), 'utf8').trim().split('\n');
    const [order, card] = lines.map((line) => JSON.parse(line) as { id: string });
    expect(order).toMatchObject({ kind: 'effect', check: '0a1b2c3d', what: 'order', id: '100000001', restored: false });
    expect(card).toMatchObject({ kind: 'effect', what: 'card' });
    expect(card!.id).not.toContain('4111111111111111');
    expect(card!.id).not.toBe('');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
