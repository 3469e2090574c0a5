import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import addFormats from 'ajv-formats';
import { fullFormats } from 'ajv-formats/dist/formats.js';
import { judgeResponse, projectContract, publishDescription, readSpec, SPEC_FILES } from '#contract';
import type { BenchPart, BenchSize } from './bench-figure.ts';
import { loadRival } from './bench-rivals.ts';
import { SAMPLE_STATUS } from './sample-status.ts';
import { type TurnTaker, takeTurns } from './take-turns.ts';

/** Says whether a body is a right answer to the operation of the bench. */
type AcceptsBody = (body: unknown) => boolean;

const TYPE = 'application/json';
const PARSE = 'JSON.parse';
const OPERATION = 'status';

/** Bodies that are wrong in a listed value, a condition, a type and a format. */
const WRONG = [
  { ...SAMPLE_STATUS, orderState: 'NONE_OF_THEM' },
  { ...SAMPLE_STATUS, threeDSAuth: { threeDSAuthStep: 'CREQ' } },
  { ...SAMPLE_STATUS, transactions: 5 },
  { ...SAMPLE_STATUS, outputRedirectToUrl: 'no address' },
];

/**
 * What it costs to hold an answer against its schema: our validator beside those of other hands and beside parsing the text. Who accepts a
 * wrong body, or refuses a right one, does not take part.
 */
export async function benchResponseValidation({ isTrial, rivals }: BenchSize): Promise<BenchPart> {
  const contract = projectContract();
  const operation = contract.operations.get(OPERATION)!;
  const schema = operation.answers.get(200)!.schema!;
  const text = JSON.stringify(SAMPLE_STATUS);
  const others = rivals === undefined ? [] : await openRivals(rivals);
  const contestants = [{ name: 'our validator', accepts: (body: unknown) => schema.accepts(body) }, ...others];
  const able = contestants.filter(({ accepts }) => accepts(SAMPLE_STATUS) && !WRONG.some(accepts));
  const missing = contestants
    .filter((one) => !able.includes(one))
    .map(({ name }) => `${name} does not tell right from wrong`);
  if (rivals === undefined) missing.push('the validators of other hands: they were not fetched');
  const times = isTrial ? 50 : 2000;
  const plan = { unit: 'µs', rounds: isTrial ? 2 : 15, warmUp: isTrial ? 1 : 3 } as const;
  const takers = able.map(({ name, accepts }): TurnTaker => ({ name, turn: () => void accepts(SAMPLE_STATUS), times }));
  const parse: TurnTaker = { name: PARSE, turn: () => void JSON.parse(text), times };
  const headers = new Map([['content-type', TYPE]]);
  const prism = able.find(({ name }) => name.startsWith('Prism'));
  const whole: TurnTaker[] = [
    {
      name: 'our judgement',
      turn: () => void judgeResponse(contract, operation, { status: 200, headers, body: text }),
      times,
    },
    ...(prism
      ? [{ name: `${PARSE}, then ${prism.name}`, turn: () => void prism.accepts(JSON.parse(text)), times }]
      : []),
    parse,
  ];
  return {
    figures: [
      await takeTurns([...takers, parse], {
        ...plan,
        id: 'response-validation',
        title: `A StatusResponse of ${text.length} bytes held against its schema`,
        goals: others.map(({ name }) => ({ text: `no slower than ${name}`, to: name, atMost: 1 })),
        missing,
      }),
      await takeTurns(whole, {
        ...plan,
        id: 'answer-judged',
        title: 'The same as text: status, media type, JSON, schema and the rules it counts against',
        goals: whole.length < 3 ? [] : [{ text: 'no slower than Prism', to: whole[1]!.name, atMost: 1 }],
      }),
    ],
  };
}

/** The validators of other hands, over our own description as we publish it. */
async function openRivals(folder: string): Promise<{ name: string; accepts: AcceptsBody }[]> {
  const describe = () => publishDescription(readSpec('gateway', SPEC_FILES.gateway).root) as unknown as Description;
  const { paths, components } = describe();
  const { responses } = Object.values(paths)
    .flatMap((path) => Object.values(path))
    .find(({ operationId }) => operationId === OPERATION)!;
  const { default: ResponseValidator } = loadRival<ResponseValidatorModule>(folder, 'openapi-response-validator');
  // Neither of these two checks formats by itself.
  const response = new ResponseValidator({ responses, components, customFormats: { uri: fullFormats.uri } });
  const { OpenAPIBackend } = loadRival<BackendModule>(folder, 'openapi-backend');
  const backend = new OpenAPIBackend({
    definition: describe(),
    quick: true,
    ajvOpts: { strict: false, logger: false },
    customizeAjv: (ajv: Parameters<typeof addFormats.default>[0]) => addFormats.default(ajv),
  });
  await backend.init();
  const { getHttpOperationsFromSpec } = loadRival<PrismModule>(folder, '@stoplight/prism-http');
  const { validateOutput } = loadRival<PrismValidator>(folder, '@stoplight/prism-http/dist/validator');
  const home = mkdtempSync(join(tmpdir(), 'assay-bench-'));
  const file = join(home, 'gateway.json');
  writeFileSync(file, JSON.stringify(describe()));
  const resource = (await getHttpOperationsFromSpec(file)).find(({ iid }) => iid === OPERATION);
  rmSync(home, { recursive: true });
  const headers = { 'content-type': TYPE };
  return [
    { name: 'openapi-response-validator', accepts: (body) => response.validateResponse(200, body) === undefined },
    { name: 'openapi-backend', accepts: (body) => backend.validateResponse(body, OPERATION, 200).valid },
    {
      name: "Prism's validator",
      accepts: (body) => validateOutput({ resource, element: { statusCode: 200, headers, body } })._tag === 'Right',
    },
  ];
}

interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { operationId?: string; responses?: object }>>>>;
  readonly components: object;
}
interface ResponseValidatorModule {
  readonly default: new (of: object) => { validateResponse(status: number, body: unknown): object | undefined };
}
interface BackendModule {
  readonly OpenAPIBackend: new (
    of: object,
  ) => {
    init(): Promise<unknown>;
    validateResponse(body: unknown, operation: string, status: number): { valid: boolean };
  };
}
interface PrismModule {
  getHttpOperationsFromSpec(file: string): Promise<{ readonly iid?: string }[]>;
}
interface PrismValidator {
  validateOutput(of: object): { readonly _tag: 'Left' | 'Right' };
}
