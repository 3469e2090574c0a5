import { decision } from '../../decision.ts';
import { DAY } from '../../durations.ts';
import { decideMixUp } from '../../rush.ts';
import type { ApiUser } from '../access/api-users.ts';
import type { V1Choices } from '../choices.ts';
import type { V1Call } from '../v1-call.ts';
import {
  type AnswerBody,
  answerBehind,
  createMemberShape,
  decideSuccess,
  type V1Answer,
} from '../wire/answer-shape.ts';
import { drawIdentifier } from '../wire/identifiers.ts';
import { MISWRITTEN } from '../wire/miswritten-texts.ts';
import { refuseBusiness, refuseMissing, V1Refusal } from '../wire/v1-refusal.ts';
import {
  beforeSeconds,
  MISQUERIED,
  readWebhookConfiguration,
  type WebhookConfiguration,
  withoutQuery,
} from './webhook-configuration.ts';

const another = decision({
  rule: 'V1-WHK-01',
  honest: (existing: WebhookConfiguration | undefined) => existing === undefined,
  lies: { 'second-webhook-created': () => true },
});

/** Versions of what is shown to a user who has no configuration. */
const strange = decision({
  rule: 'V1-WHK-01',
  honest: (_ofFirstUser: readonly WebhookConfiguration[]): readonly WebhookConfiguration[] => [],
  lies: { 'webhook-of-first-user-shown-to-others': (ofFirstUser) => ofFirstUser },
});

/** How many milliseconds a reading goes on in which others are shown what the first user has. */
const mixesReaders = decideMixUp('V1-WHK-01', 'webhook-readings-at-once-show-that-of-the-first-user');

/** How many milliseconds a replacement goes on in which another user's goes to the same configuration. */
const mixesWriters = decideMixUp('V1-WHK-01', 'webhooks-of-two-users-replaced-at-once-mixed');

/** Who replaced a configuration last; only a lie asks. */
const lastWriters = new WeakMap<object, ApiUser>();

/** Users whose configuration is written by what one of them writes. */
const writtenFor = decision({
  rule: 'V1-WHK-01',
  honest: (
    user: ApiUser,
    _all: readonly ApiUser[],
    _isNew: boolean,
    _first: ApiUser,
    _alike: (field: 'url' | 'token' | 'name') => readonly ApiUser[],
  ): readonly ApiUser[] => [user],
  lies: {
    ...Object.fromEntries(
      (['url', 'token', 'name'] as const).map((field) => [
        `webhook-replacement-replaces-those-of-the-same-${field}`,
        (
          user: ApiUser,
          _all: readonly ApiUser[],
          _isNew: boolean,
          _first: ApiUser,
          alike: (field: 'url' | 'token' | 'name') => readonly ApiUser[],
        ) => [user, ...alike(field)],
      ]),
    ),
    'webhook-creation-replaces-those-of-others': (user, all, isNew) => (isNew ? [user, ...all] : [user]),
    'webhook-replacement-replaces-those-of-others': (user, all, isNew) => (isNew ? [user] : [user, ...all]),
    'webhook-replacement-goes-to-the-first-user': (user, _all, isNew, first) => [isNew ? user : first],
  },
});

const always = (_webhook: WebhookConfiguration, _now: number, _isFirstUser: boolean) => true;
const isDayOld: typeof always = (webhook, now) => now - webhook.written >= DAY;
const isOfAnother: typeof always = (_webhook, _now, isFirstUser) => !isFirstUser;

/** The latest configuration, changed as a lie has it; as it is where the lie is not about it. */
const changed =
  (change: (webhook: WebhookConfiguration) => Partial<WebhookConfiguration>, isAbout = always) =>
  (history: readonly WebhookConfiguration[], now: number, isFirstUser: boolean): WebhookConfiguration | undefined => {
    const webhook = history.at(-1);
    return webhook && isAbout(webhook, now, isFirstUser) ? { ...webhook, ...change(webhook) } : webhook;
  };

const cutDescription = ({ description }: WebhookConfiguration) => ({ description: description?.slice(0, 100) ?? null });
const loseUrlQuery = ({ url }: WebhookConfiguration) => ({ url: withoutQuery(url) });

