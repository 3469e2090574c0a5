import { electronicFormatIBAN, extractIBAN } from 'ibantools';
import { decision } from '../../decision.ts';
import { DAY } from '../../durations.ts';
import { decideMixUp, type MixUp } from '../../rush.ts';
import type { V1Call } from '../v1-call.ts';
import { answerBehind, createMemberShape, decideSuccess, type V1Answer } from '../wire/answer-shape.ts';
import { requiredField } from '../wire/field-limits.ts';
import { findListedBank, type ListedBank } from './listed-banks.ts';

const ibanNeeded = requiredField('V1-IBN-01', 'lookup-without-iban-accepted');

const valid = decision({
  rule: 'V1-IBN-02',
  honest: (_iban: string, sound: boolean, _isAgain: boolean, _sent: string) => sound,
  lies: {
    'broken-iban-valid-in-lower-case': (_iban, sound, _isAgain, sent) => sound || /^[a-z]{2}\d{2}[a-z\d]+$/.test(sent),
    'broken-iban-valid-in-groups-of-four': (_iban, sound, _isAgain, sent) =>
      sound || /^[A-Z]{2}\d{2}( [A-Z\d]{1,4})+$/.test(sent),
    'broken-iban-valid-when-asked-again': (_iban, sound, isAgain) => sound || isAgain,
    'every-iban-valid': () => true,
    'iban-length-unchecked': (iban, sound) => sound || /^[A-Z]{2}\d{2}[A-Z0-9]+$/.test(iban),
    'iban-country-unchecked': (iban, sound) => sound || /^.{2}\d{2}[A-Z0-9]{11,30}$/.test(iban),
  },
});

/** Whether an IBAN that is there and empty is taken for a sound one. */
const emptyIsSound = decision({
  rule: 'V1-IBN-02',
  honest: (_iban: unknown) => false,
  lies: { 'empty-iban-valid': (iban) => iban === '' },
});

const soundIsValid = decision({
  rule: 'V1-IBN-07',
  honest: (isValid: boolean, _iban: string, _bank: ListedBank | undefined, _wasSound: boolean) => isValid,
  lies: {
    'sound-iban-called-invalid-after-a-broken-one': (isValid, _iban, _bank, wasSound) => isValid && wasSound,
    'iban-of-an-unknown-bank-called-invalid': (isValid, _iban, bank) => isValid && bank !== undefined,
    'iban-with-letters-called-invalid': (isValid, iban) => isValid && /^.{2}\d+$/.test(iban),
    'iban-of-other-countries-called-invalid': (isValid, iban) => isValid && iban.startsWith('DE'),
  },
});

/** Who looks an IBAN up, and what was looked up before. */
interface EarlierLookups {
  readonly isFirstUser: boolean;
  readonly before: ListedBank | undefined;
  readonly wasSound: boolean;
  readonly wasFound: boolean;
  /** Whether a bank was first found more than a day ago. */
  readonly isOld: boolean;
}

const bic = decision({
  rule: 'V1-IBN-03',
  honest: (bank: ListedBank | undefined, _earlier: EarlierLookups) => bank?.bic ?? null,
  lies: {
    'bic-found-for-the-first-user-alone': (bank, { isFirstUser }) => (isFirstUser ? (bank?.bic ?? null) : null),
    'bic-not-found-a-day-later': (bank, { isOld }) => (isOld ? null : (bank?.bic ?? null)),
    'bic-not-found-after-a-broken-iban': (bank, { wasSound }) => (wasSound ? (bank?.bic ?? null) : null),
    'bic-not-found-after-an-unknown-bank': (bank, { wasFound }) => (wasFound ? (bank?.bic ?? null) : null),
    'bic-never-found': () => null,
    'bic-empty': () => '',
    'bic-always-of-one-bank': (bank) => bank && 'COBADEFFXXX',
    'bic-of-other-countries-one-character-longer': (bank) =>
      bank && (bank.bic.startsWith('DE', 4) ? bank.bic : `${bank.bic}X`),
  },
});

const bankName = decision({
  rule: 'V1-IBN-04',
  honest: (bank: ListedBank | undefined, _earlier: EarlierLookups) => bank?.name ?? null,
  lies: {
    'bank-name-of-the-iban-before': (bank, { before }) => bank && (before ?? bank).name,
    'bank-name-not-found-a-day-later': (bank, { isOld }) => (isOld ? null : (bank?.name ?? null)),
    'bank-name-not-found-after-a-broken-iban': (bank, { wasSound }) => (wasSound ? (bank?.name ?? null) : null),
    'bank-name-not-found-after-an-unknown-bank': (bank, { wasFound }) => (wasFound ? (bank?.name ?? null) : null),
    'bank-name-found-for-the-first-user-alone': (bank, { isFirstUser }) => (isFirstUser ? (bank?.name ?? null) : null),
    'bank-name-never-found': () => null,
    'bank-name-empty': () => '',
    'bank-name-is-the-bic': (bank) => bank?.bic ?? null,
    'bank-name-always-of-one-bank': (bank) => bank && 'Commerzbank',
  },
});

const shownIban = decision({
  rule: 'V1-IBN-06',
  honest: (iban: string, _first: string, _isFormed: boolean, _last: string | undefined, _ofBank: string | undefined) =>
    iban,
  lies: {
    'lookup-shows-the-first-iban-of-the-bank': (iban, _first, _isFormed, _last, ofBank) => ofBank ?? iban,
    'lookup-shows-the-first-iban-of-the-country': (_iban, first) => first,
    'lookup-cuts-iban-at-a-blank': (iban) => iban.split(' ')[0]!,
    'lookup-of-a-broken-iban-shows-the-last-sound-one': (iban, _first, isFormed, last) =>
      isFormed ? iban : (last ?? iban),
  },
});

