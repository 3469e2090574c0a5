// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are placeholders of request templates
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { parse } from 'yaml';
import { TARGET_NEEDS } from '#contract';
import { DRAFT_VARIABLES, draftTarget } from './draft.ts';
import { cardPlaceholders, readStyledAmount, writeStyledAmount } from './gateway/payment-values.ts';
import { describeLack, NEED_OFFERS } from './need-offers.ts';
import { parseTarget } from './parse-target.ts';
import { KNOWN_PLACEHOLDERS } from './placeholders.ts';
import { listDanglingReferences, listReferences, resolveTarget } from './resolve-target.ts';
import { secretsOf } from './secrets.ts';
import type { Target } from './target.ts';
import { fillTemplate, mergeBodies, namesPlaceholder, placeValue } from './template.ts';

const TARGETS = fileURLToPath(new URL('../../targets/', import.meta.url));
const README = readFileSync(join(TARGETS, 'README.md'), 'utf8');

let folder: string;
test.beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-target-'));
});
test.afterEach(() => rmSync(folder, { recursive: true, force: true }));

function written(text: string) {
  const path = join(folder, 'target.yaml');
  writeFileSync(path, text);
  return parseTarget(path);
}
const SHORT =
  'name: x\nkind: mock\ngateway: { address: "http://a.example/api/", requestors: { main: { id: 7, token: env:T } } }\n';
const resolved = (text: string, env: Record<string, string> = { T: 'secret-token' }): Target =>
  resolveTarget(written(text), { env });

test.describe('a short file', () => {
  test('is completed with everything the documents leave to convention', () => {
    const { gateway, manners, offers, secrets } = resolved(SHORT);
    expect(gateway?.address).toBe('http://a.example/api');
    expect(gateway?.requestors.main).toEqual({ id: 7, token: 'secret-token', currency: 'EUR' });
    expect(gateway?.wire.read.transaction).toEqual({
      type: '/type',
      amount: '/amount',
      state: '/status',
      approved: ['APPROVED'],
    });
    expect(gateway?.wire.amountRead).toBe('decimal-string');
    expect(manners.money).toEqual({ calls: 500, total: 10_000 });
    expect([...offers]).toEqual(['requestor']);
    expect(secrets).toEqual(['secret-token']);
  });

  test('may say in figures and by true what is a state of a transaction that went through', () => {
    const text = `${SHORT.replace(' } }\n', ' }, wire: { read: { transaction: { approved: [true, 1, DONE] } } } }\n')}`;
    expect(resolved(text).gateway?.wire.read.transaction.approved).toEqual(['true', '1', 'DONE']);
  });

  test('is frozen through and through', () => {
    const { gateway } = resolved(SHORT);
    expect(Object.isFrozen(gateway?.wire.read.transaction)).toBe(true);
  });

  test('keeps what it does say beside the defaults', () => {
    const wire =
      'wire: { amount: minor-number, read: { orderSystemId: /a/0/id, transaction: { type: /kind } }, types: { sale: [7] } }';
    const { gateway } = resolved(SHORT.replace('requestors:', `${wire}, requestors:`));
    expect(gateway?.wire.amount).toBe('minor-number');
    expect(gateway?.wire.amountRead).toBe('minor-number');
    expect(gateway?.wire.read.orderSystemId).toBe('/a/0/id');
    expect(gateway?.wire.read.correlationId).toBe('/correlationId');
    expect(gateway?.wire.read.transaction.amount).toBe('/amount');
    expect(gateway?.wire.types.sale).toEqual(['7']);
    expect(gateway?.wire.types.capture).toEqual(['CAPTURE']);
  });
});

test.describe('references', () => {
  test('come from the environment and from files beside the target file', () => {
    writeFileSync(join(folder, 'token.txt'), '  from-a-file\n');
    const { gateway, secrets } = resolved(SHORT.replace('env:T', 'file:token.txt'));
    expect(gateway?.requestors.main.token).toBe('from-a-file');
    expect(secrets).toEqual(['from-a-file']);
  });

  test('that lead nowhere are all listed, with lines and without values', () => {
    const file = written(`${SHORT}v1: { address: env:NOWHERE, token: file:none.txt, account: env:EMPTY }\n`);
    const lost = listDanglingReferences(file, { T: 'secret-token', EMPTY: '' });
    expect(listReferences(file)).toHaveLength(4);
    expect(lost.map(({ message }) => message)).toEqual([
      'the environment variable NOWHERE is not set',
      'the file none.txt cannot be read',
      'the environment variable EMPTY is empty',
    ]);
    expect(lost.every(({ place: at }) => at?.line === 4)).toBe(true);
    expect(JSON.stringify(lost)).not.toContain('secret-token');
  });

  test('to something that is no address are refused', () => {
    expect(() => resolved(SHORT.replace('"http://a.example/api/"', 'env:A'), { T: 't', A: 'not an address' })).toThrow(
      /gateway\.address is no http/,
    );
  });
});

