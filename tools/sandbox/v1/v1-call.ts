import type { Rush } from '../rush.ts';
import type { ApiUser } from './access/api-users.ts';
import type { RateLimiter } from './access/rate-limiter.ts';
import type { DocumentStore } from './documents/document-store.ts';
import type { AccountBook } from './transactions/account-book.ts';
import type { ListedBank } from './transactions/listed-banks.ts';
import type { ProcessedRequests } from './transactions/processed-requests.ts';
import type { V1World } from './v1-world.ts';
import type { WebhookRegistry } from './webhooks/webhook-registry.ts';
import type { WebhookSender } from './webhooks/webhook-sender.ts';
import { RequestForm } from './wire/request-form.ts';
import { V1Refusal } from './wire/v1-refusal.ts';

/** Everything the service remembers. */
export interface V1State {
  readonly users: readonly [ApiUser, ...ApiUser[]];
  readonly accountBook: AccountBook;
  readonly documentStore: DocumentStore;
  readonly requests: ProcessedRequests;
  /** The first IBAN of each country, and of each bank, that was looked up. */
  readonly firstIbans: Map<string, string>;
  /** The bank that was found last, and the IBAN that was shown last; whether the last IBAN was sound, and its bank known; the first of several at once; when a bank was first found. */
  readonly lookedUp: {
    bank: ListedBank | undefined;
    iban: string | undefined;
    wasSound?: boolean;
    wasFound?: boolean;
    first?: ListedBank | undefined;
    firstFound?: number | undefined;
  };
  readonly webhooks: WebhookRegistry;
  readonly webhookSender: WebhookSender;
  readonly rateLimiter: RateLimiter;
  readonly rush: Rush;
  /**
   * Addresses that were read, those that were forbidden to someone, whole requests that were refused, and ids of those that came past the
   * limit or from nobody who is known; of these only lies take note.
   */
  readonly asked: Readonly<Record<'read' | 'forbidden' | 'refused' | 'tooOften' | 'unknown', Set<string>>>;
  /** Failures that the control plane asked for: the next requests are answered with this status. */
  readonly failures: { status: number; left: number };
}

/** One authenticated request on its way to its operation. */
export interface V1Call {
  readonly world: V1World;
  readonly v1State: V1State;
  readonly operation: string;
  readonly user: ApiUser;
  /** Path parameters, as sent. */
  readonly path: Readonly<Record<string, string>>;
  readonly query: RequestForm;
  readonly header: (name: string) => string | undefined;
  /** Where the request comes from; only a lie asks. */
  readonly from: string;
  /** Whether the same was read before. */
  readonly wasRead: boolean;
  /** The body as a form. */
  body(): RequestForm;
}

/**
 * Reads a query; of a repeated parameter the last one counts.
 */
export function readQueryForm(address: string): RequestForm {
  const at = address.indexOf('?');
  const values: Record<string, string> = Object.create(null);
  if (at >= 0) for (const [name, value] of new URLSearchParams(address.slice(at + 1))) values[name] = value;
  return new RequestForm(values);
}

const unreadable = (message: string) => new V1Refusal(422, 'VALIDATION_ERROR', { body: [message] });

/**
 * Reads a JSON body.
 * @param media Content-Type as it came
 * @throws Refusal 422 for another media type, bad UTF-8, bad JSON, or JSON that is no object
 */
export function readBodyForm(bytes: Buffer | undefined, media: string | undefined): RequestForm {
  if (media !== undefined && !/^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(media))
    throw unreadable('The body must be sent as application/json.');
  if (bytes === undefined || bytes.length === 0) return new RequestForm({});
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw unreadable('The body must be valid JSON.');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw unreadable('The body must be a JSON object.');
  return new RequestForm(value as Record<string, unknown>);
}
