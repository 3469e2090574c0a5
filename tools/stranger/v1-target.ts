import type { V1Stranger } from './v1.ts';

/** A placeholder of a target file. */
const slot = (name: string) => `\${${name}}`;

/** A target file for a v1 stranger, as its owner would write it; JSON is YAML. Secrets are named by environment variable. */
export function v1Target({ address, choices, accounts, customer }: V1Stranger): string {
  const control = (path: string, body?: object) => ({ url: `${address}/control/${path}`, ...(body && { body }) });
  return JSON.stringify({
    name: `stranger, ${choices.name}`,
    kind: 'mock',
    v1: {
      address,
      token: 'env:STRANGER_TOKEN',
      unprivileged: 'env:STRANGER_UNPRIVILEGED',
      newcomer: 'env:STRANGER_NEWCOMER',
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
      },
      ibans: { valid: 'DE89370400440532013000', unlisted: 'DE02120300000000202051', broken: 'DE893704' },
    },
    control: {
      now: { method: 'GET', url: `${address}/control/now`, read: choices.clockAt },
      advance: control('advance', { seconds: slot('seconds:number') }),
      accountEvent: control(`account/${slot('uuid')}`),
      virtualIbanEvent: control(`iban/${slot('uuid')}`),
      complete: control(`complete/${slot('uuid')}`),
      fail: control(`fail/${slot('uuid')}`),
      forget: control('forget', { key: slot('token') }),
    },
    callback: { listen: '127.0.0.1' },
    manners: { pollGap: 2, pollLimit: 10, timeout: 10, exhaust: true, money: { calls: 100000, total: 10000000 } },
  });
}

/** The secrets that the target file names. */
export function v1Secrets({ tokens }: V1Stranger): Readonly<Record<string, string>> {
  return {
    STRANGER_TOKEN: tokens.main,
    STRANGER_UNPRIVILEGED: tokens.unprivileged,
    STRANGER_NEWCOMER: tokens.newcomer,
  };
}
