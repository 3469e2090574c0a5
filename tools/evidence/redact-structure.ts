import { type Nature, nature } from './names.ts';

/** What stands where a secret stood. */
export const MASK = '[redacted]';

/** Decides about values; given by the redactor. */
export interface Decide {
  /** What to write for the value of a name; undefined: the value may stay. */
  readonly member: (name: string, value: string) => string | undefined;
  /** Everything that can be found without a name: registered values, card numbers, keys. */
  readonly text: (text: string) => string;
}

const DEEPEST = 6;

/** Redacts by name: JSON, also inside strings of JSON, forms, multipart, HTML, XML, and `name: value` in running text. */
export function redactStructure(text: string, decide: Decide, depth = 0): string {
  if (depth > DEEPEST) return decide.text(text);
  if (/^\s*[[{]/.test(text)) return json(text, decide, depth);
  // What begins with a quote may be JSON, or a sentence that begins so.
  return loose(/^\s*"/.test(text) ? json(text, decide, depth) : text, decide, depth);
}

interface Level {
  readonly array: boolean;
  key: string;
  readonly secret: boolean;
}

const TOKEN = /"(?:[^"\\]|\\[\s\S])*(?:"|\\?$)|-?\d[\w.+-]*|[A-Za-z_]\w*|[{}[\]:,]/g;

/** JSON as it came, also when it is cut short or broken; only what must go is written anew. */
function json(text: string, decide: Decide, depth: number): string {
  // A fragment has members without an object around them.
  const root: Level = { array: false, key: '', secret: false };
  const stack: Level[] = [];
  let out = '';
  let from = 0;
  for (const match of text.matchAll(TOKEN)) {
    const [token] = match;
    out += text.slice(from, match.index);
    from = match.index + token.length;
    const top = stack.at(-1) ?? root;
    if (token === '{' || token === '[') {
      const { key } = top;
      stack.push({ array: token === '[', key, secret: top.secret || hidesAll(key, decide) });
      out += token;
    } else if (token === '}' || token === ']') {
      stack.pop();
      out += token;
    } else if (token === ':' || token === ',') {
      out += token;
    } else if (!top.array && /^["A-Za-z_]/.test(token) && /^'?\s*:/.test(text.slice(from, from + 40))) {
      top.key = token[0] === '"' ? unquote(token) : token;
      out += token[0] === '"' ? nested(token, top.key, decide, depth) : token;
    } else {
      out += scalar(token, top, decide, depth);
    }
  }
  return out + text.slice(from);
}

/** Whether a list or an object of that name is hidden with all that is in it; the content of a list of pages is not. */
function hidesAll(key: string, { member }: Decide): boolean {
  return !/^(?:content|attachment)s?$/i.test(key) && nature(key) !== 'card' && member(key, 'x') !== undefined;
}

function scalar(token: string, level: Level, decide: Decide, depth: number): string {
  const value = token[0] === '"' ? unquote(token) : token;
  if (value === '' || value === 'null') return token;
  const member = level.secret ? MASK : level.key ? decide.member(level.key, value) : undefined;
  if (member !== undefined) return JSON.stringify(member);
  if (token[0] === '"') return nested(token, value, decide, depth);
  const kept = decide.text(token);
  return kept === token ? token : JSON.stringify(kept);
}

function nested(token: string, value: string, decide: Decide, depth: number): string {
  if (!/[=<:{[%\\]/.test(value) && !token.includes('\\')) return token;
  const kept = decide.text(redactStructure(value, decide, depth + 1));
  return kept === value ? token : JSON.stringify(kept);
}

function unquote(token: string): string {
  const inner = token.endsWith('"') && token.length > 1 ? token.slice(1, -1) : token.slice(1);
  try {
    return JSON.parse(`"${inner}"`) as string;
  } catch {
    return inner;
  }
}

const PART = /(\bname="?([^"\r\n;]+)"?[^\r\n]*\r?\n(?:[^\r\n]+\r?\n){0,20}\r?\n)([\s\S]*?)(?=\r?\n--|$)/g;
const TAG = /<[a-z][\w:-]*\s[^<>]*>/gi;
const ATTRIBUTE = /([\w:.-]+)(\s*=\s*)("[^"]*"|'[^']*'|[^\s"'>]+)/g;
const ELEMENT = /(<([\w:.-]+)(?:\s[^<>]*)?>)([^<]*)(?=<\/)/g;
const PAIR = /(^|[?&;,\s"'`({#>\\])([\w.[\]%-]+)=("[^"]*"?|'[^']*'?|[^&\s"'<>;]*)/g;
const LABEL = /(\\*["'`])([^"'`\\\n]{2,40})(\\*["'`]\s*(?::|=>|,)\s*)(\\*["'`])?((?:(?!\\*["'`])[^\n]){0,8192})/g;
const WORDS = /\b((?:x-)?[A-Za-z][\w-]{0,60})(\s{0,8}[:=]\s{0,8})(?!\[redacted\])([^\s"'`,;<>&{}[\]]+)/g;
const ENCODED_PAIR =
  /((?<![\w.-]))([A-Za-z][\w.-]*)(%(?:25)*3[Dd])((?:(?!%(?:25)*(?:26|22|7[Dd]|2[Cc]))[^&\s"'<>;])*)/g;
const ENCODED_LABEL = /(%(?:25)*22)([\w.-]+)(%(?:25)*22%(?:25)*3[Aa](?:%(?:25)*(?:20|22)|\+)*)([\w.~-]+)/g;
const SPOKEN =
  /\b(cvv2?|cvc2?|csc|cav2?|(?:card )?(?:security|verification) (?:code|value|number)|card code)\b((?:\W|_|\b(?:is|was|of|the|code|value|number|got|sent|received|expected|and|not)\b){1,24}?)(\d{3,4})(?!\d)/gi;

/** Anything that is no JSON; each way of naming a value in turn. */
function loose(text: string, decide: Decide, depth: number): string {
  if (!/[=:<%]|\bc[vsa]|code/i.test(text)) return text;
  const inside = (value: string) => (/[={<%:]/.test(value) ? redactStructure(value, decide, depth + 1) : value);
  const put = (name: string, value: string): string => {
    if (value === '' || value === MASK) return value;
    return decide.member(name, value) ?? inside(value);
  };
  let out = text;
  if (/\bname=[^\n]*\r?\n/.test(out))
    out = out.replace(PART, (_all, head: string, name: string, value: string) => head + put(name, value));
  if (out.includes('<')) {
    out = out.replace(TAG, (tag) => redactTag(tag, decide, inside));
    out = out.replace(ELEMENT, (all, open: string, name: string, value: string) => {
      const kept = decide.member(name.replace(/^.*:/, ''), value);
      return kept === undefined || value.trim() === '' ? all : open + kept;
    });
  }
  out = out.replace(PAIR, (all, lead: string, name: string, value: string) => {
    const quote = /^["']/.exec(value)?.[0] ?? '';
    const plain = decode(quote ? value.slice(1).replace(quote, '') : value);
    // In markup a quoted `content` is an attribute; the content of a document comes in JSON or a form.
    if (plain === '' || plain === MASK || (quote !== '' && /^content$/i.test(name))) return all;
    const member = decide.member(decode(name), plain);
    if (member !== undefined) return `${lead}${name}=${quote}${member}${quote}`;
    const kept = inside(plain);
    return kept === plain
      ? all
      : `${lead}${name}=${quote}${encodeURIComponent(kept).replaceAll('%5Bredacted%5D', MASK)}${quote}`;
  });
  out = out.replace(LABEL, (all, open: string, name: string, colon: string, quote = '', value = '') => {
    const plain = quote === '' ? /^-?[\w.+/=-]*/.exec(value)![0] : value;
    if (plain === '' || plain.startsWith(MASK)) return all;
    const member = colon.endsWith(',') && !tells(name, plain) ? undefined : decide.member(name, plain);
    return member === undefined ? all : open + name + colon + quote + member + value.slice(plain.length);
  });
  out = out.replace(WORDS, (all, name: string, colon: string, value: string) => {
    if (!tells(name, value)) return all;
    const member = decide.member(name, value);
    return member === undefined ? all : name + colon + member;
  });
  if (out.includes('%'))
    for (const shape of [ENCODED_PAIR, ENCODED_LABEL])
      out = out.replace(shape, (all, head: string, name: string, equals: string, value: string) => {
        const member = value === '' ? undefined : decide.member(name, decode(value));
        return member === undefined ? all : head + name + equals + member;
      });
  return out.replace(SPOKEN, (_all, name: string, between: string) => name + between + MASK);
}

function redactTag(tag: string, { member }: Decide, inside: (text: string) => string): string {
  const attributes = new Map(
    [...tag.matchAll(ATTRIBUTE)].map(([, name, , value]) => [name!.toLowerCase(), strip(value!)]),
  );
  const named = attributes.get('name') ?? attributes.get('id') ?? '';
  return tag.replace(ATTRIBUTE, (all, name: string, equals: string, value: string) => {
    const plain = strip(value);
    if (plain === '') return all;
    const key = name.toLowerCase() === 'value' && !/^<meta/i.test(tag) ? named : name.replace(/^data-/i, '');
    const kept = /^content$/i.test(key) && /^<meta/i.test(tag) ? inside(plain) : (member(key, plain) ?? inside(plain));
    return kept === plain ? all : `${name}${equals}"${kept}"`;
  });
}

/** In running text a name and a colon need not speak of a secret: a sentence may follow. */
function tells(name: string, value: string): boolean {
  const kind: Nature | undefined = nature(name);
  if (kind === 'code') return /^\d{3,4}\D?$/.test(value);
  if (kind === 'card') return /\d{8}/.test(value);
  if (kind === 'hash') return value.length >= 24;
  return value.length >= 16 || (value.length >= 4 && /\d/.test(value));
}

function strip(value: string): string {
  return /^["']/.test(value) ? value.slice(1, -1) : value;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}
