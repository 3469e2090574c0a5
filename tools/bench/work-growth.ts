import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hashClause } from '#contract';
import type { BenchPart, BenchSize } from './bench-figure.ts';
import { fitGrowth } from './fit-growth.ts';
import { runMeasured } from './run-measured.ts';

const RECORD = `import { projectContract } from '#contract';
import { Journal, Recorder, Redactor } from '#evidence';
import { witness } from '#client';
const contract = projectContract();
const journal = new Journal(process.env.FOLDER);
const redactor = new Redactor();
redactor.add('bench-token-0123456789abcdef');
const bytes = (value) => Buffer.from(JSON.stringify(value));
const headers = [['content-type', 'application/json']];
const ask = (recorder, i) => witness(recorder, contract, {
  api: 'gateway', direction: 'out', operation: 'status', at: 1772442000000 + i, duration: 5,
  request: { method: 'POST', url: 'http://127.0.0.1:1/api/payments/status/1001', headers: [...headers, ['authorization', 'Bearer bench-token-0123456789abcdef']], body: bytes({ orderMerchantId: 'order-' + i }) },
  response: { status: 200, headers, body: bytes({ ...JSON.parse(process.env.SAMPLE), orderMerchantId: 'order-' + i }) },
});
const record = (count) => { for (let i = 0, recorder; i < count; i += 1) { if (i % 20 === 0) recorder = new Recorder((i / 20).toString(16).padStart(8, '0'), redactor, journal); ask(recorder, i); } };
record(200);
// measured
record(Number(process.env.SIZE));
journal.close();`;

const TRY = `import fc from 'fast-check';
import { tryProperty } from '#harness';
import { writeParameterString, parseHeader } from '#oauth';
const info = { annotations: [], timeout: 6e8, setTimeout() {}, file: '/bench.spec.ts', title: 'bench' };
const pairs = fc.array(fc.tuple(fc.string(), fc.string()), { maxLength: 8 });
const law = fc.property(pairs, (drawn) => { writeParameterString(drawn); });
const run = (runs) => tryProperty(info, 'bench', law, { runs });
if (process.env.ASSAY_MARATHON === undefined) await run(100);
// measured
await run(Number(process.env.SIZE));`;

const REGISTER = `import { projectContract } from '#contract';
// measured
if (projectContract().rules.size < Number(process.env.SIZE)) throw new Error('the register is not whole');`;

/** How recording, trying properties and loading a register grow: 1, 10 and 100 times the exchanges, drawn cases and own rules. */
export async function benchWorkGrowth({ isTrial }: BenchSize): Promise<BenchPart> {
  const { SAMPLE_STATUS } = await import('./sample-status.ts');
  const home = mkdtempSync(join(tmpdir(), 'assay-bench-'));
  try {
    const grow = (
      sizes: readonly number[],
      script: string,
      env: (size: number) => Record<string, string> = () => ({}),
    ) => sizes.map((size) => ({ size, ...runMeasured(script, { SIZE: String(size), ...env(size) }) }));
    const record = grow(isTrial ? [10, 100] : [1000, 10_000, 100_000], RECORD, (size) => {
      const folder = join(home, `run-${size}`);
      return { FOLDER: folder, SAMPLE: JSON.stringify(SAMPLE_STATUS) };
    });
    const cases = grow(isTrial ? [20, 200] : [2000, 20_000, 200_000], TRY);
    const marathon = grow(isTrial ? [20, 200] : [2000, 20_000, 200_000], TRY, (size) => ({
      ASSAY_RUNS: String(size),
      ASSAY_MARATHON: join(home, `marathon-${size}`),
    }));
    const rules = grow(isTrial ? [3, 30] : [40, 400, 4000], REGISTER, (size) => ({
      ASSAY_WORKSPACE: layRules(home, size),
    }));
    return {
      growth: [
        fitGrowth(
          { id: 'exchanges-recorded', title: 'Exchanges judged, redacted and recorded', what: 'exchanges' },
          record,
        ),
        fitGrowth({ id: 'property-runs', title: 'Cases drawn and tried', what: 'cases' }, cases),
        fitGrowth({ id: 'marathon-runs', title: 'Cases of a marathon', what: 'cases' }, marathon),
        fitGrowth({ id: 'own-rules', title: 'Own rules loaded with the contract', what: 'rules' }, rules),
      ],
    };
  } finally {
    rmSync(home, { recursive: true });
  }
}

const pad = (value: number) => String(value).padStart(2, '0');

/** A workspace with as many rules of its own. */
function layRules(home: string, size: number): string {
  const folder = join(home, `rules-${size}`);
  mkdirSync(join(folder, 'rules'), { recursive: true });
  writeFileSync(join(folder, 'assay.config.yaml'), 'profiles: {}\n');
  const clause = (index: number) => `Promise ${index} is kept.`;
  const ids = Array.from({ length: size }, (_, i) => `BENCH-A${pad(Math.floor(i / 90))}-${pad((i % 90) + 1)}`);
  const areas = [...new Set(ids.map((id) => id.slice(0, -3)))].map((id) => `  ${id}: Area\n`);
  const rules = ids.map(
    (id, i) =>
      `  - id: ${id}\n    level: must\n    text: ${clause(i)}\n    source: { section: Bench, sha256: '${hashClause(clause(i))}' }\n` +
      '    lies:\n      forgets: { answer: getIbanDetails, drop: /bank_name }\n',
  );
  writeFileSync(
    join(folder, 'rules/bench.md'),
    `# Bench\n\n## Bench\n\n${ids.map((_, i) => `- ${clause(i)}\n`).join('')}`,
  );
  writeFileSync(
    join(folder, 'rules/bench.yaml'),
    `api: v1\ndocument: bench.md\nareas:\n${areas.join('')}rules:\n${rules.join('')}`,
  );
  return folder;
}
