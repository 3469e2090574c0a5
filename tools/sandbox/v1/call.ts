import type { World } from '../world.ts';
import type { Courier } from './courier.ts';
import type { Requests } from './create.ts';
import type { Cabinet } from './document.ts';
import { Form } from './form.ts';
import type { Turnstile } from './rate.ts';
import { Refusal } from './refusal.ts';
import type { Ledger } from './transaction.ts';
import type { User } from './user.ts';
import type { Webhooks } from './webhook.ts';

/** Everything the service remembers. */
export interface Memory {
  readonly users: readonly [User, ...User[]];
  readonly ledger: Ledger;
  readonly cabinet: Cabinet;
  readonly requests: Requests;
  readonly webhooks: Webhooks;
  readonly courier: Courier;
  readonly turnstile: Turnstile;
  /** Failures that the control plane asked for: the next requests are answered with this status. */
  readonly failures: { status: 400 | 500; left: number };
}

/** One authenticated request on its way to its operation. */
export interface Call {
  readonly world: World;
  readonly memory: Memory;
  readonly operation: string;
  readonly user: User;
  /** Path parameters, as sent. */
  readonly path: Readonly<Record<string, string>>;
  readonly query: Form;
  readonly header: (name: string) => string | undefined;
  /** The body as a form. */
  body(): Form;
}

/**
 * Reads a query; of a repeated parameter the last one counts.
 */
export function readQuery(address: string): Form {
  const at = address.indexOf('?');
  const values: Record<string, string> = Object.create(null);
  if (at >= 0) for (const [name, value] of new URLSearchParams(address.slice(at + 1))) values[name] = value;
  return new Form(values);
}

const unreadable = (message: string) => new Refusal(422, 'VALIDATION_ERROR', { body: [message] });

/**
 * Reads a JSON body.
 * @param media Content-Type as it came
 * @throws Refusal 422 for another media type, bad UTF-8, bad JSON, or JSON that is no object
 */
export function readBody(bytes: Buffer | undefined, media: string | undefined): Form {
  if (media !== undefined && !/^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(media))
    throw unreadable('The body must be sent as application/json.');
  if (bytes === undefined || bytes.length === 0) return new Form({});
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw unreadable('The body must be valid JSON.');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw unreadable('The body must be a JSON object.');
  return new Form(value as Record<string, unknown>);
}
