import { readFileSync } from 'node:fs';
import {
  describeSigningDifference,
  explainSigning,
  loadKey,
  localiseDifference,
  percentDecode,
  type ReportedSteps,
  readFormParameters,
  signRequest as signed,
} from '#oauth';
import { EXIT_CODES, suggestWord, Trouble } from '#trouble';
import type { CliCommand } from '../arguments.ts';

const SECONDS = /^\d{1,12}$/;

/** `assay sign`: one request signed as a transfer is, with every step on demand. The key is never printed. */
export const signCommand: CliCommand = {
  name: 'sign',
  help: 'Signs a request and prints the Authorization header, every step, or what differs from what a gateway computed.',
  positionals: [],
  flags: {
    url: { value: 'URL', required: true, help: 'as it is called, with its query' },
    key: {
      value: 'FILE',
      required: true,
      help: 'RSA private key as PEM or PKCS#12; env:NAME reads PEM from the environment',
    },
    'consumer-key': { value: 'KEY', required: true, help: 'itself, env:NAME or file:PATH' },
    passphrase: { value: 'SOURCE', help: 'of the key: env:NAME or file:PATH, never itself' },
    method: { value: 'METHOD', help: 'default POST' },
    body: { value: 'FILE', help: 'the very bytes that are sent; default none' },
    nonce: { value: 'TEXT', help: 'default: drawn, or that of --against' },
    timestamp: { value: 'SECONDS', help: 'default: now, or that of --against' },
    raw: { help: 'leave body hash and signature as plain base64' },
    explain: { help: 'print every step' },
    against: {
      value: 'FILE',
      help: 'body of a -13 or -19 as JSON, or its context: say which step differs first, and why',
    },
  },
  async run(given) {
    const passphrase = given.flag('passphrase');
    const key = keyOf(given.required('key'), passphrase === undefined ? undefined : secret('passphrase', passphrase));
    const consumerKey = given.required('consumer-key');
    const body = given.flag('body');
    const request = {
      method: given.flag('method') ?? 'POST',
      url: given.required('url'),
      body: body === undefined ? undefined : read('body', body),
    };
    const against = given.flag('against');
    const theirs = against === undefined ? undefined : theirsIn(against);
    const now = seconds(given.flag('timestamp')) ?? heardSeconds(theirs);
    const nonce = given.flag('nonce') ?? heard(theirs, 'oauth_nonce');
    const result = signed(
      request,
      { consumerKey: isReference(consumerKey) ? secret('consumer-key', consumerKey) : consumerKey, key },
      {
        ...(now === undefined ? {} : { clock: () => now * 1000 }),
        ...(nonce === undefined ? {} : { nonce: () => nonce }),
        style: given.has('raw') ? 'raw' : 'encoded',
      },
    );
    const difference = theirs && localiseDifference(result.steps, theirs, request);
    if (given.has('explain')) say(explainSigning(request, result, difference));
    else if (theirs === undefined) say(result.header);
    else if (difference !== undefined) say(describeSigningDifference(difference));
    if (theirs !== undefined && difference === undefined) say('Nothing that is shown differs.');
    return difference === undefined ? EXIT_CODES.kept : EXIT_CODES.broken;
  },
};

function isReference(text: string): boolean {
  return /^(env|file):./s.test(text);
}

function keyOf(source: string, passphrase: string | undefined) {
  if (source.startsWith('env:')) return loadKey(secret('key', source), passphrase, source);
  const file = source.replace(/^file:/, '');
  if (file.includes('PRIVATE KEY-----'))
    throw new Trouble('usage', '--key holds the key itself', { fix: 'name a file, or env:NAME' });
  return loadKey(read('key', file), passphrase, file);
}

/** The value that `env:NAME` or `file:PATH` leads to. @throws Trouble, without the value, for anything else */
function secret(flag: string, source: string): string {
  const [, scheme, name = ''] = /^(env|file):(.+)$/s.exec(source) ?? [];
  if (scheme === 'file')
    return read(flag, name)
      .toString('utf8')
      .replace(/\r?\n$/, '');
  if (scheme === undefined)
    throw new Trouble('usage', `--${flag} takes no secret itself`, {
      fix: `--${flag} env:NAME, or --${flag} file:PATH`,
    });
  const value = process.env[name];
  if (value !== undefined && value !== '') return value;
  throw new Trouble('usage', `the environment variable ${name} is ${value === undefined ? 'not set' : 'empty'}`, {
    fix: suggestWord(name, Object.keys(process.env)) || `set ${name}, or refer to a file`,
  });
}

function read(flag: string, file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new Trouble('usage', `the file that --${flag} names cannot be read`, {
      place: { file },
      reason: String((error as NodeJS.ErrnoException).code),
      fix: 'name an existing file',
    });
  }
}

/** What a gateway showed: a whole error body, or the context by itself. */
function theirsIn(file: string): ReportedSteps {
  const wrong = (reason: string) =>
    new Trouble('usage', 'the file that --against names is no error of a transfer', {
      place: { file },
      reason,
      fix: 'save the body of the 401 as it came',
    });
  let value: unknown;
  try {
    value = JSON.parse(read('against', file).toString('utf8'));
  } catch (error) {
    throw error instanceof Trouble ? error : wrong('it is not JSON');
  }
  if (typeof value !== 'object' || value === null) throw wrong('it is no JSON object');
  const { errorCode, context } = value as { errorCode?: unknown; context?: unknown };
  const shown = (typeof context === 'object' && context !== null ? context : value) as Record<string, unknown>;
  const text = (name: string) => (typeof shown[name] === 'string' ? { [name]: shown[name] } : {});
  const code = Number(errorCode);
  const theirs: ReportedSteps = {
    ...text('baseUrl'),
    ...text('paramString'),
    ...text('signatureBaseString'),
    ...(code === -13 || code === -19 ? { errorCode: code } : {}),
  };
  if (Object.keys(theirs).length === 0)
    throw wrong('it has no errorCode -13 or -19, and no baseUrl, paramString or signatureBaseString');
  return theirs;
}

/** A parameter as the gateway received it, so that the same request is signed again. */
function heard(theirs: ReportedSteps | undefined, name: string): string | undefined {
  const { paramString, signatureBaseString } = theirs ?? {};
  try {
    const parameters = paramString ?? percentDecode(signatureBaseString?.split('&')[2] ?? '');
    return readFormParameters(parameters).find(([each]) => each === name)?.[1];
  } catch {
    return undefined;
  }
}

function heardSeconds(theirs: ReportedSteps | undefined): number | undefined {
  const text = heard(theirs, 'oauth_timestamp') ?? '';
  return SECONDS.test(text) ? Number(text) : undefined;
}

function seconds(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (SECONDS.test(text)) return Number(text);
  throw new Trouble('usage', 'the timestamp is not in whole seconds', { fix: '--timestamp 1700000000' });
}

/** Prints what partly comes from elsewhere, without the control characters a terminal would obey. */
function say(text: string): void {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: those are what must not be printed
  console.log(text.replace(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/g, '\uFFFD'));
}
