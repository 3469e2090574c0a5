/** How errors are labelled (gateway, base address). */
export const JSON_IN_UTF8 = { media: 'application/json', charset: 'utf-8' };

/** Media type and charset of a label; case and spacing are free. */
export function mediaOf(type = ''): { media: string | undefined; charset: string | undefined } {
  const [media, ...parameters] = type.split(';').map((part) => part.trim().toLowerCase());
  return { media, charset: parameters.map((part) => /^charset\s*=\s*"?([^"]*)"?$/.exec(part)?.[1]).find(Boolean) };
}
