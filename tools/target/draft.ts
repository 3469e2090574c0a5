/** What `assay init` could find out. */
export interface DetectedSettings {
  readonly gateway?: string | undefined;
  readonly v1?: string | undefined;
  /** Names of environment variables that are set. */
  readonly env: ReadonlySet<string>;
  /** Path of a private key beside the file to write. */
  readonly key?: string | undefined;
  /** An address of this machine that others can reach. */
  readonly own?: string | undefined;
  /** File that NODE_EXTRA_CA_CERTS names. */
  readonly authority?: string | undefined;
}

/** A line of the draft that is live only when the variables it refers to are set. */
const lineOf = (env: ReadonlySet<string>, indent: number, text: string, why = ''): string => {
  const names = [...text.matchAll(/env:(\w+)/g)].map(([, name]) => name!);
  const live = names.every((name) => env.has(name));
  return `${' '.repeat(indent)}${live ? '' : '# '}${text}${why === '' ? '' : ` # ${why}`}`;
};

/** Environment variables a draft looks for. */
export const DRAFT_VARIABLES = [
  'GATEWAY_URL',
  'GATEWAY_REQUESTOR',
  'GATEWAY_TOKEN',
  'GATEWAY_SECOND_REQUESTOR',
  'GATEWAY_SECOND_TOKEN',
  'GATEWAY_MERCHANT',
  'GATEWAY_MERCHANT_TOKEN',
  'GATEWAY_MANAGER',
  'GATEWAY_MANAGER_TOKEN',
  'GATEWAY_CLIENT',
  'GATEWAY_CLIENT_TOKEN',
  'GATEWAY_CONSUMER_KEY',
  'GATEWAY_KEY_PASSPHRASE',
  'V1_URL',
  'V1_TOKEN',
  'V1_TOKEN_WITHOUT_RIGHTS',
  'V1_TOKEN_OF_A_NEW_USER',
  'V1_WEBHOOK_TOKEN',
  'V1_ACCOUNT',
  'V1_SECOND_ACCOUNT',
  'V1_CUSTOMER',
  'HTTPS_PROXY',
  'SIGNING_KEY',
  'SIGNING_CERTIFICATE',
] as const;

/**
 * A commented target file. What was found is filled in; what was not stands as a comment that says what it is for.
 * @param detected what could be found out
 * @returns YAML that fits the schema
 */
export function draftTarget({ gateway, v1, env, key, own, authority }: DetectedSettings): string {
  const local = [gateway, v1].every((one) => one === undefined || /^https?:\/\/(127\.|localhost|\[::1\])/.test(one));
  const line = (indent: number, text: string, why?: string) => lineOf(env, indent, text, why);
  const both = gateway === undefined && v1 === undefined;
  const host = new URL(gateway ?? v1 ?? 'https://sandbox.gateway.example').host;
  const lines = [
    '# yaml-language-server: $schema=./target.schema.json',
    '# Written by assay init. A line with # in front is not in force; each says what it is for. targets/README.md explains all of them.',
    '# Secrets stay outside: env:NAME reads an environment variable, file:PATH a file beside this one.',
    '',
    `name: ${host}`,
    'kind: sandbox # or mock',
    '',
  ];
  if (gateway !== undefined || both) {
    lines.push(
      'gateway:',
      `  address: ${gateway ?? 'https://sandbox.gateway.example/api'}${gateway === undefined ? ' # TO DO: the address, ends in /api' : ''}`,
      '  requestors:',
      '    main: { id: env:GATEWAY_REQUESTOR, token: env:GATEWAY_TOKEN, currency: EUR }',
      line(
        4,
        'second: { id: env:GATEWAY_SECOND_REQUESTOR, token: env:GATEWAY_SECOND_TOKEN }',
        'tokens must not work across',
      ),
      '    # allowlisted: { id: 1237, token: env:GATEWAY_LISTED_TOKEN, allowed: 203.0.113.7, refused: 198.51.100.9 }',
      '    # elsewhere: { id: 1238, token: env:GATEWAY_OTHER_TOKEN, address: https://other.gateway.example/api }',
      line(2, 'merchant: { login: env:GATEWAY_MERCHANT, token: env:GATEWAY_MERCHANT_TOKEN }', 'balances and reports'),
      line(2, 'manager: { login: env:GATEWAY_MANAGER, token: env:GATEWAY_MANAGER_TOKEN }', 'balances by manager'),
      line(2, 'client: { id: env:GATEWAY_CLIENT, token: env:GATEWAY_CLIENT_TOKEN }', 'card info'),
      ...signing(env, key),
      '  # Test cards by what the service does with them, in quotes.',
      '  cards:',
      '    approved: { number: "5555444433331111", code: "123", month: "10", year: "2030" } # TO DO: those of your sandbox',
      '    declined: { number: "5555444433331111", code: "555", month: "10", year: "2030" }',
      '    # filtered, error, pending, unknown, chain, debit, credit, method, challenge, pareq, frictionless, unlisted, history, nohistory',
      '  # What the documents do not show has defaults; write down what differs, e.g.',
      '  # wire: { amount: minor-number, read: { orderSystemId: /order/id } }',
      '',
    );
  }
  if (v1 !== undefined) {
    lines.push(
      'v1:',
      `  address: ${v1}`,
      '  token: env:V1_TOKEN',
      '  account: env:V1_ACCOUNT',
      line(2, 'secondAccount: env:V1_SECOND_ACCOUNT'),
      line(2, 'customer: env:V1_CUSTOMER', 'documents'),
      line(2, 'unprivileged: env:V1_TOKEN_WITHOUT_RIGHTS', 'refusals with 403'),
      line(2, 'newcomer: env:V1_TOKEN_OF_A_NEW_USER', 'first webhook configuration'),
      line(2, 'webhookToken: env:V1_WEBHOOK_TOKEN', 'to put an existing webhook configuration back'),
      '  ibans: { valid: DE89370400440532013000, broken: NOT-AN-IBAN }',
      '',
    );
  } else {
    lines.push('# v1: { address: https://sandbox.accounts.example, token: env:V1_TOKEN, account: env:V1_ACCOUNT }', '');
  }
  if (env.has('HTTPS_PROXY') || authority !== undefined)
    lines.push(
      'connection:',
      ...(authority === undefined ? [] : [`  ca: file:${authority}`]),
      ...(env.has('HTTPS_PROXY') ? ['  proxy: env:HTTPS_PROXY'] : []),
      '',
    );
  lines.push(
    '# Who vouches for a run: an RSA key and its certificate, PEM. Without it a run is signed with a key made for it alone.',
    line(0, 'signing: { key: env:SIGNING_KEY, certificate: env:SIGNING_CERTIFICATE }'),
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

function signing(env: ReadonlySet<string>, key: string | undefined): string[] {
  const there = env.has('GATEWAY_CONSUMER_KEY') && key !== undefined;
  const text = `oauth: { consumerKey: env:GATEWAY_CONSUMER_KEY, privateKey: file:${key ?? 'oauth-private-key.pem'}${env.has('GATEWAY_KEY_PASSPHRASE') ? ', passphrase: env:GATEWAY_KEY_PASSPHRASE' : ''} }`;
  return [`  ${there ? '' : '# '}${text} # signed transfers; they need wire.transfer as well`];
}
