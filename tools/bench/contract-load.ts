import { loadContract, readSpec, SPEC_FILES } from '#contract';
import type { BenchPart, BenchSize } from './bench-figure.ts';
import { runMeasured } from './run-measured.ts';
import { takeTurns } from './take-turns.ts';

const READ = `import { readSpec, SPEC_FILES } from '#contract'; for (const [api, file] of Object.entries(SPEC_FILES)) readSpec(api, file);`;
const LOAD = `import { loadContract } from '#contract'; loadContract();`;
const COMPILE = `import { loadContract } from '#contract';
for (const { schemas } of Object.values(loadContract().compiled)) for (const schema of schemas.values()) schema.accepts(undefined);`;
const NOTHING = `import '#contract';`;

/** What loading the contract costs a process that has done nothing else, beside reading the specs alone and beside the modules alone. */
export async function benchContractLoad({ isTrial }: BenchSize): Promise<BenchPart> {
  const taker = (name: string, script: string) => ({ name, turn: () => runMeasured(script).seconds * 1000 });
  const figure = await takeTurns(
    [
      taker('load both specs, every schema checked', LOAD),
      taker('load, and compile every validator', COMPILE),
      taker('read both specs', READ),
      taker('the modules alone', NOTHING),
    ],
    {
      id: 'contract-load',
      title: 'The contract in a fresh process, of processor time',
      unit: 'ms',
      rounds: isTrial ? 1 : 7,
      warmUp: isTrial ? 0 : 1,
      isGiven: true,
    },
  );
  const again = await takeTurns(
    [
      { name: 'load both specs again', turn: () => void loadContract() },
      {
        name: 'read both specs again',
        turn: () =>
          void (Object.keys(SPEC_FILES) as (keyof typeof SPEC_FILES)[]).map((api) => readSpec(api, SPEC_FILES[api])),
      },
    ],
    { id: 'contract-again', title: 'The contract where everything is compiled', unit: 'ms', rounds: isTrial ? 1 : 9 },
  );
  return { figures: [figure, again] };
}
