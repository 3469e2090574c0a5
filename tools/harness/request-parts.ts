import { stringify } from 'lossless-json';

/** What a request carries, however it is sent. */
export interface RequestParts {
  /** Bearer token; null leaves the Authorization header out. */
  readonly token?: string | null;
  /** Authorization header exactly as given; wins over `token`. */
  readonly authorization?: string;
  /** Sent as JSON, a bigint as its digits; a string or bytes are sent as they are. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Headers and bytes of a request, as the client sends them. A header that is given takes the place of ours. */
export function composeRequest({ token = null, authorization, body, headers = {} }: RequestParts): {
  headers: [string, string][];
  body?: Buffer;
} {
  const said = authorization ?? (token === null ? undefined : `Bearer ${token}`);
  const all = Object.entries({
    accept: 'application/json',
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    ...(said === undefined ? {} : { authorization: said }),
    ...headers,
  });
  if (body === undefined) return { headers: all };
  const asItIs = typeof body === 'string' || body instanceof Uint8Array;
  return { headers: all, body: Buffer.from(asItIs ? body : stringify(body)!) };
}
