import assert from 'node:assert/strict';
import { expect } from '@playwright/test';
import { lawTest as test } from '#harness';
import { DIFFERENCE_CAUSES, describeSigningDifference, explainSigning, localiseDifference, signRequest } from '#oauth';
import { anyRequest, fixedCircumstances, signOnce } from './support/arbitraries.ts';
import { declareLaw } from './support/law.ts';
import { testSigner } from './support/test-keys.ts';
import { computeUnsignedSteps } from './support/unsigned-steps.ts';

declareLaw('prints every step', [anyRequest], (sent) => {
  const signed = signOnce(sent);
  const text = explainSigning(sent, signed);
  const { bodyHash, parameters, parameterString, baseUri, baseString, signature } = signed.steps;
  for (const each of [
    sent.method,
    sent.url,
    bodyHash,
    parameterString,
    baseUri,
    baseString,
    signature,
    signed.header,
  ]) {
    assert.ok(text.includes(each), each);
  }
  for (const [name, value] of parameters) assert.ok(text.includes(`${name} = ${value}`));
});

declareLaw('prints one line for each parameter, whatever is in it', [anyRequest], (sent) => {
  const signed = { header: '', steps: computeUnsignedSteps(sent) };
  const lines = (text: string) => text.split('\n').length;
  const plain = explainSigning(sent, { ...signed, steps: { ...signed.steps, query: [] } });
  assert.equal(lines(explainSigning(sent, signed)), lines(plain) + signed.steps.query.length);
});

test('reads well', () => {
  const sent = { method: 'POST', url: 'https://gate.example.com/api/payments/transfer/42?note=a+b', body: '{"a":1}' };
  const signed = signRequest(sent, testSigner, fixedCircumstances);
  const difference = localiseDifference(signed.steps, { baseUrl: signed.steps.baseUri.replace('https', 'http') })!;
  const text = explainSigning(sent, signed, difference);
  expect(text).toContain('over 7 bytes');
  expect(text).toContain('note = a b');
  expect(text.endsWith(describeSigningDifference(difference))).toBe(true);
  expect(describeSigningDifference(difference)).toBe(
    [
      'First different step: base URI (scheme-changed)',
      `  ${DIFFERENCE_CAUSES['scheme-changed']}`,
      '  ours:   https://gate.example.com/api/payments/transfer/42',
      '  theirs: http://gate.example.com/api/payments/transfer/42',
    ].join('\n'),
  );
});

test('says when there is nothing to show', () => {
  const { steps } = signRequest({ method: 'POST', url: 'https://h.example/' }, testSigner, fixedCircumstances);
  expect(describeSigningDifference(localiseDifference(steps, { errorCode: -13 })!)).toContain('theirs: (not shown)');
});
