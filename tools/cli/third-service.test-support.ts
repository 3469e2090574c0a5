/** A third service, as small as one can be: everything that its document would bring into the project. */
const ROW = `  {
    name: 'rates',
    title: 'service of rates',
    shortTitle: 'rates service',
    rulePrefixes: ['RT'],
    holePrefix: 'RT',
    spec: 'rates.yaml',
    document: 'rates.md',
    testFolders: ['rates'],
    serverChecks: ['rates/'],
    replyWords: { problem: 'problem *' },
    controls: [],
    needs: ['rates'],
    mainNeed: 'rates',
  },
`;

/** Where each row goes: a file, what it stands before, and the row. */
export const THIRD_SERVICE_ROWS: readonly (readonly [file: string, before: string, row: string])[] = [
  ['tools/apis.ts', '] as const satisfies readonly ApiRow[];', ROW],
  [
    'tools/target/services.ts',
    'import type { TargetService }',
    "import { RATES_TARGET_SERVICE } from './rates/target-service.ts';\n",
  ],
  ['tools/target/services.ts', ' };\n\n/** Section of each', ', rates: RATES_TARGET_SERVICE'],
  ['tools/client/services.ts', 'import { V1_', "import { RATES_CLIENT_SERVICE } from './rates/client-service.ts';\n"],
  ['tools/client/services.ts', ' };\n\n/** Every service', ', rates: RATES_CLIENT_SERVICE'],
  ['tools/sandbox/services.ts', 'import type { ServiceOffer }', "import { RATES_OFFER } from './rates/offer.ts';\n"],
  ['tools/sandbox/services.ts', ' };\n\ntype Offers', ', rates: RATES_OFFER'],
  [
    'tools/harness/services.ts',
    'import { V1_FIXTURES',
    "import { RATES_FIXTURES, type RatesFixtures } from './rates/fixtures.ts';\n",
  ],
  ['tools/harness/services.ts', ' {}\n\n/** Makes the fixtures', ', RatesFixtures'],
  ['tools/harness/services.ts', ' };\n\n/** Matchers', ', ...RATES_FIXTURES'],
  ['tools/report/run.schema.json', '            "v1": {', '            "rates": { "type": "string" },\n'],
  ['tools/report/run.schema.json', ', "v1"]', ', "rates"'],
  ['targets/embedded.yaml', '\ncontrol:', '\nrates: { address: "embedded:rates" }\n'],
  [
    'targets/target.schema.json',
    '    "v1": {\n      "type": "object",',
    `    "rates": {
      "type": "object",
      "description": "The service of rates.",
      "properties": { "address": { "$ref": "#/$defs/address", "description": "Address of the rates service." } },
      "required": ["address"],
      "additionalProperties": false
    },
`,
  ],
];

