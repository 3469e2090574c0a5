import {
  type ApiReply,
  parseJsonText,
  performControl,
  type RecordingClient,
  requireSeen,
  type TargetTime,
  UnarrangedError,
} from '#client';
import { projectContract } from '#contract';
import type { Recorder } from '#evidence';
import {
  fillTemplate,
  type MovedClock,
  mergeBodies,
  type RequestTemplate,
  type Target,
  type TransferText,
} from '#target';
import type { ClientParts } from '../client-parts.ts';
import { oncePerTarget } from '../once-per-target.ts';
import { isRefusedForContent } from '../refused-request.ts';
import { composeRequest, type RequestParts } from '../request-parts.ts';
import { SeededDraw } from '../seeded-draw.ts';
import { LIST_DEFAULTS } from './list-defaults.ts';
import { ListDelay } from './list-delay.ts';

/** How to send an operation. */
export interface V1RequestOptions extends RequestParts {
  readonly path?: Readonly<Record<string, string>>;
  /** A value of undefined leaves the parameter out. */
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  /** Sent without regard to the rate budget. */
  readonly unmetered?: boolean;
  /** Sent from the second address of the target file. */
  readonly isSecondCaller?: boolean;
}

/** A transaction that is only read, by target: nothing happens to it, so that one will do for all checks. */
const readable = oncePerTarget<string>();

/** Whether a transfer in order was accepted, by target. */
const taken = oncePerTarget<true>();

/** How many days ahead of today a list may end, by target: what lies ahead may be refused. */
const ahead = oncePerTarget<number>();

/** How many days ahead of the real one it may be on a clock that was moved: lists are asked to end so late, as far as they may. */
const FAR_AHEAD = [36_500, 3650, 366];

/** A period as lists are asked for it. */
type DayRange = { readonly date_from: string; readonly date_to: string };

function rangeAround(now: number, from: number, to: number): DayRange {
  const day = (offset: number) => new Date(now + offset * 86_400_000).toISOString().slice(0, 10);
  return { date_from: day(from), date_to: day(to) };
}

/** Whether a transfer that names all that it may is taken, by target: what of it may stand together is not said in so many words. */
const takesAll = oncePerTarget<boolean | undefined>();

/** Whether transfers over SWIFT are taken, by target: of those that name all that they may, and of the others. */
const takesSwift = { full: oncePerTarget<boolean | undefined>(), plain: oncePerTarget<boolean | undefined>() };

/** How a transfer is made where a check leaves it open. */
interface TransferWay {
  /** Whether it names all that it may. */
  readonly isFull: boolean;
  readonly isOverSwift: boolean;
}

/** What of a transfer says which rails it can take, or who may send it over which. */
const RAILS_MEMBERS = ['payment_type', 'payer', 'recipient'];

/** The rails of a transfer that names none (document v1, creation of a transaction). */
const DEFAULT_RAILS = 'sepa';

/** The v1 API as an API user uses it. */
export class V1Client {
  readonly #target: Target;
  readonly #client: RecordingClient;
  readonly #time: TargetTime;
  readonly #recorder: Recorder;
  readonly #draw: SeededDraw;
  readonly #delay: ListDelay;
  #saysDefaults: boolean;
  /** Whether transfers name all that they may, where such a transfer is taken. */
  #namesAll: boolean;
  #namesRequests: boolean;
  #goesOverSwift: boolean;

  constructor(parts: ClientParts) {
    this.#target = parts.target;
    this.#client = parts.client;
    this.#time = parts.time;
    this.#recorder = parts.recorder;
    this.#draw = new SeededDraw(parts.seed);
    this.#delay = new ListDelay(parts.target, parts.time);
    const { habits = new Set() } = parts;
    this.#saysDefaults = habits.has('saysDefaults');
    this.#namesAll = habits.has('namesAll');
    this.#namesRequests = habits.has('namesRequests');
    this.#goesOverSwift = habits.has('goesOverSwift');
  }

