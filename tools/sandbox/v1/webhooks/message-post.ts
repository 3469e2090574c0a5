import { request as plain } from 'node:http';
import { request as secure } from 'node:https';

/** HTTP status that came back, or why none did. */
export type PostOutcome = number | string;

/** What a receiver answered. */
export interface PostAnswer {
  readonly outcome: PostOutcome;
  /** Whether its answer had a body; only lies look at it. */
  readonly hasBody: boolean;
}

/** How long a receiver may take, in milliseconds of real time. */
const PATIENCE = 2000;

/**
 * Posts a message to a webhook receiver, over a connection of its own.
 * @param more headers of the message's form, which is not documented
 * @returns the status, or the reason why there is none, and whether a body came with it; never rejects
 */
export function postToReceiver(
  url: string,
  more: Readonly<Record<string, string>>,
  message: unknown,
): Promise<PostAnswer> {
  const body = JSON.stringify(message);
  const headers: Record<string, string | number> = {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
  };
  for (const [name, value] of Object.entries(more)) headers[name] = encodeText(value);
  return new Promise((resolve) => {
    try {
      const send = url.startsWith('https:') ? secure : plain;
      const request = send(url, { method: 'POST', headers, agent: false, timeout: PATIENCE }, (response) => {
        let hasBody = false;
        response.on('data', () => {
          hasBody = true;
        });
        response.on('error', () => {}).on('close', () => resolve({ outcome: response.statusCode ?? 0, hasBody }));
      });
      const late = setTimeout(() => request.destroy(new Error('no answer in time')), PATIENCE).unref();
      request.on('error', (error) => resolve({ outcome: error.message || 'no answer', hasBody: false }));
      request.on('close', () => clearTimeout(late));
      request.end(body);
    } catch (error) {
      resolve({ outcome: (error as Error).message, hasBody: false });
    }
  });
}

/** Header values hold Latin-1 only; other characters go as UTF-8 bytes. */
function encodeText(text: string): string {
  return Buffer.from(text, 'utf8')
    .toString('latin1')
    .replace(/[^\t\x20-\x7e\x80-\xff]/g, '?');
}
