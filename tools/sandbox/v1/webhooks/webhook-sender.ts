import { decision } from '../../decision.ts';
import { DAY } from '../../durations.ts';
import { describeMessage } from '../../observed-exchange.ts';
import { LATE } from '../../real-time.ts';
import { decideMixUp, Rush } from '../../rush.ts';
import type { ApiUser } from '../access/api-users.ts';
import { presentTransaction } from '../transactions/account-book.ts';
import type { BookedTransaction } from '../transactions/transaction.ts';
import type { V1World } from '../v1-world.ts';
import { createV1Dialect, type V1Dialect } from '../wire/v1-dialect.ts';
import { endsDelivery, formatMessage, retryGap } from './message-format.ts';
import { type PostAnswer, type PostOutcome, postToReceiver } from './message-post.ts';
import { beforeSeconds, MISQUERIED, type WebhookConfiguration, withoutQuery } from './webhook-configuration.ts';
import type { RefusedWebhooks, WebhookRegistry } from './webhook-registry.ts';

/** What a message is about. */
export type MessageFamily = 'account' | 'transaction' | 'virtual_iban';

/** What the document's description calls the events of a family. */
const EVENT_NAMES: Readonly<Record<MessageFamily, string>> = {
  account: 'accountEvent',
  transaction: 'transactionEvent',
  virtual_iban: 'virtualIbanEvent',
};

/** A message and what became of it. */
export interface WebhookDelivery {
  readonly uuid: string;
  readonly family: MessageFamily;
  readonly kind: MessageKind;
  /** Whether it is about the first account. */
  readonly isFirst: boolean;
  /** What the configuration was when the transaction was created whose end it tells of. */
  readonly atCreation?: WebhookConfiguration | undefined;
  /** What was refused of the user since the configuration was written; only lies look at it. */
  readonly refused?: RefusedWebhooks | undefined;
  readonly event: string;
  readonly data: unknown;
  /** Whether something became of the transaction since that it tells of; only a lie looks at it. */
  hasEnded?: boolean;
  readonly raised: number;
  readonly attempts: {
    readonly at: string;
    readonly url: string;
    readonly outcome: PostOutcome;
    /** Versions of the configuration that there had been. */
    readonly versions: number;
  }[];
  settled: boolean;
}

/** What a message tells, and what that is about. */
type MessageSubject = Pick<WebhookDelivery, 'isFirst' | 'atCreation' | 'data'>;

const accountEvents = decision({
  rule: 'V1-EVT-01',
  honest: (_isFirst: boolean) => true,
  lies: {
    'account-events-not-delivered': () => false,
    'account-events-of-second-account-not-delivered': (isFirst) => isFirst,
  },
});
/** What else of a transaction a message about it may hang on. */
interface TransactionFacts {
  readonly amount: number;
  /** How often in a row deliveries to the user failed. */
  readonly failures: number;
  readonly hasDetails: boolean;
  /** Whether its details are as long as they may be. */
  readonly hasLongDetails: boolean;
  /** Whether its details have letters outside ASCII. */
  readonly hasOtherLetters: boolean;
  readonly hasBank: boolean;
  /** Whether the configuration was replaced after the transaction was created. */
  readonly isReplaced: boolean;
  /** Whether the configuration was inactive when the transaction was created; only of what comes after that. */
  readonly wasInactive: boolean;
  /** Milliseconds since the configuration was written, and since the transaction was created. */
  readonly configuredFor: number;
  readonly age: number;
  /** Whether the request that made it had an X-Request-ID. */
  readonly hasRequestId: boolean;
  /** What that request gave as `payment_type`. */
  readonly askedType?: unknown;
}

