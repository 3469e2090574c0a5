import type { ApiUser } from '../access/api-users.ts';
import type { WebhookConfiguration } from './webhook-configuration.ts';

/** Replacements and second creations that were refused: the last of each. */
export type RefusedWebhooks = Readonly<Partial<Record<'replacement' | 'creation', WebhookConfiguration>>>;

/** Every version of each user's one configuration. */
export class WebhookRegistry {
  #written = new Map<ApiUser, WebhookConfiguration[]>();
  readonly #refused = new WeakMap<ApiUser, RefusedWebhooks>();

  /** What the user's configuration has been, the oldest first; empty when there is none. */
  history(user: ApiUser): readonly WebhookConfiguration[] {
    return this.#written.get(user) ?? [];
  }

  /** The user's configuration as it was last written. */
  of(user: ApiUser): WebhookConfiguration | undefined {
    return this.history(user).at(-1);
  }

  /** Users that have a configuration. */
  users(): readonly ApiUser[] {
    return [...this.#written.keys()];
  }

  /** The configurations of everybody else. */
  ofOthers(user: ApiUser): readonly WebhookConfiguration[] {
    return this.users().flatMap((one) => (one === user ? [] : (this.of(one) ?? [])));
  }

  /** What was refused of the user since the configuration was last written. */
  refused(user: ApiUser): RefusedWebhooks | undefined {
    return this.#refused.get(user);
  }

  /** Notes what was refused. */
  refuse(user: ApiUser, what: keyof RefusedWebhooks, webhook: WebhookConfiguration): void {
    this.#refused.set(user, { ...this.#refused.get(user), [what]: webhook });
  }

  /** Writes the user's configuration. */
  write(user: ApiUser, webhook: WebhookConfiguration): void {
    this.#refused.delete(user);
    this.#written.set(user, [...this.history(user), webhook]);
  }

  /** Takes the user's configuration away, as if there had never been one. */
  forget(user: ApiUser): void {
    this.#written.delete(user);
  }

  /** Forgets everything. */
  reset(): void {
    this.#written.clear();
  }
}
