import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { expect } from '@playwright/test';
import fc from 'fast-check';
import forge from 'node-forge';
import { readSettings, lawTest as test } from '#harness';
import {
  type DifferenceCause,
  parseHeader,
  type SigningRequest,
  type SigningSteps,
  type StepName,
  signBaseString,
  signRequest,
} from '#oauth';
import { anyRequest } from './support/arbitraries.ts';
import { declareLaw, LAW_RUNS } from './support/law.ts';
import { opensslProgram } from './support/openssl.ts';
import {
  anyCommonRequest,
  findDisagreements,
  PUBLISHED_SIGNERS,
  type TextRequest,
} from './support/published-signers.ts';
import { recomputeSteps, utf8Bytes } from './support/request-verifier.ts';
import { shortSigner, testPublicKey, testSigner } from './support/test-keys.ts';
import { computeUnsignedSteps } from './support/unsigned-steps.ts';

interface Disagreement {
  readonly signer: string;
  readonly step: StepName;
  readonly cause: DifferenceCause;
  readonly whose: 'theirs' | 'ours';
  readonly decides: string;
  readonly because: string;
  readonly example: TextRequest & { readonly consumerKey?: string };
}

const TABLE: readonly Disagreement[] = JSON.parse(readFileSync(new URL('disagreements.json', import.meta.url), 'utf8'));

// node-forge signs in JavaScript and OpenSSL is a process each time: both get a part of the runs.
const FEW = Math.max(1, Math.ceil(LAW_RUNS / 20));

declareLaw(
  'node-forge signs the same bytes to the same signature',
  [anyRequest],
  (sent) => {
    const { steps } = signRequest(sent, shortSigner);
    const digest = forge.md.sha256.create().update(steps.baseString, 'utf8');
    assert.equal(Buffer.from(forgeKey.sign(digest), 'latin1').toString('base64'), steps.signature);
  },
  FEW,
);

test('OpenSSL verifies our signatures, and no others', () => {
  const missing = opensslProgram.missing();
  test.skip(missing !== undefined, missing);
  test.setTimeout(60_000 + FEW * 500);
  const { seed } = readSettings();
  const claimed = fc.sample(anyRequest, { numRuns: FEW, seed }).flatMap((sent) => {
    const { baseString, signature } = signRequest(sent, testSigner).steps;
    return [baseString, `${baseString} `].map((text) => ({ text, signature: Buffer.from(signature, 'base64') }));
  });
  const expected = claimed.map((_, nth) => nth % 2 === 0);
  expect(opensslProgram.verifies(claimed, testPublicKey), `drawn with seed ${seed}`).toEqual(expected);
});

for (const [name, ask] of Object.entries(PUBLISHED_SIGNERS)) {
  const known = new Map(TABLE.filter((row) => row.signer === name).map((row) => [`${row.step} ${row.cause}`, row]));

  declareLaw(`${name} disagrees only as the table says`, [anyCommonRequest], ({ consumerKey, ...sent }) => {
    const ours = computeUnsignedSteps(sent, consumerKey);
    const theirs = ask(sent, ours.parameters, shortSigner.key);
    const found = findDisagreements(sent, ours, theirs);
    for (const each of found)
      assert.ok(known.has(each), `not in the table: ${name} ${each}\n${JSON.stringify({ ours, theirs }, null, 1)}`);
    if (found.length === 0) assert.equal(theirs.sign(), signBaseString(ours.baseString, shortSigner.key));
    if (found.every((each) => known.get(each)!.whose === 'theirs')) assertRight(sent, ours);
  });

  declareLaw(`${name} writes headers that we read back`, [anyCommonRequest], ({ consumerKey, ...sent }) => {
    const { parameters, signature } = computeUnsignedSteps(sent, consumerKey);
    const header = ask(sent, parameters, shortSigner.key).writeHeader(signature);
    assert.deepEqual(new Map(parseHeader(header)), new Map([...parameters, ['oauth_signature', signature]]));
  });
}

for (const { signer: name, step, cause, example, whose } of TABLE) {
  test(`${name} still disagrees by its example: ${step}, ${cause}`, () => {
    const { consumerKey = 'key', ...sent } = example;
    const ours = computeUnsignedSteps(sent, consumerKey);
    expect(findDisagreements(sent, ours, PUBLISHED_SIGNERS[name]!(sent, ours.parameters, testSigner.key))).toContain(
      `${step} ${cause}`,
    );
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

const forgeKey = forge.pki.privateKeyFromPem(shortSigner.key.export({ type: 'pkcs1', format: 'pem' }) as string);

/** What the verifier, which knows neither of the signers, has to say. */
function assertRight(sent: SigningRequest, steps: SigningSteps): void {
  const fields = steps.parameters.map((pair) => pair.map(utf8Bytes) as [string, string]);
  const { parameterString, baseUri, baseString } = recomputeSteps(sent.method, sent.url, fields);
  assert.deepEqual(
    { parameterString, baseUri, baseString },
    { parameterString: steps.parameterString, baseUri: steps.baseUri, baseString: steps.baseString },
  );
}
