import { MASK } from './mask.ts';
import { type NameNature, natureOfName, normalizeName, splitPath } from './names.ts';
import { repeatAtomically } from './repeat-atomically.ts';

/** Decides about values; given by the redactor. */
export interface RedactionRules {
  /** What to write for the value of a name, found below `parent`; undefined: the value may stay. */
  readonly member: (name: string, value: string, parent?: string) => string | undefined;
  /** Everything that can be found without a structure around it: registered values, card numbers, keys, codes beside their name. */
  readonly text: (text: string) => string;
}

const DEEPEST = 6;
const ENCODED = '[^%&\\s"\'<>;]|%(?!(?:25)*(?:26|22|7[Dd]|2[Cc]))';

/** What is looked for in a text; each of them takes linear time on any text. */
export const STRUCTURE_PATTERNS = {
  token: new RegExp(
    `"${repeatAtomically('[^"\\\\]|\\\\[\\s\\S]', 1)}(?:"|\\\\?$)|-?\\d[\\w.+-]*|[A-Za-z_]\\w*|[{}[\\]]`,
    'g',
  ),
  /** What stands behind the name of a member. */
  colon: /'?\s{0,39}:/y,
  disposition: /^content-disposition:[^\n]{0,400}?\bname="?([^"\r\n;]{1,200})/i,
  tag: /<[a-z][\w:-]*\s[^<>]*>/gi,
  attribute: /(?<![\w:.-])([\w:.-]+)(\s*=\s*)("[^"]*"|'[^']*'|[^\s"'>]+)/g,
  element: /(<([\w:.-]+)(?:\s[^<>]*)?>)([^<]*)(?=<\/)/g,
  pair: /(^|[?&;,\s"'`({#>\\])([\w.[\]%/$-]+)=("[^"]*"?|'[^']*'?|[^&\s"'<>;]*)/g,
  label:
    /(?<!\\)(\\*["'`])([^"'`\\\n]{2,40})(\\*["'`]\s{0,8}(?::|=>|,)\s{0,8})(\\*["'`])?((?:[^"'`\\\n]|\\+(?![\\"'`])){0,8192})/g,
  words: /(?<![\w-])((?:x-)?[A-Za-z][\w-]{0,60})(\s{0,8}[:=]\s{0,8})(?!\[redacted\])([^\s"'`,;<>&{}[\]]+)/gi,
  encodedPair: new RegExp(
    `(?<head>(?<![\\w.-]))(?<name>[A-Za-z][\\w.-]*)(?<equals>%(?:25)*3[Dd])(?<value>${repeatAtomically(ENCODED, 5)})`,
    'g',
  ),
  encodedLabel: new RegExp(
    `(?<head>%(?:25)*22)(?<name>[\\w.-]+)(?<equals>%(?:25)*22%(?:25)*3[Aa]${repeatAtomically('%(?:25)*(?:20|22)|\\+', 4)})(?<value>[\\w.~-]+)`,
    'g',
  ),
} as const;

/** Redacts by name: JSON, also inside strings of JSON, forms, multipart, HTML, XML, and `name: value` in running text. */
export function redactStructure(text: string, rules: RedactionRules, depth = 0): string {
  if (depth > DEEPEST) return rules.text(text);
  if (/^\s*[[{]/.test(text)) return redactJson(text, rules, depth);
  // What begins with a quote may be JSON, or a sentence that begins so.
  return redactLoose(/^\s*"/.test(text) ? redactJson(text, rules, depth) : text, rules, depth);
}

/** A token of JSON: where it stands, and what it says. */
interface PlacedValue {
  readonly at: number;
  readonly end: number;
  readonly value: string;
}

interface JsonLevel {
  readonly array: boolean;
  readonly parent: string;
  key: string;
  readonly secret: boolean;
  /** What a member `name`, `field` or the like of this object calls the value beside it. */
  label?: string;
  /** Members that hold the value such a name speaks of. */
  readonly values: PlacedValue[];
}

const LABELS =
  /^(?:name|field|fieldname|key|path|property|propertypath|param|parameter|parametername|id|attribute|label|pointer|member|element|instancepath|location)$/;
const VALUES = /(?:value|received|actual|got|given|input|data|sent|provided)$/;

/** JSON as it came, also when it is cut short or broken; only what must go is written anew. */
function redactJson(text: string, rules: RedactionRules, depth: number): string {
  const level = (array: boolean, above?: JsonLevel): JsonLevel => ({
    array,
    key: array && above ? above.key : '',
    parent: above?.key ?? '',
    secret: above !== undefined && (above.secret || hidesAll(above.key, rules)),
    values: [],
  });
  // A fragment has members without an object around them.
  const root: JsonLevel = level(false);
  const stack: JsonLevel[] = [];
  const edits = new Map<number, TextEdit>();
  const write = (at: number, token: string, shown: string) => {
    if (shown !== token) edits.set(at, { end: at + token.length, shown });
  };
  const close = ({ label, values }: JsonLevel) => {
    if (label === undefined) return;
    for (const { at, end, value } of values) {
      const member = rules.member(label, value);
      if (member !== undefined) edits.set(at, { end, shown: JSON.stringify(member) });
    }
  };
  for (let end = 0; ; ) {
    const found = searchFrom(STRUCTURE_PATTERNS.token, text, end);
    if (found === null) break;
    const { 0: token, index: at } = found;
    end = at + token.length;
    const top = stack.at(-1) ?? root;
    if (token === '{' || token === '[') {
      stack.push(level(token === '[', top));
    } else if (token === '}' || token === ']') {
      close(stack.pop() ?? root);
    } else if (!top.array && /^["A-Za-z_]/.test(token) && searchFrom(STRUCTURE_PATTERNS.colon, text, end) !== null) {
      top.key = token[0] === '"' ? unquote(token) : token;
      if (token[0] === '"') write(at, token, redactString(token, top.key, rules, depth));
    } else {
      const value = token[0] === '"' ? unquote(token) : token;
      note(top, { at, end, value });
      write(at, token, redactScalar(token, value, top, rules, depth));
    }
  }
  for (const open of [root, ...stack]) close(open);
  return rewritten(text, edits);
}

/** What is written anew of a text: up to where, and what is shown instead. */
interface TextEdit {
  readonly end: number;
  readonly shown: string;
}

/** A text with edits done to it, by where they begin; none reaches into another. */
function rewritten(text: string, edits: ReadonlyMap<number, TextEdit>): string {
  if (edits.size === 0) return text;
  let out = '';
  let from = 0;
  for (const [at, { end, shown }] of [...edits].sort(([a], [b]) => a - b)) {
    out += text.slice(from, at) + shown;
    from = end;
  }
  return out + text.slice(from);
}

/** What a pattern finds from a place on, whatever was looked for with it before: a value may be JSON itself. */
function searchFrom(pattern: RegExp, text: string, from: number): RegExpExecArray | null {
  pattern.lastIndex = from;
  return pattern.exec(text);
}

/** Keeps what a scalar says about its neighbours: that it names one of them, or is named by one. */
function note(level: JsonLevel, placed: PlacedValue): void {
  const { value } = placed;
  if (level.array) {
    // A pair in a list: the name, then the value.
    if (level.label !== undefined && tells(level.label, value)) level.values.push(placed);
    else if (value.length <= 40 && natureOfName(value) !== undefined) level.label = value;
    return;
  }
  const key = normalizeName(level.key);
  if (LABELS.test(key) && value.length <= 200 && natureOfName(value) !== undefined) level.label = value;
  else if (VALUES.test(key) && value !== '' && value !== 'null') level.values.push(placed);
}

/** Whether a list or an object of that name is hidden with all that is in it; the content of a list of pages is not. */
function hidesAll(key: string, { member }: RedactionRules): boolean {
  return !/^(?:content|attachment)s?$/i.test(key) && natureOfName(key) !== 'card' && member(key, 'x') !== undefined;
}

function redactScalar(token: string, value: string, level: JsonLevel, rules: RedactionRules, depth: number): string {
  if (value === '' || value === 'null') return token;
  const member = level.secret ? MASK : level.key ? rules.member(level.key, value, level.parent) : undefined;
  if (member !== undefined) return JSON.stringify(member);
  if (token[0] === '"') return redactString(token, value, rules, depth);
  const kept = rules.text(token);
  return kept === token ? token : JSON.stringify(kept);
}

function redactString(token: string, value: string, rules: RedactionRules, depth: number): string {
  if (!/[=<:{[%\\]/.test(value) && !token.includes('\\')) return token;
  const kept = rules.text(redactStructure(value, rules, depth + 1));
  return kept === value ? token : JSON.stringify(kept);
}

function unquote(token: string): string {
  const inner = token.endsWith('"') && token.length > 1 ? token.slice(1, -1) : token.slice(1);
  if (!inner.includes('\\')) return inner;
  try {
    return JSON.parse(`"${inner}"`) as string;
  } catch {
    return inner;
  }
}

/** Anything that is no JSON; each way of naming a value in turn. */
function redactLoose(text: string, rules: RedactionRules, depth: number): string {
  if (!/[=:<%,]/.test(text)) return text;
  const member = (name: string, value: string) => {
    const path = splitPath(name);
    return (
      rules.member(name, value, path.at(-2)) ??
      (path.length > 1 ? rules.member(path.at(-1)!, value, path.at(-2)) : undefined)
    );
  };
  const inside = (value: string) => (/[={<%:]/.test(value) ? redactStructure(value, rules, depth + 1) : value);
  const keptOf = (name: string, value: string): string =>
    value === '' || value === MASK ? value : (member(name, value) ?? inside(value));
  let out = /content-disposition:/i.test(text) ? redactParts(text, keptOf) : text;
  if (out.includes('<')) {
    out = out.replace(STRUCTURE_PATTERNS.tag, (tag) => redactTag(tag, rules, inside));
    out = out.replace(STRUCTURE_PATTERNS.element, (all, open: string, name: string, value: string) => {
      const kept = member(name.replace(/^.*:/, ''), value);
      return kept === undefined || value.trim() === '' ? all : open + kept;
    });
  }
  out = out.replace(STRUCTURE_PATTERNS.pair, (all, lead: string, name: string, value: string) => {
    const quote = /^["']/.exec(value)?.[0] ?? '';
    const plain = decodeForm(quote ? value.slice(1).replace(quote, '') : value);
    // In markup a quoted `content` is an attribute; the content of a document comes in JSON or a form.
    if (plain === '' || plain === MASK || (quote !== '' && /^content$/i.test(name))) return all;
    const kept = member(decodeForm(name), plain);
    if (kept !== undefined) return `${lead}${name}=${quote}${kept}${quote}`;
    const deeper = inside(plain);
    return deeper === plain
      ? all
      : `${lead}${name}=${quote}${encodeURIComponent(deeper).replaceAll('%5Bredacted%5D', MASK)}${quote}`;
  });
  out = out.replace(
    STRUCTURE_PATTERNS.label,
    (all, open: string, name: string, colon: string, quote = '', value = '') => {
      const plain = quote === '' ? /^-?[\w.+/=-]*/.exec(value)![0] : value;
      if (plain === '' || plain.startsWith(MASK)) return all;
      const kept = colon.trimEnd().endsWith(',') && !tells(name, plain) ? undefined : member(name, plain);
      return kept === undefined ? all : open + name + colon + quote + kept + value.slice(plain.length);
    },
  );
  out = out.replace(STRUCTURE_PATTERNS.words, (all, name: string, colon: string, value: string) => {
    if (!tells(name, value)) return all;
    const kept = member(name, value);
    return kept === undefined ? all : name + colon + kept;
  });
  if (out.includes('%'))
    for (const shape of [STRUCTURE_PATTERNS.encodedPair, STRUCTURE_PATTERNS.encodedLabel])
      out = out.replace(shape, (all, ...found) => {
        const { head, name, equals, value } = found.at(-1) as Record<'head' | 'name' | 'equals' | 'value', string>;
        const kept = value === '' ? undefined : member(name, decodeForm(value));
        return kept === undefined ? all : head + name + equals + kept;
      });
  return out;
}

/** The parts of a multipart body: the name stands in a header line, the value between a blank line and the next boundary. */
function redactParts(text: string, keptOf: (name: string, value: string) => string): string {
  const out: string[] = [];
  let name: string | undefined;
  let value: string[] | undefined;
  const end = () => {
    if (name !== undefined && value !== undefined) {
      const whole = value.join('\n');
      const tail = whole.endsWith('\r') ? '\r' : '';
      out.push(keptOf(name, tail === '' ? whole : whole.slice(0, -1)) + tail);
    }
    [name, value] = [undefined, undefined];
  };
  for (const line of text.split('\n')) {
    if (line.startsWith('--')) end();
    if (value !== undefined) {
      value.push(line);
      continue;
    }
    out.push(line);
    if (name === undefined) name = STRUCTURE_PATTERNS.disposition.exec(line)?.[1];
    else if (line.trim() === '') value = [];
  }
  end();
  return out.join('\n');
}

function redactTag(tag: string, { member }: RedactionRules, inside: (text: string) => string): string {
  const attributes = new Map(
    [...tag.matchAll(STRUCTURE_PATTERNS.attribute)].map(([, name, , value]) => [name!.toLowerCase(), strip(value!)]),
  );
  const named = attributes.get('name') ?? attributes.get('id') ?? '';
  return tag.replace(STRUCTURE_PATTERNS.attribute, (all, name: string, equals: string, value: string) => {
    const plain = strip(value);
    if (plain === '') return all;
    const key = name.toLowerCase() === 'value' && !/^<meta/i.test(tag) ? named : name.replace(/^data-/i, '');
    const kept = /^content$/i.test(key) && /^<meta/i.test(tag) ? inside(plain) : (member(key, plain) ?? inside(plain));
    return kept === plain ? all : `${name}${equals}"${kept}"`;
  });
}

/** In running text a name and a colon need not speak of a secret: a sentence may follow. */
function tells(name: string, value: string): boolean {
  const kind: NameNature | undefined = natureOfName(name);
  if (kind === undefined) return true;
  if (kind === 'code') return /^\d{3,8}\D?$/.test(value);
  if (kind === 'card') return /\d{8}/.test(value);
  if (kind === 'hash') return value.length >= 24;
  return value.length >= 16 || (value.length >= 4 && /\d/.test(value));
}

function strip(value: string): string {
  return /^["']/.test(value) ? value.slice(1, -1) : value;
}

function decodeForm(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}
