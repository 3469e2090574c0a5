import { decision } from '../decision.ts';
import type { Call } from './call.ts';
import { identify } from './identifier.ts';
import { missing, Refusal } from './refusal.ts';
import { type Answer, type Body, shape, success } from './shape.ts';
import type { User } from './user.ts';
import { readSheet, type Webhook } from './webhook-sheet.ts';

/** Every version of each user's one configuration. */
export class Webhooks {
  #written = new Map<User, Webhook[]>();

  /** What the user's configuration has been, the oldest first; empty when there is none. */
  history(user: User): readonly Webhook[] {
    return this.#written.get(user) ?? [];
  }

  /** The user's configuration as it was last written. */
  of(user: User): Webhook | undefined {
    return this.history(user).at(-1);
  }

  /** Writes the user's configuration. */
  write(user: User, webhook: Webhook): void {
    this.#written.set(user, [...this.history(user), webhook]);
  }

  /** Takes the user's configuration away, as if there had never been one. */
  forget(user: User): void {
    this.#written.delete(user);
  }

  /** Forgets everything. */
  reset(): void {
    this.#written.clear();
  }
}

const another = decision({
  rule: 'V1-WHK-01',
  honest: (existing: Webhook | undefined) => existing === undefined,
  lies: { 'second-webhook-created': () => true },
});

const written = decision({
  rule: 'V1-WHK-03',
  honest: (history: readonly Webhook[]): Webhook | undefined => history.at(-1),
  lies: {
    'webhook-read-shows-first-version': (history) => history[0],
    'webhook-read-always-active': (history) => history.at(-1) && { ...history.at(-1)!, isActive: true },
    'webhook-read-without-name': (history) => history.at(-1) && { ...history.at(-1)!, name: null },
  },
});

type Masked = (token: string) => string | undefined;

const MASKED: Readonly<Record<'stars' | 'left out' | 'tail', Masked>> = {
  stars: () => '********',
  'left out': () => undefined,
  tail: (token) => `${'*'.repeat(Math.max(0, token.length - 4))}${token.slice(-4)}`,
};

const shownToken = decision({
  rule: 'V1-WHK-04',
  honest: (webhook: Webhook, _versions: number, masked: Masked): string | undefined => masked(webhook.token),
  lies: {
    'webhook-token-readable': ({ token }) => token,
    'webhook-token-readable-after-replacement': ({ token }, versions, masked) => (versions > 1 ? token : masked(token)),
  },
});

const replaced = decision({
  rule: 'V1-WHK-06',
  honest: (_old: Webhook, sheet: Webhook, _drawn: string): Webhook => sheet,
  lies: {
    'replacement-keeps-old-url': (old, sheet) => ({ ...sheet, url: old.url }),
    'replacement-keeps-old-name': (old, sheet) => ({ ...sheet, name: old.name }),
    'replacement-keeps-old-description': (old, sheet) => ({ ...sheet, description: old.description }),
    'replacement-keeps-is-active': (old, sheet) => ({ ...sheet, isActive: old.isActive }),
    'replacement-makes-another-configuration': (_old, sheet, drawn) => ({ ...sheet, uuid: drawn }),
  },
});

const created = success('V1-WHK-02', 201, {
  'webhook-created-answered-200': (body) => ({ status: 200, body }),
  'webhook-created-without-body': () => ({ status: 201, hollow: true }),
});

const read = success('V1-WHK-05', 200, {
  'webhook-read-in-a-list': (body) => ({ status: 200, body: [body] }),
  'webhook-read-answered-204': () => ({ status: 204 }),
});

const replacedAnswer = success('V1-WHK-07', 200, {
  'webhook-replaced-answered-201': (body) => ({ status: 201, body }),
  'webhook-replaced-answered-204': () => ({ status: 204 }),
});

const text = (rule: string, name: string) => ({
  rule,
  lies: { [`webhook-${name}-as-number`]: () => 5, [`webhook-${name}-as-list`]: (value: unknown) => [value] },
});

const members = shape({
  uuid: {
    rule: 'V1-WHK-08',
    lies: {
      'webhook-uuid-changes': (uuid, { place }) => (place === 'read' ? String(uuid).replace(/^.{4}/, 'feed') : uuid),
    },
  },
  is_active: {
    rule: 'V1-WHK-09',
    lies: {
      'webhook-is-active-as-text': (value) => String(value),
      'webhook-is-active-as-number': (value) => Number(value),
    },
  },
  url: {
    rule: 'V1-WHK-10',
    lies: {
      'webhook-url-shown-without-scheme': (url) => String(url).replace(/^https?:\/\//, ''),
      'webhook-url-as-object': (href) => ({ href }),
    },
  },
  token: { rule: 'V1-WHK-11', lies: { 'webhook-token-as-number': () => 0, 'webhook-token-as-flag': () => true } },
  name: text('V1-WHK-12', 'name'),
  description: text('V1-WHK-13', 'description'),
});

function present({ world, memory, user }: Call, webhook: Webhook, place: 'create' | 'read'): Body {
  const { maskedToken, tokenWhenWritten } = world.choices.v1;
  const masked = MASKED[maskedToken];
  const written = tokenWhenWritten === 'shown' ? webhook.token : masked(webhook.token);
  const body = {
    uuid: webhook.uuid,
    is_active: webhook.isActive,
    url: webhook.url,
    token: place === 'read' ? shownToken(world.faults, webhook, memory.webhooks.history(user).length, masked) : written,
    name: webhook.name,
    description: webhook.description,
  };
  return members(world.faults, body, { place, index: 0 });
}

/**
 * Creates the caller's configuration; it is active from the start.
 * @throws Refusal 422 when there is one already
 */
export function createWebhook(call: Call): Answer {
  const { world, memory, user } = call;
  const form = call.body();
  const webhook = readSheet(world, form, 'createWebhook', identify(world, 'webhook'));
  form.settle();
  const existing = memory.webhooks.of(user);
  const { secondWebhook } = world.choices.v1;
  if (existing !== undefined && secondWebhook === 'same' && !another(world.faults, existing)) {
    const same = { ...webhook, uuid: existing.uuid, isActive: existing.isActive };
    memory.webhooks.write(user, same);
    return created(world.faults, present(call, same, 'create'));
  }
  if (!another(world.faults, existing) && secondWebhook === 409)
    throw new Refusal(409, 'CONFLICT', ['There is a webhook configuration already; replace it.']);
  if (!another(world.faults, existing))
    throw new Refusal(422, 'VALIDATION_ERROR', { url: ['There is a webhook configuration already; replace it.'] });
  memory.webhooks.write(user, webhook);
  return created(world.faults, present(call, webhook, 'create'));
}

/** @throws Refusal 404 when the caller has no configuration */
export function readWebhook(call: Call): Answer {
  const { world, memory, user } = call;
  const webhook = written(world.faults, memory.webhooks.history(user));
  if (webhook === undefined) throw missing('The webhook configuration');
  return read(world.faults, present(call, webhook, 'read'));
}

/** @throws Refusal 404 when the caller has no configuration */
export function replaceWebhook(call: Call): Answer {
  const { world, memory, user } = call;
  const form = call.body();
  const old = memory.webhooks.of(user);
  const sheet = readSheet(world, form, 'replaceWebhook', old?.uuid ?? '');
  form.settle();
  if (old === undefined) throw missing('The webhook configuration');
  const webhook = replaced(world.faults, old, sheet, world.uuid());
  memory.webhooks.write(user, webhook);
  return replacedAnswer(world.faults, present(call, webhook, 'create'));
}
