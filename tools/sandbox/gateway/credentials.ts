import { generateKeyPairSync } from 'node:crypto';
import type { CredentialSource } from '../credential-source.ts';

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

/** What a client of the gateway needs to know. */
export interface GatewayCredentials {
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
    /** Another key pair that is registered for the same requestor. */
    readonly second: { readonly consumerKey: string; readonly privateKey: string; readonly publicKey: string };
  };
}

const pairs = new Map<string, { privateKey: string; publicKey: string }>();

/** One RSA pair of a name a process, made when first asked for: making it costs more than starting the sandbox. */
function keys(name: 'first' | 'second'): { privateKey: string; publicKey: string } {
  const pair =
    pairs.get(name) ??
    generateKeyPairSync('rsa', {
      modulusLength: 2048,
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
      publicKeyEncoding: { type: 'spki', format: 'pem' },
    });
  pairs.set(name, pair);
  return pair;
}

/** The credentials of a gateway; the RSA pairs are new in each process. */
export function issueGatewayCredentials({ draw }: CredentialSource): GatewayCredentials {
  const requestor = (id: number, currency = 'EUR'): IssuedRequestor => ({
    id,
    token: `rt_${draw(`requestor ${id}`).slice(0, 40)}`,
    currency,
  });
  const login = (name: string): IssuedLogin => ({ login: name, token: `mt_${draw(`login ${name}`).slice(0, 40)}` });
  return {
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
        return keys('first').privateKey;
      },
      get publicKey() {
        return keys('first').publicKey;
      },
      second: {
        consumerKey: `ck_${draw('consumer key of another pair').slice(0, 32)}`,
        get privateKey() {
          return keys('second').privateKey;
        },
        get publicKey() {
          return keys('second').publicKey;
        },
      },
    },
  };
}
