import { type ActiveLies, decision } from '../../decision.ts';
import { DAY } from '../../durations.ts';
import { isForMulticurrency, isForSecond } from '../credentials.ts';
import type { GatewayOperationId } from '../gateway-reply.ts';
import { type GatewayOrder, isFinalState, isSecondsOld, type OrderState } from './order.ts';
import { faultOfSorts, type OrderSort } from './order-sorts.ts';
import type { OrderIdentifier } from './orders-at-once.ts';

/** Where a StatusResponse is going. */
export type StatusDestination = {
  readonly in: GatewayOperationId | 'callback';
  /** An operation that was refused: its own state instead of the order's, and why. */
  readonly refused?: { readonly state: OrderState; readonly code: number; readonly message: string } | undefined;
  /** Of a status request, what it names the order by. */
  readonly by?: OrderIdentifier;
};

/** A StatusResponse under construction. */
export type StatusBody = Record<string, unknown>;

const drop =
  (name: string, when: (body: StatusBody, showing: StatusDestination) => boolean) =>
  (body: StatusBody, showing: StatusDestination) => {
    if (when(body, showing)) delete body[name];
    return body;
  };
const put = (
  name: string,
  make: (body: StatusBody) => unknown,
  when: (body: StatusBody, showing: StatusDestination) => boolean,
) => {
  return (body: StatusBody, showing: StatusDestination) => {
    if (body[name] !== undefined && when(body, showing)) body[name] = make(body);
    return body;
  };
};
const into =
  (...places: StatusDestination['in'][]) =>
  (_: StatusBody, showing: StatusDestination) =>
    places.includes(showing.in);
const always = () => true;
const isAskedByOwnId = ({ by }: StatusDestination): boolean => by === 'merchant id';
/** Where an order is asked for by the caller's own id, and shows something. */
const intoOwn =
  (shows: (body: StatusBody) => boolean = always) =>
  (body: StatusBody, showing: StatusDestination) =>
    isAskedByOwnId(showing) && shows(body);
/** Names another step of 3-D Secure than the one that is to be done, or none. */
const nameStep = (step: string | undefined, when: (body: StatusBody, showing: StatusDestination) => boolean) =>
  put('threeDSAuth', (body) => ({ ...(body['threeDSAuth'] as object), threeDSAuthStep: step }), when);
const listed = (body: StatusBody) => (body['transactions'] as { type: string; amount?: unknown }[] | undefined) ?? [];
const captured = (body: StatusBody) => listed(body).some((one) => one.type === 'CAPTURE');
const isReversal = ({ type }: { readonly type: string }) => type === 'REVERSAL';
const reversed = (body: StatusBody) => listed(body).some(isReversal);
const isVoided = (body: StatusBody) => !captured(body) && listed(body).at(-1)?.type === 'REVERSAL';
const without = (type: string) => (body: StatusBody) => listed(body).filter((one) => one.type !== type);
const sumOf = (body: StatusBody, of: string) =>
  Math.round(listed(body).reduce((sum, { type, amount }) => (type === of ? sum + 100 * Number(amount) : sum), 0));

/** Whether the first transaction of a type is about less than the order is. */
const isPartly = (type: string) => (body: StatusBody) =>
  listed(body).some((one) => one.type === type && Math.abs(Number(one.amount)) < Number(listed(body)[0]?.amount));

const says = (body: StatusBody, _showing: StatusDestination): StatusBody => body;

const stateIsSaid = decision({
  rule: 'GW-STR-06',
  honest: says,
  lies: {
    'state-as-number': put('orderState', () => 1, into('sale')),
    'state-missing-from-sale': drop('orderState', into('sale')),
    'state-missing-from-status-by-merchant-id': drop('orderState', intoOwn()),
    'state-missing-from-status': drop('orderState', into('status')),
    'state-missing-after-capture': drop('orderState', (body) => captured(body)),
  },
});

