import type { ApiUser } from '../access/api-users.ts';
import type { WebhookConfiguration } from './webhook-configuration.ts';

/** Every version of each user's one configuration. */
export class WebhookRegistry {
  #written = new Map<ApiUser, WebhookConfiguration[]>();

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

  /** Writes the user's configuration. */
  write(user: ApiUser, webhook: WebhookConfiguration): void {
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
