import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { locatePointer } from '#contract';
import { appendPointer, pointerTokens } from '#json-pointer';
import { suggestWord, Trouble } from '#trouble';
import { DEFAULT_MANNERS, GATEWAY_WIRE_DEFAULTS, V1_WIRE_DEFAULTS } from './defaults.ts';
import { listOfferedNeeds } from './need-offers.ts';
import type { WrittenTarget } from './parse-target.ts';
import type { Target } from './types.ts';

/** Where references lead: the environment, and the embedded sandbox when one is running. */
export interface ReferenceSources {
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Value of `embedded:NAME`; undefined when the sandbox has none of that name. */
  readonly embedded?: (name: string) => string | number | undefined;
}

const SECRET_KEYS = new Set([
  'token',
  'unprivileged',
  'newcomer',
  'webhookToken',
  'consumerKey',
  'privateKey',
  'passphrase',
  'key',
  'proxy',
]);

/** Every `env:`, `file:` and `embedded:` name a target file refers to, with the pointer of each. */
export function listReferences(written: WrittenTarget): { pointer: string; scheme: string; name: string }[] {
  const found: { pointer: string; scheme: string; name: string }[] = [];
  walk(written.root, '', (value, pointer) => {
    const match = /^(env|file|embedded):(.+)$/s.exec(value);
    if (match) found.push({ pointer, scheme: match[1]!, name: match[2]! });
    return value;
  });
  return found;
}

/** Every reference that leads nowhere, as the trouble that resolving it would be. */
export function listDanglingReferences(written: WrittenTarget, env: ReferenceSources['env'] = process.env): Trouble[] {
  return listReferences(written)
    .filter(({ scheme }) => scheme !== 'embedded')
    .map((reference) => look(written, reference, env))
    .filter((found) => found instanceof Trouble);
}

/** The value of one `env:` or `file:` reference, or what is wrong with it. */
function look(
  written: WrittenTarget,
  { pointer, scheme, name }: { pointer: string; scheme: string; name: string },
  env: Readonly<Record<string, string | undefined>>,
): string | Trouble {
  const place = locatePointer(written, pointer);
  if (scheme === 'env') {
    const value = env[name];
    if (value !== undefined && value.trim() !== '') return value.trim();
    return new Trouble('usage', `the environment variable ${name} is ${value === undefined ? 'not set' : 'empty'}`, {
      place,
      fix: suggestWord(name, Object.keys(env)) || `set ${name}, or refer to a file`,
    });
  }
  try {
    const bytes = readFileSync(resolve(dirname(written.path), name));
    // A PKCS#12 file is no text; it travels as one character a byte.
    if (pointer.endsWith('/privateKey') && !bytes.includes('-----BEGIN')) return bytes.toString('latin1');
    const text = bytes.toString('utf8').trim();
    if (text !== '') return text;
    return new Trouble('usage', `the file ${name} is empty`, { place, fix: 'write the value into it' });
  } catch (error) {
    return new Trouble('usage', `the file ${name} cannot be read`, {
      place,
      reason: String((error as NodeJS.ErrnoException).code),
      fix: 'the path is relative to the target file',
    });
  }
}

/** What runs against a target are signed with, as text. */
export interface SigningMaterial {
  /** PEM. */
  readonly key: string;
  readonly certificate: string;
  readonly passphrase?: string;
}

/**
 * Resolves the `signing:` lines of a target file, and nothing else of it.
 * @returns undefined when there are none
 * @throws Trouble (usage) with file and line for a variable that is not set, a file that cannot be read, an embedded value
 */
export function resolveSigning(
  written: WrittenTarget,
  env: ReferenceSources['env'] = process.env,
): SigningMaterial | undefined {
  const lines = written.root.signing as SigningMaterial | undefined;
  if (lines === undefined) return undefined;
  return walk(lines, '/signing', (value, pointer) => {
    const [, scheme, name] = /^(env|file|embedded):(.+)$/s.exec(value) as unknown as [string, string, string];
    const found =
      scheme === 'embedded'
        ? new Trouble('usage', 'the embedded sandbox offers nothing to sign with', {
            place: locatePointer(written, pointer),
            fix: 'refer to a variable or a file',
          })
        : look(written, { pointer, scheme, name }, env);
    if (found instanceof Trouble) throw found;
    return found;
  }) as SigningMaterial;
}

/**
 * Resolves every reference of a target file and works out what it offers.
 * @throws Trouble (usage) with file and line for a variable that is not set, a file that cannot be read, an unknown embedded value
 */
