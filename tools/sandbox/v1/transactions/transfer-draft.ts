import { type ActiveLies, decision } from '../../decision.ts';
import type { UserAccount } from '../access/api-users.ts';
import type { V1Choices } from '../choices.ts';
import type { V1World } from '../v1-world.ts';
import { maximumLengthAnyScript, requiredField } from '../wire/field-limits.ts';
import type { RequestForm } from '../wire/request-form.ts';
import { refuseBusiness } from '../wire/v1-refusal.ts';
import type { TransferDraft } from './transaction.ts';
import { namesBank, type TransferParty } from './transfer-party.ts';

const amountNeeded = decision({
  rule: 'V1-TRC-10',
  honest: (_rails: string, _isNull: boolean) => true,
  lies: {
    'create-without-amount-accepted': () => false,
    'create-with-amount-null-accepted': (_rails, isNull) => !isNull,
    'create-without-amount-accepted-over-swift': (rails) => rails !== 'SWIFT',
  },
});
const amountNumeric = requiredField('V1-ERR-14', 'v1-amount-in-words-accepted');
/** Whether a recipient of null is looked at before it is read. */
const recipientLookedAt = requiredField('V1-ERR-14', 'v1-recipient-of-null-answered-500');
/** What stands beside a text whose length is limited. */
interface Beside {
  readonly code: unknown;
  readonly rails: string;
  readonly isFirst: boolean;
  /** Whether SEPA is asked for by its name. */
  readonly isNamed: boolean;
  /** Whether the bank of the recipient is named. */
  readonly hasBank: boolean;
}

const overSwift = { 'over-swift': ({ rails }: Beside) => rails === 'SWIFT' };
const besideCode = { 'beside-a-code': ({ code }: Beside) => code != null };
const besideLongCode = { 'beside-a-long-code': ({ code }: Beside) => String(code ?? '').length === 35 };
const overNamedSepa = { 'over-sepa-by-name': ({ isNamed }: Beside) => isNamed };
const inSecond = { 'in-second-account': ({ isFirst }: Beside) => !isFirst };
const detailsFit = maximumLengthAnyScript('V1-TRC-15', 'details', 140, besideCode, {
  ...overSwift,
  ...inSecond,
  ...overNamedSepa,
  ...besideLongCode,
});
const codeFits = maximumLengthAnyScript('V1-TRC-17', 'code', 35, {}, { ...overSwift, ...inSecond, ...overNamedSepa });
const identFits = maximumLengthAnyScript('V1-TRC-19', 'ident', 35, overSwift, {
  ...overSwift,
  ...inSecond,
  ...overNamedSepa,
});

const positive = decision({
  rule: 'V1-TRC-11',
  honest: (amount: number, _rails: string, _isNamed: boolean) => amount > 0,
  lies: {
    'transfer-amount-of-one-cent-refused-over-sepa-by-name': (amount, _rails, isNamed) => amount > (isNamed ? 0.01 : 0),
    'transfer-amount-of-one-cent-refused-over-swift': (amount, rails) => amount > (rails === 'SWIFT' ? 0.01 : 0),
    'transfer-amount-zero-accepted-over-swift': (amount, rails) => amount > 0 || (amount === 0 && rails === 'SWIFT'),
    'transfer-amount-zero-accepted': (amount) => amount >= 0,
    'transfer-amount-below-zero-accepted': (amount) => amount !== 0,
    'transfer-amount-of-one-cent-refused': (amount) => amount > 0.01,
  },
});

const decimals = decision({
  rule: 'V1-TRC-12',
  honest: (amount: number, _rails: string, _isNamed: boolean) => Number(amount.toFixed(2)) === amount,
  lies: {
    'transfer-amount-two-decimals-refused-over-sepa-by-name': (amount, _rails, isNamed) =>
      Number(amount.toFixed(isNamed ? 1 : 2)) === amount,
    'transfer-amount-three-decimals-accepted': (amount) => Number(amount.toFixed(3)) === amount,
    'transfer-amount-three-decimals-accepted-over-swift': (amount, rails) =>
      Number(amount.toFixed(rails === 'SWIFT' ? 3 : 2)) === amount,
    'transfer-amount-any-decimals-accepted': () => true,
    // Where a small number is written with an exponent, no point is in it.
    'transfer-amount-decimals-counted-in-its-text': (amount) => (String(amount).split('.')[1]?.length ?? 0) <= 2,
    'transfer-amount-two-decimals-refused': (amount) => Number(amount.toFixed(1)) === amount,
    'transfer-amount-above-a-hundred-of-any-decimals-accepted': (amount) =>
      amount > 100 || Number(amount.toFixed(2)) === amount,
    'transfer-amount-above-ten-thousand-of-any-decimals-accepted': (amount) =>
      amount > 10_000 || Number(amount.toFixed(2)) === amount,
    'transfer-amount-below-a-cent-of-any-decimals-accepted': (amount) =>
      amount < 0.01 || Number(amount.toFixed(2)) === amount,
    'transfer-amount-above-a-hundred-of-two-decimals-refused': (amount) =>
      Number(amount.toFixed(amount > 100 ? 1 : 2)) === amount,
  },
});

