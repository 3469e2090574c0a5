/** Why a step came out differently on the two sides; the sentence is for a reader who has to mend it. */
export const DIFFERENCE_CAUSES = {
  'body-reserialized':
    'The body was parsed and written again: the JSON is the same, the bytes are not. Send the very bytes that were hashed.',
  'body-newlines-changed':
    'Line ends or the end of the body were changed on the way. Send the very bytes that were hashed.',
  'body-charset-changed': 'The body was turned into another character set. Hash and send it as UTF-8.',
  'body-emptied': 'The other side hashed an empty body: it was not sent, or was read by something else first.',
  'body-hash-other-algorithm': 'The body hash is not a SHA-256.',
  'body-hash-other-notation': 'The body hash is a SHA-256, but not written as base64 of its bytes.',
  'body-changed': 'The two sides hashed different bytes; something between them changed the body.',
  'query-not-folded-in':
    "The URL's query parameters are missing from the parameter string (RFC 5849 section 3.4.1.3.1).",
  'duplicates-collapsed':
    'Parameters of the same name were reduced to fewer; each occurrence counts (RFC 5849 section 3.4.1.3.2).',
  'signature-included': 'The signature was counted among the signed parameters (RFC 5849 section 3.4.1.3.1).',
  'realm-included': 'The realm was counted among the signed parameters (RFC 5849 section 3.4.1.3.1).',
  'parameter-order':
    'The parameters are not sorted by encoded name and then by encoded value (RFC 5849 section 3.4.1.3.2).',
  'star-not-encoded': 'An asterisk was left as it is; it has to be %2A (RFC 5849 section 3.6).',
  'marks-not-encoded': "One of ! ' ( ) was left as it is; they have to be %21 %27 %28 %29 (RFC 5849 section 3.6).",
  'space-as-plus': 'A space was written as a plus sign, as forms do; it has to be %20 (RFC 5849 section 3.6).',
  'plus-taken-literally': 'A plus sign in the query was not read as a space (RFC 5849 section 3.4.1.3.1).',
  'escape-in-small-letters': 'An escape was written in small letters; %2f has to be %2F (RFC 5849 section 3.6).',
  'unreserved-encoded': 'A letter, digit, or one of - . _ ~ was encoded; it has to stay (RFC 5849 section 3.6).',
  'double-encoding':
    'Something was encoded twice: %25 stands where a percent sign should (RFC 5849 section 3.4.1.3.1).',
  'not-utf8': 'Text was encoded from another character set than UTF-8 (RFC 5849 section 3.6).',
  'not-encoded': 'Names or values went in without being decoded and encoded anew (RFC 5849 section 3.4.1.3.2).',
  'parameter-missing': 'A parameter is missing on the other side.',
  'parameter-added': 'The other side counts a parameter that was not signed.',
  'parameter-changed': 'A parameter has another value on the other side.',
  'scheme-changed':
    'A proxy changed the scheme: the other side saw http where https was called, or the reverse. Have it forward the original scheme.',
  'host-changed':
    'A proxy changed the host: the other side saw another name than was called. Have it forward the original Host.',
  'port-changed':
    'A proxy changed the port: the other side saw another one than was called. Have it forward the original port.',
  'default-port-kept':
    "The scheme's own port was kept; 80 for http and 443 for https are left out (RFC 5849 section 3.4.1.2).",
  'scheme-in-capitals': 'The scheme was not turned into small letters (RFC 5849 section 3.4.1.2).',
  'host-in-capitals': 'The host was not turned into small letters (RFC 5849 section 3.4.1.2).',
  'host-brackets-lost': 'The IPv6 address lost its brackets (RFC 3986 section 3.2.2).',
  'user-information-kept':
    'User name or password stayed in the base URI; only host and port belong there (RFC 5849 section 3.4.1.2).',
  'query-in-base-uri': 'The query or fragment stayed in the base URI (RFC 5849 section 3.4.1.2).',
  'path-empty': 'An empty path was not written as / (RFC 5849 section 3.4.1.2).',
  'path-slash': 'A slash was added to, or taken from, the end of the path.',
  'path-re-encoded': 'The path was decoded or encoded on the way; it counts as sent (RFC 5849 section 3.4.1.2).',
  'path-changed': 'The path was rewritten on the way, as by a proxy that adds or strips a prefix.',
  'method-in-small-letters': 'The method was not written in capitals (RFC 5849 section 3.4.1.1).',
  'method-changed': 'The two sides saw different methods; a redirect may have changed it.',
  'base-string-not-joined': 'The base string is not three encoded parts joined by & (RFC 5849 section 3.4.1.1).',
  'base-string-inconsistent':
    'The base string is not made of the base URI and parameter string shown beside it (RFC 5849 section 3.4.1.1).',
  'key-or-signature':
    'All steps before it agree: another public key is registered, or the signature was changed on its way.',
  'nothing-shown': 'The answer shows none of the steps, so they cannot be compared.',
} as const;

/** Name of a reason for a difference. */
export type DifferenceCause = keyof typeof DIFFERENCE_CAUSES;