const stateIsListed = decision({
  rule: 'GW-STA-11',
  honest: says,
  lies: {
    'state-in-lower-case': put('orderState', (body) => String(body['orderState']).toLowerCase(), into('status')),
    'state-by-merchant-id-in-lower-case': put(
      'orderState',
      (body) => String(body['orderState']).toLowerCase(),
      intoOwn(),
    ),
    'captured-by-merchant-id-as-a-state': put('orderState', () => 'CAPTURED', intoOwn(captured)),
    'captured-as-a-state': put(
      'orderState',
      () => 'CAPTURED',
      (body) => captured(body),
    ),
    'partly-captured-as-a-state': put('orderState', () => 'PARTLY_CAPTURED', isPartly('CAPTURE')),
    'partly-refunded-as-a-state': put('orderState', () => 'PARTLY_REFUNDED', isPartly('REVERSAL')),
    'charged-back-as-a-state': put(
      'orderState',
      () => 'CHARGED_BACK',
      (body) => listed(body).some(({ type }) => type === 'CHARGEBACK'),
    ),
    'voided-as-a-state': put(
      'orderState',
      () => 'VOIDED',
      (body) => isVoided(body) && listed(body)[0]?.type === 'AUTH',
    ),
  },
});

const transactionsAreAnArray = decision({
  rule: 'GW-STR-03',
  honest: says,
  lies: {
    'transactions-as-object': put('transactions', (body) => ({ ...listed(body) }), always),
    'transactions-by-merchant-id-as-object': put('transactions', (body) => ({ ...listed(body) }), intoOwn()),
    'transactions-as-object-after-capture': put('transactions', (body) => ({ ...listed(body) }), captured),
  },
});

const bothSidesAreListed = decision({
  rule: 'GW-STR-01',
  honest: says,
  lies: {
    'capture-not-listed': put('transactions', without('CAPTURE'), always),
    'capture-by-merchant-id-replaces-authorization': put('transactions', without('AUTH'), intoOwn(captured)),
    'refund-by-merchant-id-replaces-authorization': put(
      'transactions',
      without('AUTH'),
      intoOwn((body) => captured(body) && reversed(body)),
    ),
    'capture-replaces-authorization': put('transactions', without('AUTH'), captured),
    'answer-to-a-capture-lists-that-alone': put('transactions', (body) => listed(body).slice(-1), into('capture')),
    'answer-to-a-reversal-lists-that-alone': put('transactions', (body) => listed(body).slice(-1), into('reversal')),
    'second-capture-replaces-authorization': put(
      'transactions',
      without('AUTH'),
      (body) => listed(body).filter(({ type }) => type === 'CAPTURE').length > 1,
    ),
    'refund-replaces-authorization': put(
      'transactions',
      without('AUTH'),
      (body) => captured(body) && listed(body).at(-1)?.type === 'REVERSAL',
    ),
  },
});

const escapeMarkup = (html: unknown) => String(html).replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const htmlIsText = decision({
  rule: 'GW-STR-04',
  honest: says,
  lies: {
    'html-escaped-in-status': put('outputHtml', (body) => escapeMarkup(body['outputHtml']), into('status')),
    'html-of-an-authorization-in-base64': put(
      'outputHtml',
      (body) => Buffer.from(String(body['outputHtml'])).toString('base64'),
      (body) => body['transactionType'] === 'AUTH',
    ),
    'html-of-an-authorization-leads-to-no-page': put(
      'outputHtml',
      (body) => String(body['outputHtml']).replaceAll('/acs/challenge', '/acs/no-challenge'),
      (body) => body['transactionType'] === 'AUTH',
    ),
    'html-without-the-creq': put(
      'outputHtml',
      (body) => String(body['outputHtml']).replaceAll('name="creq"', 'name="request"'),
      always,
    ),
    'html-as-object': put('outputHtml', (body) => ({ html: body['outputHtml'] }), always),
    'html-as-list-of-lines': put('outputHtml', (body) => String(body['outputHtml']).split('\n'), always),
  },
});

