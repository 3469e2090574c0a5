import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { locate, type Need, point } from '#contract';
import { suggestion, Trouble } from '#trouble';
import type { Written } from './parse.ts';
import { BEHAVIOURS, type Manners, type Target } from './types.ts';

/** Where references lead: the environment, and the embedded sandbox when one is running. */
export interface Lookups {
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Value of `embedded:NAME`; undefined when the sandbox has none of that name. */
  readonly embedded?: (name: string) => string | number | undefined;
}

const SECRET_KEYS = new Set(['token', 'unprivileged', 'consumerKey', 'privateKey', 'passphrase']);

/** Every `env:`, `file:` and `embedded:` name a target file refers to, with the pointer of each. */
export function references(written: Written): { pointer: string; scheme: string; name: string }[] {
  const found: { pointer: string; scheme: string; name: string }[] = [];
  walk(written.root, '', (value, pointer) => {
    const match = /^(env|file|embedded):(.+)$/s.exec(value);
    if (match) found.push({ pointer, scheme: match[1]!, name: match[2]! });
    return value;
  });
  return found;
}

/**
 * Resolves every reference of a target file and works out what it offers.
 * @throws Trouble (usage) with file and line for a variable that is not set, a file that cannot be read, an unknown embedded value
 */
export function resolveTarget(written: Written, lookups: Lookups = {}): Target {
  const { env = process.env, embedded } = lookups;
  const secrets = new Set<string>();
  const fail = (pointer: string, message: string, reason: string | undefined, fix: string): never => {
    throw new Trouble('usage', message, { place: locate(written, pointer), ...(reason ? { reason } : {}), fix });
  };
  const root = walk(written.root, '', (value, pointer) => {
    const match = /^(env|file|embedded):(.+)$/s.exec(value);
    if (!match) return value;
    const [, scheme, name] = match as unknown as [string, string, string];
    let got: string | number | undefined;
    if (scheme === 'env') {
      got = env[name];
      if (got === undefined || got === '') {
        return fail(
          pointer,
          `the environment variable ${name} is not set`,
          undefined,
          suggestion(name, Object.keys(env)) || `set ${name}, or refer to a file`,
        );
      }
    } else if (scheme === 'file') {
      const path = resolve(dirname(written.path), name);
      try {
        got = readFileSync(path, 'utf8').trim();
      } catch (error) {
        return fail(
          pointer,
          `the secret file ${name} cannot be read`,
          (error as NodeJS.ErrnoException).code,
          'the path is relative to the target file',
        );
      }
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
    const key = pointer.slice(pointer.lastIndexOf('/') + 1);
    if (SECRET_KEYS.has(key)) secrets.add(String(got));
    return got;
    // biome-ignore lint/suspicious/noExplicitAny: the shape is what target.schema.json has just checked
  }) as any;

  const manners: Manners = {
    pollGap: 3,
    pollLimit: 40,
    timeout: 10,
    exhaust: false,
    money: { calls: 500, total: 10000 },
    ...root.manners,
  };
  const gateway = root.gateway && {
    ...root.gateway,
    address: String(root.gateway.address).replace(/\/+$/, ''),
    cards: root.gateway.cards ?? {},
    requestors: Object.fromEntries(
      Object.entries(root.gateway.requestors).map(([name, one]) => [
        name,
        { ...(one as object), id: Number((one as { id: unknown }).id) },
      ]),
    ),
    ...(root.gateway.oauth
      ? { oauth: { ...root.gateway.oauth, requestor: Number(root.gateway.oauth.requestor) } }
      : {}),
  };
  const v1 = root.v1 && {
    ...root.v1,
    address: String(root.v1.address).replace(/\/+$/, ''),
    ibans: root.v1.ibans ?? {},
  };
  return Object.freeze({
    name: root.name,
    kind: root.kind,
    file: written.file,
    sha256: written.sha256,
    gateway,
    v1,
    control: root.control ?? {},
    ...(root.callback ? { callback: root.callback } : {}),
    manners,
    secrets: [...secrets],
    offers: offers({ ...root, gateway, v1 }, manners),
  }) as Target;
}

/** `NAME` or `NAME/rest`: the named value with a path appended. */
function embeddedValue(name: string, embedded: Lookups['embedded']): string | number | undefined {
  const cut = name.indexOf('/');
  const base = embedded?.(cut < 0 ? name : name.slice(0, cut));
  return base === undefined || cut < 0 ? base : `${base}${name.slice(cut)}`;
}

// biome-ignore lint/suspicious/noExplicitAny: see above
function offers({ gateway, v1, control = {}, callback }: any, manners: Manners): ReadonlySet<Need> {
  const found = new Set<Need>();
  const offer = (need: Need, there: unknown) => {
    if (there) found.add(need);
  };
  if (gateway) {
    const { requestors, wire, cards } = gateway;
    offer('requestor', true);
    offer('requestor.second', requestors.second);
    offer('requestor.multicurrency', requestors.multicurrency);
    offer('requestor.allowlist', requestors.allowlisted?.allowed && requestors.allowlisted.refused);
    offer('host.second', requestors.elsewhere?.address);
    offer('merchant', gateway.merchant);
    offer('merchant.second', gateway.secondMerchant);
    offer('manager', gateway.manager);
    offer('client', gateway.client);
    offer('oauth', gateway.oauth && wire.transfer);
    offer('recurring', wire.recurring);
    offer('report', wire.report);
    offer('form', gateway.form);
    for (const behaviour of BEHAVIOURS) offer(`card.${behaviour}` as Need, cards[behaviour]);
  }
  if (v1) {
    offer('v1', true);
    offer('account', true);
    offer('v1.unprivileged', v1.unprivileged);
    offer('account.second', v1.secondAccount);
    offer('customer', v1.customer);
    for (const kind of ['valid', 'unlisted', 'broken'] as const) offer(`iban.${kind}`, v1.ibans[kind]);
  }
  offer('callback', callback);
  offer('receiver', callback);
  offer('clock', control.advance);
  offer('later', control.later || control.chargeback);
  offer('trigger', control.trigger);
  offer('exhaustion', manners.exhaust);
  return found;
}

function walk(node: unknown, pointer: string, visit: (value: string, pointer: string) => unknown): unknown {
  if (typeof node === 'string') return visit(node, pointer);
  if (Array.isArray(node)) return node.map((one, i) => walk(one, point(pointer, i), visit));
  if (typeof node !== 'object' || node === null) return node;
  return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, walk(value, point(pointer, key), visit)]));
}
