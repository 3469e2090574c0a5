import type { CredentialSource } from '../credential-source.ts';
import { provideKeyPair } from './key-pairs.ts';

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

/** Requestors of whom a lie may tell what is true of the first. */
const SECOND = 1002;
const MULTICURRENCY = 1003;

/** Whether a request is made, or an order stands, for the second requestor. */
export function isForSecond({ requestor }: { readonly requestor: number }): boolean {
  return requestor === SECOND;
}

/** The same of the requestor that accepts several currencies. */
export function isForMulticurrency({ requestor }: { readonly requestor: number }): boolean {
  return requestor === MULTICURRENCY;
}

/** The credentials of a gateway; the RSA pairs are those of this workspace. */
export function issueGatewayCredentials({ draw }: CredentialSource): GatewayCredentials {
  const requestor = (id: number, currency = 'EUR'): IssuedRequestor => ({
    id,
    token: `rt_${draw(`requestor ${id}`).slice(0, 40)}`,
    currency,
  });
  const login = (name: string): IssuedLogin => ({ login: name, token: `mt_${draw(`login ${name}`).slice(0, 40)}` });
  return {
    main: requestor(1001),
    second: requestor(SECOND),
    multicurrency: requestor(MULTICURRENCY),
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
        return provideKeyPair('first').privateKey;
      },
      get publicKey() {
        return provideKeyPair('first').publicKey;
      },
      second: {
        consumerKey: `ck_${draw('consumer key of another pair').slice(0, 32)}`,
        get privateKey() {
          return provideKeyPair('second').privateKey;
        },
        get publicKey() {
          return provideKeyPair('second').publicKey;
        },
      },
    },
  };
}