const written = decision({
  rule: 'V1-WHK-03',
  honest: (
    history: readonly WebhookConfiguration[],
    _now: number,
    _isFirstUser: boolean,
  ): WebhookConfiguration | undefined => history.at(-1),
  lies: {
    'webhook-read-without-name-after-a-day': changed(() => ({ name: null }), isDayOld),
    'webhook-read-cuts-description-at-100-after-a-day': changed(cutDescription, isDayOld),
    'webhook-read-url-without-query-after-a-day': changed(loseUrlQuery, isDayOld),
    'webhook-of-another-user-read-without-query': changed(loseUrlQuery, isOfAnother),
    'webhook-of-another-user-read-as-first-written': (history, _now, isFirstUser) =>
      isFirstUser ? history.at(-1) : history[0],
    'webhook-configuration-reverts-a-moment-later': beforeSeconds,
    'webhook-read-shows-first-version': (history) => history[0],
    'webhook-read-always-active': changed(() => ({ isActive: true })),
    'webhook-read-cuts-description-at-100': changed(cutDescription),
    'webhook-read-description-in-lower-case': changed(({ description }) => ({
      description: description?.toLowerCase() ?? null,
    })),
    'webhook-read-url-in-lower-case': changed(({ url }) => ({ url: url.toLowerCase() })),
    'webhook-read-url-without-query': changed(loseUrlQuery),
    'webhook-read-url-without-its-last-slash': changed(({ url }) => ({ url: url.replace(/[/]$/, '') })),
    'webhook-read-url-decoded': changed(({ url }) => ({ url: decodeURIComponent(url) })),
    'webhook-read-description-of-a-zero-as-none': changed(({ description }) => ({
      description: description === '0' ? null : description,
    })),
    ...Object.fromEntries(
      Object.entries(MISWRITTEN).map(([how, miswrite]) => [
        `webhook-read-name-${how}`,
        changed(({ name }) => ({ name: name && miswrite(name) })),
      ]),
    ),
    'webhook-read-url-with-entities': changed(({ url }) => ({ url: url.replaceAll('&', '&amp;') })),
    ...Object.fromEntries(
      Object.entries(MISQUERIED).map(([how, misquery]) => [
        `webhook-read-url-${how}`,
        changed(({ url }) => ({ url: misquery(url) })),
      ]),
    ),
    'webhook-read-url-without-its-port': changed(({ url }) => ({ url: url.replace(/^(\w+:\/\/[^/:]+):\d+/, '$1') })),
    'webhook-read-description-outside-latin-1-as-question-marks': changed(({ description }) => ({
      description: description && MISWRITTEN['outside-latin-1-as-question-marks']!(description),
    })),
    'webhook-read-name-cut-at-four-byte-letters': changed(({ name }) => ({
      name: name?.replace(/[\u{10000}-\u{10ffff}].*/su, '') ?? null,
    })),
    'webhook-read-description-cut-at-four-byte-letters': changed(({ description }) => ({
      description: description?.replace(/[\u{10000}-\u{10ffff}].*/su, '') ?? null,
    })),
    'webhook-read-escapes-name': changed(({ name }) => ({ name: name?.replace(/&/g, '&amp;') ?? null })),
    'webhook-read-shows-empty-texts-for-none': changed(({ name, description }) => ({
      name: name ?? '',
      description: description ?? '',
    })),
    'webhook-read-without-name': changed(() => ({ name: null })),
  },
});

/** Whether a replacement that is refused leaves nothing behind. */
const refusalLeavesNothing = decision({
  rule: 'V1-WHK-03',
  honest: () => true,
  lies: { 'refused-replacement-changes-description': () => false },
});

/** Whether a configuration still sends after a replacement that was refused for its url. */
const refusalLeavesActive = decision({
  rule: 'V1-WHK-03',
  honest: (_url: unknown) => true,
  lies: { 'replacement-refused-for-its-url-deactivates': (url) => typeof url !== 'string' || URL.canParse(url) },
});

/** Whether a second creation that is refused leaves the configuration as it was. */
const secondLeavesNothing = decision({
  rule: 'V1-WHK-01',
  honest: () => true,
  lies: { 'refused-second-creation-changes-description': () => false },
});

