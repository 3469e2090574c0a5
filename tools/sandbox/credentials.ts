import { createHmac, generateKeyPairSync } from 'node:crypto';

/** A requestor as the console would issue it. */
export interface IssuedRequestor {
  readonly id: number;
  readonly token: string;
  /** ISO 4217. */
  readonly currency: string;
}

/** A merchant or manager login with its token. */
export interface IssuedLogin {
  readonly login: string;
  readonly token: string;
}

/** Everything a client of the sandbox needs to know; none of it is worth anything elsewhere. */
export interface SandboxCredentials {
  readonly gateway: {
    readonly main: IssuedRequestor;
    readonly second: IssuedRequestor;
    /** Accepts several currencies, so that status takes `orderCurrencyCode`. */
    readonly multicurrency: IssuedRequestor;
    /** Answers only to `allowed`, an address of the documentation range. */
    readonly allowlisted: IssuedRequestor & {
      readonly allowed: string;
      readonly refused: string;
      /** Signs transfers of this requestor, with the key pair of `oauth`. */
      readonly consumerKey: string;
    };
    /** Its token is issued for the second host. */
    readonly elsewhere: IssuedRequestor;
    readonly merchant: IssuedLogin;
    readonly secondMerchant: IssuedLogin;
    readonly manager: IssuedLogin;
    readonly client: { readonly id: string; readonly token: string };
    readonly oauth: {
      readonly requestor: number;
      readonly consumerKey: string;
      readonly privateKey: string;
      readonly publicKey: string;
    };
  };
  readonly v1: {
    readonly token: string;
    /** Valid, without rights on the account and customer below. */
    readonly unprivileged: string;
    /** Valid; its user owns nothing, not even a webhook configuration. */
    readonly newcomer: string;
    readonly account: string;
    readonly secondAccount: string;
    readonly customer: string;
  };
}

let pair: { privateKey: string; publicKey: string } | undefined;

/** One RSA pair a process, made when first asked for: making it costs more than starting the sandbox. */
function keys(): { privateKey: string; publicKey: string } {
  pair ??= generateKeyPairSync('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
  return pair;
}

/**
 * Issues the credentials of a sandbox instance.
 * @param seed the same seed gives the same ids and tokens (the RSA pair is new in each process)
 */
export function issueCredentials(seed: string): SandboxCredentials {
  const draw = (name: string) => createHmac('sha256', seed).update(name).digest('hex');
  const uuid = (name: string) => draw(name).replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-4$3-8$4-$5');
  const requestor = (id: number, currency = 'EUR'): IssuedRequestor => ({
    id,
    token: `rt_${draw(`requestor ${id}`).slice(0, 40)}`,
    currency,
  });
  const login = (name: string): IssuedLogin => ({ login: name, token: `mt_${draw(`login ${name}`).slice(0, 40)}` });
  return {
    gateway: {
      main: requestor(1001),
      second: requestor(1002),
      multicurrency: requestor(1003),
      allowlisted: {
        ...requestor(1004),
        allowed: '203.0.113.7',
        refused: '198.51.100.9',
        consumerKey: `ck_${draw('second consumer key').slice(0, 32)}`,
      },
      elsewhere: requestor(1005),
      merchant: login('merchant-one'),
      secondMerchant: login('merchant-two'),
      manager: login('manager-one'),
      client: { id: 'client-one', token: `ct_${draw('client').slice(0, 40)}` },
      oauth: {
        requestor: 1006,
        consumerKey: `ck_${draw('consumer key').slice(0, 32)}`,
        get privateKey() {
          return keys().privateKey;
        },
        get publicKey() {
          return keys().publicKey;
        },
      },
    },
    v1: {
      token: `vt_${draw('v1').slice(0, 40)}`,
      unprivileged: `vt_${draw('v1 unprivileged').slice(0, 40)}`,
      newcomer: `vt_${draw('v1 newcomer').slice(0, 40)}`,
      account: uuid('account'),
      secondAccount: uuid('second account'),
      customer: uuid('customer'),
    },
  };
}