const redirectIsAnAddress = decision({
  rule: 'GW-STR-05',
  honest: says,
  lies: {
    'redirect-as-path': put(
      'outputRedirectToUrl',
      (body) => new URL(String(body['outputRedirectToUrl'])).pathname,
      always,
    ),
    'redirect-as-object': put('outputRedirectToUrl', (body) => ({ url: body['outputRedirectToUrl'] }), always),
  },
});

const threeDSComesAlong = decision({
  rule: 'GW-TDS-01',
  honest: says,
  lies: {
    // Everywhere: a later status may be the first to carry it.
    'three-ds-missing-from-sale': drop('threeDSAuth', (body) => body['transactionType'] === 'SALE'),
    'three-ds-missing-from-the-answer-that-leads-on': drop(
      'threeDSAuth',
      (body, showing) => showing.in === 'auth' && body['outputHtml'] !== undefined,
    ),
    'three-ds-missing-from-verification': drop(
      'threeDSAuth',
      (body) => body['transactionType'] === 'ACCOUNT_VERIFICATION',
    ),
    'three-ds-missing-from-authorization': drop('threeDSAuth', (body) => body['transactionType'] === 'AUTH'),
  },
});

const statusNamesTheStep = decision({
  rule: 'GW-TDS-24',
  honest: says,
  lies: {
    'status-leads-to-another-acs': put(
      'threeDSAuth',
      (body) => {
        const auth = body['threeDSAuth'] as { acsUrl?: string };
        return auth.acsUrl === undefined ? auth : { ...auth, acsUrl: `${auth.acsUrl}/elsewhere` };
      },
      into('status'),
    ),
    'status-by-merchant-id-names-no-three-ds-step': nameStep(undefined, intoOwn()),
    'status-names-no-three-ds-step': nameStep(undefined, into('status')),
    'status-names-one-three-ds-step-only': nameStep('CREQ', into('status')),
  },
});

const verifies = (body: StatusBody) => body['transactionType'] === 'ACCOUNT_VERIFICATION';

const verificationAsksLikeAPayment = decision({
  rule: 'GW-VER-06',
  honest: says,
  lies: {
    'verification-leads-on-without-three-ds': drop('threeDSAuth', verifies),
    'verification-names-no-three-ds-step': nameStep(undefined, verifies),
  },
});

const listsBesides = (type: 'AUTH' | 'SALE', when: (showing: StatusDestination) => boolean = always) =>
  put(
    'transactions',
    (body) => [...listed(body), { ...listed(body)[0], type, status: 'APPROVED', amount: '1.00' }],
    (body, showing) => showing.in === 'status' && verifies(body) && body['orderState'] === 'APPROVED' && when(showing),
  );

const verificationListsNoMoney = decision({
  rule: 'GW-VER-04',
  honest: says,
  lies: {
    'verification-lists-a-sale': listsBesides('SALE'),
    'verification-by-merchant-id-lists-a-sale': listsBesides('SALE', isAskedByOwnId),
  },
});

const verificationListsNoBlock = decision({
  rule: 'GW-VER-05',
  honest: says,
  lies: {
    'verification-lists-an-authorization': listsBesides('AUTH'),
    'verification-by-merchant-id-lists-an-authorization': listsBesides('AUTH', isAskedByOwnId),
  },
});

const saleShowsTheWay = decision({
  rule: 'GW-SAL-04',
  honest: says,
  lies: {
    'three-ds-sale-with-a-method-leads-nowhere': (body) => {
      const { threeDSAuthStep } = (body['threeDSAuth'] ?? {}) as { threeDSAuthStep?: string };
      if (threeDSAuthStep === 'THREEDS_METHOD')
        for (const name of ['outputHtml', 'outputRedirectToUrl']) delete body[name];
      return body;
    },
    'three-ds-sale-leads-nowhere': (body, showing) => {
      const drops = showing.in === 'sale' && body['threeDSAuth'] !== undefined;
      if (drops) for (const name of ['outputHtml', 'outputRedirectToUrl']) delete body[name];
      return body;
    },
  },
});