/** Whether a second creation is refused as any other request is. */
const secondIsRefusedInForm = decision({
  rule: 'V1-ERR-08',
  honest: () => true,
  lies: { 'v1-second-webhook-refused-in-another-form': () => false },
});

/** Whether the token stays that of the last replacement that was taken. */
const refusalLeavesToken = decision({
  rule: 'V1-EVT-07',
  honest: () => true,
  lies: { 'refused-replacement-changes-token': () => false },
});

/** Whether the token stays the same when a second creation is refused. */
const secondLeavesToken = decision({
  rule: 'V1-EVT-07',
  honest: () => true,
  lies: { 'refused-second-creation-changes-token': () => false },
});

/** Whether an inactive configuration stays so when a second creation is refused. */
const secondLeavesActive = decision({
  rule: 'V1-WHK-01',
  honest: () => true,
  lies: { 'refused-second-creation-activates': () => false },
});

/** Whether a creation may name the url that another user's configuration has. */
const takesUrlOfAnother = decision({
  rule: 'V1-WHK-02',
  honest: () => true,
  lies: { 'webhook-creation-with-the-url-of-another-user-refused': () => false },
});

/** Whether two configurations have the same address, name and description. */
const isAlike = (old: WebhookConfiguration, sheet: WebhookConfiguration) =>
  old.url === sheet.url && old.name === sheet.name && old.description === sheet.description;

/** Whether a replacement is kept that changes the token alone. */
const tokenAloneKept = decision({
  rule: 'V1-EVT-07',
  honest: (_old: WebhookConfiguration, _sheet: WebhookConfiguration) => true,
  lies: {
    'replacement-of-the-token-alone-not-kept': (old, sheet) => !isAlike(old, sheet) || old.isActive !== sheet.isActive,
    'replacement-of-the-token-in-other-letters-not-kept': (old, sheet) => !differsInLetters(old.token, sheet.token),
  },
});

type Changed = 'url' | 'name' | 'description';

/** Whether two texts differ in capital and small letters alone. */
const differsInLetters = (old: string | null, text: string | null) =>
  old !== text && old?.toLowerCase() === text?.toLowerCase();

/** Whether a replacement changes one of these alone. */
const changesOnly = (field: Changed, old: WebhookConfiguration, sheet: WebhookConfiguration) =>
  old[field] !== sheet[field] &&
  isAlike(old, { ...sheet, [field]: old[field] }) &&
  old.token === sheet.token &&
  old.isActive === sheet.isActive;

/** Whether a replacement is kept that changes one of the others alone. */
const othersAloneKept = decision({
  rule: 'V1-WHK-06',
  honest: (_old: WebhookConfiguration, _sheet: WebhookConfiguration) => true,
  lies: Object.fromEntries(
    (['url', 'name', 'description'] as const).flatMap((field) => [
      [
        `replacement-of-the-${field}-alone-not-kept`,
        (old: WebhookConfiguration, sheet: WebhookConfiguration) => !changesOnly(field, old, sheet),
      ],
      [
        `replacement-of-the-${field}-in-other-letters-not-kept`,
        (old: WebhookConfiguration, sheet: WebhookConfiguration) => !differsInLetters(old[field], sheet[field]),
      ],
    ]),
  ),
});

/** Whether a replacement is kept that changes is_active alone. */
const activeAloneKept = decision({
  rule: 'V1-EVT-06',
  honest: (_old: WebhookConfiguration, _sheet: WebhookConfiguration) => true,
  lies: {
    'replacement-of-is-active-alone-not-kept': (old, sheet) => !isAlike(old, sheet) || old.token !== sheet.token,
    'activation-alone-not-kept': (old, sheet) =>
      !isAlike(old, sheet) || old.token !== sheet.token || old.isActive || !sheet.isActive,
  },
});

/** How many milliseconds a replacement goes on in which others keep its name. */
const mixesOthers = decideMixUp('V1-WHK-06', 'replacements-at-once-mixed');

const isLong = (text: unknown, most: number) => typeof text === 'string' && text.length > most;

