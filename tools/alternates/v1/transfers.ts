import type { AlternateClock } from '../clock.ts';
import type { AlternateDefects } from '../defects.ts';
import type { AlternateAnswer, AlternateRequest } from '../server.ts';
import type { V1AlternateChoices } from './choices.ts';
import { listedBy, readPaging, selectPage } from './paging.ts';
import {
  absentOr,
  demandFields,
  type FieldTable,
  refuseFields,
  refuseForFunds,
  refuseWithStatus,
  textUpTo,
} from './refusals.ts';
import type { AlternateWebhooks } from './webhooks.ts';

type Values = Readonly<Record<string, unknown>>;

/** From when on no transaction shows an aml_status, in milliseconds since the Unix epoch (v1, Versioning). */
const AML_STATUS_REMOVED = Date.UTC(2025, 7, 4);

interface Kept {
  readonly uuid: string;
  readonly account: string;
  readonly at: number;
  readonly sent: Values;
  status: string;
}

const cents = (value: unknown) =>
  typeof value === 'number' && value > 0 && /^\d+(\.\d{1,2})?$/.test(String(value)) && Number.isFinite(value);

/** The transactions of all accounts, and banks by IBAN. */
export class AlternateTransfers {
  readonly #choices: V1AlternateChoices;
  readonly #clock: AlternateClock;
  readonly #newUuid: () => string;
  readonly #webhooks: AlternateWebhooks;
  readonly #defects: AlternateDefects;
  readonly #kept: Kept[] = [];
  readonly #requests = new Map<string, Kept>();

  constructor(
    choices: V1AlternateChoices,
    clock: AlternateClock,
    newUuid: () => string,
    webhooks: AlternateWebhooks,
    defects: AlternateDefects,
  ) {
    this.#choices = choices;
    this.#clock = clock;
    this.#newUuid = newUuid;
    this.#webhooks = webhooks;
    this.#defects = defects;
  }

  create(account: string, { json, headers }: AlternateRequest): AlternateAnswer {
    const sent = (json ?? {}) as Values;
    const told = sent.payment_details ?? sent.payment_code;
    const missing = () => told !== undefined && told !== null;
    const code = this.#defects.has('code of 36 characters') ? 36 : 35;
    const table: FieldTable = {
      account_uuid: (value) => value === account,
      amount: cents,
      payment_details: (value) => absentOr(textUpTo(140))(value) && missing(),
      payment_code: (value) => absentOr(textUpTo(code))(value) && missing(),
      end_to_end_ident: absentOr(textUpTo(35)),
      payment_type: absentOr((value) => value === 'sepa' || value === 'swift'),
    };
    demandFields(this.#choices, sent, table);
    if (this.#choices.funds === 'none') throw refuseForFunds(this.#choices);
    const key = String(headers['x-request-id'] ?? '');
    const before = this.#requests.get(key);
    if (before !== undefined && this.#choices.repeated !== 'same')
      throw this.#choices.repeated === 422
        ? refuseFields(this.#choices, ['X-Request-ID'])
        : refuseWithStatus(this.#choices, this.#choices.repeated);
    if (before !== undefined) return { status: 201, body: this.#shown(before) };
    const { status } = this.#choices;
    const kept: Kept = { uuid: this.#newUuid(), account, at: this.#clock.now(), sent, status };
    this.#kept.push(kept);
    if (key !== '' && !this.#defects.has('processes twice')) this.#requests.set(key, kept);
    this.#webhooks.sendMessage('main', 'transaction', kept.uuid, 'created');
    if (this.#choices.completesAfter > 0)
      this.#clock.after(this.#choices.completesAfter, () => this.endTransaction(kept.uuid, 'completed'));
    return { status: 201, body: this.#shown(kept) };
  }

  read(account: string, uuid: string): AlternateAnswer {
    const found = this.#kept.find((one) => one.uuid === uuid && one.account === account);
    if (found === undefined) throw refuseWithStatus(this.#choices, 404);
    return { status: 200, body: this.#shown(found) };
  }

  list(account: string, query: URLSearchParams): AlternateAnswer {
    const day = (value: unknown) => typeof value === 'string' && !Number.isNaN(midnight(value));
    const given = { date_from: query.get('date_from'), date_to: query.get('date_to') };
    demandFields(this.#choices, given, { date_from: day, date_to: day });
    const ask = readPaging(this.#choices, query);
    const [from, to] = [midnight(given.date_from!), midnight(given.date_to!)];
    const found = listedBy(this.#choices, this.#kept, this.#clock.now()).filter(
      (one) => one.account === account && one.at >= from && one.at < to,
    );
    const transactions = selectPage(this.#choices, found, ask, this.#defects).map((one) => this.#shown(one));
    const body = { account: { uuid: account, ...this.#choices.shows }, transactions };
    return { status: 200, body: { ...this.#choices.list(found.length, ask.page, ask.perPage), ...body } };
  }

  /** Ends a transaction and tells so. */
  endTransaction(uuid: string, status: string): void {
    const found = this.#kept.find((one) => one.uuid === uuid);
    if (found === undefined) return;
    found.status = status;
    this.#webhooks.sendMessage('main', 'transaction', uuid, status);
  }

  lookUpBank(iban: string | null): AlternateAnswer {
    if (iban === null) throw refuseFields(this.#choices, ['iban']);
    const valid = sound(iban, this.#choices.ibans);
    if (!valid && this.#choices.badIban === 422) throw refuseFields(this.#choices, ['iban']);
    const known = valid && iban.includes('37040044');
    const bank = { bank_bic: known ? 'cobadeffxxx'.toUpperCase() : null, bank_name: known ? 'A Bank' : null };
    return { status: 200, body: { iban, is_valid: valid, ...bank } };
  }

  #shown({ uuid, at, sent, status }: Kept): object {
    const { moment, rails, shows, hides } = this.#choices;
    const { ultimate, bank, ...recipient } = (sent.recipient ?? {}) as Record<string, Values | undefined>;
    const words = moment(at);
    const shown = {
      uuid,
      status,
      operation_date: words.slice(0, 10),
      operation_date_time: words,
      operation_date_unix: Math.floor(at / 1000),
      amount: sent.amount,
      currency: 'EUR',
      payment_type: sent.payment_type === 'swift' ? rails.swift : rails.sepa,
      transaction_type: 'outgoing',
      payment_details: sent.payment_details ?? null,
      payment_code: sent.payment_code ?? null,
      end_to_end_ident: sent.end_to_end_ident ?? null,
      direction: 'DEBIT',
      created_at: Math.floor(at / 1000),
      payer: { name: 'Account Holder', ...((sent.payer ?? {}) as object) },
      recipient: { ...recipient, ultimate, agency_id: bank?.bic, agency_name: bank?.name },
      ...shows,
    };
    const hidden = this.#clock.now() < AML_STATUS_REMOVED ? hides : [...hides, 'aml_status'];
    return Object.fromEntries(Object.entries(shown).filter(([name]) => !hidden.includes(name)));
  }
}

function midnight(text: string): number {
  const time = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  return Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== text ? Number.NaN : time;
}

/** Whether an IBAN is of sound form, with or without its check digits. */
function sound(iban: string, how: V1AlternateChoices['ibans']): boolean {
  if (!/^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(iban)) return false;
  if (how === 'form') return true;
  const digits = (iban.slice(4) + iban.slice(0, 4)).replace(/[A-Z]/g, (one) => String(one.charCodeAt(0) - 55));
  return BigInt(digits) % 97n === 1n;
}
