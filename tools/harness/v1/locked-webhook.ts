import { type ApiReply, acquireLock, performControl, UnarrangedError, UnofferedError } from '#client';
import type { Recorder } from '#evidence';
import type { Target } from '#target';
import type { CommonFixtures } from '../fixture-types.ts';
import { shownWebhook, type V1Client } from './v1-client.ts';

type Fields = Readonly<Record<string, unknown>>;

interface Parts {
  readonly target: Target;
  readonly v1: V1Client;
  readonly recorder: Recorder;
  /** Keeps a value out of everything that is written. */
  readonly hide: (secret: string) => void;
}

/**
 * The main user's one webhook configuration, ours for the length of a check. Every check of a target shares it, so it is locked
 * across workers: a file lock serves checks of any file, and unlike a serial group a failing check does not take others along.
 */
export class LockedWebhook {
  readonly #parts: Parts;
  readonly #free: () => void;
  readonly #found: Fields | undefined;

  private constructor(parts: Parts, free: () => void, found: Fields | undefined) {
    this.#parts = parts;
    this.#free = free;
    this.#found = found;
  }

  /**
   * Waits for the configuration and sees to it that there is one.
   * @throws Unoffered for one whose token is unknown, so that it could not be put back; Unarranged when there is none and none can be made
   */
  static async open(parts: Parts): Promise<LockedWebhook> {
    const { target, v1 } = parts;
    const free = await acquireLock(`${target.v1?.address} ${target.v1?.token}`);
    try {
      const found = await v1.findWebhook();
      const known = target.v1?.webhookToken !== undefined || /\/assay/.test(String(found?.url));
      if (found !== undefined && !known)
        throw new UnofferedError(
          'credentials',
          'there is a webhook configuration whose token is unknown; v1.webhookToken in the target file would enable it',
        );
      const webhook = new LockedWebhook(parts, free, found);
      if (found === undefined) await webhook.#create();
      return webhook;
    } catch (error) {
      free();
      throw error;
    }
  }