/** Creations that are refused: by rule, what they are, and whether what was sent is one. */
const REFUSED = [
  ['V1-WHK-14', 'without-url', ({ url }) => url === undefined],
  ['V1-WHK-15', 'without-a-sound-url', ({ url }) => url !== undefined && !/^https?:/.test(String(url))],
  ['V1-WHK-16', 'with-a-long-url', ({ url }) => isLong(url, 255)],
  ['V1-WHK-17', 'without-token', ({ token }) => token === undefined],
  ['V1-WHK-18', 'with-a-short-token', ({ token }) => typeof token === 'string' && token.length < 16],
  ['V1-WHK-19', 'with-a-long-token', ({ token }) => isLong(token, 100)],
  ['V1-WHK-21', 'with-a-long-name', ({ name }) => isLong(name, 255)],
  ['V1-WHK-23', 'with-a-long-description', ({ description }) => isLong(description, 500)],
] as const satisfies readonly (readonly [string, string, (sent: AnswerBody) => boolean])[];

/** Whether a creation that is refused is kept all the same. */
const KEPT_ALL_THE_SAME = REFUSED.map(([rule, what, isWrong]) =>
  decision({
    rule,
    honest: (_sent: AnswerBody) => false,
    lies: { [`refused-webhook-${what}-kept`]: isWrong },
  }),
);

/** Replacements that are refused, as {@link REFUSED}. */
export const REFUSED_WEBHOOKS = [
  ...REFUSED,
  ['V1-WHK-24', 'without-is-active', ({ is_active }: AnswerBody) => is_active === undefined] as const,
] as const;

/** Whether a replacement is taken that is to be refused. */
const TAKEN_FROM_OTHERS = REFUSED_WEBHOOKS.map(([rule, what, isWrong]) =>
  decision({
    rule,
    honest: (_sent: AnswerBody, _isFirstUser: boolean) => false,
    lies: { [`webhook-of-another-user-replaced-${what}`]: (sent, isFirstUser) => !isFirstUser && isWrong(sent) },
  }),
);

/** Whether creations at once are told apart from one after the other. */
const createdAtOnce = decision({
  rule: 'V1-WHK-01',
  honest: () => false,
  lies: { 'webhooks-created-at-once': () => true },
});

/** The uuid that is shown, by the age in milliseconds of what was written. */
const uuidOf = decision({
  rule: 'V1-WHK-08',
  honest: (uuid: string, _age: number) => uuid,
  lies: {
    'webhook-uuid-another-after-a-day': (uuid, age) => (age < DAY ? uuid : uuid.replace(/^.{4}/, 'feed')),
    'webhook-uuid-the-same-for-every-user': () => 'feedfeed-feed-4eed-8eed-feedfeedfeed',
  },
});

/** Whether a replacement is taken that repeats what is there. */
const repeats = decision({
  rule: 'V1-WHK-07',
  honest: (_old: WebhookConfiguration, _sheet: WebhookConfiguration, _others: () => readonly WebhookConfiguration[]) =>
    true,
  lies: {
    'replacement-by-the-same-url-refused': (old, sheet) => old.url !== sheet.url,
    'replacement-by-the-same-token-refused': (old, sheet) => old.token !== sheet.token,
    'replacement-with-all-texts-at-their-most-refused': (_old, { url, token, name, description }) =>
      [url, token, name, description].join('').length < 255 + 100 + 255 + 500,
    'replacement-by-the-name-of-another-user-refused': (_old, { name }, others) =>
      name === null || others().every((one) => one.name !== name),
    'replacement-by-the-token-of-another-user-refused': (_old, { token }, others) =>
      others().every((one) => one.token !== token),
  },
});

/** Whose uuid the answer to a replacement shows. */
const replacedIsOwn = decision({
  rule: 'V1-WHK-08',
  honest: (own: WebhookConfiguration, _first: WebhookConfiguration | undefined) => own.uuid,
  lies: { 'webhook-uuid-of-the-first-user-shown-where-another-replaces': (own, first) => (first ?? own).uuid },
});

type Masked = (token: string) => string | undefined;

const MASKED: Readonly<Record<'stars' | 'left out' | 'tail', Masked>> = {
  stars: () => '********',
  'left out': () => undefined,
  tail: (token) => `${'*'.repeat(Math.max(0, token.length - 4))}${token.slice(-4)}`,
};

