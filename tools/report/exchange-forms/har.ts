import type { ExchangeLine, Message } from '#evidence';

/** Exchanges as HAR 1.2, redacted as they were recorded. A body of which only the beginning was kept says so in a comment. */
export function renderHar(exchanges: readonly ExchangeLine[], version: string): string {
  const entries = exchanges.map(({ id, at, duration, request, response, failure }) => ({
    startedDateTime: at,
    time: duration,
    request: {
      method: request.method,
      url: request.url,
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: namedHeaders(request),
      queryString: queryOf(request.url),
      ...(request.body === undefined ? {} : { postData: { mimeType: mediaType(request), text: request.body } }),
      headersSize: -1,
      bodySize: request.size,
    },
    response: {
      status: response?.status ?? 0,
      statusText: '',
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: response === undefined ? [] : namedHeaders(response),
      content: {
        size: response?.size ?? 0,
        mimeType: response === undefined ? '' : mediaType(response),
        ...(response?.body === undefined ? {} : { text: response.body }),
      },
      redirectURL: '',
      headersSize: -1,
      bodySize: response?.size ?? 0,
    },
    cache: {},
    timings: { send: 0, wait: duration, receive: 0 },
    comment: [id, request.cut || response?.cut ? 'a body is not whole' : '', failure ?? ''].filter(Boolean).join('; '),
  }));
  return `${JSON.stringify({ log: { version: '1.2', creator: { name: 'Assay', version }, entries } }, null, 1)}\n`;
}

function namedHeaders({ headers }: Message): { name: string; value: string }[] {
  return headers.map(([name, value]) => ({ name, value }));
}

function mediaType({ headers }: Message): string {
  return headers.find(([name]) => /^content-type$/i.test(name))?.[1] ?? 'application/octet-stream';
}

function queryOf(url: string): { name: string; value: string }[] {
  const [, query = ''] = url.split('?');
  return [...new URLSearchParams(query)].map(([name, value]) => ({ name, value }));
}
