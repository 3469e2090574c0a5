import { request as plain } from 'node:http';
import { request as secure } from 'node:https';

/** HTTP status that came back, or why none did. */
export type PostOutcome = number | string;

/** How long a receiver may take, in milliseconds of real time. */
const PATIENCE = 2000;

/**
 * Posts a message to a webhook receiver, over a connection of its own.
 * @param more headers of the message's form, which is not documented
 * @returns the status, or the reason why there is none; never rejects
 */
export function postToReceiver(
  url: string,
  more: Readonly<Record<string, string>>,
  message: unknown,
): Promise<PostOutcome> {
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
        resolve(response.statusCode ?? 0);
        response.on('error', () => {}).resume();
      });
      const late = setTimeout(() => request.destroy(new Error('no answer in time')), PATIENCE).unref();
      request.on('error', (error) => resolve(error.message || 'no answer'));
      request.on('close', () => clearTimeout(late));
      request.end(body);
    } catch (error) {
      resolve((error as Error).message);
    }
  });
}

/** Header values hold Latin-1 only; other characters go as UTF-8 bytes. */
function encodeText(text: string): string {
  return Buffer.from(text, 'utf8')
    .toString('latin1')
    .replace(/[^\t\x20-\x7e\x80-\xff]/g, '?');
}
