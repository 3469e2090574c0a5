import type { ExchangeLine } from '#evidence';

/** Headers that curl writes by itself. */
const OWN = /^(?:host|content-length|connection|transfer-encoding)$/i;

/** One request as a command line, redacted as it was recorded: what was taken out has to be put in again. */
export function renderCurl({ request }: ExchangeLine): string {
  const parts = [
    `curl -i -X ${quote(request.method)} ${quote(request.url)}`,
    ...request.headers.filter(([name]) => !OWN.test(name)).map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`),
    ...(request.body === undefined ? [] : [`--data-raw ${quote(request.body)}`]),
  ];
  return `${parts.join(' \\\n  ')}\n`;
}

/** A word for a POSIX shell. */
function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
