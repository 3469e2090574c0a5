import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { expect } from '@playwright/test';
import fc from 'fast-check';
import forge from 'node-forge';
import { bare as test } from '#harness';
import { type Cause, parseHeader, type Request, type StepName, type Steps, sign, signBaseString } from '#oauth';
import { publicKey, request, signer } from './arbitraries.ts';
import { law, RUNS } from './law.ts';
import { openssl } from './openssl.ts';
import { common, disagreements, SIGNERS, type TextRequest } from './second-opinions.ts';
import { unsigned } from './unsigned.ts';
import { bytes, recompute } from './verifier.ts';

interface Disagreement {
  readonly signer: string;
  readonly step: StepName;
  readonly cause: Cause;
  readonly whose: 'theirs' | 'ours';
  readonly decides: string;
  readonly because: string;
  readonly example: TextRequest & { readonly consumerKey?: string };
}

const TABLE: readonly Disagreement[] = JSON.parse(readFileSync(new URL('disagreements.json', import.meta.url), 'utf8'));

// node-forge signs in JavaScript and OpenSSL is a process each time: both get a part of the runs.
const FEW = Math.max(1, Math.ceil(RUNS / 20));

law(
  'node-forge signs the same bytes to the same signature',
  [request],
  (sent) => {
    const { steps } = sign(sent, signer);
    const digest = forge.md.sha256.create().update(steps.baseString, 'utf8');
    assert.equal(Buffer.from(forgeKey.sign(digest), 'latin1').toString('base64'), steps.signature);
  },
  FEW,
);

test('OpenSSL verifies our signatures, and no others', () => {
  const missing = openssl.missing();
  test.skip(missing !== undefined, missing);
  test.setTimeout(60_000 + FEW * 500);
  for (const sent of fc.sample(request, FEW)) {
    const { steps } = sign(sent, signer);
    expect(openssl.verifies(steps.baseString, Buffer.from(steps.signature, 'base64'), publicKey)).toBe(true);
    expect(openssl.verifies(`${steps.baseString} `, Buffer.from(steps.signature, 'base64'), publicKey)).toBe(false);
  }
});

for (const [name, ask] of Object.entries(SIGNERS)) {
  const known = new Map(TABLE.filter((row) => row.signer === name).map((row) => [`${row.step} ${row.cause}`, row]));

  law(`${name} disagrees only as the table says`, [common], ({ consumerKey, ...sent }) => {
    const ours = unsigned(sent, consumerKey);
    const theirs = ask(sent, ours.parameters, signer.key);
    const found = disagreements(sent, ours, theirs);
    for (const each of found)
      assert.ok(known.has(each), `not in the table: ${name} ${each}\n${JSON.stringify({ ours, theirs }, null, 1)}`);
    if (found.length === 0) assert.equal(theirs.sign(), signBaseString(ours.baseString, signer.key));
    if (found.every((each) => known.get(each)!.whose === 'theirs')) assertRight(sent, ours);
  });

  law(`${name} writes headers that we read back`, [common], ({ consumerKey, ...sent }) => {
    const { parameters, signature } = unsigned(sent, consumerKey);
    const header = ask(sent, parameters, signer.key).writeHeader(signature);
    assert.deepEqual(new Map(parseHeader(header)), new Map([...parameters, ['oauth_signature', signature]]));
  });
}

for (const { signer: name, step, cause, example, whose } of TABLE) {
  test(`${name} still disagrees by its example: ${step}, ${cause}`, () => {
    const { consumerKey = 'key', ...sent } = example;
    const ours = unsigned(sent, consumerKey);
    expect(disagreements(sent, ours, SIGNERS[name]!(sent, ours.parameters, signer.key))).toContain(`${step} ${cause}`);
    if (whose === 'theirs') assertRight(sent, ours);
  });
}

test('prints the table', () => {
  const rows = TABLE.map((row) => [row.signer, row.step, row.cause, row.whose, row.decides] as const);
  const widths = [0, 1, 2, 3].map((column) => Math.max(...rows.map((row) => row[column]!.length)));
  console.log(rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')).join('\n'));
  expect(new Set(rows.map((row) => row.slice(0, 3).join())).size).toBe(rows.length);
  for (const row of TABLE) expect(row.decides).toMatch(/section/);
});

const forgeKey = forge.pki.privateKeyFromPem(signer.key.export({ type: 'pkcs1', format: 'pem' }) as string);

/** What the verifier, which knows neither of the signers, has to say. */
function assertRight(sent: Request, steps: Steps): void {
  const fields = steps.parameters.map((pair) => pair.map(bytes) as [string, string]);
  const { parameterString, baseUri, baseString } = recompute(sent.method, sent.url, fields);
  assert.deepEqual(
    { parameterString, baseUri, baseString },
    { parameterString: steps.parameterString, baseUri: steps.baseUri, baseString: steps.baseString },
  );
}
