import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { locatePointer } from '#contract';
import { appendPointer, pointerTokens } from '#json-pointer';
import { suggestWord, Trouble } from '#trouble';
import { DEFAULT_MANNERS, DEFAULT_PARALLEL } from './defaults.ts';
import { listOfferedNeeds } from './need-offers.ts';
import type { WrittenTarget } from './parse-target.ts';
import { listAddresses } from './service-addresses.ts';
import { type ServiceTargets, TARGET_SERVICES } from './services.ts';
import type { Target } from './target.ts';
import type { WrittenTargetFile } from './written-target.generated.ts';

/** Where references lead: the environment, and the embedded sandbox when one is running. */
export interface ReferenceSources {
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Value of `embedded:NAME`; undefined when the sandbox has none of that name. */
  readonly embedded?: (name: string) => string | number | undefined;
}

const SECRET_KEYS = new Set([...TARGET_SERVICES.flatMap(({ secretKeys }) => secretKeys), 'passphrase', 'key', 'proxy']);
const BINARY_KEYS = TARGET_SERVICES.flatMap(({ binaryKeys }) => binaryKeys);

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
    .map((reference) => readReference(written, reference, env))
    .filter((found) => found instanceof Trouble);
}

/** The value of one `env:` or `file:` reference, or what is wrong with it. */
function readReference(
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
    if (BINARY_KEYS.some((key) => pointer.endsWith(`/${key}`)) && !bytes.includes('-----BEGIN'))
      return bytes.toString('latin1');
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
  if (written.root.signing === undefined) return undefined;
  const { timestamp: _, ...lines } = written.root.signing;
  return walk(lines, '/signing', (value, pointer) => {
    const [, scheme, name] = /^(env|file|embedded):(.+)$/s.exec(value) as unknown as [string, string, string];
    const found =
      scheme === 'embedded'
        ? new Trouble('usage', 'the embedded sandbox offers nothing to sign with', {
            place: locatePointer(written, pointer),
            fix: 'refer to a variable or a file',
          })
        : readReference(written, { pointer, scheme, name }, env);
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
      const found = readReference(written, { pointer, scheme, name }, env);
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
    if (
      SECRET_KEYS.has(pointerTokens(pointer).findLast((token) => !/^\d+$/.test(token))!) ||
      pointer.includes('/headers/')
    )
      secrets.add(String(got));
    return got;
  }) as WrittenTargetFile;

  const sections = Object.fromEntries(
    TARGET_SERVICES.map(({ api, resolve: complete }) => [api, root[api] && complete(root[api])]),
  ) as unknown as ServiceTargets;
  const target = {
    name: root.name,
    kind: root.kind,
    file: written.file,
    sha256: written.sha256,
    ...sections,
    connection: root.connection ?? {},
    control: Object.fromEntries(
      Object.entries((root.control ?? {}) as Record<string, object>).map(([name, one]) => [
        name,
        { method: name === 'now' ? 'GET' : 'POST', ...one },
      ]),
    ),
    ...(root.callback ? { callback: { listen: '127.0.0.1', ...root.callback } } : {}),
    pages: root.pages ?? [],
    manners: completeManners(root.manners ?? {}, root.kind),
    secrets: [...secrets],
  };
  for (const [pointer, address] of [
    ...listAddresses(target),
    ['/connection/proxy', target.connection.proxy] as const,
  ]) {
    if (address === undefined) continue;
    if (!/^https?:\/\/[^/@]/.test(address) || !URL.canParse(address))
      fail(pointer, `${pointerTokens(pointer).join('.')} is no http(s) address`, undefined, 'https://host/path');
  }
  return freeze({ ...target, offers: listOfferedNeeds(target) }) as Target;
}

function completeManners(
  written: NonNullable<WrittenTargetFile['manners']>,
  kind: WrittenTargetFile['kind'],
): Target['manners'] {
  const manners = { ...DEFAULT_MANNERS, ...written, money: { ...DEFAULT_MANNERS.money, ...written.money } };
  const parallel = DEFAULT_PARALLEL[kind === 'production' ? 'production' : 'other'];
  return { delivery: manners.pollGap * manners.pollLimit, parallel, ...manners };
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
