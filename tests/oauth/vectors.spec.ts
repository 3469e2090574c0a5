import { readFileSync } from 'node:fs';
import { expect } from '@playwright/test';
import { lawTest as test } from '#harness';
import { makeVectors } from './support/golden-vectors.ts';
import { OWN_CASES } from './support/own-cases.ts';
import { recomputeSteps, utf8Bytes, verifyRequest } from './support/request-verifier.ts';
import { RFC_CASES } from './support/rfc5849-cases.ts';
import { testPublicKey } from './support/test-keys.ts';

const made = makeVectors();

for (const [file, content] of Object.entries(made)) {
  test(`makes golden/${file} again (npm run vectors writes it)`, () => {
    expect(content).toBe(readFileSync(new URL(`golden/${file}`, import.meta.url), 'utf8'));
  });
}

for (const { name, provenance, printed } of RFC_CASES) {
  test(`computes what ${provenance} prints: ${name}`, () => {
    const vector = golden('rfc5849.json').find((each) => each['name'] === name)!;
    expect(Object.keys(printed).length).toBeGreaterThan(0);
    expect(vector).toMatchObject(printed);
  });
}

for (const { name } of OWN_CASES) {
  test(`agrees with the verifier on every step: ${name}`, () => {
    const vector = golden('own.json').find((each) => each['name'] === name) as unknown as Own;
    const received = { method: vector.method, url: vector.url, body: Buffer.from(vector.body, 'base64') };
    const fields = vector.parameters.map((pair) => pair.map(utf8Bytes) as [string, string]);
    const { baseUri, parameterString, baseString } = vector;
    expect(recomputeSteps(vector.method, vector.url, fields)).toEqual({ baseUri, parameterString, baseString });
    for (const authorization of [vector.header, vector.raw]) {
      expect(verifyRequest({ ...received, authorization }, vector.consumerKey, testPublicKey)).toBe('accepted');
    }
  });
}

interface Own extends Record<'method' | 'url' | 'body' | 'baseUri' | 'parameterString' | 'baseString', string> {
  readonly consumerKey: string;
  readonly header: string;
  readonly raw: string;
  readonly parameters: [string, string][];
}

function golden(file: string): Record<string, unknown>[] {
  return JSON.parse(readFileSync(new URL(`golden/${file}`, import.meta.url), 'utf8'));
}