  /**
   * A body of a replacement that is in order and sends nothing, before what a check changes in it; undefined leaves a field out.
   * Taken as changes of another one it stays as it is.
   */
  configurationBody(changes: Fields = {}): Record<string, unknown> {
    return { ...blankConfiguration(this.#parts), is_active: false, ...changes };
  }

  /** Replaces the configuration. The answer is not judged. */
  replace(changes: Fields = {}): Promise<ApiReply> {
    return this.#parts.v1.send('replaceWebhook', { body: this.configurationBody(changes) });
  }

  /** Arranges a configuration. @returns what was sent @throws Unarranged when it is refused */
  async arrangeConfiguration(changes: Fields = {}): Promise<Record<string, unknown>> {
    const body = this.configurationBody(changes);
    const { status } = await this.#parts.v1.send('replaceWebhook', { body });
    if (status >= 300) throw new UnarrangedError(`a valid webhook configuration was answered ${status}`);
    return body;
  }

  /** Reads the configuration. The answer is not judged. */
  read(): Promise<ApiReply> {
    return this.#parts.v1.send('readWebhook');
  }

  /** Tries to create another configuration beside the one there is. The answer is not judged. */
  createSecond(changes: Fields = {}): Promise<ApiReply> {
    return this.#parts.v1.send('createWebhook', { body: this.configurationBody({ is_active: undefined, ...changes }) });
  }

  /** Puts back what was found, or leaves a configuration that sends nothing where there was none, and gives it free. */
  async restore(): Promise<void> {
    const { v1, target, recorder } = this.#parts;
    const { url, name = null, description = null, is_active: active } = this.#found ?? {};
    const token = target.v1?.webhookToken;
    try {
      const body =
        this.#found === undefined
          ? this.configurationBody()
          : this.configurationBody({ url, name, description, is_active: active });
      const { status } = await v1.send('replaceWebhook', { body: token === undefined ? body : { ...body, token } });
      recorder.effect({ what: 'webhook', id: 'configuration', restored: status < 300 && this.#found !== undefined });
      if (status >= 300) throw new UnarrangedError(`the webhook configuration could not be put back: ${status}`);
    } finally {
      this.#free();
    }
  }

  async #create(): Promise<void> {
    const { v1 } = this.#parts;
    const created = await v1.send('createWebhook', { body: this.configurationBody({ is_active: undefined }) });
    if (created.status < 300) return;
    const { status } = await this.replace();
    if (status >= 300)
      throw new UnarrangedError(`there is no webhook configuration, and creating one was answered ${created.status}`);
  }
}

/**
 * API users that have no webhook configuration: the only ones for whom a creation must succeed. A creation that is refused uses
 * none of them up.
 */
export class NewcomerUser {
  readonly #parts: Parts;
  readonly #free: () => void;
  #token = '';
  /** Whether there is a configuration of our making. */
  #hasOne = false;
  /** Whether a look is answered 200 where there is none. */
  #isNoneServed = false;

  private constructor(parts: Parts, free: () => void) {
    this.#parts = parts;
    this.#free = free;
  }

  /**
   * Waits until no other check uses a newcomer.
   * @throws Unoffered when each has a configuration by now that the target cannot take away
   */
  static async open(parts: Parts): Promise<NewcomerUser> {
    const { address, newcomers = [] } = parts.target.v1 ?? {};
    const newcomer = new NewcomerUser(parts, await acquireLock(`${address} ${newcomers[0]}`));
    try {
      await newcomer.#choose(newcomers);
      return newcomer;
    } catch (error) {
      newcomer.#free();
      throw error;
    }
  }

  /** The API token of the newcomer, for requests that are not about the configuration. */
  get apiToken(): string {
    return this.#token;
  }

  /** As {@link LockedWebhook.configurationBody}, of a creation. */
  configurationBody(changes: Fields = {}): Record<string, unknown> {
    return { ...blankConfiguration(this.#parts), ...changes };
  }

  /** Creates a configuration where there is none, from a body in order and what a check changes in it. The answer is not judged. */
  async create(changes: Fields = {}): Promise<ApiReply> {
    await this.#forget();
    return this.#send(this.configurationBody(changes));
  }

  /** Creates several at the same moment where there is none. The answers are not judged. */
  async createTogether(together: CommonFixtures['together'], count: number): Promise<readonly ApiReply[]> {
    // Once for all of them: forgetting what another one has just created would make room for a second.
    await this.#forget();
    return together(Array.from({ length: count }, () => () => this.#send(this.configurationBody())));
  }

  /** Replaces the newcomer's configuration by one that sends nothing. The answer is not judged. */
  replace(changes: Fields = {}): Promise<ApiReply> {
    const body = this.configurationBody({ is_active: false, ...changes });
    return this.#parts.v1.send('replaceWebhook', { token: this.#token, body });
  }

  /** Reads the newcomer's configuration. Where there is none, and that is answered 200, what comes is not held against the contract. */
  read(): Promise<ApiReply> {
    const { v1 } = this.#parts;
    return this.#isNoneServed && !this.#hasOne
      ? v1.lookForWebhook(this.#token)
      : v1.send('readWebhook', { token: this.#token });
  }

  /** Leaves the newcomer without a configuration, where the target can do that, and gives it free. */
  async release(): Promise<void> {
    try {
      await this.#forget();
    } finally {
      this.#free();
    }
  }

  /** Takes the configuration away, where the target can do that. */
  async #forget(): Promise<void> {
    const { target } = this.#parts;
    if (target.control.forget === undefined) return;
    await performControl(target, 'forget', { token: this.#token });
    this.#hasOne = false;
  }

  async #send(body: Fields): Promise<ApiReply> {
    const reply = await this.#parts.v1.send('createWebhook', { token: this.#token, body });
    if (reply.status < 300) this.#hasOne = true;
    return reply;
  }

  async #choose(tokens: readonly string[]): Promise<void> {
    const { v1, target } = this.#parts;
    for (const token of tokens) {
      this.#token = token;
      await this.#forget();
      const reply = await v1.lookForWebhook(token);
      const isShown = shownWebhook(reply) !== undefined;
      this.#isNoneServed = reply.status === 200 && !isShown;
      // What is shown although it was just taken away is for the checks to say.
      if (!isShown || target.control.forget !== undefined) return;
    }
    throw new UnofferedError(
      'capability',
      'every newcomer has a webhook configuration by now; another of v1.newcomers, or control.forget, in the target file would enable it',
    );
  }
}

/** A configuration in order, with a token that is kept out of everything that is written. */
function blankConfiguration({ v1, hide }: Parts): Fields {
  const token = v1.freshToken();
  hide(token);
  const name = v1.freshName();
  return { url: v1.webhookUrl(name), token, name, description: 'Conformance check' };
}
