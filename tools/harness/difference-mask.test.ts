import { generateKeyPairSync } from 'node:crypto';
import { expect, test } from '@playwright/test';
import { describeSigningDifference, localiseDifference, type ReportedSteps, signRequest } from '#oauth';
import { maskDifference } from './difference-mask.ts';

const { privateKey: key } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const request = { method: 'POST', url: 'http://h.example/api?a=1', body: '{"card":{"cardNumber":"4000000000000002"}}' };
const { steps } = signRequest(request, { consumerKey: 'ck', key });
const { parameterString, baseUri, baseString, bodyHash, signature } = steps;

const other = (text: string) => encodeURIComponent(encodeURIComponent(text));
const lower = (text: string) => text.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase());

const THEIRS: Readonly<Record<string, ReportedSteps>> = {
  'another body': {
    paramString: parameterString.replace(/(?<=body_hash=)[^&]*/, encodeURIComponent(bodyHash)),
    errorCode: -19,
  },
  'no parameters': { paramString: '' },
  'another order': { paramString: parameterString.split('&').reverse().join('&') },
  'no body hash': { paramString: parameterString.replace(/oauth_body_hash=[^&]*&/, '') },
  'a signature among them': { paramString: `${parameterString}&oauth_signature=${encodeURIComponent(signature)}` },
  'small escapes': { paramString: lower(parameterString) },
  'another base string': { baseUrl: baseUri, paramString: parameterString, signatureBaseString: lower(baseString) },
  'a base string that is not encoded': { signatureBaseString: `POST&${baseUri}&${parameterString}` },
  'a base string that is encoded twice': { signatureBaseString: `POST&${other(baseUri)}&${other(parameterString)}` },
  'another key': { baseUrl: baseUri, paramString: parameterString, errorCode: -13 },
};

for (const [name, theirs] of Object.entries(THEIRS)) {
  test(`prints neither body hash nor signature when the other side has ${name}`, () => {
    const difference = localiseDifference(steps, theirs, request)!;
    const text = describeSigningDifference(maskDifference(difference));
    expect(text).toContain('First different step');
    for (const secret of [bodyHash, signature]) {
      let form = secret;
      for (let times = 0; times < 4; times += 1) {
        for (const piece of [form, lower(form)]) expect(text).not.toContain(piece.slice(0, 12));
        form = encodeURIComponent(form);
      }
    }
  });
}