test.describe('needs', () => {
  test('each has lines that enable it, and each stands in the README', () => {
    expect(Object.keys(NEED_OFFERS).sort()).toEqual([...TARGET_NEEDS].sort());
    for (const need of TARGET_NEEDS) {
      expect(README, `targets/README.md does not explain ${need}`).toContain(`\`${need}\``);
      expect(describeLack(need).text).toMatch(/ no .*(would enable it|ASSAY_BROWSER)$/);
    }
  });

  test('every line that is named exists in the schema', () => {
    const schema = JSON.parse(readFileSync(join(TARGETS, 'target.schema.json'), 'utf8'));
    for (const { lines } of Object.values(NEED_OFFERS)) {
      for (const [path] of lines.join(' ').matchAll(/\b(?:gateway|v1|control|callback|manners)(?:\.\w+)*/g)) {
        let node = schema;
        for (const key of path.split('.')) {
          node = node.$ref ? schema.$defs[node.$ref.split('/').at(-1)] : node;
          node = node.properties?.[key];
          expect(node, `${path} is not in the schema`).toBeDefined();
        }
      }
    }
  });

  test('the full example offers everything but what it says it leaves out', () => {
    const env = Object.fromEntries(
      [...readFileSync(join(TARGETS, 'live.example.yaml'), 'utf8').matchAll(/env:(\w+)/g)].map(([, name]) => [
        name!,
        '11',
      ]),
    );
    const file = parseTarget(join(TARGETS, 'live.example.yaml'));
    const text = file.text.replace('file:secrets/oauth-private-key.pem', 'env:KEY');
    const { offers } = resolved(text, { ...env, KEY: 'x' });
    const absent = TARGET_NEEDS.filter((need) => !offers.has(need));
    expect(absent).toEqual([
      'card.inactive',
      'card.error',
      'card.pending',
      'card.unknown',
      'card.chain',
      'card.debit',
      'card.credit',
      'card.method',
      'card.challenge',
      'card.unlisted',
      'card.history',
      'card.nohistory',
      'card.badscore',
      'later',
      'gateway.fault',
      'gateway.description',
      'trigger',
      'v1.fault',
      'exhaustion',
      'browser',
      'clock',
    ]);
  });
});

test('the schema of target files is one, which nobody asks again when it is used', () => {
  const schema = JSON.parse(readFileSync(join(TARGETS, 'target.schema.json'), 'utf8'));
  expect(new Ajv2020({ strict: false }).validateSchema(schema)).toBe(true);
});

test('the README explains every line of the schema and every placeholder', () => {
  const schema = JSON.parse(readFileSync(join(TARGETS, 'target.schema.json'), 'utf8'));
  const missing: string[] = [];
  const walk = (node: { properties?: Record<string, unknown>; description?: string }, path: string) => {
    for (const [key, one] of Object.entries(node.properties ?? {})) {
      const inner = one as { properties?: Record<string, unknown>; $ref?: string; description?: string };
      if (!new RegExp(`\\b${key}\\b`).test(README)) missing.push(`${path}${key}`);
      const known = inner.$ref ? schema.$defs[inner.$ref.split('/').at(-1)!] : undefined;
      if (!inner.description && !known?.description) missing.push(`${path}${key} has no description`);
      walk(known ?? inner, `${path}${key}.`);
    }
  };
  walk(schema, '');
  expect(missing).toEqual([]);
  expect(Object.keys(KNOWN_PLACEHOLDERS).filter((name) => !README.includes(`\${${name}}`))).toEqual([]);
});

test.describe('templates', () => {
  test('keep the type of a value, or take the one that is asked for', () => {
    const values = { n: 5, s: '07', b: true };
    expect(
      fillTemplate(
        { a: '${n}', b: '${n:string}', c: '${s:number}', d: 'x${s}y', e: ['${b}', '${gone}'], f: '${gone}' },
        values,
      ),
    ).toEqual({
      a: 5,
      b: '5',
      c: 7,
      d: 'x07y',
      e: [true],
    });
  });

  test('keep an integer that no number holds exactly', () => {
    const digits = '9007199254740993';
    const filled = fillTemplate(
      { a: '${text:number}', b: '${big}', c: '${big:number}', d: '${big:string}' },
      { text: digits, big: BigInt(digits) },
    );
    expect(filled).toEqual({ a: BigInt(digits), b: BigInt(digits), c: BigInt(digits), d: digits });
  });

  test('name a placeholder however deep, of whatever type, and not another one that begins alike', () => {
    const template = { urls: [{ back: 'https://shop.example/${callbackUrl}?x=1' }], n: '${amount:number}' };
    expect(namesPlaceholder(template, 'callbackUrl')).toBe(true);
    expect(namesPlaceholder(template, 'from', 'amount')).toBe(true);
    for (const other of ['callback', 'callbackUrl2', 'amount:number', 'urls', 'gone'])
      expect(namesPlaceholder(template, other), other).toBe(false);
    for (const nothing of [undefined, null, 'plain']) expect(namesPlaceholder(nothing, 'amount')).toBe(false);
  });

  test('are merged however deep, and placed by name or pointer', () => {
    expect(mergeBodies({ order: { id: 1, source: { a: 1 } } }, { order: { source: { pan: 2 } }, x: null })).toEqual({
      order: { id: 1, source: { a: 1, pan: 2 } },
      x: null,
    });
    expect(placeValue('cres', 'v')).toEqual({ cres: 'v' });
    expect(placeValue('/threeDS/a~1b', 'v')).toEqual({ threeDS: { 'a/b': 'v' } });
  });

  test('amounts are written and read in every style', () => {
    for (const [style, text] of [
      ['decimal-string', '10.05'],
      ['decimal-number', 10.05],
      ['minor-number', 1005],
      ['minor-string', '1005'],
    ] as const) {
      expect(writeStyledAmount(1005, style)).toBe(text);
      expect(readStyledAmount(text, style)).toBe(1005);
    }
    expect(readStyledAmount('ten', 'decimal-string')).toBeUndefined();
    expect(readStyledAmount('11.7', 'decimal-string')).toBe(1170);
  });

  test('a card fills what a payload may want of it', () => {
    const card = { number: '5555444433331111', code: '123', month: '10', year: '2049', holder: 'A B' };
    expect(cardPlaceholders(card)).toMatchObject({
      cardYear2: '49',
      cardFirstDigits: '555544',
      cardLastDigits: '1111',
    });
    expect(cardPlaceholders(undefined)).toEqual({});
  });
});