export function resolveTarget(written: WrittenTarget, lookups: ReferenceSources = {}): Target {
  const { env = process.env, embedded } = lookups;
  const secrets = new Set<string>();
  const fail = (pointer: string, message: string, reason: string | undefined, fix: string): never => {
    throw new Trouble('usage', message, { place: locatePointer(written, pointer), ...(reason ? { reason } : {}), fix });
  };
  const root = walk(written.root, '', (value, pointer) => {
    const match = /^(env|file|embedded):(.+)$/s.exec(value);
    if (!match) return value;
    const [, scheme, name] = match as unknown as [string, string, string];
    let got: string | number | undefined;
    if (scheme !== 'embedded') {
      const found = look(written, { pointer, scheme, name }, env);
      if (found instanceof Trouble) throw found;
      got = found;
    } else {
      got = embeddedValue(name, embedded);
      if (got === undefined)
        return fail(
          pointer,
          `the embedded sandbox offers no ${name}`,
          undefined,
          'embedded: works in targets/embedded.yaml only',
        );
    }
    if (SECRET_KEYS.has(pointerTokens(pointer).at(-1)!) || pointer.includes('/headers/')) secrets.add(String(got));
    return got;
    // biome-ignore lint/suspicious/noExplicitAny: the shape is what target.schema.json has just checked
  }) as any;

  const target = {
    name: root.name,
    kind: root.kind,
    file: written.file,
    sha256: written.sha256,
    gateway: root.gateway && gatewayOf(root.gateway),
    v1: root.v1 && v1Of(root.v1),
    connection: root.connection ?? {},
    control: Object.fromEntries(
      Object.entries((root.control ?? {}) as Record<string, object>).map(([name, one]) => [
        name,
        { method: name === 'now' ? 'GET' : 'POST', ...one },
      ]),
    ),
    ...(root.callback ? { callback: root.callback } : {}),
    pages: root.pages ?? [],
    manners: { ...DEFAULT_MANNERS, ...root.manners, money: { ...DEFAULT_MANNERS.money, ...root.manners?.money } },
    secrets: [...secrets],
  };
  for (const [pointer, address] of addresses(target)) {
    if (!/^https?:\/\/[^/@]/.test(address) || !URL.canParse(address))
      fail(pointer, `${pointerTokens(pointer).join('.')} is no http(s) address`, undefined, 'https://host/path');
  }
  return freeze({ ...target, offers: listOfferedNeeds(target) }) as Target;
}

/** Every address of a target with its pointer in the file. */
// biome-ignore lint/suspicious/noExplicitAny: see above
function addresses({ gateway, v1, connection }: any): [string, string][] {
  const found: [string, string | undefined][] = [
    ['/gateway/address', gateway?.address],
    ['/v1/address', v1?.address],
    ['/connection/proxy', connection.proxy],
    ...Object.entries(gateway?.requestors ?? {}).map(
      ([name, one]) =>
        [`/gateway/requestors/${name}/address`, (one as { address?: string }).address] as [string, string | undefined],
    ),
  ];
  return found.filter((one): one is [string, string] => one[1] !== undefined);
}

// biome-ignore lint/suspicious/noExplicitAny: see above
function gatewayOf(written: any): unknown {
  const { transaction, read, names, types, ...rest } = GATEWAY_WIRE_DEFAULTS;
  const { amount = rest.amount, ...wire } = written.wire ?? {};
  return {
    ...written,
    address: bare(written.address),
    cards: Object.fromEntries(Object.entries(written.cards ?? {}).map(([name, card]) => [name, cardOf(card)])),
    requestors: Object.fromEntries(
      Object.entries(written.requestors).map(([name, one]) => [name, requestorOf(one)] as const),
    ),
    ...(written.oauth ? { oauth: oauthOf(written.oauth, written.requestors.main.id) } : {}),
    wire: {
      ...rest,
      amountRead: amount,
      ...wire,
      amount,
      names: { ...names, ...wire.names },
      read: { ...read, ...wire.read, transaction: { ...transaction, ...wire.read?.transaction } },
      types: { ...types, ...wire.types },
      ...(wire.recurring ? { recurring: { method: 'POST', ...wire.recurring } } : {}),
      ...(wire.report ? { report: { method: 'POST', ...wire.report } } : {}),
    },
  };
}

// biome-ignore lint/suspicious/noExplicitAny: see above
function oauthOf({ second, ...first }: any, main: unknown): unknown {
  const requestor = Number(first.requestor ?? main);
  const other = second && { second: { ...second, requestor: Number(second.requestor ?? requestor) } };
  return { ...first, requestor, ...other };
}

// biome-ignore lint/suspicious/noExplicitAny: see above
function v1Of(written: any): unknown {
  const recipient = written.wire?.recipient ?? V1_WIRE_DEFAULTS.recipient;
  return {
    ...written,
    address: bare(written.address),
    ibans: written.ibans ?? {},
    wire: { ...V1_WIRE_DEFAULTS, swift: recipient, ...written.wire },
  };
}

// biome-ignore lint/suspicious/noExplicitAny: see above
function requestorOf(written: any): unknown {
  return {
    currency: 'EUR',
    ...written,
    id: Number(written.id),
    ...(written.address ? { address: bare(written.address) } : {}),
  };
}

// biome-ignore lint/suspicious/noExplicitAny: see above
function cardOf({ amount, ...card }: any): unknown {
  return {
    holder: 'ADA TEST',
    ...card,
    ...(amount === undefined ? {} : { amount: Math.round(Number(amount) * 100) }),
  };
}

function bare(address: unknown): string {
  return String(address).replace(/\/+$/, '');
}

function freeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !(value instanceof Set)) {
    for (const one of Object.values(value)) freeze(one);
    Object.freeze(value);
  }
  return value;
}

/** `NAME` or `NAME/rest`: the named value with a path appended. */
function embeddedValue(name: string, embedded: ReferenceSources['embedded']): string | number | undefined {
  const cut = name.indexOf('/');
  const base = embedded?.(cut < 0 ? name : name.slice(0, cut));
  return base === undefined || cut < 0 ? base : `${base}${name.slice(cut)}`;
}

function walk(node: unknown, pointer: string, visit: (value: string, pointer: string) => unknown): unknown {
  if (typeof node === 'string') return visit(node, pointer);
  if (Array.isArray(node)) return node.map((one, i) => walk(one, appendPointer(pointer, i), visit));
  if (typeof node !== 'object' || node === null) return node;
  return Object.fromEntries(
    Object.entries(node).map(([key, value]) => [key, walk(value, appendPointer(pointer, key), visit)]),
  );
}
