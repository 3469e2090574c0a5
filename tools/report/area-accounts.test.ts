import { expect, test } from '@playwright/test';
import { sampleProofs } from './sample-companions.ts';
import { sampleLines } from './sample-run.ts';
import { drawRunFiles } from './write-report.ts';

const tags = /<[^>]+>/g;

/** What the page tells of an area, without markup. */
function accountOf(area: string, page: string): string {
  const [, text = ''] =
    new RegExp(`<article class="account" id="about-${area}"[^]*?</h3>([^]*?)</article>`).exec(page) ?? [];
  return text.replace(tags, '').replace(/\s+/g, ' ').trim();
}

test('tells of an area what it promises, what was checked, found and left out', () => {
  const { run, files } = drawRunFiles(sampleLines(), { proofs: sampleProofs() });
  const page = files['index.html']!.join('');
  const capture = accountOf('GW-CAP', page);
  expect(capture).toMatch(/^Promised\. \d+ statements of the document gateway\.?\w*, under /);
  expect(capture).toContain('A customer could be charged more than was agreed to.');
  expect(capture).toMatch(/Checked\. \d+ checks asked and judged what came, in \d+ exchanges: /);
  expect(capture).toMatch(/\d+ lies about it were told on purpose, and \d+ caught/);
  expect(capture).toMatch(/Found\. GW-CAP-02 \(fail\): The promise calls for captures of 10\.00 at most/);
  const judged = run.areas.filter(({ id }) => run.rules.some(({ area }) => area === id));
  for (const { id } of judged)
    expect(accountOf(id, page), id).toMatch(/^Promised\..* Checked\..* Found\..* Not looked at\./);
});

test('says of a run of one area nothing of the others', () => {
  const lines = sampleLines().map((line) => (line.kind === 'run' ? { ...line, selection: 'GW-CAP' } : line));
  const kept = lines.filter((line) => line.kind !== 'check' || line.rules.every((rule) => rule.startsWith('GW-CAP')));
  const page = drawRunFiles(kept).files['index.html']!.join('');
  expect(accountOf('GW-CAP', page)).toContain('Promised.');
  expect(page).not.toContain('id="about-V1-TRX"');
});
