import { createHmac, generateKeyPairSync } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { argv } from 'node:process';
import {
  collectParameters,
  loadKey,
  parseHeader,
  readFormParameters,
  readQueryParameters,
  signRequest,
  writeBaseString,
  writeBaseUri,
  writeHeader,
  writeParameterString,
} from '#oauth';
import { OWN_CASES, type OwnCase } from './own-cases.ts';
import { RFC_CASES, type RfcCase } from './rfc5849-cases.ts';

/** Name and bits of each test key. The first one signs the vectors. */
const KEYS = { public: 2048, stranger: 2048, short: 1024 } as const;
const keyFile = (name: string) => new URL(`../golden/${name}-test-key.pem`, import.meta.url);

/** Files below golden/, by name, with the content they should have. Run as a program, this module writes them. */
export function makeVectors(): Record<string, string> {
  const key = loadKey(readFileSync(keyFile('public')));
  return {
    'rfc5849.json': write(RFC_CASES.map(followRfc)),
    'own.json': write(OWN_CASES.map((each) => followOwn(each, key))),
  };
}

/** An example of the RFC, each step computed here; `printed` is what the RFC shows, typed in by hand. */
function followRfc({ name, provenance, method, url, header, form, secrets, printed }: RfcCase) {
  const sent = header === undefined ? [] : parseHeader(header).filter(([each]) => each !== 'realm');
  const query = [...readQueryParameters(url), ...readFormParameters(form ?? '')];
  const parameterString = writeParameterString(collectParameters(sent, query));
  const baseUri = writeBaseUri(url);
  const baseString = writeBaseString(method, baseUri, parameterString);
  const signature = secrets && createHmac('sha1', secrets).update(baseString).digest('base64');
  return {
    name,
    provenance,
    method,
    url,
    header,
    form,
    sent,
    query,
    parameterString,
    baseUri,
    baseString,
    signature,
    printed,
  };
}

function followOwn(
  { name, provenance, method, url, body, consumerKey, nonce, timestamp }: OwnCase,
  key: ReturnType<typeof loadKey>,
) {
  const bytes = Buffer.from(body, 'base64');
  const signed = signRequest(
    { method, url, body: bytes },
    { consumerKey, key },
    { clock: () => timestamp * 1000, nonce: () => nonce },
  );
  const raw = writeHeader([...signed.steps.parameters, ['oauth_signature', signed.steps.signature]], 'raw');
  return {
    name,
    provenance,
    method,
    url,
    body,
    consumerKey,
    nonce,
    timestamp,
    ...signed.steps,
    header: signed.header,
    raw,
  };
}

function write(vectors: readonly object[]): string {
  return `${JSON.stringify(vectors, null, 2)}\n`;
}

function makeKey(modulusLength: number): string {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength });
  return `PUBLIC TEST KEY. Its private half is published here on purpose, so that the golden vectors can be made again.
It protects nothing: never register it anywhere.
${privateKey.export({ type: 'pkcs8', format: 'pem' })}`;
}

if (argv[1] === import.meta.filename) {
  for (const [name, bits] of Object.entries(KEYS)) {
    const file = keyFile(name);
    if (!existsSync(file)) writeFileSync(file, makeKey(bits));
  }
  for (const [file, content] of Object.entries(makeVectors())) {
    writeFileSync(new URL(`../golden/${file}`, import.meta.url), content);
    console.log(`wrote tests/oauth/golden/${file}`);
  }
}
