/** Names of members, headers and parameters whose values never stay, written without case and punctuation. */
const SECRET = new Set([
  'authorization',
  'proxyauthorization',
  'cookie',
  'setcookie',
  'bearer',
  'passwd',
  'passphrase',
  'pin',
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
const ENDINGS = /(?:token|password|secret|privatekey|secretkey|signingkey)$/;
/** Verification codes: three or four digits that nothing but their name gives away. */
const CODES =
  /^(?:card)?(?:cvv2?|cvc2?|csc|cid|cav2?|securitycode|verificationcode|verificationvalue|cardcode)(?:code|value|number)?$/;
const CARDS = new Set(['cardnumber', 'pan', 'cardpan', 'primaryaccountnumber', 'accountnumber', 'ccnumber', 'cardno']);
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

/** What a name says about its value. */
export type Nature = 'secret' | 'code' | 'card' | 'hash';

/** A name without case and punctuation: `x-api_Key` and `xApiKey` are one. */
export function bare(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '');
}

/** What a name says about its value; undefined when nothing. */
export function nature(name: string): Nature | undefined {
  const key = bare(name);
  if (CODES.test(key)) return 'code';
  if (SECRET.has(key) || ENDINGS.test(key)) return 'secret';
  if (CARDS.has(key)) return 'card';
  return HASHES.has(key) ? 'hash' : undefined;
}