/** Facts about details and code: what was sent, a null being sent and an absent one not. */
interface Remittance {
  readonly details: unknown;
  readonly code: unknown;
  readonly rails: string;
}

const neither = decision({
  rule: 'V1-TRC-06',
  honest: ({ details, code }: Remittance) => details == null && code == null,
  lies: {
    'create-without-details-and-code-accepted': () => false,
    'create-without-details-and-code-accepted-over-swift': ({ details, code, rails }) =>
      details == null && code == null && rails !== 'SWIFT',
    'create-with-both-null-accepted': ({ details, code }) => details === undefined && code === undefined,
  },
});

const detailsAlone = decision({
  rule: 'V1-TRC-16',
  honest: (_sent: Remittance & Beside) => true,
  lies: {
    'transfer-details-alone-refused-over-sepa-by-name': ({ details, code, isNamed }) =>
      details == null || code !== undefined || !isNamed,
    'transfer-details-alone-refused-where-a-bank-is-named': ({ details, code, hasBank }) =>
      details == null || code !== undefined || !hasBank,
    'transfer-details-alone-refused': ({ details, code }) => details == null || code !== undefined,
    'transfer-details-with-null-code-refused': ({ details, code }) => details == null || code !== null,
    'transfer-details-with-null-code-refused-over-swift': ({ details, code, rails }) =>
      details == null || code !== null || rails !== 'SWIFT',
    'transfer-details-with-null-code-refused-in-second-account': ({ details, code, isFirst }) =>
      details == null || code !== null || isFirst,
  },
});

const codeAlone = decision({
  rule: 'V1-TRC-18',
  honest: (_sent: Remittance & Beside) => true,
  lies: {
    'transfer-code-alone-refused': ({ details, code }) => code == null || details !== undefined,
    'transfer-code-alone-refused-where-a-bank-is-named': ({ details, code, hasBank }) =>
      code == null || details !== undefined || !hasBank,
    'transfer-code-alone-refused-over-swift': ({ details, code, rails }) =>
      code == null || details != null || rails !== 'SWIFT',
    'transfer-code-with-null-details-refused': ({ details, code }) => code == null || details !== null,
    'transfer-code-with-null-details-refused-over-swift': ({ details, code, rails }) =>
      code == null || details !== null || rails !== 'SWIFT',
    'transfer-code-alone-refused-in-second-account': ({ details, code, isFirst }) =>
      code == null || details != null || isFirst,
  },
});

const identOptional = decision({
  rule: 'V1-TRC-20',
  honest: (_sent: unknown, _beside: Beside) => true,
  lies: {
    'transfer-ident-left-out-refused-where-a-bank-is-named': (sent, { hasBank }) => sent !== undefined || !hasBank,
    'transfer-ident-left-out-refused': (sent) => sent !== undefined,
    'transfer-ident-null-refused': (sent) => sent !== null,
    'transfer-ident-null-refused-over-swift': (sent, { rails }) => sent !== null || rails !== 'SWIFT',
    'transfer-ident-null-refused-in-second-account': (sent, { isFirst }) => sent !== null || isFirst,
  },
});

const payerTaken = decision({
  rule: 'V1-TRC-13',
  honest: (_ultimate: string | undefined) => true,
  lies: { 'transfer-ultimate-payer-refused': (ultimate) => ultimate === undefined },
});

const recipientTaken = decision({
  rule: 'V1-TRC-14',
  honest: (_given: { ultimate: boolean; bank: boolean; address: boolean }) => true,
  lies: {
    'transfer-ultimate-recipient-refused': ({ ultimate }) => !ultimate,
    'transfer-recipient-bank-refused': ({ bank }) => !bank,
    'transfer-recipient-address-refused': ({ address }) => !address,
  },
});

