/**
 * @module json-pointer
 * JSON Pointer (RFC 6901), read and written in one place: tokens, values, and the fragment form that `$ref` uses. Anyone may import
 * it; it imports nothing. Percent-encoding belongs to the fragment form alone (section 6): `/50%` and `/a%2Fb` are plain tokens.
 */

/**
 * The tokens of a pointer, unescaped.
 * @throws TypeError for a text that is no pointer: neither empty nor begun with a slash
 */
export function pointerTokens(pointer: string): string[] {
  if (pointer !== '' && !pointer.startsWith('/')) throw new TypeError(`${pointer} is no JSON Pointer`);
  const tokens = pointer.split('/').slice(1);
  return pointer.includes('~') ? tokens.map((one) => one.replaceAll('~1', '/').replaceAll('~0', '~')) : tokens;
}

/** A pointer with tokens appended, each escaped. */
export function appendPointer(pointer: string, ...tokens: readonly (string | number)[]): string {
  return tokens.reduce<string>((above, token) => {
    const text = String(token);
    return /[~/]/.test(text) ? `${above}/${text.replaceAll('~', '~0').replaceAll('/', '~1')}` : `${above}/${text}`;
  }, pointer);
}

/**
 * The value at a pointer; undefined where there is none. Only what a value holds itself counts: members, and elements by index.
 * @throws TypeError for a text that is no pointer
 */
export function valueAt(root: unknown, pointer: string): unknown {
  let value = root;
  for (const token of pointerTokens(pointer)) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, token)) return undefined;
    if (Array.isArray(value) && !isIndex(token)) return undefined;
    value = (value as Record<string, unknown>)[token];
  }
  return value;
}

/**
 * A copy of a value with another one put at a pointer. What is missing on the way is made: a list where the token is an index,
 * else an object.
 * @throws TypeError for a text that is no pointer, or a name where there is a list
 */
export function withValueAt(root: unknown, pointer: string, value: unknown): unknown {
  return put(root, pointerTokens(pointer), value);
}

function put(root: unknown, [token, ...rest]: readonly string[], value: unknown): unknown {
  if (token === undefined) return value;
  if (Array.isArray(root) || (root === undefined && isIndex(token))) {
    if (!isIndex(token)) throw new TypeError(`${token} is no index of a list`);
    const list: unknown[] = Array.isArray(root) ? [...root] : [];
    const at = Number(token);
    list[at] = put(list[at], rest, value);
    return list;
  }
  const members = new Map(typeof root === 'object' && root !== null ? Object.entries(root) : []);
  members.set(token, put(members.get(token), rest, value));
  return Object.fromEntries(members);
}

function isIndex(token: string): boolean {
  return /^(?:0|[1-9]\d*)$/.test(token);
}

/**
 * The pointer that a `$ref` within its own document stands for (RFC 6901 section 6).
 * @returns undefined for a reference to elsewhere, to an anchor, or one that is not percent-encoded as it must be
 */
export function referencePointer(reference: string): string | undefined {
  if (reference !== '#' && !reference.startsWith('#/')) return undefined;
  try {
    return decodeURIComponent(reference.slice(1));
  } catch {
    return undefined;
  }
}

/** A pointer as `$ref` writes it. */
export function pointerReference(pointer: string): string {
  return `#${pointer.split('/').map(encodeURIComponent).join('/')}`;
}
