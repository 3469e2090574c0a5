/**
 * What the contract costs: loading both specs in a fresh process, compiling every validator, and validating against parsing.
 * Printed side by side; `npm run bench:contract`. Least and median of several fresh processes.
 */
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { type LoadedContract, loadContract, readSpec, SPEC_FILES } from '#contract';

const FRESH = 9;
const ROUNDS = 20_000;
const STATUS = {
  orderState: 'PROCESSING',
  orderSystemId: 4711,
  orderMerchantId: 'order-1001',
  correlationId: '00000000-0000-4000-8000-000000000001',
  transactions: [
    { type: 'AUTH', status: 'APPROVED', amount: '10.00', createdSystemTimestamp: '2026.03.12 19:20:39 +0000' },
    { type: 'CAPTURE', status: 'PROCESSING', amount: '10.00', createdSystemTimestamp: '2026.03.12 19:21:02 +0000' },
  ],
  threeDSAuth: {
    threeDSAuthStep: 'CREQ',
    creq: 'eyJtZXNzYWdlVHlwZSI6IkNSZXEifQ',
    acsUrl: 'https://acs.invalid/challenge',
  },
  outputRedirectToUrl: 'https://gateway.invalid/pay/1',
};

/** Milliseconds that a piece of work takes. */
function timed(work: () => unknown): number {
  const start = performance.now();
  work();
  return performance.now() - start;
}

/** Milliseconds on the clock, and of processor time, which counts V8's own threads in and other programs out. */
function spent(work: () => unknown): { clock: number; cpu: number } {
  const before = process.cpuUsage();
  const clock = timed(work);
  const { user, system } = process.cpuUsage(before);
  return { clock, cpu: (user + system) / 1000 };
}

function compileAll(contract: LoadedContract): void {
  for (const { schemas } of Object.values(contract.compiled))
    for (const schema of schemas.values()) schema.accepts(undefined);
}

/** One cold measurement, in a process that has done nothing else. */
function measureOnce(): void {
  if (process.argv.includes('--yaml')) {
    console.log(
      JSON.stringify({ yaml: spent(() => [readSpec('gateway', SPEC_FILES.gateway), readSpec('v1', SPEC_FILES.v1)]) }),
    );
    return;
  }
  let contract: LoadedContract | undefined;
  const load = spent(() => {
    contract = loadContract();
  });
  console.log(JSON.stringify({ load, compile: spent(() => compileAll(contract!)) }));
}

function fresh(...args: string[]): Record<string, { clock: number; cpu: number }>[] {
  const here = fileURLToPath(import.meta.url);
  return Array.from({ length: FRESH }, () =>
    JSON.parse(execFileSync(process.execPath, ['--import', 'tsx', here, '--once', ...args], { encoding: 'utf8' })),
  );
}

function row(what: string, list: readonly number[], unit: string): void {
  const sorted = [...list].sort((a, b) => a - b);
  const [least, middle] = [sorted[0]!, sorted[Math.floor(sorted.length / 2)]!].map((value) =>
    value.toFixed(unit === 'µs' ? 2 : 0),
  );
  console.log(`${what.padEnd(44)}${least!.padStart(8)}${middle!.padStart(8)} ${unit}`);
}

function compare(): void {
  const schema = loadContract().operations.get('status')!.answers.get(200)!.schema!;
  const text = JSON.stringify(STATUS);
  const value: unknown = JSON.parse(text);
  if (!schema.accepts(value)) throw new Error('the example of the bench is not a StatusResponse');
  const rounds = (work: () => unknown) =>
    Array.from(
      { length: 7 },
      () =>
        (1000 *
          timed(() => {
            for (let i = 0; i < ROUNDS; i += 1) work();
          })) /
        ROUNDS,
    ).slice(2);
  const parse = rounds(() => JSON.parse(text));
  const validate = rounds(() => schema.accepts(value));
  row(`parse a StatusResponse of ${text.length} bytes`, parse, 'µs');
  row('validate it', validate, 'µs');
  console.log(`validating costs ${(Math.min(...validate) / Math.min(...parse)).toFixed(2)} of parsing`);
}

if (process.argv.includes('--once')) measureOnce();
else {
  console.log(`${''.padEnd(44)}${'least'.padStart(8)}${'median'.padStart(8)}`);
  const yaml = fresh('--yaml');
  const runs = fresh();
  for (const [of, unit] of [
    ['clock', 'ms'],
    ['cpu', 'ms of processor time'],
  ] as const) {
    const each = (what: string) => runs.map((run) => run[what]![of]);
    row(
      'parse both specs (part of the next)',
      yaml.map((run) => run.yaml![of]),
      unit,
    );
    row('load both specs, every schema checked', each('load'), unit);
    row('compile every validator at once', each('compile'), unit);
    row(
      'load and compile',
      runs.map(({ load, compile }) => load![of] + compile![of]),
      unit,
    );
  }
  compare();
}
