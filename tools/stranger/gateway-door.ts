import { randomBytes } from 'node:crypto';
import { Fault } from './gateway-fault.ts';
import type { Asked } from './serve.ts';

/** Who has a token: requestors by their id, merchants and a manager by their login, a client. */
export const SUBJECTS = {
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
export type Subject = keyof typeof SUBJECTS;

/** Addresses on and off the allowlist. */
export const ADDRESSES = { allowed: '198.41.0.4', refused: '192.5.5.241' };

/** One of the two hosts that a request can come to. */
export type Host = 'here' | 'there';

const NAMES = Object.keys(SUBJECTS) as Subject[];
const PRIVATE = /^(10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|127\.)/;

/** Lets in who may come in. */
export class Door {
  readonly tokens = Object.fromEntries(NAMES.map((name) => [name, randomBytes(12).toString('hex')])) as Readonly<
    Record<Subject, string>
  >;
  readonly #defect: string | undefined;

  constructor(defect?: string) {
    this.#defect = defect;
  }

  /** Looks at the bearer token. @param numeric whether the id is to be that of a requestor @throws Fault */
  admit(asked: Asked, host: Host, id: string, numeric: boolean): void {
    const said = asked.headers.authorization ?? '';
    if (said === '') throw new Fault(400, -6, 'No Authorization header');
    if (!said.startsWith('Bearer ')) throw new Fault(400, -7, "Authorization header should start with 'Bearer '");
    if (numeric) this.number(id);
    const who = NAMES.find((name) => SUBJECTS[name] === id);
    const right =
      who !== undefined && this.tokens[who] === said.slice(7) && (who === 'elsewhere') === (host === 'there');
    if (!right && this.#defect !== 'any token will do') throw new Fault(401, -7, 'Access token not found');
    this.allow(asked, id);
  }

  /** @throws Fault for what is not the id of a requestor */
  number(id: string): number {
    if (/^\d+$/.test(id)) return Number(id);
    throw new Fault(400, -5, `Cannot parse requestor id: <${id}>`);
  }

  /** Looks at where a request comes from. @throws Fault */
  allow(asked: Asked, id: string): void {
    if (id !== SUBJECTS.allowlisted) return;
    const forwarded = String(asked.headers['x-forwarded-for'] ?? '')
      .split(',')
      .map((one) => one.trim());
    const from = forwarded.find((one) => one !== '' && !PRIVATE.test(one)) ?? asked.headers['x-real-ip'];
    if (from !== ADDRESSES.allowed) throw new Fault(401, -20, `Bad client ip address: ${from}`);
  }
}
