import { setTimeout as wait } from 'node:timers/promises';
import {
  type LeverEffect,
  parseJsonText,
  performControl,
  requireEntries,
  type TargetTime,
  UnofferedError,
} from '#client';
import { valueAt } from '#json-pointer';

import type { Target } from '#target';
import { assertPromise } from '../conclusions.ts';
import { type MessageReceiver, type ReceivedDelivery, SILENCE_MILLISECONDS } from '../message-receiver.ts';
import { oncePerTarget } from '../once-per-target.ts';
import type { LockedWebhook } from './locked-webhook.ts';
import type { V1Client } from './v1-client.ts';

/** How long a message may take, and how long silence has to last, in seconds on a clock that can be advanced. */
const LONG = 3 * 86_400;

/**
 * Times that a message is looked for, ten milliseconds apart: after each of many moves of the clock, after a single one, and before it is
 * said that none came.
 */
const LOOKS = 5;
const LATE_LOOKS = 40;
const LAST_LOOKS = 200;

/** Milliseconds of silence before the clock is moved, to tell an attempt that this brings from one that was about to come. */
const SILENCES = [400, 100, 300, 200];

/** Whether advancing the clock brings the next attempt, by target, where its file does not say what advancing moves. */
const repeatsMoved = oncePerTarget<boolean>();

/** Things that a target file can say how to bring about. */
export type TriggerAction = 'accountEvent' | 'virtualIbanEvent' | 'complete' | 'fail';

/** Where the messages of the webhook configuration arrive: finds those about one thing among whatever else comes. */
export class EventInbox {
  readonly #target: Target;
  readonly #time: TargetTime;
  readonly #webhook: LockedWebhook;
  readonly #receiver: MessageReceiver;
  readonly #v1: V1Client;
  #mark = 0;
  /** What the configuration was last sent as. */
  #sent: Readonly<Record<string, unknown>> = {};
  /** Seconds that the clock was moved until the last attempt came that was waited for. */
  #lastGap = 0;
  /** Path that the configuration names at the moment. */
  path = '';
  /** Token that the configuration has at the moment. */
  token = '';

  constructor(parts: {
    target: Target;
    time: TargetTime;
    webhook: LockedWebhook;
    receiver: MessageReceiver;
    v1: V1Client;
  }) {
    this.#target = parts.target;
    this.#time = parts.time;
    this.#webhook = parts.webhook;
    this.#receiver = parts.receiver;
    this.#v1 = parts.v1;
  }

