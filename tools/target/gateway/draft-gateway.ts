import { draftLine } from '../draft-line.ts';
import type { SectionSettings } from '../target-service.ts';

/** Environment variables that a draft of the section looks for. */
export const GATEWAY_DRAFT_VARIABLES = [
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
];

/** An address as a target file may have it. */
export const GATEWAY_EXAMPLE_ADDRESS = 'https://sandbox.gateway.example/api';

/** The section `gateway:` of a drafted target file. */
export function draftGatewaySection({ address: gateway, wanted, env, key }: SectionSettings): readonly string[] {
  if (gateway === undefined && !wanted) return [];
  const line = (indent: number, text: string, why?: string) => draftLine(env, indent, text, why);
  return [
    'gateway:',
    `  address: ${gateway ?? GATEWAY_EXAMPLE_ADDRESS}${gateway === undefined ? ' # TO DO: the address, ends in /api' : ''}`,
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
    draftOAuthLine(env, key),
    '  # Test cards by what the service does with them, in quotes.',
    '  cards:',
    '    approved: { number: "5555444433331111", code: "123", month: "10", year: "2034" } # TO DO: those of your sandbox',
    '    declined: { number: "5555444433331111", code: "555", month: "10", year: "2034" }',
    '    # inactive, filtered, error, pending, unknown, chain, debit, credit, method, challenge, pareq, frictionless, unlisted, history, nohistory, badscore',
    '  # What the documents do not show has defaults; write down what differs, e.g.',
    '  # wire: { amount: minor-number, read: { orderSystemId: /order/id } }',
    '',
  ];
}

function draftOAuthLine(env: ReadonlySet<string>, key: string | undefined): string {
  const there = env.has('GATEWAY_CONSUMER_KEY') && key !== undefined;
  const text = `oauth: { consumerKey: env:GATEWAY_CONSUMER_KEY, privateKey: file:${key ?? 'oauth-private-key.pem'}${env.has('GATEWAY_KEY_PASSPHRASE') ? ', passphrase: env:GATEWAY_KEY_PASSPHRASE' : ''} }`;
  return `  ${there ? '' : '# '}${text} # signed transfers; they need wire.transfer as well`;
}
