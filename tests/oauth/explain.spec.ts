import assert from 'node:assert/strict';
import { expect } from '@playwright/test';
import { bare as test } from '#harness';
import { CAUSES, explain, localise, sign, tell } from '#oauth';
import { fixed, request, signer } from './arbitraries.ts';
import { law } from './law.ts';
import { unsigned } from './unsigned.ts';

law('prints every step', [request], (sent) => {
  const signed = sign(sent, signer, fixed);
  const text = explain(sent, signed);
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

law('prints one line for each parameter, whatever is in it', [request], (sent) => {
  const signed = { header: '', steps: unsigned(sent) };
  const lines = (text: string) => text.split('\n').length;
  const plain = explain(sent, { ...signed, steps: { ...signed.steps, query: [] } });
  assert.equal(lines(explain(sent, signed)), lines(plain) + signed.steps.query.length);
});

test('reads well', () => {
  const sent = { method: 'POST', url: 'https://gate.example.com/api/payments/transfer/42?note=a+b', body: '{"a":1}' };
  const signed = sign(sent, signer, fixed);
  const difference = localise(signed.steps, { baseUrl: signed.steps.baseUri.replace('https', 'http') })!;
  const text = explain(sent, signed, difference);
  expect(text).toContain('over 7 bytes');
  expect(text).toContain('note = a b');
  expect(text.endsWith(tell(difference))).toBe(true);
  expect(tell(difference)).toBe(
    [
      'First different step: base URI (scheme-changed)',
      `  ${CAUSES['scheme-changed']}`,
      '  ours:   https://gate.example.com/api/payments/transfer/42',
      '  theirs: http://gate.example.com/api/payments/transfer/42',
    ].join('\n'),
  );
});

test('says when there is nothing to show', () => {
  const { steps } = sign({ method: 'POST', url: 'https://h.example/' }, signer, fixed);
  expect(tell(localise(steps, { errorCode: -13 })!)).toContain('theirs: (not shown)');
});