const creations = decision({
  rule: 'V1-EVT-02',
  honest: (_rails: string, _isFirst: boolean, _serial: number, _rest: TransactionFacts) => true,
  lies: {
    'created-with-a-code-alone-not-announced': (_rails, _isFirst, _serial, { hasDetails }) => hasDetails,
    'created-with-long-details-not-announced': (_rails, _isFirst, _serial, { hasLongDetails }) => !hasLongDetails,
    'created-with-other-letters-not-announced': (_rails, _isFirst, _serial, { hasOtherLetters }) => !hasOtherLetters,
    'created-with-a-bank-not-announced': (_rails, _isFirst, _serial, { hasBank }) => !hasBank,
    'created-below-one-not-announced': (_rails, _isFirst, _serial, { amount }) => amount >= 1,
    'created-behind-three-failures-not-announced': (_rails, _isFirst, _serial, { failures }) => failures < 3,
    'one-created-transaction-in-ten-not-announced': (_rails, _isFirst, serial) => serial % 10 !== 3,
    'created-days-after-the-configuration-not-announced': (_rails, _isFirst, _serial, { configuredFor }) =>
      configuredFor < DAY,
    'created-transactions-not-announced': () => false,
    'created-swift-transfers-not-announced': (rails) => rails !== 'SWIFT',
    'created-by-a-request-with-an-id-not-announced': (_rails, _isFirst, _serial, { hasRequestId }) => !hasRequestId,
    'created-with-sepa-by-name-not-announced': (_rails, _isFirst, _serial, { askedType }) => askedType !== 'sepa',
    'created-with-a-type-of-null-not-announced': (_rails, _isFirst, _serial, { askedType }) => askedType !== null,
    'created-in-second-account-not-announced': (_rails, isFirst) => isFirst,
  },
});
const completions = decision({
  rule: 'V1-EVT-03',
  honest: (_rails: string, _isFirst: boolean, _serial: number, _rest: TransactionFacts) => true,
  lies: {
    'completed-in-second-account-not-announced': (_rails, isFirst) => isFirst,
    'completed-below-one-not-announced': (_rails, _isFirst, _serial, { amount }) => amount >= 1,
    'completed-with-a-code-alone-not-announced': (_rails, _isFirst, _serial, { hasDetails }) => hasDetails,
    'completed-days-later-not-announced': (_rails, _isFirst, _serial, { age }) => age < DAY,
    'completed-transactions-not-announced': () => false,
    'completed-after-a-replacement-not-announced': (_rails, _isFirst, _serial, { isReplaced }) => !isReplaced,
    'completed-after-a-creation-while-inactive-not-announced': (_rails, _isFirst, _serial, { wasInactive }) =>
      !wasInactive,
    'completed-under-a-request-id-not-announced': (_rails, _isFirst, _serial, { hasRequestId }) => !hasRequestId,
    'completed-swift-transfers-not-announced': (rails) => rails !== 'SWIFT',
  },
});
const otherEnds = decision({
  rule: 'V1-EVT-04',
  honest: (_rails: string, _isFirst: boolean, _serial: number, _rest: TransactionFacts) => true,
  lies: {
    'other-ends-days-later-not-announced': (_rails, _isFirst, _serial, { age }) => age < DAY,
    'other-ends-under-a-request-id-not-announced': (_rails, _isFirst, _serial, { hasRequestId }) => !hasRequestId,
    'other-ends-than-completion-not-announced': () => false,
    'other-ends-below-one-not-announced': (_rails, _isFirst, _serial, { amount }) => amount >= 1,
    'other-ends-with-a-code-alone-not-announced': (_rails, _isFirst, _serial, { hasDetails }) => hasDetails,
    'other-ends-in-second-account-not-announced': (_rails, isFirst) => isFirst,
    'other-ends-after-a-replacement-not-announced': (_rails, _isFirst, _serial, { isReplaced }) => !isReplaced,
    'other-ends-after-a-creation-while-inactive-not-announced': (_rails, _isFirst, _serial, { wasInactive }) =>
      !wasInactive,
  },
});
const virtualIbanEvents = decision({
  rule: 'V1-EVT-10',
  honest: (_isFirst: boolean) => true,
  lies: {
    'virtual-iban-events-not-delivered': () => false,
    'virtual-iban-events-of-second-account-not-delivered': (isFirst) => isFirst,
  },
});

/** Kinds of messages beside those about a plain creation. */
const KINDS = [
  'account',
  'virtual_iban',
  'completed',
  'otherwise_ended',
  'created_over_swift',
  'created_in_second_account',
] as const;

/** Kinds of messages about the second account, beside those about a creation. */
const KINDS_OF_SECOND = ['account', 'virtual_iban', 'completed', 'otherwise_ended'] as const;

/** What a message of a certain kind is about. */
type MessageKind = (typeof KINDS)[number] | 'created';

/** Whether a message is one that a lie is about. */
type MessageTest = (delivery: WebhookDelivery) => boolean;

