/** One text planted somewhere in what a check records. */
export interface Planted {
  readonly method?: string;
  readonly url?: string;
  readonly requestHeader?: readonly [string, string];
  readonly requestBody?: string;
  readonly answerHeader?: readonly [string, string];
  readonly answerBody?: string;
  readonly failure?: string;
  readonly violation?: { readonly where: string; readonly actual: string };
  readonly observation?: { readonly where: string; readonly what: string };
  readonly effect?: string;
  /** What goes to the terminal, to attachments and to the check's own line. */
  readonly console?: string;
}

/** A text as a string of JSON; one that is escaped for JSON already stands there as it is. */
export function asJson(text: string): string {
  if (!text.includes('\\')) return JSON.stringify(text);
  try {
    JSON.parse(`"${text}"`);
    return `"${text}"`;
  } catch {
    return JSON.stringify(text);
  }
}

const inAddress = (text: string) => (/%[0-9A-Fa-f]{2}/.test(text) ? text : encodeURIComponent(text));
const inForm = (text: string) =>
  /%[0-9A-Fa-f]{2}/.test(text) ? text : encodeURIComponent(text).replaceAll('%20', '+');
const inHeader = (text: string) => text.replace(/[\r\n]+/g, ' ');
const part = (text: string) =>
  `--edge\r\nContent-Disposition: form-data; name="note"\r\n\r\n${text}\r\n--edge\r\nContent-Disposition: form-data; name="b"\r\n\r\n2\r\n--edge--\r\n`;

/** Where a text may stand. */
export const PLANTING_PLACES: Readonly<Record<string, (text: string) => Planted>> = {
  'request header': (text) => ({ requestHeader: ['x-note', inHeader(text)] }),
  'answer header': (text) => ({ answerHeader: ['x-note', inHeader(text)] }),
  'redirect header': (text) => ({ answerHeader: ['location', `https://shop.example/back?note=${inAddress(text)}`] }),
  path: (text) => ({ url: `https://gateway.example/cards/${inAddress(text)}/x` }),
  query: (text) => ({ url: `https://gateway.example/x?a=1&note=${inAddress(text)}&b=2` }),
  fragment: (text) => ({ url: `https://gateway.example/x#${inAddress(text)}` }),
  'JSON member value': (text) => ({ requestBody: `{"a":1,"note":${asJson(text)},"b":"x"}` }),
  'JSON member name': (text) => ({ answerBody: `{"a":1,${asJson(text)}:"x"}` }),
  'nested JSON': (text) => ({ answerBody: `{"a":[{"b":{"c":[true,${asJson(text)}]}}]}` }),
  'JSON in a JSON string': (text) => ({
    answerBody: JSON.stringify({ payload: JSON.stringify({ deep: `{"x":${asJson(text)}}` }) }),
  }),
  'cut JSON': (text) => ({ answerBody: `{"a":1,"note":${asJson(text)},"b":"no en` }),
  'form body': (text) => ({ requestBody: `a=x&note=${inForm(text)}&b=y` }),
  'form member name': (text) => ({ requestBody: `a=x&${inForm(text)}=z&b=y` }),
  'multipart body': (text) => ({ requestBody: part(text) }),
  'HTML text': (text) => ({ answerBody: `<!doctype html><p>Your number: <b>${text}</b>, thank you.</p>` }),
  'HTML attribute': (text) => ({
    answerBody: `<form><input type="text" name="note" value="${text.replaceAll('"', '&quot;')}"></form>`,
  }),
  XML: (text) => ({ answerBody: `<?xml version="1.0"?><a><note>${text}</note><b>x</b></a>` }),
  'plain text': (text) => ({ answerBody: `We got ${text}, thank you.` }),
  'failure of the exchange': (text) => ({ failure: `socket closed after ${text} was sent` }),
  'console output': (text) => ({
    console: `expect(received).toEqual(expected)\n\n- Expected\n+ Received\n\n  Object {\n-   "note": "x",\n+   "note": ${asJson(text)},\n  }\nCall log: ${text}`,
  }),
  violation: (text) => ({ violation: { where: '/note', actual: `the text "${text}"` } }),
  'place of a violation': (text) => ({ violation: { where: `/${text}`, actual: 'absent' } }),
  'learned observation': (text) => ({ observation: { where: '/note', what: `value ${text}` } }),
  'place of an observation': (text) => ({ observation: { where: `/items/${text}`, what: 'string' } }),
  'created object': (text) => ({ effect: text }),
};
