/** An example printed in RFC 5849: the input, and every value that the RFC shows for it. */
export interface RfcCase {
  readonly name: string;
  readonly provenance: string;
  readonly method: string;
  readonly url: string;
  readonly header?: string;
  readonly form?: string;
  /** The two shared secrets as an HMAC key (section 3.4.2): the RFC's signatures show that the base string is right. */
  readonly secrets?: string;
  readonly printed: {
    readonly parameterString?: string;
    readonly baseUri?: string;
    readonly baseString?: string;
    readonly signature?: string;
  };
}

export const RFC_CASES: readonly RfcCase[] = [
  {
    name: 'temporary credentials',
    provenance: 'RFC 5849 section 1.2, first request',
    method: 'POST',
    url: 'https://photos.example.net/initiate',
    header: `OAuth realm="Photos",
      oauth_consumer_key="dpf43f3p2l4k3l03",
      oauth_signature_method="HMAC-SHA1",
      oauth_timestamp="137131200",
      oauth_nonce="wIjqoS",
      oauth_callback="http%3A%2F%2Fprinter.example.com%2Fready",
      oauth_signature="74KNZJeDHnMBp0EMJ9ZHt%2FXKycU%3D"`,
    secrets: 'kd94hf93k423kf44&',
    printed: { signature: '74KNZJeDHnMBp0EMJ9ZHt/XKycU=' },
  },
  {
    name: 'token credentials',
    provenance: 'RFC 5849 section 1.2, second request',
    method: 'POST',
    url: 'https://photos.example.net/token',
    header: `OAuth realm="Photos",
      oauth_consumer_key="dpf43f3p2l4k3l03",
      oauth_token="hh5s93j4hdidpola",
      oauth_signature_method="HMAC-SHA1",
      oauth_timestamp="137131201",
      oauth_nonce="walatlh",
      oauth_verifier="hfdp7dh39dks9884",
      oauth_signature="gKgrFCywp7rO0OXSjdot%2FIHF7IU%3D"`,
    secrets: 'kd94hf93k423kf44&hdhd0244k9j7ao03',
    printed: { signature: 'gKgrFCywp7rO0OXSjdot/IHF7IU=' },
  },
  {
    name: 'protected photo, query folded in',
    provenance: 'RFC 5849 section 1.2, third request',
    method: 'GET',
    url: 'http://photos.example.net/photos?file=vacation.jpg&size=original',
    header: `OAuth realm="Photos",
      oauth_consumer_key="dpf43f3p2l4k3l03",
      oauth_token="nnch734d00sl2jdk",
      oauth_signature_method="HMAC-SHA1",
      oauth_timestamp="137131202",
      oauth_nonce="chapoH",
      oauth_signature="MdpQcU8iPSUjWoN%2FUDMsK2sui9I%3D"`,
    secrets: 'kd94hf93k423kf44&pfkkdhi9sl3r4s00',
    printed: { signature: 'MdpQcU8iPSUjWoN/UDMsK2sui9I=' },
  },
  {
    name: 'query, form and header together',
    provenance: 'RFC 5849 sections 3.4.1.1, 3.4.1.3.1 and 3.4.1.3.2',
    method: 'POST',
    url: 'http://example.com/request?b5=%3D%253D&a3=a&c%40=&a2=r%20b',
    header: `OAuth realm="Example",
      oauth_consumer_key="9djdj82h48djs9d2",
      oauth_token="kkk9d7dh3k39sjv7",
      oauth_signature_method="HMAC-SHA1",
      oauth_timestamp="137131201",
      oauth_nonce="7d8f3e4a",
      oauth_signature="bYT5CMsGcbgUdFHObYMEfcx6bsw%3D"`,
    form: 'c2&a3=2+q',
    printed: {
      parameterString:
        'a2=r%20b&a3=2%20q&a3=a&b5=%3D%253D&c%40=&c2=&oauth_consumer_key=9djdj82h48djs9d2&oauth_nonce=7d8f3e4a' +
        '&oauth_signature_method=HMAC-SHA1&oauth_timestamp=137131201&oauth_token=kkk9d7dh3k39sjv7',
      baseString:
        'POST&http%3A%2F%2Fexample.com%2Frequest&a2%3Dr%2520b%26a3%3D2%2520q%26a3%3Da%26b5%3D%253D%25253D%26c%2540%3D%26c2%3D' +
        '%26oauth_consumer_key%3D9djdj82h48djs9d2%26oauth_nonce%3D7d8f3e4a%26oauth_signature_method%3DHMAC-SHA1' +
        '%26oauth_timestamp%3D137131201%26oauth_token%3Dkkk9d7dh3k39sjv7',
    },
  },
  {
    name: 'host in capitals, default port',
    provenance: 'RFC 5849 section 3.4.1.2, first example',
    method: 'GET',
    url: 'http://EXAMPLE.COM:80/r%20v/X?id=123',
    printed: { baseUri: 'http://example.com/r%20v/X' },
  },
  {
    name: 'other port',
    provenance: 'RFC 5849 section 3.4.1.2, second example',
    method: 'GET',
    url: 'https://www.example.net:8080/?q=1',
    printed: { baseUri: 'https://www.example.net:8080/' },
  },
];