const rails = {
  sepa: decision({
    rule: 'V1-TRC-21',
    honest: (_isFirst: boolean) => 'SEPA',
    lies: {
      'sepa-refused': () => '',
      'sepa-goes-over-swift': () => 'SWIFT',
      'sepa-in-second-account-goes-over-swift': (isFirst) => (isFirst ? 'SEPA' : 'SWIFT'),
    },
  }),
  swift: decision({
    rule: 'V1-TRC-22',
    honest: (_isFirst: boolean) => 'SWIFT',
    lies: { 'swift-refused': () => '', 'swift-goes-over-sepa': () => 'SEPA' },
  }),
  other: decision({
    rule: 'V1-TRC-23',
    honest: (_sent: string) => '',
    lies: {
      'other-rails-accepted': () => 'SEPA',
    },
  }),
  none: decision({
    rule: 'V1-TRC-24',
    honest: (_sent: null | undefined, _last: string, _isCodeAlone: boolean, _hasBank: boolean, _isFirst: boolean) =>
      'SEPA',
    lies: {
      'rails-left-out-in-second-account-are-swift': (_sent, _last, _isCodeAlone, _hasBank, isFirst) =>
        isFirst ? 'SEPA' : 'SWIFT',
      'rails-default-swift': () => 'SWIFT',
      'rails-null-means-swift': (sent) => (sent === null ? 'SWIFT' : 'SEPA'),
      'rails-left-out-are-the-last-ones': (_sent, last) => last,
      'rails-left-out-beside-a-code-alone-are-swift': (sent, _last, isCodeAlone) =>
        sent === undefined && isCodeAlone ? 'SWIFT' : 'SEPA',
      'rails-left-out-beside-a-bank-are-swift': (sent, _last, _isCodeAlone, hasBank) =>
        sent === undefined && hasBank ? 'SWIFT' : 'SEPA',
      'rails-left-out-refused': () => '',
    },
  }),
};

function readAmount(activeLies: ActiveLies, form: RequestForm, { rails, isNamed }: Beside): number {
  const amount = form.get('amount');
  if (amount === undefined) {
    if (amountNeeded(activeLies, rails, form.raw('amount') === null))
      form.complain('amount', 'The amount field is required.');
    return 1;
  }
  if (typeof amount !== 'number') {
    if (amountNumeric(activeLies)) form.complain('amount', 'The amount field must be a number.');
    return 1;
  }
  if (!positive(activeLies, amount, rails, isNamed))
    form.complain('amount', 'The amount field must be greater than 0.');
  else if (!decimals(activeLies, amount, rails, isNamed))
    form.complain('amount', 'The amount field must have at most 2 decimal places.');
  return amount;
}

function readText(form: RequestForm, name: string, fits: (text: string) => boolean, most: number): string | null {
  const text = form.text(name, { nullable: true });
  if (text !== undefined && !fits(text))
    form.complain(name, `The ${name} field must not be greater than ${most} characters.`);
  return text ?? null;
}