  get #here(): NonNullable<Target['v1']> {
    return this.#target.v1!;
  }

  /** The account the target file names. */
  get account(): string {
    return this.#here.account;
  }

  /** The customer the target file names. */
  get customer(): string {
    return this.#here.customer ?? '';
  }

  /** A token without rights on the account, where the target file has one. */
  get unprivileged(): string | undefined {
    return this.#here.unprivileged;
  }

  /** An IBAN to send where any sound one will do. */
  get iban(): string {
    return this.#here.ibans.valid ?? 'DE89370400440532013000';
  }

  /** A text that a transfer may carry in a field. */
  sample(field: TransferText): string {
    return this.#here.wire.samples[field][0];
  }

  /** A sample of exactly so many characters; undefined where the target file has none. */
  sampleOfLength(field: TransferText, length: number): string | undefined {
    return this.#here.wire.samples[field].find((one) => [...one].length === length);
  }

  /**
   * An address for a webhook configuration that is found wherever the service looks for it: of our receiver, else of the service
   * itself, so that nothing goes to strangers.
   * @param length pads it to so many characters
   */
  webhookUrl(name: string, length = 0): string {
    const { callback } = this.#target;
    const own = callback && !/^(0\.0\.0\.0|::)$/.test(callback.listen) ? `http://${callback.listen}` : undefined;
    return `${callback?.public ?? own ?? new URL(this.#here.address).origin}/${name}`.padEnd(length, 'x');
  }

  /** Says what of a check could not be done. */
  leaveOut(text: string): void {
    this.#recorder.leaveOut(text);
  }

  /** A fresh uuid. */
  freshUuid(): string {
    return this.#draw.freshUuid();
  }

  /** The header that names a request by a fresh uuid, so that it is processed once (document v1, creation of a transaction). */
  requestIdHeader(): Readonly<Record<'X-Request-ID', string>> {
    return { 'X-Request-ID': this.freshUuid() };
  }

  /** A fresh word, for names that must not meet those of other checks. */
  freshName(): string {
    return `assay-${this.#draw.freshWord(12)}`;
  }

  /** A fresh token for a webhook configuration. */
  freshToken(): string {
    return this.#draw.freshHex(32);
  }

  /** Sends one documented operation; path parameters default to the target's account and customer. */
  async send(operation: string, options: V1RequestOptions = {}): Promise<ApiReply> {
    const accounts = this.#accountsOf(options);
    await this.#delay.wait(operation, accounts[0]!, () => this.#listNewest(operation, options));
    const isTold = this.#saysDefaults && (operation === 'listTransactions' || operation === 'listDocuments');
    const query = isTold ? { ...LIST_DEFAULTS, ...options.query } : options.query;
    const reply = await this.#sendNow(operation, { ...options, ...(query && { query }) });
    this.#delay.note({ operation, accounts, body: options.body, reply });
    return reply;
  }

  /** The accounts that a request names, in its path, its query or its body; else that of the target. */
  #accountsOf({ path = {}, query = {}, body }: V1RequestOptions): readonly string[] {
    const named = [path, query, Object(body)].map(({ account_uuid }) => account_uuid);
    const told = named.filter((one): one is string => typeof one === 'string');
    return told.length > 0 ? told : [this.account];
  }

  /** Has no request say what is the default from here on: for a check of the default, which says it where it has to be said. */
  leaveDefaultsUnsaid(): void {
    this.#saysDefaults = false;
  }

  /** Has transfers name no more than they have to from here on, no id of theirs either: for checks that say where more is named. */
  nameNoMore(): void {
    this.#namesAll = false;
    this.#namesRequests = false;
    this.#goesOverSwift = false;
  }

  async #sendNow(operation: string, options: V1RequestOptions): Promise<ApiReply> {
    const known = projectContract().operations.get(operation);
    if (known === undefined) throw new Error(`no operation is called ${operation}`);
    const path: Record<string, string> = { account_uuid: this.account, customer_uuid: this.customer, ...options.path };
    return this.sendRaw(
      known.method,
      known.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(path[name] ?? '')),
      options,
      operation,
    );
  }

  /** Looks whether a user has a webhook configuration. How it is said that there is none is open, so what comes is not held against the contract. */
  lookForWebhook(token?: string): Promise<ApiReply> {
    return this.sendRaw('GET', '/api/v1/webhooks', token === undefined ? {} : { token });
  }

  /** The webhook configuration of a user, by default the target's own; undefined where {@link V1Client.lookForWebhook} is shown none. */
  async findWebhook(token?: string): Promise<Readonly<Record<string, unknown>> | undefined> {
    return shownWebhook(await this.lookForWebhook(token));
  }

  /** The newest entries of a list that is to be asked for. */
  async #listNewest(operation: string, { path = {}, query = {} }: V1RequestOptions): Promise<ApiReply> {
    const { account_uuid = this.account } = query;
    const period = operation === 'listTransactions' ? { account_uuid, ...(await this.recentDays()) } : {};
    return this.#sendNow(operation, { path, query: { ...period, per_page: 100 } });
  }

  /** Sends any request below the service's address; without an operation it is recorded but not held against the contract. */
  async sendRaw(
    method: string,
    path: string,
    options: Omit<V1RequestOptions, 'path'> = {},
    operation?: string,
  ): Promise<ApiReply> {
    const { body, query = {}, unmetered, isSecondCaller } = options;
    const url = new URL(`${this.#here.address}${path}`);
    for (const [name, value] of Object.entries(query))
      if (value !== undefined) url.searchParams.append(name, String(value));
    return this.#client.send({
      api: 'v1',
      ...(operation === undefined ? {} : { operation }),
      method,
      url: url.href,
      ...composeRequest({ token: this.#here.token, ...options }),
      ...(unmetered === true ? { unmetered } : {}),
      ...(isSecondCaller === true ? { isSecondCaller } : {}),
      money:
        operation === 'createTransaction'
          ? Math.round(Number((body as { amount?: unknown } | undefined)?.amount) * 100) || 0
          : 0,
    });
  }

  /** A valid body of a transfer, before what a check changes in it. */
  transferBody(changes: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
    return this.#bodyOf(changes, undefined, false);
  }

  /** @param name word that tells a transfer from others which names all that it may; undefined for one that does not */
  #bodyOf(
    changes: Readonly<Record<string, unknown>>,
    name: string | undefined,
    isOverSwift: boolean,
  ): Record<string, unknown> {
    const { wire, ibans } = this.#here;
    const values = { iban: ibans.valid };
    const body: Record<string, unknown> = {
      account_uuid: this.account,
      amount: 10,
      payer: fillTemplate(wire.payer, values),
      recipient: fillTemplate(wire.recipient, values),
      payment_details: this.sample('payment_details'),
      ...(this.#saysDefaults ? { payment_type: DEFAULT_RAILS } : {}),
      ...(name === undefined ? {} : this.#particularsOf(changes, name)),
      ...(isOverSwift ? this.overSwift() : {}),
      ...changes,
    };
    return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
  }

  /** What a transfer may name beside what it has to; no code where a check is about what it stands for. */
  #particularsOf(changes: Readonly<Record<string, unknown>>, name: string): Record<string, unknown> {
    const isAboutRemittance = 'payment_details' in changes || 'payment_code' in changes;
    return {
      ...this.transferParties(),
      end_to_end_ident: `E2E-${name}`,
      ...(isAboutRemittance ? {} : { payment_code: this.sample('payment_code') }),
    };
  }

  /** What a transfer over SWIFT names: its rails, and every particular of its parties. */
  overSwift(): Record<string, unknown> {
    return { ...this.transferParties(), payment_type: 'swift' };
  }

  /** Payer and recipient of a transfer with every particular that the document names, the target's own before our examples. */
  transferParties(): { payer: Record<string, unknown>; recipient: Record<string, unknown> } {
    const { wire } = this.#here;
    const given = (template: RequestTemplate) => fillTemplate(template, { iban: this.iban }) as Record<string, unknown>;
    const own = mergeBodies(given(wire.swift), given(wire.recipient));
    const { bic, country_code } = Object(own.bank);
    // A bank in another country than the account's may be refused.
    const isHere = bic === undefined && country_code === undefined && /^DE/i.test(String(own.iban ?? this.iban));
    const place = isHere ? { bic: 'COBADEFFXXX', country_code: 'DE' } : {};
    const bank = { ...place, name: 'Example Bank', address: '3 Example Street' };
    return {
      payer: mergeBodies({ ultimate: { name: 'Ada Test' } }, given(wire.payer)),
      recipient: mergeBodies({ address: '2 Example Street', ultimate: { name: 'Alan Test' }, bank }, own),
    };
  }

  /** Sends a transfer. The answer is not judged. */
  async createTransaction(
    changes: Readonly<Record<string, unknown>> = {},
    options: V1RequestOptions = {},
  ): Promise<ApiReply> {
    return (await this.prepareTransaction(changes, options))();
  }

  /** Prepares a transfer. @returns sends just that, as often as it is called; the answers are not judged */
  async prepareTransaction(
    changes: Readonly<Record<string, unknown>> = {},
    options: V1RequestOptions = {},
  ): Promise<() => Promise<ApiReply>> {
    const isFull = this.#namesAll && (await this.#takesAll());
    return this.#prepare(changes, options, {
      isFull,
      isOverSwift: await this.#mayGoOverSwift(changes, options, isFull),
    });
  }

  /**
   * Sends a transfer that names all that it may. The answer is not judged.
   * @returns undefined where the service takes none such
   */
  async createFullTransaction(
    changes: Readonly<Record<string, unknown>> = {},
    options: V1RequestOptions = {},
  ): Promise<ApiReply | undefined> {
    if (!(await this.#takesAll())) return undefined;
    return this.#prepare(changes, options, {
      isFull: true,
      isOverSwift: await this.#mayGoOverSwift(changes, options, true),
    })();
  }

  async #takesAll(): Promise<boolean> {
    return (await takesAll(this.#target, () => this.#isTaken({ isFull: true, isOverSwift: false }))) ?? false;
  }

  /**
   * Sends a transfer over SWIFT, with every particular of its parties. The answer is not judged.
   * @param changes nothing of parties
   * @returns undefined where they name the rails, or the service takes none such
   */
  async createOverSwift(
    changes: Readonly<Record<string, unknown>> = {},
    options: V1RequestOptions = {},
  ): Promise<ApiReply | undefined> {
    if ('payment_type' in changes || !(await this.#takesSwift(false))) return undefined;
    return this.#prepare(changes, options, { isFull: false, isOverSwift: true })();
  }

  async #takesSwift(isFull: boolean): Promise<boolean> {
    const known = isFull ? takesSwift.full : takesSwift.plain;
    return (await known(this.#target, () => this.#isTaken({ isFull, isOverSwift: true }))) ?? false;
  }

  /** Whether a transfer goes over SWIFT by habit: one of this user from this account whose check says nothing of rails or parties. */
  async #mayGoOverSwift(
    changes: Readonly<Record<string, unknown>>,
    { token, query }: V1RequestOptions,
    isFull: boolean,
  ): Promise<boolean> {
    const isOurs = token === undefined && (query === undefined || changes['account_uuid'] !== query['account_uuid']);
    if (!this.#goesOverSwift || !isOurs || RAILS_MEMBERS.some((name) => name in changes)) return false;
    return this.#takesSwift(isFull);
  }

  /** Whether a transfer of this kind is taken; undefined where nothing tells. */
  async #isTaken(way: TransferWay): Promise<boolean | undefined> {
    const reply = await this.#prepare({}, {}, way)();
    if (isRefusedForContent(reply)) return false;
    // A refusal of who asks, or of how often, says nothing of it.
    return reply.status >= 400 && reply.status < 500 ? undefined : true;
  }

  #prepare(
    changes: Readonly<Record<string, unknown>>,
    options: V1RequestOptions,
    { isFull, isOverSwift }: TransferWay,
  ): () => Promise<ApiReply> {
    const headers: Readonly<Record<string, string>> =
      options.headers ?? (this.#namesRequests ? this.requestIdHeader() : {});
    const id = headers['X-Request-ID']?.toLowerCase();
    // What comes again under its request id is the same.
    const name = (id === undefined ? this.#draw : new SeededDraw(id)).freshWord(8);
    const body = this.#bodyOf(changes, isFull ? name : undefined, isOverSwift);
    return async () => {
      const sent = { query: { account_uuid: this.account }, body, ...options, headers };
      const reply = await this.send('createTransaction', sent);
      if (reply.status === 201)
        this.#recorder.effect({ what: 'transaction', id: String(reply.at('/uuid')), restored: false });
      return reply;
    };
  }

  /**
   * A created transaction as the answer to its creation shows it; where that leaves out what is asked for, as it is read.
   * @param members that are asked for
   */
  async showCreated(reply: ApiReply, members: readonly string[]): Promise<Readonly<Record<string, unknown>>> {
    const { uuid } = reply.object;
    if (typeof uuid !== 'string' || members.every((name) => Object.hasOwn(reply.object, name))) return reply.object;
    const read = await this.readTransaction(uuid);
    return { ...(read.status === 200 ? read.object : {}), ...reply.object };
  }

  /** Reads a transaction. The answer is not judged. */
  readTransaction(uuid: string, account_uuid = this.account): Promise<ApiReply> {
    return this.send('readTransaction', { path: { uuid }, query: { account_uuid } });
  }

  /** Arranges a transaction. @returns its uuid @throws Unarranged when the target refuses a valid transfer, UnseenError when it shows none */
  async arrangeTransaction(
    changes: Readonly<Record<string, unknown>> = {},
    options: V1RequestOptions = {},
  ): Promise<string> {
    const reply = await this.createTransaction(changes, options);
    if (reply.status !== 201) throw new UnarrangedError(`a valid transfer was answered ${reply.status}`);
    return String(requireSeen(reply.at('/uuid'), 'the uuid of a created transaction'));
  }

  /** Arranges a transaction that is there to be read, the same for all checks. @throws Unarranged as {@link arrangeTransaction} does */
  readableTransaction(): Promise<string> {
    return readable(this.#target, () => this.arrangeTransaction());
  }

  /** Sees to it, once for all checks, that a transfer in order is accepted: of a service that takes none, a refusal shows nothing. @throws Unarranged where it is refused */
  async requireTaken(): Promise<void> {
    await taken(this.#target, async () => {
      (await this.createTransaction()).requireStatus(201);
      return true;
    });
  }

  /** Lists transactions of the account, by default from a week ago on, up to the last day that a list may end on. */
  async listTransactions(
    query: Readonly<Record<string, string | number | undefined>> = {},
    options: V1RequestOptions = {},
  ): Promise<ApiReply> {
    return this.send('listTransactions', {
      ...options,
      query: { account_uuid: this.account, ...(await this.recentDays()), ...query },
    });
  }

  /**
   * A period that a transaction of today lies in, whatever day that is where nothing tells.
   * @throws Unoffered where nothing tells, and no list may end far ahead
   */
  async recentDays(from = -7): Promise<DayRange> {
    return rangeAround(await this.#time.nowAtLeast(), from, await this.daysAhead());
  }

  /**
   * How many days ahead of today a list may end: two where nothing is refused, as days begin at another hour elsewhere; as many as may be
   * where nothing tells which day it is.
   */
  daysAhead(): Promise<number> {
    return ahead(this.#target, () => this.#findDaysAhead());
  }

  async #findDaysAhead(): Promise<number> {
    const { isReadable } = this.#time;
    for (const days of isReadable ? [2, 1, 0] : FAR_AHEAD) {
      const period = rangeAround(await this.#time.nowAtLeast(), -7, days);
      const query = { account_uuid: this.account, ...period, per_page: 1, page: 1 };
      if ((await this.#sendNow('listTransactions', { query })).status === 200) return days;
    }
    // Says what is lacking.
    if (!isReadable) await this.#time.now();
    return 2;
  }

  /** A range of days, counted from today on the target's clock. @throws Unoffered where nothing tells which day that is */
  async dayRange(from: number, to: number): Promise<DayRange> {
    return rangeAround(await this.#time.now(), from, to);
  }

  /**
   * Puts on record whether what a list says about itself, where the target file has it, fits what was listed. The document shows
   * neither, so nothing follows from it.
   */
  learnPaging(reply: ApiReply, listed: { readonly total: number; readonly lastPage: number }): void {
    for (const name of ['total', 'lastPage'] as const) {
      const where = this.#here.wire.paging?.[name];
      const value = where === undefined ? undefined : reply.at(where);
      if (where === undefined || value === undefined || value === null) continue;
      const what = Number(value) === listed[name] ? `${name} as listed` : `another ${name} than listed`;
      this.#recorder.learn({ hole: 'V1-HOLE-15', where, what });
    }
  }

  /** A body of an upload that is in order, under a fresh file name, before what a check changes in it. */
  documentBody(changes: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
    const filled = fillTemplate(this.#here.wire.document, { fileName: `${this.freshName()}.png` }) as Record<
      string,
      unknown
    >;
    const other = changes.type !== undefined && changes.type !== filled.type;
    const { page_type: side, ...bare } = (filled.attachment ?? {}) as Record<string, unknown>;
    // Which type has which sides is open: the template's side goes with the template's type.
    if (other && side !== undefined) filled.attachment = { ...bare, page_type: null };
    return Object.fromEntries(Object.entries({ ...filled, ...changes }).filter(([, value]) => value !== undefined));
  }

  /** Arranges a document. @returns its uuid @throws Unarranged when the upload is refused or not found by its name */
  async arrangeDocument(changes: Readonly<Record<string, unknown>> = {}): Promise<string> {
    const body = this.documentBody(changes);
    const { status } = await this.send('uploadDocument', { body });
    if (status !== 200) throw new UnarrangedError(`a valid upload was answered ${status}`);
    const found = await this.send('listDocuments', { query: { filename: String(body.file_name) } });
    const uuid = found.status === 200 ? (found.list()[0] as { uuid?: unknown } | undefined)?.uuid : undefined;
    if (typeof uuid !== 'string') throw new UnarrangedError('an uploaded document is not found by its file name');
    this.#recorder.effect({ what: 'document', id: uuid, restored: false });
    return uuid;
  }

  /** Has a transaction complete, or end otherwise. @throws Unoffered where the target file does not say how */
  async triggerEnd(uuid: string, end: 'complete' | 'fail' = 'complete'): Promise<void> {
    await performControl(this.#target, end, { uuid });
  }

  /**
   * Makes the next request fail inside the service.
   * @param status what the document answers such a failure with
   * @throws Unoffered where the target file does not say how
   */
  async triggerFault(status: 400 | 500): Promise<void> {
    await performControl(this.#target, 'v1Fault', { status });
  }

  /** Waits on the target's clock. */
  sleep(seconds: number, clock?: MovedClock): Promise<void> {
    return this.#time.sleep(seconds, clock);
  }

  /**
   * Looks, after {@link V1Client.sleep}, where nobody knows whether advancing moves that clock.
   * @param look whether time has passed on it; undefined where nothing shows it, and nothing is concluded
   * @returns whether it has for sure; where it has not, the next sleep is one in real time
   */
  async confirmSleep(clock: MovedClock, look: () => Promise<boolean | undefined>): Promise<boolean> {
    if (this.#time.lever(clock) !== 'unknown') return true;
    const passed = await look();
    if (passed !== undefined) this.#time.noteLever(clock, passed ? 'moves' : 'stands');
    return passed === true;
  }
}

/** The webhook configuration that an answer shows; undefined where it shows none. */
export function shownWebhook({ status, text }: ApiReply): Readonly<Record<string, unknown>> | undefined {
  const shown = status === 200 ? parseJsonText(text) : undefined;
  return typeof Object(shown).url === 'string' ? Object(shown) : undefined;
}