const statusListsItsTransactions = decision({
  rule: 'GW-STS-08',
  honest: says,
  lies: {
    'status-without-transactions': drop('transactions', into('status')),
    'status-lists-captures-for-each-reversal': put(
      'transactions',
      (body) => {
        const times = listed(body).filter(({ type }) => type === 'REVERSAL').length;
        return listed(body).flatMap((one) => (one.type === 'CAPTURE' ? Array(times).fill(one) : [one]));
      },
      (body, showing) => showing.in === 'status' && captured(body) && reversed(body),
    ),
    'status-hides-a-capture-taken-back-in-full': put(
      'transactions',
      without('CAPTURE'),
      (body, showing) =>
        showing.in === 'status' && captured(body) && sumOf(body, 'CAPTURE') === sumOf(body, 'REVERSAL'),
    ),
    'status-hides-a-sale-taken-back-in-parts': put(
      'transactions',
      without('SALE'),
      (body, showing) =>
        showing.in === 'status' &&
        listed(body).filter(({ type }) => type === 'REVERSAL').length > 1 &&
        sumOf(body, 'SALE') === sumOf(body, 'REVERSAL'),
    ),
    'status-hides-a-voided-authorization': put(
      'transactions',
      without('AUTH'),
      (body, showing) => showing.in === 'status' && isVoided(body),
    ),
    'status-by-merchant-id-hides-a-voided-authorization': put('transactions', without('AUTH'), intoOwn(isVoided)),
    'status-by-merchant-id-lists-the-last-alone': put('transactions', (body) => listed(body).slice(-1), intoOwn()),
    'status-by-merchant-id-lists-the-last-reversal-alone': put(
      'transactions',
      (body) => listed(body).filter((one, i, all) => !isReversal(one) || i === all.findLastIndex(isReversal)),
      intoOwn(reversed),
    ),
    'status-hides-a-sale-taken-back-in-full': put(
      'transactions',
      without('SALE'),
      (body, showing) =>
        showing.in === 'status' &&
        listed(body).at(-1)?.type === 'REVERSAL' &&
        listed(body).at(-1)?.amount === listed(body)[0]?.amount,
    ),
    'status-with-empty-transactions': put('transactions', () => [], into('status')),
    'status-lists-the-last-capture-alone': put(
      'transactions',
      (body) =>
        listed(body).filter(
          (one, i, all) => one.type !== 'CAPTURE' || i === all.findLastIndex((other) => other.type === 'CAPTURE'),
        ),
      into('status'),
    ),
    'status-lists-the-first-capture-alone': put(
      'transactions',
      (body) =>
        listed(body).filter(
          (one, i, all) => one.type !== 'CAPTURE' || i === all.findIndex((other) => other.type === 'CAPTURE'),
        ),
      into('status'),
    ),
  },
});

const statusIsFresh = decision({
  rule: 'GW-STS-07',
  honest: says,
  lies: {
    'status-stale-after-capture': put('transactions', without('CAPTURE'), into('status')),
    'status-stale-after-reversal': put('transactions', without('REVERSAL'), into('status')),
  },
});