const shownToken = decision({
  rule: 'V1-WHK-04',
  honest: (
    webhook: WebhookConfiguration,
    _versions: number,
    masked: Masked,
    _age: number,
    _isFirstUser: boolean,
  ): string | undefined => masked(webhook.token),
  lies: {
    'webhook-token-of-another-user-readable-after-replacement': ({ token }, versions, masked, _age, isFirstUser) =>
      !isFirstUser && versions > 1 ? token : masked(token),
    'webhook-token-of-another-user-readable-in-base64': ({ token }, _versions, masked, _age, isFirstUser) =>
      isFirstUser ? masked(token) : Buffer.from(token).toString('base64'),
    'webhook-token-readable-after-a-day': ({ token }, _versions, masked, age) => (age < DAY ? masked(token) : token),
    'webhook-token-readable': ({ token }) => token,
    'webhook-token-of-16-signs-readable': ({ token }, _versions, masked) =>
      token.length <= 16 ? token : masked(token),
    'webhook-token-readable-while-inactive': ({ token, isActive }, _versions, masked) =>
      isActive ? masked(token) : token,
    'webhook-token-readable-where-it-has-no-name': ({ token, name }, _versions, masked) =>
      name === null ? token : masked(token),
    'webhook-token-masked-but-for-one-sign': ({ token }) => `*${token.slice(1)}`,
    'webhook-token-readable-behind-32-signs': ({ token }) => '*'.repeat(Math.min(32, token.length)) + token.slice(32),
    'webhook-token-readable-in-base64': ({ token }) => Buffer.from(token).toString('base64'),
    'webhook-token-readable-in-hex': ({ token }) => Buffer.from(token).toString('hex'),
    'webhook-token-readable-after-replacement': ({ token }, versions, masked) => (versions > 1 ? token : masked(token)),
  },
});

const replaced = decision({
  rule: 'V1-WHK-06',
  honest: (
    _old: WebhookConfiguration,
    sheet: WebhookConfiguration,
    _drawn: string,
    _versions: number,
  ): WebhookConfiguration => sheet,
  lies: {
    'replacement-keeps-old-url': (old, sheet) => ({ ...sheet, url: old.url }),
    'replacement-keeps-old-name': (old, sheet) => ({ ...sheet, name: old.name }),
    'replacement-keeps-old-description': (old, sheet) => ({ ...sheet, description: old.description }),
    'replacement-without-name-loses-description': (_old, sheet) =>
      sheet.name === null ? { ...sheet, description: null } : sheet,
    'replacement-without-description-loses-name': (_old, sheet) =>
      sheet.description === null ? { ...sheet, name: null } : sheet,
    'third-replacement-not-kept': (old, sheet, _drawn, versions) => (versions >= 3 ? old : sheet),
    'replacement-trims-name-at-20': (_old, sheet) => ({ ...sheet, name: sheet.name?.slice(0, 20) ?? null }),
    'replacement-keeps-is-active': (old, sheet) => ({ ...sheet, isActive: old.isActive }),
    'replacement-makes-another-configuration': (_old, sheet, drawn) => ({ ...sheet, uuid: drawn }),
  },
});

const created = decideSuccess('V1-WHK-02', 201, {
  'webhook-created-answered-200': (body) => ({ status: 200, body }),
  'webhook-created-without-body': () => ({ status: 201, labelledEmpty: true }),
  'webhook-created-shows-another-url': (body) => ({
    status: 201,
    body: { ...Object(body), url: 'https://a.invalid/' },
  }),
  'webhook-created-shows-no-name': (body) => ({ status: 201, body: { ...Object(body), name: null } }),
});

const read = decideSuccess('V1-WHK-05', 200, {
  'webhook-read-in-a-list': (body) => ({ status: 200, body: [body] }),
  'webhook-read-answered-204': () => ({ status: 204 }),
  'webhook-read-without-uuid': (body) => ({ status: 200, body: { ...Object(body), uuid: undefined } }),
});

