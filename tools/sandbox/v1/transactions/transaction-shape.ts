import { decision } from '../../decision.ts';
import { DAY } from '../../durations.ts';
import {
  type AnswerBody,
  createMemberShape,
  type MemberLies,
  type MemberPlace,
  partTwoWays,
} from '../wire/answer-shape.ts';

const party = (rule: string, name: string): MemberLies => ({
  rule,
  lies: {
    [`party-${name}-as-number`]: (value) => (value === undefined ? undefined : 7),
    [`party-${name}-as-object`]: (value) => (value === undefined ? undefined : { text: value }),
    [`party-${name}-null`]: (value) => (value === undefined ? undefined : null),
  },
});

const partyShape = createMemberShape({
  name: party('V1-TRN-23', 'name'),
  iban: party('V1-TRN-24', 'iban'),
  address: party('V1-TRN-25', 'address'),
  country_code: party('V1-TRN-26', 'country-code'),
  agency_id: party('V1-TRN-27', 'agency-id'),
  agency_name: party('V1-TRN-28', 'agency-name'),
  agency_address: party('V1-TRN-29', 'agency-address'),
  ultimate: {
    rule: 'V1-TRN-30',
    lies: {
      'transaction-ultimate-as-text': (value) => (value as { name?: string } | undefined)?.name,
      'transaction-ultimate-name-as-number': (value) => (value === undefined ? undefined : { name: 7 }),
    },
  },
});

/** The lie is told of every entry but the first of a list. */
const later =
  (lie: (value: unknown) => unknown) =>
  (value: unknown, { place, index }: MemberPlace) =>
    place === 'list' && index > 0 ? lie(value) : value;

/** The lie is told when reading a single transaction only. */
const onRead =
  (lie: (value: unknown) => unknown) =>
  (value: unknown, { place }: MemberPlace) =>
    place === 'read' ? lie(value) : value;

const partWays = (name: string, other: (value: unknown) => unknown) => partTwoWays('V1-TRN-32', name, other);

/** A day so many days from another one. */
const daysFrom = (day: unknown, days: number) =>
  new Date(Date.parse(String(day)) + days * DAY).toISOString().slice(0, 10);

const word = (rule: string, name: string): MemberLies => ({
  rule,
  lies: {
    [`transaction-${name}-as-number`]: () => 1,
    [`transaction-${name}-null`]: () => null,
    [`transaction-${name}-empty`]: () => '',
    [`transaction-${name}-as-list-later-in-list`]: later((value) => [value]),
  },
});

const note = (rule: string, name: string): MemberLies => ({
  rule,
  lies: {
    [`transaction-${name}-as-number`]: () => 42,
    [`transaction-${name}-false-for-null`]: (value) => value ?? false,
    [`transaction-${name}-as-list-on-read`]: onRead((value) => [value]),
  },
});