const callbackAgrees = decision({
  rule: 'GW-CBK-03',
  honest: says,
  lies: {
    'callback-says-another-state': put(
      'orderState',
      (body) => (body['orderState'] === 'APPROVED' ? 'DECLINED' : 'APPROVED'),
      into('callback'),
    ),
    'callback-of-a-chargeback-says-the-state-before': put(
      'orderState',
      () => 'APPROVED',
      (body, showing) => showing.in === 'callback' && listed(body).some((one) => one.type === 'CHARGEBACK'),
    ),
    'callback-of-a-second-reversal-lists-one': put(
      'transactions',
      (body) =>
        listed(body).filter(
          (one, i, all) => one.type !== 'REVERSAL' || all.findIndex((other) => other.type === 'REVERSAL') === i,
        ),
      into('callback'),
    ),
    'callback-of-a-verification-says-error': put(
      'orderState',
      () => 'ERROR',
      (body, showing) => showing.in === 'callback' && body['transactionType'] === 'ACCOUNT_VERIFICATION',
    ),
    'callback-lists-fewer-transactions': put('transactions', (body) => listed(body).slice(1), into('callback')),
    'callback-of-a-declined-authorization-says-error': put(
      'orderState',
      () => 'ERROR',
      (body, showing) =>
        showing.in === 'callback' && body['transactionType'] === 'AUTH' && body['orderState'] === 'DECLINED',
    ),
    'callback-of-a-failed-payment-says-declined': put(
      'orderState',
      () => 'DECLINED',
      (body, showing) => showing.in === 'callback' && body['orderState'] === 'ERROR',
    ),
    'callback-after-a-refused-challenge-says-approved': put(
      'orderState',
      () => 'APPROVED',
      (body, showing) => showing.in === 'callback' && body['errorCode'] === 113,
    ),
    'status-hides-a-chargeback': (body, showing) =>
      showing.in === 'status' && listed(body).some((one) => one.type === 'CHARGEBACK')
        ? { ...body, orderState: 'APPROVED', transactions: without('CHARGEBACK')(body) }
        : body,
  },
});

const steps = [
  stateIsSaid,
  stateIsListed,
  transactionsAreAnArray,
  bothSidesAreListed,
  htmlIsText,
  redirectIsAnAddress,
  threeDSComesAlong,
  statusNamesTheStep,
  verificationAsksLikeAPayment,
  verificationListsNoMoney,
  verificationListsNoBlock,
  saleShowsTheWay,
  statusListsItsTransactions,
  statusIsFresh,
  callbackAgrees,
];

const isDaysOld = ({ changedAt }: GatewayOrder, now: number, days = 2) => now - changedAt >= days * DAY;
const otherEnd = (state: OrderState): OrderState => (state === 'APPROVED' ? 'DECLINED' : 'APPROVED');

/** What a final state is shown as, by the time or the times that it was asked for. */
type Turn = (shown: OrderState, order: GatewayOrder, now: number, by: OrderIdentifier) => OrderState;

/** Ways in which a final state does not stay, as lies call them. */
const TURNS = {
  'falls-back': (shown, { polls }) => (polls > 2 ? 'PROCESSING' : shown),
  'turns-into-another': (shown, { polls }) => (polls > 2 ? otherEnd(shown) : shown),
  'turns-into-another-after-days': (shown, order, now) => (isDaysOld(order, now) ? otherEnd(shown) : shown),
  'turns-into-another-after-a-month': (shown, order, now) => (isDaysOld(order, now, 30) ? otherEnd(shown) : shown),
  'turns-into-another-after-seconds': (shown, order) => (isSecondsOld(order) ? otherEnd(shown) : shown),
} as const satisfies Readonly<Record<string, Turn>>;

/** Lies about a state that does not stay: each turn with each of some sorts of orders. */
function turnsOf(
  state: OrderState,
  turns: readonly (keyof typeof TURNS)[],
  sorts: readonly OrderSort[],
  identifiers?: readonly OrderIdentifier[],
): Readonly<Record<string, Turn>> {
  const lies = turns.flatMap((turn) =>
    Object.entries(faultOfSorts(turn, sorts, identifiers)).map(([name, spares]): [string, Turn] => [
      `${state.toLowerCase()}-${name}`,
      (shown, order, now, by) => (shown !== state || spares(by, order) ? shown : TURNS[turn](shown, order, now)),
    ]),
  );
  return Object.fromEntries(lies);
}