test.describe('a draft', () => {
  const live = (text: string) => parse(text) as { gateway?: Record<string, unknown>; v1?: Record<string, unknown> };

  test('fits the schema whatever was found', () => {
    for (const env of [new Set<string>(), new Set<string>(DRAFT_VARIABLES)])
      for (const gateway of [undefined, 'https://g.example/api'])
        for (const v1 of [undefined, 'https://v.example'])
          expect(
            written(draftTarget({ addresses: { gateway, v1 }, env, key: 'secrets/key.pem', own: '192.0.2.1' })).root
              .kind,
          ).toBe('sandbox');
  });

  test('has lines in force exactly for what is set', () => {
    const without = live(draftTarget({ addresses: { gateway: 'https://g.example/api' }, env: new Set() }));
    expect(Object.keys(without.gateway ?? {})).toEqual(['address', 'requestors', 'cards']);
    const env = new Set(['GATEWAY_CLIENT', 'GATEWAY_CLIENT_TOKEN', 'V1_CUSTOMER', 'GATEWAY_MERCHANT']);
    const some = live(draftTarget({ addresses: { gateway: 'https://g.example/api', v1: 'https://v.example' }, env }));
    expect(Object.keys(some.gateway ?? {})).toEqual(['address', 'requestors', 'client', 'cards']);
    expect(some.v1).toHaveProperty('customer');
    expect(some.v1).not.toHaveProperty('newcomer');
  });
});

test('the fingerprint of a target file does not hang on its secrets, and on all else it says', () => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-target-'));
  try {
    const text = readFileSync(join(TARGETS, 'embedded.yaml'), 'utf8');
    const print = (change: (text: string) => string) => {
      const path = join(folder, 'target.yaml');
      writeFileSync(path, change(text));
      return parseTarget(path).sha256;
    };
    const same = print((one) => one);
    const [card] = text.match(/\b[3-6]\d{15}\b/)!;
    expect(print((one) => one.replaceAll(card, '4929939187355598'))).toBe(same);
    expect(print((one) => one.replace(/code: "?\d{3}"?/, 'code: "999"'))).toBe(same);
    expect(print((one) => `# a comment with ${card}\n${one}`)).toBe(same);
    expect(print((one) => one.replace('Ada', 'Eve'))).not.toBe(same);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test('names every member of a request that carries a secret', () => {
  const path = join(mkdtempSync(join(tmpdir(), 'assay-target-')), 'target.yaml');
  writeFileSync(
    path,
    `name: other
kind: sandbox
gateway:
  address: https://gateway.example
  requestors: { main: { id: 1, token: "env:TOKEN" } }
  wire:
    card: { means: [{ plastic: { nr: "\${cardNumber}", code: "\${cardCode}" } }] }
    registered: { means: { stored: { id: "\${cardId}" } } }
    transfer: { to: "\${cardNumber};\${cardCode}" }
`,
  );
  const { members, values } = secretsOf(resolveTarget(parseTarget(path), { env: { TOKEN: 'the-token-of-main' } }));
  rmSync(dirname(path), { recursive: true, force: true });
  expect(values).toContain('the-token-of-main');
  expect(members).toEqual(
    expect.arrayContaining([
      { path: ['card', 'means', 'plastic', 'nr'], holds: 'card' },
      { path: ['card', 'means', 'plastic', 'code'], holds: 'code' },
      { path: ['registered', 'means', 'stored', 'id'], holds: 'reference' },
      { path: ['transfer', 'to'], holds: 'text' },
      { path: ['cres'], holds: 'text' },
    ]),
  );
});
