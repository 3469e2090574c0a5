/** A request of our own to be signed with the public test key. */
export interface OwnCase {
  readonly name: string;
  /** Why it is here, and the section that it is about. */
  readonly provenance: string;
  readonly method: string;
  readonly url: string;
  /** Base64 of the bytes. */
  readonly body: string;
  readonly consumerKey: string;
  readonly nonce: string;
  readonly timestamp: number;
}

const TRANSFER = 'https://gate.example.com/api/payments/transfer/42';

export const OWN_CASES: readonly OwnCase[] = [
  own('a transfer', 'the plain case: JSON body, no query (gateway document, OAuth signing)', {}),
  own('no body', 'an empty body has the hash of no bytes (oauth-bodyhash draft 00 section 3.2)', { body: '' }),
  own('another white space', 'the same JSON in other bytes (oauth-bodyhash draft 00 section 3.2)', {
    body: base64('{ "amount": "1.00" }\n'),
  }),
  own('a body that is not text', 'bytes are hashed, not characters (oauth-bodyhash draft 00 section 3.2)', {
    body: Buffer.from([0, 255, 254, 128]).toString('base64'),
  }),
  own('text beyond ASCII', 'UTF-8 in body, query and consumer key (RFC 5849 section 3.6)', {
    body: base64('{"name":"Zoë 𝄞"}'),
    url: `${TRANSFER}?city=K%C3%B6ln`,
    consumerKey: 'ключ',
  }),
  own('marks', "! * ' ( ) are encoded (RFC 5849 section 3.6)", {
    url: `${TRANSFER}?a=**!&b='()`,
    consumerKey: "k*!'()",
  }),
  own('unreserved', 'letters, digits and - . _ ~ are not encoded (RFC 5849 section 3.6)', {
    url: `${TRANSFER}?a=%41%2D%2e%5F%7e`,
  }),
  own('plus and space', 'a plus sign in a query is a space, %2B a plus sign (RFC 5849 section 3.4.1.3.1)', {
    url: `${TRANSFER}?a=1+2&b=1%202&c=1%2B2`,
  }),
  own('duplicates', 'each occurrence counts, sorted by value (RFC 5849 section 3.4.1.3.2)', {
    url: `${TRANSFER}?x=2&x=10&x=1&x=1&y`,
  }),
  own('order of names', 'encoded names are compared before values: a, a%2A, a-, a1 (RFC 5849 section 3.4.1.3.2)', {
    url: `${TRANSFER}?a1=1&a-=1&a*=1&a=z&A=1`,
  }),
  own('encoded twice by intent', 'a literal percent sign stays one (RFC 5849 section 3.4.1.3.1)', {
    url: `${TRANSFER}?a=%2541`,
  }),
  own('a signature in the query', 'never signed (RFC 5849 section 3.4.1.3.1)', {
    url: `${TRANSFER}?oauth_signature=x&a=1`,
  }),
  own('capitals and default port', 'scheme and host in small letters, 443 left out (RFC 5849 section 3.4.1.2)', {
    url: 'HTTPS://GATE.Example.COM:443/api/Payments/TRANSFER/42',
  }),
  own("another scheme's port", 'port 80 with https stays (RFC 5849 section 3.4.1.2)', {
    url: 'https://gate.example.com:80/api/payments/transfer/42',
  }),
  own('IPv6', 'brackets stay, hexadecimal digits in small letters (RFC 5849 section 3.4.1.2, RFC 3986 section 3.2.2)', {
    url: 'http://[2001:DB8::A]:8080/api/payments/transfer/42',
  }),
  own('no path', 'an empty path is / (RFC 5849 section 3.4.1.2)', { url: 'https://gate.example.com?a=1' }),
  own('path as sent', 'escapes and dots in a path stay as they are (gateway document, OAuth signing)', {
    url: 'https://gate.example.com/api/%7e/./b%2fc//d;e=1,2/',
  }),
  own('fragment and user', 'neither is signed (RFC 5849 section 3.4.1.2)', {
    url: 'https://user:word@gate.example.com/api/x?a=1#b=2',
  }),
  own('small method', 'the method is signed in capitals (RFC 5849 section 3.4.1.1)', { method: 'post' }),
];

function own(name: string, provenance: string, change: Partial<OwnCase>): OwnCase {
  return {
    name,
    provenance,
    method: 'POST',
    url: TRANSFER,
    body: base64('{"amount":"1.00"}'),
    consumerKey: 'test-consumer',
    nonce: 'c0ffee',
    timestamp: 1_760_000_000,
    ...change,
  };
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}