const finalStays = (state: OrderState, rule: string, more: Readonly<Record<string, Turn>> = {}) =>
  decision({
    rule,
    honest: (shown: OrderState, _order: GatewayOrder, _now: number, _by: OrderIdentifier) => shown,
    lies: {
      ...turnsOf(
        state,
        ['falls-back', 'turns-into-another', 'turns-into-another-after-days', 'turns-into-another-after-seconds'],
        ['any-order'],
      ),
      ...turnsOf(state, ['falls-back', 'turns-into-another-after-days'], ['authorization']),
      ...turnsOf(state, ['falls-back', 'turns-into-another-after-days'], ['any-order'], ['merchant id']),
      ...more,
    },
  });

const finals = [
  finalStays('APPROVED', 'GW-STA-04', {
    ...turnsOf(
      'APPROVED',
      ['falls-back', 'turns-into-another', 'turns-into-another-after-days'],
      [
        'captured-order',
        'sale-taken-back',
        'voided-authorization',
        'verification',
        'payment-with-a-registered-card',
        'payment-after-3-d-secure',
        'paid-form',
        'order-that-names-a-callback-address',
        'order-of-the-second-requestor',
        'order-of-a-multi-currency-requestor',
      ],
    ),
    ...turnsOf(
      'APPROVED',
      ['falls-back'],
      ['captured-order', 'sale-taken-back', 'voided-authorization', 'verification'],
      ['merchant id'],
    ),
    ...turnsOf('APPROVED', ['turns-into-another-after-days'], ['partly-captured-authorization']),
    ...turnsOf('APPROVED', ['turns-into-another-after-a-month'], ['sale', 'captured-order']),
  }),
  finalStays('DECLINED', 'GW-STA-05'),
  finalStays('ERROR', 'GW-STA-06'),
  finalStays('FILTERED', 'GW-STA-07'),
];

const encode = (body: StatusBody, as: 'base64' | 'hex') => Buffer.from(`pan=${body['typedNumber']}`).toString(as);

const formCardStaysHidden = decision({
  rule: 'GW-FRM-04',
  honest: says,
  lies: {
    'form-card-number-in-status': (body, showing) =>
      showing.in === 'status' && body['typedNumber'] ? { ...body, cardNumber: body['typedNumber'] } : body,
    'form-card-number-in-two-parts-in-status': (body, showing) =>
      showing.in === 'status' && body['typedNumber']
        ? { ...body, cardFirstDigits: String(body['typedNumber']).slice(0, -4) }
        : body,
    'form-card-number-in-status-by-merchant-id': (body, showing) =>
      isAskedByOwnId(showing) && body['typedNumber'] ? { ...body, cardNumber: body['typedNumber'] } : body,
    'form-card-number-in-answer-to-reversal': (body, showing) =>
      showing.in === 'reversal' && body['typedNumber'] ? { ...body, cardNumber: body['typedNumber'] } : body,
    'form-card-number-in-status-in-base64': (body, showing) =>
      showing.in === 'status' && body['typedNumber'] ? { ...body, cardToken: encode(body, 'base64') } : body,
    'form-card-number-in-status-in-hex': (body, showing) =>
      showing.in === 'status' && body['typedNumber'] ? { ...body, cardToken: encode(body, 'hex') } : body,
    'form-card-number-in-status-of-a-decline': (body, showing) =>
      showing.in === 'status' && body['typedNumber'] && body['orderState'] === 'DECLINED'
        ? { ...body, cardNumber: body['typedNumber'] }
        : body,
    'form-card-number-in-answer-to-capture': (body, showing) =>
      showing.in === 'capture' && body['typedNumber'] ? { ...body, cardNumber: body['typedNumber'] } : body,
    'form-card-number-in-callback-about-a-capture': (body, showing) =>
      showing.in === 'callback' && body['typedNumber'] && captured(body)
        ? { ...body, cardNumber: body['typedNumber'] }
        : body,
    'form-card-number-in-callback-about-a-reversal': (body, showing) =>
      showing.in === 'callback' && body['typedNumber'] && reversed(body)
        ? { ...body, cardNumber: body['typedNumber'] }
        : body,
    'form-card-number-in-status-after-a-reversal': (body, showing) =>
      showing.in === 'status' && body['typedNumber'] && reversed(body)
        ? { ...body, cardNumber: body['typedNumber'] }
        : body,
    'form-card-number-in-status-of-an-authorization': (body, showing) =>
      showing.in === 'status' && body['typedNumber'] && listed(body)[0]?.type === 'AUTH'
        ? { ...body, cardNumber: body['typedNumber'] }
        : body,
    'form-card-number-in-callback': (body, showing) =>
      showing.in === 'callback' && body['typedNumber'] ? { ...body, cardNumber: body['typedNumber'] } : body,
  },
});