/** The files of its own. */
export const THIRD_SERVICE_FILES: Readonly<Record<string, string>> = {
  'specs/rates.yaml': `openapi: 3.1.1
info: { title: Rates, version: 1.0.0, description: One operation. }
servers: [{ url: 'https://rates.sandbox.invalid' }]
x-areas:
  RT-CUR: { title: Currencies, file: rates/currencies }
paths:
  /rates/{currency}:
    get:
      operationId: readRate
      summary: Reads the rate of a currency.
      security: []
      parameters:
        - { name: currency, in: path, required: true, schema: { type: string } }
      responses:
        '200':
          description: The rate.
          x-rules:
            - id: RT-CUR-01
              level: must
              text: An answer names the currency that was asked for.
              source: { section: Rates, sha256: ab0000000c01 }
          content:
            application/json:
              schema:
                type: object
                required: [currency]
                properties: { currency: { type: string } }
        '404':
          description: There is no such currency.
          x-rules:
            - id: RT-CUR-02
              level: must
              text: A currency that does not exist is answered 404.
              source: { section: Rates, sha256: ab0000000c02 }
          content:
            application/json:
              schema: { type: object, properties: { problem: { type: string } } }
`,
  'tests/rates/currencies.spec.ts': `import { expect, rule, test } from '#harness';

test('names the currency that was asked for', rule('RT-CUR-01'), async ({ rates }) => {
  const reply = await rates.readRate('CHF');
  expect(reply.object.currency).toBe('CHF');
});

test('answers 404 for a currency that does not exist', rule('RT-CUR-02'), async ({ rates }) => {
  expect(await rates.readRate('none')).toAnswer(404);
});
`,
  'tools/target/rates/target-service.ts': `import { trimAddress } from '../address.ts';
import type { TargetService } from '../target-service.ts';

/** What the suite knows about a service of rates. */
export interface RatesTarget {
  readonly address: string;
}

/** The section \`rates:\` of a target file. */
export const RATES_TARGET_SERVICE: TargetService<'rates', RatesTarget> = {
  api: 'rates',
  resolve: ({ address }) => ({ address: trimAddress(address) }),
  listAddresses: ({ address }) => [['/rates/address', address]],
  listCards: () => [],
  wireOf: () => ({}),
  listSecretMembers: () => [],
  secretPlaceholders: {},
  secretKeys: [],
  binaryKeys: [],
  needs: { rates: { code: 'service', what: 'service of rates', lines: ['rates'], offered: (rates) => rates } },
  placeholders: {},
  draftVariables: [],
  draft: ({ address }) => (address === undefined ? [] : ['rates:', \`  address: \${address}\`, '']),
  exampleAddress: 'https://rates.sandbox.invalid',
  completeAddress: async (address) => address,
};
`,
  'tools/client/rates/client-service.ts': `import type { ClientService } from '../client-service.ts';

/** The service of rates, as the client knows it. */
export const RATES_CLIENT_SERVICE: ClientService = {
  api: 'rates',
  moneyOperations: {},
  limitsRate: false,
  probe: { method: 'GET', path: '/rates/EUR' },
  moreAddresses: () => [],
  examine: async () => {},
};
`,
  'tools/sandbox/rates/offer.ts': `import { decision } from '../decision.ts';
import { offerService } from '../service-offer.ts';

const KNOWN = ['CHF', 'EUR'];

const namedCurrency = decision({
  rule: 'RT-CUR-01',
  honest: (asked: string) => asked,
  lies: { 'rate-of-another-currency': () => 'XXX' },
});

const statusForUnknown = decision({
  rule: 'RT-CUR-02',
  honest: () => 404,
  lies: { 'unknown-currency-answered-400': () => 400 },
});

/** The service of rates, as the sandbox lists it. */
export const RATES_OFFER = offerService({
  choices: {},
  tellingChoices: [],
  listeners: [{ name: 'rates', title: 'the rates service', basePath: '' }],
  create: (world) => ({
    serve(app) {
      app.get<{ Params: { currency: string } }>('/rates/:currency', ({ params: { currency } }, reply) =>
        KNOWN.includes(currency)
          ? reply.send({ currency: namedCurrency(world.activeLies, currency), rate: '1.0' })
          : reply.code(statusForUnknown(world.activeLies)).send({ problem: 'there is no such currency' }),
      );
    },
    control() {},
    failNext() {},
    failuresLeft: 0,
    reset() {},
  }),
  issueCredentials: () => ({}),
  sessionMeans: {},
  tryLine: ({ rates }) => \`curl \${rates}/rates/EUR\`,
  targetLines: () => [],
});
`,
  'tools/harness/rates/fixtures.ts': `import type { ApiReply, RecordingClient } from '#client';
import type { ServiceFixtureTable } from '../fixture-types.ts';

/** Asks a service of rates. */
export class RatesClient {
  readonly #client: RecordingClient;
  readonly #address: string;

  constructor(client: RecordingClient, address: string) {
    this.#client = client;
    this.#address = address;
  }

  /** Reads the rate of a currency. */
  readRate(currency: string): Promise<ApiReply> {
    const url = \`\${this.#address}/rates/\${currency}\`;
    return this.#client.send({ api: 'rates', operation: 'readRate', method: 'GET', url, headers: [] });
  }
}

/** What a check of the service of rates may ask for. */
export interface RatesFixtures {
  readonly rates: RatesClient;
}

/** Makes the fixtures of the service of rates. */
export const RATES_FIXTURES: ServiceFixtureTable<RatesFixtures> = {
  rates: async ({ client, target }, use) => use(new RatesClient(client, target.rates!.address)),
};
`,
};
