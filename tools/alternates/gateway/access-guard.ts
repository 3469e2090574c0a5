import { randomBytes } from 'node:crypto';
import type { AlternateDefects } from '../defects.ts';
import type { AlternateRequest } from '../server.ts';
import { GatewayAlternateError } from './gateway-error.ts';

/** Who has a token: requestors by their id, merchants and a manager by their login, a client. */
export const ALTERNATE_SUBJECTS = {
  main: '41',
  second: '42',
  multicurrency: '43',
  allowlisted: '44',
  elsewhere: '45',
  merchant: 'shop',
  secondMerchant: '2ndshop',
  manager: 'boss',
  client: 'c-7',
} as const;
export type AlternateSubject = keyof typeof ALTERNATE_SUBJECTS;

/** Addresses on and off the allowlist. */
export const ALLOWLIST_ADDRESSES = { allowed: '198.41.0.4', refused: '192.5.5.241' };

/** One of the two hosts that a request can come to. */
export type AlternateHost = 'here' | 'there';

const NAMES = Object.keys(ALTERNATE_SUBJECTS) as AlternateSubject[];
const PRIVATE = /^(10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|127\.)/;

/** Lets in who may come in. */
export class AlternateAccessGuard {
  readonly tokens = Object.fromEntries(NAMES.map((name) => [name, randomBytes(12).toString('hex')])) as Readonly<
    Record<AlternateSubject, string>
  >;
  readonly #defects: AlternateDefects;

  constructor(defects: AlternateDefects) {
    this.#defects = defects;
  }

  /** Looks at the bearer token. @param numeric whether the id is to be that of a requestor @throws Fault */
  checkBearerToken(asked: AlternateRequest, host: AlternateHost, id: string, numeric: boolean): void {
    const said = asked.headers.authorization ?? '';
    if (said === '') throw new GatewayAlternateError(400, -6, 'No Authorization header');
    if (!said.startsWith('Bearer '))
      throw new GatewayAlternateError(400, -7, "Authorization header should start with 'Bearer '");
    if (numeric) this.parseRequestorId(id);
    const who = NAMES.find((name) => ALTERNATE_SUBJECTS[name] === id);
    const right =
      who !== undefined && this.tokens[who] === said.slice(7) && (who === 'elsewhere') === (host === 'there');
    if (!right && !this.#defects.has('any token will do'))
      throw new GatewayAlternateError(401, -7, 'Access token not found');
    this.checkClientAddress(asked, id);
  }

  /** @throws Fault for what is not the id of a requestor */
  parseRequestorId(id: string): number {
    if (/^\d+$/.test(id)) return Number(id);
    throw new GatewayAlternateError(400, -5, `Cannot parse requestor id: <${id}>`);
  }

  /** Looks at where a request comes from. @throws Fault */
  checkClientAddress(asked: AlternateRequest, id: string): void {
    if (id !== ALTERNATE_SUBJECTS.allowlisted) return;
    const forwarded = String(asked.headers['x-forwarded-for'] ?? '')
      .split(',')
      .map((one) => one.trim());
    const from = forwarded.find((one) => one !== '' && !PRIVATE.test(one)) ?? asked.headers['x-real-ip'];
    if (from !== ALLOWLIST_ADDRESSES.allowed)
      throw new GatewayAlternateError(401, -20, `Bad client ip address: ${from}`);
  }
}
