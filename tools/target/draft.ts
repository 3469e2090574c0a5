import type { Api } from '#apis';
import { draftLine } from './draft-line.ts';
import { TARGET_SERVICES } from './services.ts';

/** What `assay init` could find out. */
export interface DetectedSettings {
  /** Base addresses by service. */
  readonly addresses: Readonly<Partial<Record<Api, string | undefined>>>;
  /** Names of environment variables that are set. */
  readonly env: ReadonlySet<string>;
  /** Path of a private key beside the file to write. */
  readonly key?: string | undefined;
  /** An address of this machine that others can reach. */
  readonly own?: string | undefined;
  /** Where the file's schema lies, from the file; absent: beside it. */
  readonly schema?: string | undefined;
}

/** Environment variables a draft looks for. */
export const DRAFT_VARIABLES: readonly string[] = [
  ...TARGET_SERVICES.flatMap(({ draftVariables }) => draftVariables),
  'HTTPS_PROXY',
  'SIGNING_KEY',
  'SIGNING_CERTIFICATE',
];

/**
 * A commented target file. What was found is filled in; what was not stands as a comment that says what it is for.
 * @param detected what could be found out
 * @returns YAML that fits the schema
 */
export function draftTarget({ addresses, env, key, own, schema = './target.schema.json' }: DetectedSettings): string {
  const given = TARGET_SERVICES.flatMap(({ api }) => addresses[api] ?? []);
  const local = given.every((one) => /^https?:\/\/(127\.|localhost|\[::1\])/.test(one));
  const host = new URL(given[0] ?? TARGET_SERVICES[0]!.exampleAddress).host;
  const lines = [
    `# yaml-language-server: $schema=${schema}`,
    '# Written by assay init. A line with # in front is not in force; each says what it is for. targets/README.md explains all of them.',
    '# Secrets stay outside: env:NAME reads an environment variable, file:PATH a file beside this one.',
    '',
    `name: ${host}`,
    'kind: sandbox # or mock',
    '',
  ];
  for (const { api, draft } of TARGET_SERVICES)
    lines.push(
      ...draft({ address: addresses[api], wanted: given.length === 0 && api === TARGET_SERVICES[0]!.api, env, key }),
    );
  if (env.has('HTTPS_PROXY')) lines.push('connection:', '  proxy: env:HTTPS_PROXY', '');
  lines.push(
    '# Who vouches for a run: an RSA key and its certificate, PEM. Without it a run is signed with a key made for it alone.',
    draftLine(env, 0, 'signing: { key: env:SIGNING_KEY, certificate: env:SIGNING_CERTIFICATE }'),
    '',
    '# Callbacks and events need a way from the service to this machine.',
    ...(local
      ? ['callback: { listen: 127.0.0.1 }']
      : [
          `# callback: { listen: 0.0.0.0, port: 8443, public: ${own === undefined ? 'https://tests.example:8443' : `http://${own}:8443`} }`,
        ]),
    '',
    'manners:',
    '  money: { calls: 500, total: 10000 } # most calls that move money, and most that is paid in all',
    '  exhaust: false # true uses up the rate limit on purpose',
    '',
  );
  return lines.join('\n');
}