const ofOrder = (body: StatusBody, _showing: StatusDestination, _order: GatewayOrder): StatusBody => body;
/** Lists something else of certain orders. */
const listing =
  (transactions: (body: StatusBody) => unknown, when: (order: GatewayOrder, showing: StatusDestination) => boolean) =>
  (body: StatusBody, showing: StatusDestination, order: GatewayOrder): StatusBody =>
    when(order, showing) ? { ...body, transactions: transactions(body) } : body;
/** Lies that list something else of each of some sorts of orders, at one place or at all. */
const listingOf = (
  fault: string,
  sorts: readonly OrderSort[],
  transactions: (body: StatusBody) => unknown,
  { place, identifiers }: { place?: StatusDestination['in']; identifiers?: readonly OrderIdentifier[] } = {},
) =>
  Object.fromEntries(
    Object.entries(faultOfSorts(fault, sorts, identifiers)).map(([name, spares]) => [
      name,
      listing(transactions, (order, showing) => (place ?? showing.in) === showing.in && !spares(showing.by, order)),
    ]),
  );
/** Of transactions that look alike, one. */
const eachOnce = (body: StatusBody) => [
  ...new Map(listed(body).map((one) => [`${one.type} ${one.amount}`, one] as const)).values(),
];
const afterCapture = (body: StatusBody) => (captured(body) ? without('AUTH')(body) : listed(body));
const nothing = () => [];
/** Leaves out what 3-D Secure asks for, wherever it would be shown of certain orders. */
const withoutThreeDS =
  (when: (order: GatewayOrder) => boolean) =>
  ({ threeDSAuth, ...rest }: StatusBody, _showing: StatusDestination, order: GatewayOrder): StatusBody =>
    when(order) || threeDSAuth === undefined ? rest : { ...rest, threeDSAuth };
const isAuthenticated = ({ card }: GatewayOrder) => card?.behaviour.step !== undefined;
const isByPareq = ({ card }: GatewayOrder) => card?.behaviour.step === 'pareq';