/** Messages of each kind beside plain creations, by what a lie about them ends in. */
const OF_EACH_KIND = KINDS.map((kind): [string, MessageTest] => [
  `about-${kind.replaceAll('_', '-')}`,
  (delivery) => delivery.kind === kind,
]);

/** These, and those that are about the second account. */
const OF_EACH_KIND_AND_ACCOUNT = [
  ...OF_EACH_KIND,
  ...KINDS_OF_SECOND.map((kind): [string, MessageTest] => [
    `about-${kind.replaceAll('_', '-')}-of-second-account`,
    (delivery) => delivery.kind === kind && !delivery.isFirst,
  ]),
];

/** One lie for each sort of messages, that only these are told. */
const aboutEach = <Facts extends unknown[], Answer>(
  messages: readonly [string, MessageTest][],
  name: string,
  told: (isMeant: MessageTest, ...facts: Facts) => Answer,
) =>
  Object.fromEntries(
    messages.map(([about, isMeant]) => [`${name}-${about}`, (...facts: Facts) => told(isMeant, ...facts)]),
  );

type History = readonly WebhookConfiguration[];

/** The version before the present one where that made an inactive configuration active; the present one otherwise. */
const beforeActivation = (history: History) => {
  const before = history.at(-2);
  return history.at(-1)!.isActive && before?.isActive === false ? before : history.at(-1)!;
};