  /** Points the configuration at a fresh path of the receiver, with a query if any, and a fresh token. @throws Unarranged when that is refused */
  async configure(changes: Readonly<Record<string, unknown>> = {}, query = ''): Promise<void> {
    const path = `/${this.#v1.freshName()}${query}`;
    this.#receiver.expectPath(path);
    const sent = await this.#webhook.arrangeConfiguration({
      url: this.#receiver.address + path,
      is_active: true,
      ...changes,
    });
    this.#sent = sent;
    this.path = path;
    this.token = String(sent.token);
  }

  /** Changes of the configuration what is named, and leaves the rest as it was last sent. @throws Unarranged as {@link EventInbox.configure} does */
  async change(changes: {
    readonly token?: string;
    readonly name?: string;
    readonly is_active?: boolean;
  }): Promise<void> {
    this.#sent = await this.#webhook.arrangeConfiguration({ ...this.#sent, ...changes });
    this.token = String(this.#sent.token);
  }

  /**
   * Has the messages of another user sent to a path of the receiver, as long as something is looked at, and stops them after it.
   * @param token of a user that has no configuration, or one of our making
   * @throws Unoffered when it has another one, or may have none
   */
  async withStranger(token: string, look: (path: string) => Promise<void>): Promise<void> {
    const path = `${this.path}/stranger`;
    const url = this.#receiver.address + path;
    const found = await this.#v1.findWebhook(token);
    if (found !== undefined && !/\/assay/.test(String(found.url)))
      throw new UnofferedError('credentials', 'the user without rights has a webhook configuration of its own');
    const replace = (is_active: boolean) =>
      this.#v1.send('replaceWebhook', { token, body: this.#webhook.configurationBody({ url, is_active }) });
    if (found === undefined)
      await this.#v1.send('createWebhook', {
        token,
        body: this.#webhook.configurationBody({ url, is_active: undefined }),
      });
    const { status } = await replace(true);
    if (status !== 200)
      throw new UnofferedError('credentials', `the user without rights may have no webhook configuration: ${status}`);
    try {
      await look(path);
    } finally {
      await replace(false);
    }
  }

  /** Lets what earlier checks left under way arrive, and forgets it, where the clock can be advanced. */
  async forgetEarlier(): Promise<void> {
    if (this.#lever !== 'stands') await this.#pass(86_400);
    this.#mark = this.#receiver.deliveries.length;
  }

  /** Has the target bring something about. @throws Unoffered when the target file does not say how */
  async trigger(occasion: TriggerAction, uuid: string): Promise<void> {
    this.#mark = this.#receiver.deliveries.length;
    await performControl(this.#target, occasion, { uuid });
  }

  /** Whether a message names the thing's uuid; in which letters it writes one is not documented. */
  isAbout({ text }: ReceivedDelivery, uuid: string): boolean {
    return text.toLowerCase().includes(uuid.toLowerCase());
  }

  /** Everything that has come and names the thing's uuid. */
  deliveriesAbout(uuid: string): readonly ReceivedDelivery[] {
    return this.#receiver.deliveries.filter((one) => this.isAbout(one, uuid));
  }

  /**
   * Waits until at least `count` deliveries about the thing have come.
   * @returns all of them, fewer when the rest stays out
   * @throws Unoffered when messages came whose form is unknown, or that name nothing at all, and none tells of the thing: what they hold is
   * not documented
   */
  async waitFor(uuid: string, count = 1): Promise<readonly ReceivedDelivery[]> {
    await this.#until(() => this.deliveriesAbout(uuid).length >= count);
    const came = this.deliveriesAbout(uuid);
    if (came.length === 0) this.#requireNames();
    return came;
  }

  /** @throws Unoffered where messages came since the mark of which nothing shows what they are about */
  #requireNames(): void {
    const since = this.#receiver.deliveries.slice(this.#mark);
    if (since.length === 0) return;
    this.requireMessageKey();
    const isNameless = since.every((one) => !UUID.test(one.text.replaceAll(this.messageKey(one) ?? '', '')));
    if (isNameless)
      throw new UnofferedError(
        'capability',
        'no message names what it is about, and what messages hold is not documented',
      );
  }

  /**
   * Waits for a message that had not come before the last {@link EventInbox.trigger} or {@link EventInbox.forgetEarlier}; what a message is about is
   * not documented, so one that tells of the thing is taken first, then any.
   * @throws Unoffered where one came that says what another one said before, and nothing tells the two apart
   */
  async waitForNews(uuid: string): Promise<readonly ReceivedDelivery[]> {
    const fresh = this.#freshSinceMark();
    const told = () => fresh().filter((one) => this.isAbout(one, uuid));
    await this.#until(() => fresh().length > 0);
    const isRepeated = this.#receiver.deliveries.slice(this.#mark).some((one) => this.isAbout(one, uuid));
    if (fresh().length === 0 && isRepeated) this.requireMessageKey();
    // What others do at the account may be told of sooner.
    return (await this.#isDone(() => told().length > 0)) ? told() : fresh();
  }

  /** As {@link EventInbox.waitForNews} where none should come: a clock that is moved is moved once. @returns whatever came */
  async waitForNoNews(): Promise<readonly ReceivedDelivery[]> {
    const fresh = this.#freshSinceMark();
    const isTold = () => fresh().length > 0;
    if (this.#lever === 'moves') {
      await this.waitOutSilence();
      await this.#isDone(isTold, true, LATE_LOOKS);
    } else await this.#until(isTold);
    return fresh();
  }

  /**
   * Waits for `count` attempts to deliver one message about the thing, one that came after the last trigger, if any.
   * @returns the attempts @throws Unoffered when they stay out and nothing shows that advancing the clock brings them: when to try again is
   * not documented
   */
  async waitForAttempts(uuid: string, count: number): Promise<readonly ReceivedDelivery[]> {
    const series = () => {
      const all = this.#receiver.deliveries.slice(this.#mark).filter((one) => this.isAbout(one, uuid));
      const byKey = new Map<string, ReceivedDelivery[]>();
      for (const one of all)
        byKey.set(this.messageKey(one) ?? '', [...(byKey.get(this.messageKey(one) ?? '') ?? []), one]);
      return [...byKey.values()].sort((one, other) => other.length - one.length)[0] ?? [];
    };
    const { pollGap } = this.#target.manners;
    for (let came = series().length; came < count; came = series().length) {
      // Attempts come no faster, as a rule, than the one before.
      this.#lastGap = await this.#until(() => series().length > came, Math.max(pollGap, this.#lastGap / 4));
      if (series().length === came) break;
    }
    if (series().length > 0 && series().length < count && !(await this.#areRepeatsMoved()))
      throw new UnofferedError(
        'capability',
        'no further attempt came while we waited; control.advance that moves deliveries, or a longer manners.delivery, in the target file would enable it',
      );
    if (series().length === 0) this.#requireNames();
    return series();
  }

  /** What tells a message apart from others, the same in all attempts to deliver it; undefined when the target file does not say. */
  messageKey(delivery: Omit<ReceivedDelivery, 'answered'>): string | undefined {
    const pointer = this.#target.v1?.wire.message;
    if (pointer === undefined) return undefined;
    const value = look(delivery, pointer);
    return value === undefined ? undefined : String(value);
  }

  /** @throws Unoffered unless the target file says what tells messages apart */
  requireMessageKey(): void {
    if (this.#target.v1?.wire.message === undefined)
      throw new UnofferedError(
        'capability',
        'nothing tells messages apart; v1.wire.message in the target file would enable it',
      );
  }

  /** @throws Finding when a delivery does not bring the token, as it is, behind a scheme or as Basic has it, in a header or in the body */
  demandToken(deliveries: readonly ReceivedDelivery[], token = this.token): void {
    const pointer = this.#target.v1?.wire.token;
    const without = requireEntries(deliveries, 'deliveries of an event').filter((one) => {
      const places = pointer === undefined ? [...one.headers.values(), ...texts(one.text)] : [look(one, pointer)];
      return !places.some((text) => wordsOf(String(text)).includes(token));
    });
    const actual = `${without.length} of ${deliveries.length} without it`;
    assertPromise(without.length === 0, 'the configured token in every delivery', actual);
  }

  /** Lets time pass in which nothing more should come: days on a clock that is moved, a few polls of real time on any other. */
  async waitOutSilence(): Promise<void> {
    const { pollGap, delivery } = this.#target.manners;
    if (this.#lever !== 'stands') await this.#pass(LONG);
    if (this.#lever !== 'moves') await wait(1000 * Math.min(delivery, 3 * pollGap));
  }

  /** What comes from now on finds its messages that had not come before the mark. */
  #freshSinceMark(): () => readonly ReceivedDelivery[] {
    const known = this.#receiver.deliveries.slice(0, this.#mark).map((one) => this.messageKey(one) ?? one.text);
    const before = new Set(known);
    return () =>
      this.#receiver.deliveries.slice(this.#mark).filter((one) => !before.has(this.messageKey(one) ?? one.text));
  }

  get #lever(): LeverEffect {
    return this.#time.lever('deliveries');
  }

  /** Whether attempts after the first come by the clock that can be advanced, by the target file or by what was seen. */
  async #areRepeatsMoved(): Promise<boolean> {
    if (this.#lever !== 'unknown') return this.#lever === 'moves';
    return repeatsMoved(this.#target, () => this.#learnRepeats());
  }

  /** Learns whether a second attempt comes whenever the clock is moved, after whatever silence: no schedule in real time does that. */
  async #learnRepeats(): Promise<boolean> {
    const { answer } = this.#receiver;
    this.#receiver.answer = () => 500;
    try {
      // One that comes in the silence shows nothing: once more.
      for (const silence of SILENCES)
        if (!((await this.#isRepeatMoved(silence)) ?? (await this.#isRepeatMoved(silence)))) return false;
      return true;
    } finally {
      this.#receiver.answer = answer;
    }
  }

  /** Whether a message about a new transaction is repeated as soon as the clock is moved; undefined where it was before. */
  async #isRepeatMoved(silence: number): Promise<boolean | undefined> {
    const uuid = await this.#v1.arrangeTransaction();
    const { length } = await this.waitFor(uuid);
    await wait(silence);
    if (length === 0 || this.#underWay() || this.deliveriesAbout(uuid).length > length) return undefined;
    await this.#time.sleep(86_400, 'deliveries');
    return this.#isDone(() => this.deliveriesAbout(uuid).length > length);
  }

  /**
   * Moves the clock until it is done or days have passed; a clock that may stand is given real time as well.
   * @param first seconds of the first move; each further one is twice as long
   * @returns seconds by which it was moved
   */
  async #until(done: () => boolean, first = this.#target.manners.pollGap): Promise<number> {
    const { pollGap, delivery } = this.#target.manners;
    let passed = 0;
    for (let gap = first; this.#lever !== 'stands' && passed <= LONG; gap *= 2) {
      // Where the last attempt came by a move, none comes without.
      if (await this.#isDone(done, passed > 0 || first > pollGap)) return passed;
      // A clock that is moved is not moved past an attempt that is still under way.
      while (this.#underWay()) await wait(10);
      await this.#time.sleep(gap, 'deliveries');
      passed += gap;
    }
    if (await this.#isDone(done, false, this.#target.kind === 'embedded' ? LOOKS : LAST_LOOKS)) return passed;
    for (let waited = 0; this.#lever !== 'moves' && waited < delivery; waited += pollGap) {
      await wait(1000 * pollGap);
      if (!(await this.#isDone(done))) continue;
      // What days on its clock did not bring, seconds of ours did.
      if (this.#lever === 'unknown') this.#time.noteLever('deliveries', 'stands');
      break;
    }
    return passed;
  }

  /** @param isMoved whether the clock was just moved: our own sandbox says so when all that was due has come */
  async #isDone(done: () => boolean, isMoved = false, most = LOOKS): Promise<boolean> {
    const looks = isMoved && this.#target.kind === 'embedded' ? 0 : most;
    for (let i = 0; i < looks && !done(); i += 1) await wait(10);
    return done();
  }

  #underWay(): boolean {
    const since = Date.now() - 2 * SILENCE_MILLISECONDS;
    return this.#receiver.deliveries.some(({ answered, at }) => answered === 0 && at > since);
  }

  async #pass(seconds: number): Promise<void> {
    await this.#time.sleep(seconds, 'deliveries');
    if (this.#target.kind !== 'embedded') await wait(50);
  }
}

/** A uuid as the document describes one. */
const UUID = /\b[a-z0-9]{8}(-[a-z0-9]{4}){3}-[a-z0-9]{12}\b/i;

function look({ headers, text }: Omit<ReceivedDelivery, 'answered'>, pointer: string): unknown {
  if (pointer.startsWith('header:')) return headers.get(pointer.slice(7).trim().toLowerCase());
  const body = parseJsonText(text);
  return body === undefined ? undefined : valueAt(body, pointer);
}

/** What a header or member may hold beside a token, and the token; of the Basic scheme (RFC 7617 section 2) the two that it encodes. */
function wordsOf(text: string): string[] {
  const encoded = /^basic +(\S+)$/i.exec(text)?.[1];
  return encoded === undefined ? text.split(/[ =",;]/) : Buffer.from(encoded, 'base64').toString().split(':');
}

/** Every text in a JSON body. */
function texts(body: string): string[] {
  const value = parseJsonText(body);
  return value === undefined ? [body] : textsIn(value);
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
