import type { ExchangeLine } from '#evidence';

/** Exchanges as a Postman collection 2.1, each with the answer that came, redacted as they were recorded. */
export function renderPostman(exchanges: readonly ExchangeLine[], name: string): string {
  const item = exchanges.map(({ id, operation, request, response }) => {
    const original = {
      method: request.method,
      header: request.headers.map(([key, value]) => ({ key, value })),
      url: { raw: request.url },
      ...(request.body === undefined ? {} : { body: { mode: 'raw', raw: request.body } }),
    };
    const header = response?.headers.map(([key, value]) => ({ key, value }));
    return {
      name: `${operation ?? request.method} (${id})`,
      request: original,
      response:
        response === undefined
          ? []
          : [
              {
                name: String(response.status),
                originalRequest: original,
                code: response.status,
                header,
                body: response.body ?? '',
              },
            ],
    };
  });
  const schema = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json';
  return `${JSON.stringify({ info: { name, schema }, item }, null, 1)}\n`;
}