/** Every letter that SEPA knows (EPC 217-08). */
const SEPA = /^[A-Za-z0-9/?:().,'+ -]*$/;

const otherLettersTaken = decision({
  rule: 'V1-TRC-25',
  honest: ({ otherLetters }: V1Choices) => otherLetters !== 'refused',
  lies: { 'letters-outside-sepa-refused': () => false },
});

/** A text as it is kept, by what the rails make of letters they do not know. */
function keepText(
  activeLies: ActiveLies,
  choices: V1Choices,
  form: RequestForm,
  name: string,
  text: string | null,
): string | null {
  if (text === null || SEPA.test(text)) return text;
  if (!otherLettersTaken(activeLies, choices)) form.complain(name, `The ${name} field holds other than SEPA letters.`);
  if (choices.otherLetters === 'shown') return text;
  return text.normalize('NFD').replace(/[^A-Za-z0-9/?:().,'+ -]/gu, '');
}

function readRails(
  activeLies: ActiveLies,
  form: RequestForm,
  last: string,
  { hasBank, isFirst }: { hasBank: boolean; isFirst: boolean },
): string {
  const sent = form.text('payment_type', { nullable: true });
  const isCodeAlone = form.raw('payment_details') == null;
  const none = () =>
    rails.none(activeLies, form.raw('payment_type') as null | undefined, last, isCodeAlone, hasBank, isFirst);
  const chosen =
    sent === undefined
      ? none()
      : sent === 'sepa' || sent === 'swift'
        ? rails[sent](activeLies, isFirst)
        : rails.other(activeLies, sent);
  if (chosen === '') form.complain('payment_type', 'The selected payment_type is not accepted.');
  return chosen;
}

function readUltimate(form: RequestForm | undefined): { name?: string | undefined } | undefined {
  const ultimate = form?.object('ultimate');
  return ultimate && { name: ultimate.text('name') };
}

function readRecipient(activeLies: ActiveLies, choices: V1Choices, body: RequestForm): TransferParty | undefined {
  const form = body.object('recipient');
  if (form === undefined) return undefined;
  const [name, iban, address, country_code] = ['name', 'iban', 'address', 'country_code'].map((key) => form.text(key));
  if (choices.strangeIbans === 'refused' && iban !== undefined && !/^\s*[a-z]{2}\d/i.test(iban))
    throw refuseBusiness(choices, 'recipient.iban', 'UNKNOWN_IBAN', 'No bank has this IBAN.');
  const ultimate = readUltimate(form);
  const bank = form.object('bank');
  const [bic, bankName, bankAddress, bankCountry] = ['bic', 'name', 'address', 'country_code'].map((key) =>
    bank?.text(key),
  );
  const given = { ultimate: ultimate !== undefined, bank: bank !== undefined, address: address !== undefined };
  if (!recipientTaken(activeLies, given)) body.complain('recipient', 'The recipient field holds too much.');
  const countries = [bic?.slice(4, 6), bankCountry].filter((one) => one !== undefined);
  if (choices.recipientBanks !== 'anywhere' && countries.some((one) => one !== iban?.slice(0, 2)))
    body.complain('recipient.bank', 'The bank must be in the country of the IBAN.');
  return {
    name,
    iban,
    address,
    country_code,
    agency_id: bic,
    agency_name: bankName,
    agency_address: bankAddress,
    ultimate,
  };
}

/**
 * Reads the body of a creation as a draft of the transaction; complains in the form about what is not accepted.
 * @param lastRails rails of the transaction before
 */
export function readTransferDraft(
  { activeLies, choices }: Pick<V1World, 'activeLies' | 'choices'>,
  form: RequestForm,
  account: UserAccount,
  lastRails: string,
): TransferDraft {
  if (form.raw('recipient') === null && !recipientLookedAt(activeLies)) throw new Error('the recipient is null');
  const hasBank = namesBank(form.raw('recipient'));
  const payment_type = readRails(activeLies, form, lastRails, { hasBank, isFirst: account.isFirst });
  const sent: Remittance & Beside = {
    details: form.raw('payment_details'),
    code: form.raw('payment_code'),
    rails: payment_type,
    isFirst: account.isFirst,
    isNamed: form.raw('payment_type') === 'sepa',
    hasBank,
  };
  const details = readText(form, 'payment_details', (text) => detailsFit(activeLies, text, sent), 140);
  const code = readText(form, 'payment_code', (text) => codeFits(activeLies, text, sent), 35);
  const ident = readText(form, 'end_to_end_ident', (text) => identFits(activeLies, text, sent), 35);
  if (choices.paymentCodes === 'purpose codes' && code !== null && !/^[A-Z]{4}$/.test(code))
    form.complain('payment_code', 'The payment_code field must be a purpose code.');
  if (neither(activeLies, sent)) {
    form.complain('payment_details', 'The payment_details field is required when payment_code is not present.');
    form.complain('payment_code', 'The payment_code field is required when payment_details is not present.');
  }
  if (!detailsAlone(activeLies, sent)) form.complain('payment_code', 'The payment_code field is required.');
  if (!codeAlone(activeLies, sent)) form.complain('payment_details', 'The payment_details field is required.');
  if (!identOptional(activeLies, form.raw('end_to_end_ident'), sent))
    form.complain('end_to_end_ident', 'The end_to_end_ident field is required.');
  const payer = readUltimate(form.object('payer'));
  if (!payerTaken(activeLies, payer?.name)) form.complain('payer', 'The payer field is not accepted.');
  return {
    amount: readAmount(activeLies, form, sent),
    payment_type,
    payment_details: keepText(activeLies, choices, form, 'payment_details', details),
    payment_code: code,
    end_to_end_ident: keepText(activeLies, choices, form, 'end_to_end_ident', ident),
    direction: 'DEBIT',
    transaction_type: 'payment',
    status: 'pending',
    payer: { ...account.party, ultimate: payer },
    recipient: readRecipient(activeLies, choices, form),
  };
}
