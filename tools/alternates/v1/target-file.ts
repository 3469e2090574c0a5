import type { V1Alternate } from './v1-alternate.ts';

/** A placeholder of a target file. */
const slot = (name: string) => `\${${name}}`;

/** A target file for a v1 alternate, as its owner would write it; JSON is YAML. Secrets are named by environment variable. */
export function writeV1Target({ address, choices, accounts, customer }: V1Alternate): string {
  const control = (path: string, body?: object) => ({ url: `${address}/control/${path}`, ...(body && { body }) });
  return JSON.stringify({
    name: `alternate, ${choices.name}`,
    kind: 'mock',
    v1: {
      address,
      token: 'env:ALTERNATE_TOKEN',
      unprivileged: 'env:ALTERNATE_UNPRIVILEGED',
      newcomer: 'env:ALTERNATE_NEWCOMER',
      account: accounts[0],
      secondAccount: accounts[1],
      customer,
      wire: {
        payer: choices.payer,
        recipient: choices.recipient,
        swift: choices.swift,
        document: choices.document,
        token: choices.tokenAt,
        message: choices.messageAt,
        paging: choices.paging,
        ...(choices.paging === undefined
          ? {}
          : {
              characters: 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789 .,-',
              samples: {
                payment_details: ['Invoice 2026-0042', `Rent ${'for unit seven '.repeat(9)}`],
                payment_code: ['SALA', 'SUPP.2026-11.Unit-seven.Block-three'],
                end_to_end_ident: ['E2E-42', 'E2E-2026-11-Unit-seven-Block-three.'],
              },
            }),
      },
      ibans: { valid: 'DE89370400440532013000', unlisted: 'DE02120300000000202051', broken: 'DE893704' },
    },
    control: {
      now: { method: 'GET', url: `${address}/control/now`, read: choices.clockAt },
      advance: {
        ...control('advance', { seconds: slot('seconds:number') }),
        // Who sends behind his clock has to say that it moves what he sends.
        ...(choices.resendsBehind === undefined ? {} : { moves: ['records', 'deliveries', 'limits'] }),
      },
      accountEvent: control(`account/${slot('uuid')}`),
      virtualIbanEvent: control(`iban/${slot('uuid')}`),
      complete: control(`complete/${slot('uuid')}`),
      fail: control(`fail/${slot('uuid')}`),
      forget: control('forget', { key: slot('token') }),
    },
    callback: { listen: '127.0.0.1' },
    manners: {
      pollGap: 2,
      pollLimit: 10,
      // What its lever moves arrives at once; what it does not, in its own time.
      ...(choices.lever === 'limits' ? {} : { delivery: 1 }),
      timeout: 10,
      exhaust: true,
      money: { calls: 100000, total: 10000000 },
    },
  });
}

/** The secrets that the target file names. */
export function v1TargetSecrets({ tokens }: V1Alternate): Readonly<Record<string, string>> {
  return {
    ALTERNATE_TOKEN: tokens.main,
    ALTERNATE_UNPRIVILEGED: tokens.unprivileged,
    ALTERNATE_NEWCOMER: tokens.newcomer,
  };
}
