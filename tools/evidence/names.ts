import { TextMemo } from './text-memo.ts';

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

/** How long a name may be of which something is remembered. */
const LONGEST_NAME = 200;
const normalNames = new TextMemo<string>();

/** A name without case and punctuation: `x-api_Key` and `xApiKey` are one. */
export function normalizeName(name: string): string {
  const known = normalNames.get(name);
  if (known !== undefined) return known;
  const normal = name.toLowerCase().replace(/[^a-z0-9]/g, '');
  if (name.length <= LONGEST_NAME) normalNames.set(name, normal);
  return normal;
}

/** The members a name leads through: `payment[card][cvv]`, `/payment/card/cvv` and `$.payment.card.cvv` are the same three. */
export function splitPath(name: string): string[] {
  const path = name.split(/[.[\]/$\s]+/).filter((part) => part !== '' && !/^\d+$/.test(part));
  return path.length === 0 ? [name] : path;
}

const natures = new TextMemo<NameNature | 'none'>();

/** What a name, or the last of a path of names, says about its value; undefined when nothing. */
export function natureOfName(name: string): NameNature | undefined {
  if (name.length > LONGEST_NAME) return undefined;
  let nature = natures.get(name);
  if (nature === undefined) {
    nature = natureOfWord(normalizeName(name)) ?? natureOfWord(normalizeName(splitPath(name).at(-1)!)) ?? 'none';
    natures.set(name, nature);
  }
  return nature === 'none' ? undefined : nature;
}

function natureOfWord(word: string): NameNature | undefined {
  if (NAME_PATTERNS.code.test(word)) return 'code';
  if (SECRET.has(word) || NAME_PATTERNS.secret.test(word) || NAME_PATTERNS.proof.test(word)) return 'secret';
  if (CARDS.test(word)) return 'card';
  return HASHES.has(word) ? 'hash' : undefined;
}