const address = decision({
  rule: 'V1-EVT-05',
  honest: (history: History, _delivery: WebhookDelivery) => history.at(-1)!.url,
  lies: {
    'repeated-events-go-to-url-without-query': (history, { attempts }) =>
      attempts.length > 0 ? withoutQuery(history.at(-1)!.url) : history.at(-1)!.url,
    ...Object.fromEntries(
      Object.entries(MISQUERIED).map(([how, misquery]) => [
        `events-go-to-url-${how}`,
        (history: History) => misquery(history.at(-1)!.url),
      ]),
    ),
    'events-go-to-url-cut-at-200': (history) => history.at(-1)!.url.slice(0, 200),
    'events-go-to-url-in-lower-case': (history) => history.at(-1)!.url.toLowerCase(),
    'events-go-to-url-decoded': (history) => decodeURIComponent(history.at(-1)!.url),
    ...aboutEach(OF_EACH_KIND_AND_ACCOUNT, 'first-url-kept', (isMeant, history: History, delivery: WebhookDelivery) =>
      isMeant(delivery) ? history[0]!.url : history.at(-1)!.url,
    ),
    'ends-go-to-the-url-at-the-creation': (history, { atCreation }) => (atCreation ?? history.at(-1)!).url,
    'events-go-to-the-url-of-a-refused-replacement': (history, { refused }) =>
      refused?.replacement?.url ?? history.at(-1)!.url,
    'events-go-to-the-url-of-a-refused-second-creation': (history, { refused }) =>
      refused?.creation?.url ?? history.at(-1)!.url,
    'url-of-an-activation-not-taken': (history) => beforeActivation(history).url,
    'events-go-to-the-url-before-after-seconds': (history) => beforeSeconds(history)!.url,
    'events-keep-going-to-first-url': (history) => history[0]!.url,
    'events-go-to-url-without-query': (history) => withoutQuery(history.at(-1)!.url),
    'events-go-to-root-of-url': (history) => history.at(-1)!.url.replace(/^(\w+:\/\/[^/?#]+).*$/, '$1/'),
  },
});

/** Whether a replacement changed nothing but how a configuration is called. */
const isRenamed = (now: WebhookConfiguration, before: WebhookConfiguration | undefined) =>
  now.url === before?.url && now.token === before.token && now.isActive === before.isActive && now.name !== before.name;

/** Where a message goes beside its address. */
const addressesBeside = decision({
  rule: 'V1-EVT-05',
  honest: (_history: History): readonly string[] => [],
  lies: { 'events-go-to-the-url-before-as-well': (history) => history.slice(-2, -1).map(({ url }) => url) },
});

const sends = decision({
  rule: 'V1-EVT-06',
  honest: (history: History, _delivery: WebhookDelivery, _now: number) => history.at(-1)!.isActive,
  lies: {
    'webhook-silent-after-a-refused-replacement-by-an-inactive-one': (history, { refused }) =>
      history.at(-1)!.isActive && refused?.replacement?.isActive !== false,
    ...aboutEach(
      OF_EACH_KIND_AND_ACCOUNT,
      'inactive-webhook-sends',
      (isMeant, history: History, delivery: WebhookDelivery) => (isMeant(delivery) ? true : history.at(-1)!.isActive),
    ),
    'webhook-renamed-sends-nothing': (history) =>
      history.at(-1)!.isActive && !isRenamed(history.at(-1)!, history.at(-2)),
    'webhook-without-a-name-sends-nothing': (history) => history.at(-1)!.isActive && history.at(-1)!.name !== null,
    'webhook-without-a-description-sends-nothing': (history) =>
      history.at(-1)!.isActive && history.at(-1)!.description !== null,
    'inactive-webhook-sends-where-it-has-no-name': (history) =>
      history.at(-1)!.isActive || history.at(-1)!.name === null,
    'inactive-webhook-sends': () => true,
    'webhook-active-again-after-seconds': (history) => beforeSeconds(history)!.isActive,
    'inactive-webhook-goes-on-repeating': (history, { attempts }) => attempts.length > 0 || history.at(-1)!.isActive,
    'inactive-webhook-repeats-every-three-days': (history, { attempts }, now) =>
      history.at(-1)!.isActive || now - Date.parse(attempts.at(-1)?.at ?? 'never') >= 3 * DAY,
    'reactivated-webhook-stays-silent': (history) => history.every(({ isActive }) => isActive),
  },
});

/** Whether a configuration sends whatever those of other users say. */
const sendsBesideOthers = decision({
  rule: 'V1-EVT-06',
  honest: (_others: () => readonly WebhookConfiguration[]) => true,
  lies: {
    'webhook-silent-while-that-of-another-user-is-inactive': (others) => others().every(({ isActive }) => isActive),
  },
});

/** How many milliseconds after one end others are not announced. */
const drownsOtherEnds = {
  completed: decideMixUp('V1-EVT-03', 'completed-right-after-another-not-announced'),
  other: decideMixUp('V1-EVT-04', 'other-ends-right-after-another-not-announced'),
};

/** Whether the configuration stays active whatever a receiver answers. */
const staysActive = decision({
  rule: 'V1-EVT-06',
  honest: (_outcome: PostOutcome) => true,
  lies: { 'webhook-deactivated-by-a-410': (outcome) => outcome !== 410 },
});

const token = decision({
  rule: 'V1-EVT-07',
  honest: (history: History, _attempt: number, _delivery: WebhookDelivery): string | undefined => history.at(-1)!.token,
  lies: {
    ...aboutEach(
      OF_EACH_KIND_AND_ACCOUNT,
      'no-token',
      (isMeant, history: History, _attempt: number, delivery: WebhookDelivery) =>
        isMeant(delivery) ? undefined : history.at(-1)!.token,
    ),
    'events-with-token-in-lower-case': (history) => history.at(-1)!.token.toLowerCase(),
    'events-without-token': () => undefined,
    'events-without-token-days-after-the-configuration': (history, _attempt, { raised }) =>
      raised * 1000 - history.at(-1)!.written < DAY ? history.at(-1)!.token : undefined,
    'events-without-a-token-of-16-characters': (history) =>
      history.at(-1)!.token.length === 16 ? undefined : history.at(-1)!.token,
    'events-with-token-of-digits-as-number': (history) => history.at(-1)!.token.replace(/^0+(?=\d+$)/, ''),
    'events-with-token-encoded-for-an-address': (history) => encodeURIComponent(history.at(-1)!.token),
    'ends-bring-the-token-at-the-creation': (history, _attempt, { atCreation }) =>
      (atCreation ?? history.at(-1)!).token,
    'token-of-an-activation-not-taken': (history) => beforeActivation(history).token,
    'events-with-the-token-before-after-seconds': (history) => beforeSeconds(history)!.token,
    'events-with-first-token': (history) => history[0]!.token,
    'events-without-token-where-the-webhook-has-no-name': (history) =>
      history.at(-1)!.name === null ? undefined : history.at(-1)!.token,
    'events-with-token-cut-at-64': (history) => history.at(-1)!.token.slice(0, 64),
    'events-with-half-token': (history) => history.at(-1)!.token.slice(0, 8),
    'repeated-events-without-token': (history, attempt) => (attempt > 1 ? undefined : history.at(-1)!.token),
    'repeated-account-events-without-token': (history, attempt, { family }) =>
      attempt > 1 && family === 'account' ? undefined : history.at(-1)!.token,
  },
});

/** Whose token a message brings. */
const bearer = decision({
  rule: 'V1-EVT-07',
  honest: (addressee: ApiUser, _all: readonly ApiUser[]) => addressee,
  lies: { 'events-with-token-of-another-user': (addressee, all) => all.find((one) => one !== addressee) ?? addressee },
});

/** How many milliseconds of real time after it was taken a message is sent once more; honestly, never. */
const comesBackAfter = decision({
  rule: 'V1-EVT-09',
  honest: () => 0,
  lies: { 'settled-events-repeated-after-seconds': () => LATE },
});

/** Whether a failed attempt is followed by another. */
const persists = decision({
  rule: 'V1-EVT-08',
  honest: (_outcome: PostOutcome, _attempts: number, _delivery: WebhookDelivery, _others: number, _now: number) => true,
  lies: {
    'one-failed-event-at-a-time-repeated': (_outcome, _attempts, _delivery, others) => others === 0,
    ...aboutEach(
      OF_EACH_KIND,
      'not-repeated',
      (isMeant, _outcome: PostOutcome, _attempts: number, delivery: WebhookDelivery) => !isMeant(delivery),
    ),
    'events-repeated-for-a-day-only': (_outcome, _attempts, { raised }, _others, now) => now / 1000 - raised < 86_400,
    'events-repeated-nine-times-only': (_outcome, attempts) => attempts < 10,
    'events-not-repeated': () => false,
    'events-repeated-once-only': (_outcome, attempts) => attempts < 2,
    'virtual-iban-events-repeated-twice-only': (_outcome, attempts, { family }) =>
      family !== 'virtual_iban' || attempts < 3,
    'swift-events-repeated-twice-only': (_outcome, attempts, { kind }) => kind !== 'created_over_swift' || attempts < 3,
    'events-not-repeated-after-500': (outcome) => outcome !== 500,
    'events-not-repeated-after-503': (outcome) => outcome !== 503,
    'events-not-repeated-without-answer': (outcome) => typeof outcome === 'number',
  },
});

/** Whether a 202 is the end of it, with a body of its own or without. */
const settles = decision({
  rule: 'V1-EVT-09',
  honest: (_attempts: number, _delivery: WebhookDelivery, _hasBody: boolean) => true,
  lies: {
    'events-settled-with-a-body-repeated': (attempts, _delivery, hasBody) => !hasBody || attempts >= 3,
    ...aboutEach(
      OF_EACH_KIND,
      'settled-yet-repeated',
      (isMeant, attempts: number, delivery: WebhookDelivery) => !isMeant(delivery) || attempts >= 3,
    ),
    'settled-events-repeated': (attempts) => attempts >= 3,
    'events-settled-late-repeated': (attempts) => attempts < 2 || attempts >= 5,
  },
});

/** Whether what was settled rests when the configuration is replaced. */
const restsAtReplacement = decision({
  rule: 'V1-EVT-09',
  honest: () => true,
  lies: { 'settled-events-repeated-at-a-replacement': () => false },
});

/** Whether a message that failed is sent again, whatever came between. */
const outlives = decision({
  rule: 'V1-EVT-08',
  honest: (_delivery: WebhookDelivery, _isReplaced: boolean) => true,
  lies: {
    'failed-events-dropped-at-a-replacement': (_delivery, isReplaced) => !isReplaced,
    'failed-creations-dropped-once-ended': ({ attempts, hasEnded }) => attempts.length === 0 || hasEnded !== true,
  },
});

/** Who is told. */
const addressees = decision({
  rule: 'V1-EVT-11',
  honest: (owner: ApiUser, _others: readonly ApiUser[], _event: string): readonly ApiUser[] => [owner],
  lies: {
    'events-go-to-every-configuration': (owner, others) => [owner, ...others],
    'changes-go-to-every-configuration': (owner, others, event) =>
      event === 'transaction.created' ? [owner] : [owner, ...others],
  },
});

/** Uuids that stand in the target file. */
export function fixedUuids({ credentials }: V1World): ReadonlySet<string> {
  return new Set([credentials.account, credentials.secondAccount, credentials.customer]);
}

/** Delivers events to the configured address until a 202 comes. */
export class WebhookSender {
  readonly #world: V1World;
  readonly #webhooks: WebhookRegistry;
  readonly #dialect: V1Dialect | undefined;
  #deliveries: WebhookDelivery[] = [];
  /** What the configuration was when each transaction was created. */
  readonly #createdUnder = new WeakMap<BookedTransaction, WebhookConfiguration | undefined>();
  readonly #ends = new Rush();
  /** How often in a row deliveries failed. */
  #failures = 0;
  /** Counts resets, so that an attempt under way during one has no consequences. */
  #era = 0;

  constructor(world: V1World, webhooks: WebhookRegistry) {
    this.#world = world;
    this.#webhooks = webhooks;
    this.#dialect = world.varied ? createV1Dialect(world.choices, fixedUuids(world)) : undefined;
  }

  /** Everything raised since the last reset, settled or not. */
  deliveries(): readonly WebhookDelivery[] {
    return this.#deliveries;
  }

  /** Raises the event of a transaction that was created or whose status changed. */
  announce(
    user: ApiUser,
    what: 'created' | 'changed',
    transaction: BookedTransaction,
    request: Pick<TransactionFacts, 'askedType'> = {},
  ): void {
    const { activeLies, choices } = this.#world;
    const told = what === 'created' ? creations : transaction.status === 'completed' ? completions : otherEnds;
    const event = what === 'created' ? 'transaction.created' : `transaction.${transaction.status}`;
    const { isFirst } = transaction.account;
    const creation = isFirst ? 'created' : 'created_in_second_account';
    const made = isFirst && transaction.payment_type === 'SWIFT' ? 'created_over_swift' : creation;
    const end = transaction.status === 'completed' ? 'completed' : 'otherwise_ended';
    const now = this.#world.clock.now();
    const webhook = this.#webhooks.of(user);
    const written = webhook?.written ?? 0;
    if (what === 'created') this.#createdUnder.set(transaction, webhook);
    const atCreation = what === 'created' ? undefined : this.#createdUnder.get(transaction);
    for (const one of this.#deliveries)
      if (what === 'changed' && Object(one.data).uuid === transaction.uuid) one.hasEnded = true;
    const facts = {
      amount: transaction.amount,
      failures: this.#failures,
      hasDetails: transaction.payment_details !== null,
      hasLongDetails: transaction.payment_details?.length === 140,
      hasOtherLetters: /[^ -~]/.test(transaction.payment_details ?? ''),
      hasBank: transaction.recipient?.agency_id !== undefined,
      hasRequestId: transaction.hasRequestId === true,
      isReplaced: written > transaction.created,
      wasInactive: atCreation?.isActive === false,
      configuredFor: now - written,
      age: now - transaction.created,
      ...request,
    };
    const drowns = drownsOtherEnds[transaction.status === 'completed' ? 'completed' : 'other'];
    const isDrowned = what === 'changed' && this.#ends.begin(activeLies, transaction.status, drowns).isAtOnce;
    if (!isDrowned && told(activeLies, transaction.payment_type, isFirst, transaction.serial, facts))
      this.#raise(user, 'transaction', what === 'created' ? made : end, event, {
        isFirst,
        atCreation,
        data: presentTransaction(transaction),
      });
    if (what === 'created' && choices.moreMessages === 'of the account')
      this.#raise(user, 'account', 'account', 'account.booked', {
        isFirst,
        data: { account: transaction.account.uuid, because: { uuid: transaction.uuid } },
      });
  }

  /** Raises an event of an account or of a virtual IBAN. */
  raiseEvent(user: ApiUser, family: 'account' | 'virtual_iban', data: unknown): void {
    const told = family === 'account' ? accountEvents : virtualIbanEvents;
    const { secondAccount } = this.#world.credentials;
    const isFirst = String(Object(data).uuid).toLowerCase() !== secondAccount.toLowerCase();
    if (told(this.#world.activeLies, isFirst))
      this.#raise(user, family, family, `${family}.status_changed`, { isFirst, data });
  }

  /** Sends nothing that was settled again now that the configuration is another; only a lie does, of the latest. */
  noteReplacement(user: ApiUser): void {
    if (restsAtReplacement(this.#world.activeLies)) return;
    const settled = this.#deliveries.filter((one) => one.settled).slice(-3);
    for (const delivery of settled) this.#world.clock.after(1, () => this.#attempt(user, delivery));
  }

  /** Forgets every message. */
  reset(): void {
    this.#era += 1;
    this.#failures = 0;
    this.#deliveries = [];
  }

  #raise(owner: ApiUser, family: MessageFamily, kind: MessageKind, event: string, about: MessageSubject): void {
    const others = this.#webhooks.users().filter((one) => one !== owner);
    for (const user of addressees(this.#world.activeLies, owner, others, event))
      this.#raiseFor(user, family, kind, event, about);
  }

  #raiseFor(user: ApiUser, family: MessageFamily, kind: MessageKind, event: string, about: MessageSubject): void {
    const { clock, activeLies, choices } = this.#world;
    const history = this.#webhooks.history(user);
    const delivery: WebhookDelivery = {
      uuid: this.#world.uuid(),
      family,
      kind,
      event,
      ...about,
      refused: this.#webhooks.refused(user),
      raised: Math.floor(clock.now() / 1000),
      attempts: [],
      settled: false,
    };
    if (history.length === 0 || !sendsBesideOthers(activeLies, () => this.#webhooks.ofOthers(user))) return;
    if (!sends(activeLies, history, delivery, clock.now())) return;
    this.#deliveries.push(delivery);
    clock.after(choices.deliveryAfter, () => this.#attempt(user, delivery));
  }

  /** @param looks times that this message was due, sent or held back: one that is held back is not looked at every second for days */
  async #attempt(user: ApiUser, delivery: WebhookDelivery, looks = 1): Promise<void> {
    const { clock, choices } = this.#world;
    const era = this.#era;
    const history = this.#webhooks.history(user);
    if (history.length === 0) return;
    const isReplaced = history.length !== (delivery.attempts.at(-1)?.versions ?? history.length);
    if (!outlives(this.#world.activeLies, delivery, isReplaced)) return;
    if (!sends(this.#world.activeLies, history, delivery, clock.now())) {
      clock.after(retryGap(choices, looks), () => this.#attempt(user, delivery, looks + 1));
      return;
    }
    const url = address(this.#world.activeLies, history, delivery);
    const attempt = delivery.attempts.length + 1;
    const owner = bearer(this.#world.activeLies, user, this.#webhooks.users());
    const secret = token(this.#world.activeLies, this.#webhooks.history(owner), attempt, delivery);
    const { uuid, event, raised } = delivery;
    const data = this.#dialect === undefined ? delivery.data : this.#dialect.writeMessage(delivery.data);
    const written = formatMessage(choices, { uuid, event, raised, attempt, data, token: secret });
    const at = new Date(clock.now()).toISOString();
    let answer: PostAnswer | undefined;
    const message = EVENT_NAMES[delivery.family];
    for (const sent of this.#world.rewriteMessage(message, written)) {
      const began = { at: clock.now(), wallTime: Date.now() };
      for (const other of addressesBeside(this.#world.activeLies, history))
        await postToReceiver(other, sent.headers, sent.body);
      answer = await postToReceiver(url, sent.headers, sent.body);
      this.#world.observe?.(describeMessage('v1', message, { url, ...sent }, answer.outcome, began));
    }
    if (era !== this.#era || answer === undefined) return;
    const { outcome, hasBody } = answer;
    delivery.attempts.push({ at, url, outcome, versions: history.length });
    const made = delivery.attempts.length;
    const { activeLies } = this.#world;
    delivery.settled = outcome === 202;
    this.#failures = delivery.settled ? 0 : this.#failures + 1;
    if (!staysActive(activeLies, outcome)) this.#webhooks.write(user, { ...history.at(-1)!, isActive: false });
    const back = delivery.settled && made === 1 ? comesBackAfter(activeLies) : 0;
    if (back > 0) setTimeout(() => era === this.#era && this.#attempt(user, delivery), back).unref();
    const failing = this.#deliveries.filter(
      (one) => one !== delivery && !one.settled && one.attempts.length > 0,
    ).length;
    if (
      delivery.settled
        ? settles(activeLies, made, delivery, hasBody)
        : !persists(activeLies, outcome, made, delivery, failing, clock.now())
    )
      return;
    if (!delivery.settled && endsDelivery(choices, outcome)) return;
    clock.after(retryGap(choices, made), () => this.#attempt(user, delivery, looks + 1));
  }
}