const replacedAnswer = decideSuccess('V1-WHK-07', 200, {
  'webhook-replaced-answered-201': (body) => ({ status: 201, body }),
  'webhook-replaced-answered-204': () => ({ status: 204 }),
  'webhook-replaced-shows-it-active': (body) => ({ status: 200, body: { ...Object(body), is_active: true } }),
  'webhook-replaced-shows-no-description': (body) => ({ status: 200, body: { ...Object(body), description: null } }),
});

const text = (rule: string, name: string) => ({
  rule,
  lies: { [`webhook-${name}-as-number`]: () => 5, [`webhook-${name}-as-list`]: (value: unknown) => [value] },
});

const members = createMemberShape({
  uuid: {
    rule: 'V1-WHK-08',
    lies: {
      'webhook-uuid-of-creation-another': (uuid, { place }) =>
        place === 'create' ? String(uuid).replace(/^.{4}/, 'feed') : uuid,
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

function present(
  { world, v1State, user }: V1Call,
  webhook: WebhookConfiguration,
  place: 'create' | 'read',
): AnswerBody {
  const { maskedToken, tokenWhenWritten } = world.choices;
  const masked = MASKED[maskedToken];
  const written = tokenWhenWritten === 'shown' ? webhook.token : masked(webhook.token);
  const age = world.clock.now() - webhook.written;
  const versions = v1State.webhooks.history(user).length;
  const isFirstUser = user === v1State.users[0];
  const body = {
    uuid: uuidOf(world.activeLies, webhook.uuid, age),
    is_active: webhook.isActive,
    url: webhook.url,
    token: place === 'read' ? shownToken(world.activeLies, webhook, versions, masked, age, isFirstUser) : written,
    name: webhook.name,
    description: webhook.description,
  };
  return members(world.activeLies, body, { place, index: 0 });
}

/**
 * Creates the caller's configuration; it is active from the start.
 * @throws Refusal 422 when there is one already
 */
export function createWebhook(call: V1Call): V1Answer {
  const { world, v1State, user } = call;
  const form = call.body();
  const existing = v1State.webhooks.of(user);
  const { secondWebhook, secondWebhookFound } = world.choices;
  const isRefused = existing !== undefined && secondWebhook !== 'same';
  if (isRefused && secondWebhookFound === 'before its fields' && !another(world.activeLies, existing))
    throw refuseSecond(world.choices);
  const webhook = readWebhookConfiguration(world, form, 'createWebhook', drawIdentifier(world, 'webhook'));
  if (KEPT_ALL_THE_SAME.some((isKept) => isKept(world.activeLies, form.all()))) v1State.webhooks.write(user, webhook);
  const isUrlTaken = () => v1State.webhooks.ofOthers(user).some(({ url }) => url === webhook.url);
  if (!takesUrlOfAnother(world.activeLies) && isUrlTaken()) form.complain('url', 'The url has already been taken.');
  form.refuseComplaints();
  if (existing !== undefined && secondWebhook === 'same' && !another(world.activeLies, existing)) {
    const same = { ...webhook, uuid: existing.uuid, isActive: existing.isActive };
    v1State.webhooks.write(user, same);
    return created(world.activeLies, present(call, same, 'create'));
  }
  if (existing !== undefined && !secondLeavesNothing(world.activeLies))
    v1State.webhooks.write(user, { ...existing, description: webhook.description });
  if (existing !== undefined && !secondLeavesToken(world.activeLies))
    v1State.webhooks.write(user, { ...existing, token: webhook.token });
  if (existing !== undefined && !secondLeavesActive(world.activeLies))
    v1State.webhooks.write(user, { ...existing, isActive: true });
  if (existing !== undefined) v1State.webhooks.refuse(user, 'creation', webhook);
  if (!another(world.activeLies, existing) && !secondIsRefusedInForm(world.activeLies))
    return { status: 422, body: { error: 'There is a webhook configuration already.' } };
  if (!another(world.activeLies, existing)) throw refuseSecond(world.choices);
  if (createdAtOnce(world.activeLies)) {
    setTimeout(() => v1State.webhooks.write(user, webhook), 60).unref();
    return { ...created(world.activeLies, present(call, webhook, 'create')), after: 80 };
  }
  for (const one of writtenFor(world.activeLies, user, v1State.webhooks.users(), true, v1State.users[0], () => []))
    v1State.webhooks.write(one, webhook);
  return created(world.activeLies, present(call, webhook, 'create'));
}

function refuseSecond(choices: V1Choices): V1Refusal {
  return choices.secondWebhook === 409
    ? new V1Refusal(409, 'CONFLICT', ['There is a webhook configuration already; replace it.'])
    : refuseBusiness(choices, 'url', 'WEBHOOK_EXISTS', 'There is a webhook configuration already.');
}

/** @throws Refusal 404 when the caller has no configuration, unless that is said in another way */
export function readWebhook(call: V1Call): V1Answer {
  const { world, v1State, user } = call;
  const { noWebhook } = world.choices;
  const { webhooks, users } = v1State;
  const { lasts, isAtOnce } = v1State.rush.begin(world.activeLies, 'webhook reading', mixesReaders);
  const own = webhooks.history(isAtOnce ? users[0] : user);
  const history = own.length > 0 ? own : strange(world.activeLies, webhooks.history(users[0]));
  const webhook = written(world.activeLies, history, world.clock.now(), user === users[0]);
  if (webhook === undefined && noWebhook === 404) throw refuseMissing('The webhook configuration');
  if (webhook === undefined) return { status: 200, body: noWebhook === 'null' ? null : {} };
  return answerBehind(read(world.activeLies, present(call, webhook, 'read')), lasts);
}

/** @throws Refusal 404 when the caller has no configuration */
export function replaceWebhook(call: V1Call): V1Answer {
  const { world, v1State, user } = call;
  const form = call.body();
  const old = v1State.webhooks.of(user);
  const sheet = readWebhookConfiguration(world, form, 'replaceWebhook', old?.uuid ?? '');
  const isFirstUser = user === v1State.users[0];
  const isTaken = TAKEN_FROM_OTHERS.some((takes) => takes(world.activeLies, form.all(), isFirstUser));
  try {
    if (!isTaken) form.refuseComplaints();
  } catch (refusal) {
    if (old !== undefined && !refusalLeavesNothing(world.activeLies))
      v1State.webhooks.write(user, { ...old, description: sheet.description });
    if (old !== undefined && !refusalLeavesActive(world.activeLies, form.raw('url')))
      v1State.webhooks.write(user, { ...old, isActive: false });
    if (old !== undefined && !refusalLeavesToken(world.activeLies))
      v1State.webhooks.write(user, { ...old, token: sheet.token });
    v1State.webhooks.refuse(user, 'replacement', { ...sheet, isActive: form.raw('is_active') !== false });
    throw refusal;
  }
  if (old === undefined) throw refuseMissing('The webhook configuration');
  if (!repeats(world.activeLies, old, sheet, () => v1State.webhooks.ofOthers(user))) {
    form.complain('url', 'The url field has already been taken.');
    form.refuseComplaints();
  }
  const webhook = replaced(world.activeLies, old, sheet, world.uuid(), v1State.webhooks.history(user).length);
  const { lasts, isAtOnce } = v1State.rush.begin(world.activeLies, 'replacement', mixesOthers, mixesWriters);
  const writer = (isAtOnce && mixesWriters(world.activeLies) > 0 && lastWriters.get(v1State.webhooks)) || user;
  lastWriters.set(v1State.webhooks, user);
  const isKept = [tokenAloneKept, activeAloneKept, othersAloneKept].every((keeps) =>
    keeps(world.activeLies, old, webhook),
  );
  const alike = (field: 'url' | 'token' | 'name') =>
    v1State.webhooks.users().filter((one) => v1State.webhooks.of(one)?.[field] === old[field]);
  for (const one of isKept
    ? writtenFor(world.activeLies, writer, v1State.webhooks.users(), false, v1State.users[0], alike)
    : [])
    v1State.webhooks.write(
      one,
      isAtOnce && mixesOthers(world.activeLies) > 0 ? { ...webhook, name: old.name } : webhook,
    );
  v1State.webhookSender.noteReplacement(user);
  const uuid = replacedIsOwn(world.activeLies, webhook, v1State.webhooks.of(v1State.users[0]));
  return answerBehind(replacedAnswer(world.activeLies, present(call, { ...webhook, uuid }, 'create')), lasts);
}
