/** Names under which verification codes, PINs and other authentication data go. */
export const CODE_NAMES: readonly string[] = [
  ...['cvv', 'cvv2', 'CVV', 'cvc', 'cvc2', 'csc', 'cid', 'cav2', 'cvn', 'cvn2', 'cvd', 'cv2', 'cvx', 'icvv', 'dcvv'],
  ...[
    'cardCvv',
    'card_cvv',
    'card-cvc',
    'cvvCode',
    'cvv_number',
    'cvcValue',
    'creditCardCvv',
    'newCvv',
    'encryptedCvv',
  ],
  ...['securityCode', 'security_code', 'cardSecurityCode', 'securityNumber', 'verificationCode', 'verificationNumber'],
  ...['verificationValue', 'cardVerificationValue', 'card_verification_number', 'cardCode', 'cardValidationCode'],
  ...['x-cvv2', 'X-Card-Cvv', 'card.cvv2', 'payment[card][cvv]', '/order/card/cvc', '$.card.cvv2'],
  ...[
    'pinBlock',
    'pin',
    'newPin',
    'otp',
    'oneTimeCode',
    'smsCode',
    'passcode',
    'cavv',
    'cryptogram',
    'tavv',
    'ucaf',
    'aav',
  ],
];

/** Names that stand beside a code in a sentence. */
const SPOKEN = [
  ...['CVV', 'cvv2', 'CVC', 'CVC2', 'csc', 'CVN', 'CVD', 'cv2', 'cvx', 'security code', 'card security code'],
  ...[
    'verification code',
    'verification value',
    'card code',
    'security number',
    'validation code',
    'OTP',
    'one-time code',
  ],
];

/** Structures that hold a code under its name. */
const STRUCTURES: Readonly<Record<string, (name: string, code: string) => string>> = {
  'JSON member': (name, code) => JSON.stringify({ a: 1, [name]: code }),
  'JSON number': (name, code) => `{"a":1,${JSON.stringify(name)}:${code}}`,
  'JSON list': (name, code) => JSON.stringify({ [name]: [code] }),
  'JSON object': (name, code) => JSON.stringify({ [name]: { value: code, length: 4 } }),
  'JSON in a JSON string': (name, code) => JSON.stringify({ payload: JSON.stringify({ [name]: code }) }),
  'name and value': (name, code) => JSON.stringify([{ name, value: code }]),
  'value and name': (name, code) => JSON.stringify({ value: code, name }),
  'key and value': (name, code) => JSON.stringify({ fields: [{ key: name, value: Number(code) }] }),
  'field and rejected value': (name, code) =>
    JSON.stringify({ errors: [{ field: name, rejectedValue: code, message: 'is wrong' }] }),
  'rejected value and field': (name, code) => JSON.stringify({ errors: [{ rejectedValue: code, field: name }] }),
  'path and received': (name, code) => JSON.stringify({ path: name, received: code }),
  'pair in a list': (name, code) => JSON.stringify([[name, code]]),
  form: (name, code) => `a=x&${encodeURIComponent(name)}=${code}&b=y`,
  'form field': (name, code) => `<form><input type="text" name="${name}" value="${code}"></form>`,
  'form field, value first': (name, code) => `<form><input value='${code}' type=text name='${name}'></form>`,
  multipart: (name, code) => `--edge\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${code}\r\n--edge--\r\n`,
  'printed object': (name, code) => `{ '${name}': '${code}', month: '12' }`,
  difference: (name, code) => `-   "${name}": "${code}",\n+   "${name}": "123",`,
};

/** Sentences that speak of a code. */
const SENTENCES: Readonly<Record<string, (name: string, code: string) => string>> = {
  'wrong NAME CODE': (name, code) => `wrong ${name} ${code}`,
  'NAME CODE is invalid': (name, code) => `${name} ${code} is invalid`,
  'NAME was CODE': (name, code) => `${name} was ${code}`,
  'NAME: CODE': (name, code) => `${name}: ${code}`,
  'NAME=CODE': (name, code) => `${name}=${code}`,
  'NAME (CODE)': (name, code) => `The ${name} (${code}) does not match`,
  'NAME "CODE"': (name, code) => `the ${name} "${code}" is not the one of the card`,
  'NAME of the card is CODE': (name, code) => `${name} of the card is ${code}.`,
  'NAME got CODE': (name, code) => `invalid ${name}, got ${code}`,
  'CODE is not a valid NAME': (name, code) => `${code} is not a valid ${name}`,
  'CODE is the wrong NAME': (name, code) => `'${code}' is the wrong ${name}`,
};

/** How a sentence reaches the evidence. */
const CARRIERS: Readonly<Record<string, (text: string) => string>> = {
  'plain text': (text) => text,
  'JSON message': (text) => JSON.stringify({ errorMessage: text }),
  'JSON list': (text) => JSON.stringify({ errors: [text] }),
  HTML: (text) => `<!doctype html><p class="error">${text}</p>`,
};

/** A verification code somewhere it must not be seen. */
export interface CodeCase {
  readonly name: string;
  readonly write: (code: string) => string;
}

/** Every way a verification code stands beside its name: in structures, in sentences, and in sentences inside structures. */
export function codeCases(): CodeCase[] {
  return [
    ...CODE_NAMES.flatMap((name) =>
      Object.entries(STRUCTURES).map(([shape, write]) => ({
        name: `${shape}, ${name}`,
        write: (code: string) => write(name, code),
      })),
    ),
    ...SPOKEN.flatMap((name) =>
      Object.entries(SENTENCES).flatMap(([sentence, say]) =>
        Object.entries(CARRIERS).map(([carrier, carry]) => ({
          name: `${sentence}, ${name}, ${carrier}`,
          write: (code: string) => carry(say(name, code)),
        })),
      ),
    ),
  ];
}

/** Names of headers and parameters that carry a code. */
export const CODE_HEADERS: readonly string[] = ['x-cvv2', 'X-Card-Cvv', 'card-security-code', 'x-cvc', 'X-OTP', 'cvn'];
