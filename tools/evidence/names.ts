/** Names of members, headers and parameters whose values never stay, written without case and punctuation. */
const SECRET = new Set([
  'authorization',
  'proxyauthorization',
  'cookie',
  'setcookie',
  'bearer',
  'passwd',
  'passphrase',
  'apikey',
  'xapikey',
  'oauthsignature',
  'oauthconsumerkey',
  'cres',
  'pares',
  'cresvalue',
  'paresvalue',
  'content',
  'attachment',
]);
const CARDS =
  /^(?:(?:credit|debit|bank|test)?card|cc)(?:number|num|no|pan)$|^[fd]?pan$|^primaryaccountnumber$|^accountnumber$/;
const HASHES = new Set([
  'oauthbodyhash',
  'bodyhash',
  'xbodyhash',
  'paramstring',
  'signaturebasestring',
  'basestring',
  'digest',
  'contentdigest',
  'reprdigest',
  'contentmd5',
  'etag',
  'signature',
  'xsignature',
]);

/** What names are known by; each takes linear time on any text. */
export const NAME_PATTERNS = {
  secret: /(?:token|password|secret|privatekey|secretkey|signingkey)$/,
  /** What authenticates a cardholder or a transaction: cryptograms, PIN blocks, magnetic stripe data. */
  proof: /(?:cavv|tavv|ucaf|cryptogram|pinblock|trackdata|track[123](?:data)?)(?:value|data)?$|^(?:3ds)?aav$/,
  /** Verification codes and PINs: a few digits that nothing but their name gives away. */
  code: /(?:cvv2?|cvc2?|cvn2?|cvd2?|cvx2?|cv2|cav2?)(?:code|value|number|data|digits|no)?$|^(?:x|card|cc|new|icc)?(?:csc|cid)(?:code|value|number)?$|(?:security|verification|cardvalidation)(?:code|value|number|digits)$|(?:card|pass|otp|sms|onetime|pin)code$|otp(?:value)?$|^(?:card|new|old|current|encrypted|user)?pin(?:data|number)?$/,
} as const;

/** What a name says about its value. */
export type NameNature = 'secret' | 'code' | 'card' | 'hash';

/** Most names of which something is remembered, and how long they may be: nearly all that a run meets come with every exchange. */
const MOST_NAMES = 4096;
const LONGEST_NAME = 200;
const normalNames = new Map<string, string>();

/** As a piece of a text, a name that is remembered would hold on to all of it. */
const copyOf = (name: string) => Buffer.from(name).toString();

/** A name without case and punctuation: `x-api_Key` and `xApiKey` are one. */
export function normalizeName(name: string): string {
  const known = normalNames.get(name);
  if (known !== undefined) return known;
  const normal = name.toLowerCase().replace(/[^a-z0-9]/g, '');
  if (name.length > LONGEST_NAME) return normal;
  if (normalNames.size >= MOST_NAMES) normalNames.clear();
  normalNames.set(copyOf(name), normal);
  return normal;
}

/** The members a name leads through: `payment[card][cvv]`, `/payment/card/cvv` and `$.payment.card.cvv` are the same three. */
export function splitPath(name: string): string[] {
  const path = name.split(/[.[\]/$\s]+/).filter((part) => part !== '' && !/^\d+$/.test(part));
  return path.length === 0 ? [name] : path;
}

const natures = new Map<string, NameNature | undefined>();

/** What a name, or the last of a path of names, says about its value; undefined when nothing. */
export function natureOfName(name: string): NameNature | undefined {
  if (name.length > LONGEST_NAME) return undefined;
  if (natures.has(name)) return natures.get(name);
  const nature = natureOfWord(normalizeName(name)) ?? natureOfWord(normalizeName(splitPath(name).at(-1)!));
  if (natures.size >= MOST_NAMES) natures.clear();
  natures.set(copyOf(name), nature);
  return nature;
}

function natureOfWord(word: string): NameNature | undefined {
  if (NAME_PATTERNS.code.test(word)) return 'code';
  if (SECRET.has(word) || NAME_PATTERNS.secret.test(word) || NAME_PATTERNS.proof.test(word)) return 'secret';
  if (CARDS.test(word)) return 'card';
  return HASHES.has(word) ? 'hash' : undefined;
}
