/**
 * How a secret may be written: as it is, escaped for JSON or HTML, percent-encoded, in hex, and in base64 at each of the three places it
 * can have among other bytes. A PEM key is also known by its lines.
 */
export function secretSpellings(value: string): string[] {
  const bytes = Buffer.from(value, 'utf8');
  const found = [
    value,
    JSON.stringify(value).slice(1, -1),
    encodeURIComponent(value),
    value.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;'),
    bytes.toString('hex'),
    bytes.toString('hex').toUpperCase(),
    ...[0, 1, 2].flatMap((offset) => packed(bytes, offset)),
  ];
  const lines = value.includes('-----BEGIN')
    ? value.split(/\r?\n/).filter((line) => /^[A-Za-z0-9+/=]{32,}$/.test(line))
    : [];
  if (lines.length > 0) found.push(...lines, lines.join(''), lines.join('\\n'));
  return [...new Set(found)].filter((form) => form.length >= 6);
}

/** The base64 characters that the bytes alone decide when `offset` others stand before them. */
function packed(bytes: Buffer, offset: number): string[] {
  const all = Buffer.concat([Buffer.alloc(offset), bytes]);
  const text = all.toString('base64').replace(/=+$/, '');
  const core = text.slice([0, 2, 3][offset], all.length % 3 === 0 ? undefined : -1);
  return core.length < 8 ? [] : [core, core.replaceAll('+', '-').replaceAll('/', '_')];
}
