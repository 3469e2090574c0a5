import { createHash, sign as signBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { argv } from 'node:process';
import forge from 'node-forge';
import {
  collectParameters,
  listParameters,
  loadKey,
  readQueryParameters,
  signRequest,
  writeBaseString,
  writeBaseUri,
  writeParameterString,
} from '#oauth';

const KEY = new URL('../../tests/oauth/golden/public-test-key.pem', import.meta.url);
const REQUEST = {
  method: 'POST',
  url: 'https://gate.example.com/api/payments/transfer/42',
  body: '{"orderAmount":"1.00"}',
};
const WARM_UP = 60;
const QUERY = `${REQUEST.url}?note=a%20b&note=c*d&page=1`;

/** A goal, and what was measured for it. */
export interface BenchMeasurement {
  readonly goal: string;
  readonly figure: number;
  readonly unit: string;
  readonly reached: boolean;
}

/**
 * Measures signing side by side within one run: contestants take short turns, and for each the quickest turn counts, being the
 * one that other work on the machine disturbed least.
 */
export function benchOauth(rounds = 200): BenchMeasurement[] {
  const key = loadKey(readFileSync(KEY));
  const credentials = { consumerKey: 'bench', key };
  const forgeKey = forge.pki.privateKeyFromPem(key.export({ type: 'pkcs1', format: 'pem' }) as string);
  const baseString = Buffer.from(signRequest(REQUEST, credentials).steps.baseString);
  const pairs = collectParameters(
    listParameters('47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=', 'bench', 'nonce', 1),
    readQueryParameters(QUERY),
  );

  /** Every step as ours, the RSA operation by node-forge. */
  const withForge = () => {
    const hash = createHash('sha256').update(REQUEST.body).digest('base64');
    const string = writeParameterString(listParameters(hash, 'bench', 'nonce', 1));
    const digest = forge.md.sha256
      .create()
      .update(writeBaseString(REQUEST.method, writeBaseUri(REQUEST.url), string), 'utf8');
    return forge.util.encode64(forgeKey.sign(digest));
  };

  const times = takeTurns(rounds, [
    { action: () => signBytes('sha256', baseString, key), times: 4 },
    { action: () => signRequest(REQUEST, credentials), times: 4 },
    { action: withForge, times: 1 },
    { action: () => writeParameterString(pairs), times: 200 },
  ]);
  const [bare, ours, slow, string] = [0, 1, 2, 3].map((contestant) =>
    Math.min(...times.map((round) => round[contestant]!)),
  );
  const cost = ours! / bare!;
  const gain = slow! / ours!;
  const strings = 1000 / string!;
  return [
    {
      goal: 'signing costs at most 1.1 times the bare RSA operation',
      figure: cost,
      unit: 'times',
      reached: cost <= 1.1,
    },
    {
      goal: 'at least 20,000 parameter strings a second on one core',
      figure: strings,
      unit: 'a second',
      reached: strings >= 20_000,
    },
    { goal: 'more than 20 times a signer whose RSA is node-forge', figure: gain, unit: 'times', reached: gain > 20 },
  ];
}

/** Milliseconds for one action, for each round and contestant; the rounds in which the code is still being compiled are left out. */
function takeTurns(rounds: number, contestants: readonly { action: () => unknown; times: number }[]): number[][] {
  const played = Array.from({ length: rounds + WARM_UP }, () =>
    contestants.map(({ action, times }) => {
      const start = performance.now();
      for (let count = 0; count < times; count += 1) action();
      return (performance.now() - start) / times;
    }),
  );
  return played.slice(WARM_UP);
}

if (argv[1] === import.meta.filename) {
  for (const { goal, figure, unit, reached } of benchOauth()) {
    console.log(
      `${reached ? 'reached' : 'MISSED '}  ${figure.toFixed(figure < 100 ? 3 : 0).padStart(9)} ${unit.padEnd(9)} ${goal}`,
    );
  }
}
