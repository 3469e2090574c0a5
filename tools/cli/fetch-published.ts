import { Trouble } from '#trouble';

/** How much is read; published descriptions have a few megabytes at most. */
const MOST = 20 * 1024 * 1024;

/**
 * Fetches a text that somebody publishes. Redirects are followed, proxies are those of the environment, no credentials are sent.
 * @param bounds seconds for all of it, bytes after decompression
 * @throws Trouble (usage) for no http(s) address; (incomplete) when it is not answered with 200, in time, within bounds, in UTF-8
 */
export async function fetchPublished(url: string, bounds: { seconds: number; bytes?: number }): Promise<string> {
  const { seconds, bytes = MOST } = bounds;
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed === undefined || !/^https?:$/.test(parsed.protocol))
    throw new Trouble('usage', `${url} is no http(s) address`, { fix: '--url https://vendor.example/openapi.yaml' });
  if (parsed.username !== '' || parsed.password !== '')
    throw new Trouble('usage', 'the address holds a user name or a password', {
      reason: 'it would stand in the report and in the log',
      fix: 'name an address that is open to everybody',
    });
  const { EnvHttpProxyAgent, fetch } = await import('undici');
  const dispatcher = new EnvHttpProxyAgent();
  const fail = (message: string, reason?: string) =>
    new Trouble('incomplete', `${url} ${message}`, {
      ...(reason === undefined ? {} : { reason }),
      fix: 'nothing was compared; try again, or see what is there now',
    });
  try {
    const signal = AbortSignal.timeout(seconds * 1000);
    const response = await fetch(parsed, { dispatcher, signal, headers: { accept: '*/*' } });
    if (response.status !== 200) throw fail(`was answered ${response.status}`);
    const parts: Uint8Array[] = [];
    let length = 0;
    for await (const part of response.body ?? []) {
      length += part.byteLength;
      if (length > bytes) throw fail('is too large', `more than ${Math.floor(bytes / 1024 / 1024)} MiB`);
      parts.push(part);
    }
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(parts));
  } catch (error) {
    if (error instanceof Trouble) throw error;
    const { name, message, cause } = error as Error & { cause?: { code?: string; message?: string } };
    if (name === 'TimeoutError') throw fail(`did not answer within ${seconds} s`);
    if (error instanceof TypeError && (error as { code?: string }).code === 'ERR_ENCODING_INVALID_ENCODED_DATA')
      throw fail('is no text in UTF-8');
    throw fail('cannot be fetched', cause?.code ?? cause?.message ?? message);
  } finally {
    await dispatcher.destroy();
  }
}