const members = createMemberShape({
  parent_transaction_uuid: {
    rule: 'V1-TRN-03',
    lies: {
      'transaction-parent-as-empty-text': () => '',
      'transaction-parent-as-number': () => 0,
      'transaction-parent-without-hyphens': () => '0f8fad5bd9cb469fa16570867728950e',
    },
  },
  status: [word('V1-TRN-04', 'status'), partWays('status', (value) => `${value}_before`)],
  aml_status: [
    {
      rule: 'V1-DEP-01',
      lies: {
        'transaction-aml-status-still-shown': () => 'pending',
        'transaction-aml-status-shown-on-read': onRead(() => 'pending'),
      },
    },
    { rule: 'V1-TRN-05', lies: { 'transaction-aml-status-as-number': () => 1 } },
  ],
  operation_date: [
    partWays('operation-date', (value) => daysFrom(value, 1)),
    {
      rule: 'V1-TRN-06',
      lies: {
        'transaction-operation-date-with-dots': (value) => String(value).split('-').reverse().join('.'),
        'transaction-operation-date-with-time': (value) => `${value}T00:00:00Z`,
        'transaction-operation-date-of-a-week-before': (value) => daysFrom(value, -7),
        'transaction-operation-date-of-the-day-before': (value) => daysFrom(value, -1),
        'transaction-operation-date-of-the-day-after': (value) => daysFrom(value, 1),
        'transaction-operation-date-impossible-later-in-list': later(() => '2026-02-30'),
      },
    },
  ],
  operation_date_time: [
    {
      rule: 'V1-TRN-07',
      lies: {
        'transaction-operation-time-without-t': (value) => String(value).replace('T', ' at '),
        'transaction-operation-time-as-number': (value) => Date.parse(String(value)),
      },
    },
    {
      rule: 'V1-TRN-31',
      lies: {
        'transaction-operation-time-without-zone': (value) => String(value).slice(0, 19),
        'transaction-operation-time-in-basic-form': (value) => String(value).replace(/[-:]|\.\d+/g, ''),
      },
    },
  ],
  operation_date_unix: {
    rule: 'V1-TRN-08',
    lies: {
      'transaction-operation-unix-as-text': (value) => String(value),
      'transaction-operation-unix-with-fraction': (value) => Number(value) + 0.5,
      'transaction-operation-unix-as-text-on-read': onRead((value) => String(value)),
      'transaction-operation-unix-two-hours-late-on-read': onRead((value) => Number(value) + 7200),
      'transaction-operation-unix-in-milliseconds': (value) => Number(value) * 1000,
    },
  },
  amount: {
    rule: 'V1-TRN-09',
    lies: {
      'transaction-amount-as-text': (value) => Number(value).toFixed(2),
      'transaction-amount-as-text-later-in-list': later((value) => Number(value).toFixed(2)),
      'transaction-amount-as-object': (value) => ({ value }),
    },
  },
  currency: [
    partWays('currency', (value) => (value === 'EUR' ? 'USD' : 'EUR')),
    {
      rule: 'V1-TRN-10',
      lies: {
        'transaction-currency-lower-case': () => 'eur',
        'transaction-currency-as-sign': () => '€',
        'transaction-currency-in-words': () => 'Euro',
      },
    },
  ],
  payment_type: word('V1-TRN-11', 'payment-type'),
  transaction_type: [word('V1-TRN-12', 'type'), partWays('type', () => 'fee')],
  payment_urgency: {
    rule: 'V1-TRN-13',
    lies: {
      'transaction-urgency-as-number': () => 0,
      'transaction-urgency-empty': () => '',
      'transaction-urgency-as-list': (value) => [value],
    },
  },
  payment_details: note('V1-TRN-14', 'details'),
  payment_code: note('V1-TRN-15', 'code'),
  end_to_end_ident: note('V1-TRN-16', 'end-to-end'),
  direction: [
    word('V1-TRN-17', 'direction'),
    partWays('direction', (value) => (value === 'CREDIT' ? 'DEBIT' : 'CREDIT')),
  ],
  document_number: note('V1-TRN-18', 'document-number'),
  created_at: [
    partWays('creation', (value) => Number(value) + 1),
    {
      rule: 'V1-TRN-19',
      lies: {
        'transaction-created-at-as-iso-text': (value) => new Date(Number(value) * 1000).toISOString(),
        'transaction-created-at-as-text-later-in-list': later((value) => String(value)),
        'transaction-created-at-by-the-clock-of-another-zone': (value) => Number(value) + 7200,
        'transaction-created-at-with-fraction': (value) => Number(value) + 0.25,
        'transaction-created-at-in-milliseconds': (value) => Number(value) * 1000,
      },
    },
  ],
  payer: {
    rule: 'V1-TRN-20',
    lies: {
      'transaction-payer-as-text': (value) => (value as { name?: string }).name,
      'transaction-payer-as-list': (value) => [value],
    },
  },
  recipient: {
    rule: 'V1-TRN-21',
    lies: {
      'transaction-recipient-as-text': (value) => (value === undefined ? undefined : 'A Recipient'),
      'transaction-recipient-as-list-later-in-list': later((value) => (value === undefined ? undefined : [value])),
    },
  },
  verification_of_payee: word('V1-TRN-22', 'payee'),
});

/** A transaction with what is outdated of it. */
const outdated = decision({
  rule: 'V1-DEP-01',
  honest: (body: AnswerBody, _place: MemberPlace['place']) => body,
  lies: {
    'transaction-aml-status-shown-over-swift-on-read': (body, place) =>
      place === 'read' && body['payment_type'] === 'SWIFT' ? { ...body, aml_status: 'approved' } : body,
    'transaction-aml-status-shown-of-what-came-in': (body) =>
      body['direction'] === 'CREDIT' ? { ...body, aml_status: 'approved' } : body,
    'transaction-aml-status-shown-once-ended': (body) =>
      body['status'] === 'pending' ? body : { ...body, aml_status: 'approved' },
  },
});

const whole = createMemberShape({
  transaction: {
    rule: 'V1-TRN-01',
    lies: {
      'listed-transactions-in-lists': (value, { place }) => (place === 'list' ? [value] : value),
      'listed-transactions-as-text': (value, { place }) => (place === 'list' ? JSON.stringify(value) : value),
      'read-transaction-in-a-list': onRead((value) => [value]),
    },
  },
});

/** A transaction's body as it goes out. */
export function shapeTransaction(
  activeLies: Parameters<typeof members>[0],
  body: AnswerBody,
  sight: MemberPlace,
): unknown {
  if (activeLies.size === 0) return body;
  const parties = { ...outdated(activeLies, body, sight.place) };
  for (const side of ['payer', 'recipient']) {
    if (body[side] !== undefined) parties[side] = partyShape(activeLies, body[side] as AnswerBody, sight);
  }
  return whole(activeLies, { transaction: members(activeLies, parties, sight) }, sight).transaction;
}