/** What is listed of an order, by the way it was paid. */
const paidEitherWay = [
  decision({
    rule: 'GW-SAL-04',
    honest: ofOrder,
    lies: {
      'three-ds-sale-for-another-requestor-leads-nowhere': (body, _showing, order) => {
        const drops = order.kind === 'SALE' && isForSecond(order) && body['threeDSAuth'] !== undefined;
        if (drops) for (const name of ['outputHtml', 'outputRedirectToUrl']) delete body[name];
        return body;
      },
    },
  }),
  decision({
    rule: 'GW-TDS-01',
    honest: ofOrder,
    lies: {
      'three-ds-missing-for-another-requestor': withoutThreeDS(isForSecond),
      'three-ds-missing-in-several-currencies': withoutThreeDS(isForMulticurrency),
    },
  }),
  decision({
    rule: 'GW-STR-01',
    honest: ofOrder,
    lies: listingOf(
      'listed-without-its-authorization-when-captured',
      [
        'order-of-the-second-requestor',
        'order-of-a-multi-currency-requestor',
        'payment-with-a-registered-card',
        'payment-after-3-d-secure',
        'form',
      ],
      afterCapture,
    ),
  }),
  decision({
    rule: 'GW-FRM-04',
    honest: ofOrder,
    lies: {
      'form-card-number-in-status-after-3-d-secure': (body, showing, order) =>
        showing.in === 'status' && order.typed !== undefined && isAuthenticated(order)
          ? { ...body, cardNumber: order.typed }
          : body,
    },
  }),
  decision({
    rule: 'GW-STS-08',
    honest: ofOrder,
    lies: {
      ...listingOf(
        'without-transactions-in-status',
        [
          'payment-with-a-registered-card',
          'payment-after-3-d-secure',
          'form',
          'order-that-names-a-callback-address',
          'order-that-names-no-callback-address',
          'order-of-the-second-requestor',
          'order-of-a-multi-currency-requestor',
        ],
        nothing,
        { place: 'status' },
      ),
      ...listingOf('without-transactions', ['verification', 'declined-payment'], nothing, {
        identifiers: ['merchant id', 'correlation id'],
      }),
      'status-lists-the-last-of-several-days': listing(
        (body) => listed(body).slice(-1),
        ({ transactions }, showing) =>
          showing.in === 'status' && transactions.at(-1)!.created - transactions[0]!.created > DAY,
      ),
      'status-lists-a-chargeback-alone': listing(
        (body) => listed(body).filter(({ type }) => type === 'CHARGEBACK'),
        ({ chargedBack }, showing) => showing.in === 'status' && chargedBack,
      ),
      'status-hides-a-reversal-after-seconds': listing(
        without('REVERSAL'),
        (order, showing) => showing.in === 'status' && isSecondsOld(order),
      ),
    },
  }),
  decision({
    rule: 'GW-CBK-03',
    honest: ofOrder,
    lies: {
      ...listingOf(
        'without-transactions-in-callbacks',
        [
          'payment-after-3-d-secure',
          'payment-after-a-pareq',
          'form',
          'payment-with-a-registered-card',
          'verification',
          'authorization',
          'order-of-the-second-requestor',
          'order-of-a-multi-currency-requestor',
        ],
        nothing,
        { place: 'callback' },
      ),
      'callback-after-a-refused-pareq-says-approved': (body, showing, order) =>
        showing.in === 'callback' && isByPareq(order) && body['orderState'] === 'DECLINED'
          ? { ...body, orderState: 'APPROVED' }
          : body,
      'callback-lists-like-transactions-once': listing(eachOnce, (_order, showing) => showing.in === 'callback'),
      'callback-of-a-form-after-3-d-secure-lists-amounts-of-zero': listing(
        (body) => listed(body).map((one) => ({ ...one, amount: '0.00' })),
        (order, showing) => showing.in === 'callback' && order.form !== undefined && isAuthenticated(order),
      ),
      'callback-gives-the-system-id-of-the-order-before': (body, showing, { id }) =>
        showing.in === 'callback' ? { ...body, orderSystemId: id - 1 } : body,
      'callback-gives-another-id-of-the-merchant': (body, showing) =>
        showing.in === 'callback' ? { ...body, orderMerchantId: 'order' } : body,
    },
  }),
];

/** Takes a StatusResponse through everything that is promised about it. */
export function keepStatusPromises(
  activeLies: ActiveLies,
  order: GatewayOrder,
  body: StatusBody,
  showing: StatusDestination,
): StatusBody {
  let kept = body;
  if (order.typed !== undefined) {
    kept = formCardStaysHidden(activeLies, { ...kept, typedNumber: order.typed }, showing);
    delete kept['typedNumber'];
  }
  for (const step of steps) kept = step(activeLies, kept, showing);
  for (const step of paidEitherWay) kept = step(activeLies, kept, showing, order);
  return kept;
}

/** The state to show: honestly, the one that the order has come to. */
export function chooseShownState(
  activeLies: ActiveLies,
  order: GatewayOrder,
  showing: StatusDestination,
  now: number,
): OrderState {
  if (activeLies.size === 0 || showing.in !== 'status') return order.state;
  if (!isFinalState(order.state)) return order.state;
  return finals.reduce((shown, stays) => stays(activeLies, shown, order, now, showing.by!), order.state);
}
