import { draftLine } from '../draft-line.ts';
import type { SectionSettings } from '../target-service.ts';

/** Environment variables that a draft of the section looks for. */
export const V1_DRAFT_VARIABLES = [
  'V1_URL',
  'V1_TOKEN',
  'V1_TOKEN_WITHOUT_RIGHTS',
  'V1_TOKEN_OF_A_NEW_USER',
  'V1_WEBHOOK_TOKEN',
  'V1_ACCOUNT',
  'V1_SECOND_ACCOUNT',
  'V1_CUSTOMER',
];

/** An address as a target file may have it. */
export const V1_EXAMPLE_ADDRESS = 'https://sandbox.accounts.example';

/** The section `v1:` of a drafted target file. */
export function draftV1Section({ address: v1, wanted, env }: SectionSettings): readonly string[] {
  if (v1 === undefined && !wanted)
    return [`# v1: { address: ${V1_EXAMPLE_ADDRESS}, token: env:V1_TOKEN, account: env:V1_ACCOUNT }`, ''];
  const line = (indent: number, text: string, why?: string) => draftLine(env, indent, text, why);
  return [
    'v1:',
    `  address: ${v1 ?? V1_EXAMPLE_ADDRESS}${v1 === undefined ? ' # TO DO: the address' : ''}`,
    '  token: env:V1_TOKEN',
    '  account: env:V1_ACCOUNT',
    line(2, 'secondAccount: env:V1_SECOND_ACCOUNT'),
    line(2, 'customer: env:V1_CUSTOMER', 'documents'),
    line(2, 'unprivileged: env:V1_TOKEN_WITHOUT_RIGHTS', 'refusals with 403'),
    line(2, 'newcomer: env:V1_TOKEN_OF_A_NEW_USER', 'first webhook configuration'),
    line(2, 'webhookToken: env:V1_WEBHOOK_TOKEN', 'to put an existing webhook configuration back'),
    '  ibans: { valid: DE89370400440532013000, broken: NOT-AN-IBAN }',
    '',
  ];
}