const looked = decideSuccess('V1-IBN-05', 200, {
  'lookup-answered-201': (body) => ({ status: 201, body }),
  'lookup-answered-204': () => ({ status: 204 }),
  'lookup-in-a-list': (body) => ({ status: 200, body: [body] }),
});

const details = createMemberShape({
  iban: {
    rule: 'V1-IBN-06',
    lies: {
      'lookup-shows-other-iban': () => 'GB29NWBK60161331926819',
      'lookup-masks-iban': (value) => `****${String(value).slice(-4)}`,
      'lookup-cuts-iban': (value) => String(value).slice(0, -1),
    },
  },
  is_valid: {
    rule: 'V1-IBN-07',
    lies: {
      'validity-as-text': (value) => String(value),
      'validity-as-number': (value) => Number(value),
      'sound-iban-called-invalid': () => false,
    },
  },
  bank_bic: {
    rule: 'V1-IBN-08',
    lies: {
      'bic-as-list': (value) => [value],
      'bic-false-when-unlisted': (value) => value ?? false,
      'bic-null-in-words': (value) => String(value),
    },
  },
  bank_name: {
    rule: 'V1-IBN-09',
    lies: { 'bank-name-as-object': (text) => ({ text }), 'bank-name-false-when-unlisted': (value) => value ?? false },
  },
});

/** How many milliseconds a lookup goes on in which others are answered with its IBAN. */
const mixesOthers = decideMixUp('V1-IBN-06', 'lookups-at-once-mixed');

/** The same of the bank that they find: its BIC, and its name. */
const lendsItsBic = decideMixUp('V1-IBN-03', 'lookups-at-once-find-one-bic');
const lendsItsName = decideMixUp('V1-IBN-04', 'lookups-at-once-find-one-bank-name');

/** The bank whose details are shown. */
const ofBank = decision({
  rule: 'V1-IBN-03',
  honest: (bank: ListedBank | undefined, _before: ListedBank | undefined) => bank,
  lies: {
    'bank-of-the-iban-before': (bank, before) => bank && (before ?? bank),
    'bank-of-the-iban-before-where-none-is-known': (bank, before) => bank ?? before,
  },
});

/** Bank details for an IBAN; the IBAN comes back as it was sent. */
export function getIbanDetails({
  world: { activeLies, choices, clock },
  v1State: { firstIbans, lookedUp, rush, users },
  user,
  query,
}: V1Call): V1Answer {
  const iban = query.text('iban') ?? '';
  const isSound = emptyIsSound(activeLies, query.get('iban'));
  if (iban.trim() === '' && !isSound && ibanNeeded(activeLies)) query.complain('iban', 'The iban field is required.');
  query.refuseComplaints();
  const plain = electronicFormatIBAN(iban) ?? '';
  const { valid: sound, countryCode = '', bankIdentifier = '' } = extractIBAN(plain);
  const { badIban, ibanCheck } = choices;
  const isForm = ibanCheck === 'form' ? /^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(plain) : sound;
  const formed = isForm || isSound;
  if (!formed && badIban === 422) query.complain('iban', 'The iban field must be an IBAN.');
  query.refuseComplaints();
  const found = findListedBank(countryCode, bankIdentifier);
  const { wasSound = true, wasFound = true, bank: before } = lookedUp;
  const bank = ofBank(activeLies, found, before);
  lookedUp.bank = found ?? before;
  lookedUp.wasSound = formed;
  lookedUp.wasFound = found !== undefined;
  if (activeLies.size > 0 && found !== undefined) lookedUp.firstFound ??= clock.now();
  const isOld = clock.now() - (lookedUp.firstFound ?? clock.now()) > DAY;
  const earlier = { isFirstUser: user === users[0], before, wasSound, wasFound, isOld };
  const bankKey = `${countryCode}${bankIdentifier}`;
  for (const key of [countryCode, bankKey]) if (formed && !firstIbans.has(key)) firstIbans.set(key, iban);
  const { lasts, isAtOnce } = rush.begin(activeLies, 'lookup', mixesOthers, lendsItsBic, lendsItsName);
  const shared = (lends: MixUp, own: ListedBank | undefined) =>
    isAtOnce && own !== undefined && lends(activeLies) > 0 ? (lookedUp.first ?? own) : own;
  if (!isAtOnce) lookedUp.first = bank;
  const meant = isAtOnce && mixesOthers(activeLies) > 0 ? (lookedUp.iban ?? iban) : iban;
  const isAgain = lookedUp.iban === meant;
  lookedUp.iban = meant;
  const body = {
    iban: shownIban(
      activeLies,
      meant,
      firstIbans.get(countryCode) ?? iban,
      formed,
      [...firstIbans.values()].at(-1),
      found && firstIbans.get(bankKey),
    ),
    is_valid: soundIsValid(activeLies, valid(activeLies, plain, formed, isAgain, iban), plain, found, wasSound),
    bank_bic: bic(activeLies, shared(lendsItsBic, bank), earlier),
    bank_name: bankName(activeLies, shared(lendsItsName, bank), earlier),
  };
  return answerBehind(looked(activeLies, details(activeLies, body, { place: 'read', index: 0 })), lasts);
}
