import type { ChosenWays } from '../chosen-ways.ts';

/**
 * What the document leaves to the gateway and the sandbox can do in more than one way. The first way of each is the plain sandbox's own;
 * a variation draws one of them for each.
 */
export const GATEWAY_CHOICES = {
  /** Members of every object in an answer. */
  memberOrder: ['as written', 'backwards', 'shuffled'],
  extraMembers: ['none', 'some', 'many'],
  extraHeaders: ['none', 'some'],
  /** Absent members: left out, or there as null. */
  nulls: ['left out', 'shown'],
  /** Label of an answer that is no error; only that of errors is shown. */
  mediaType: ['with charset', 'without charset', 'in capitals', 'with a parameter', 'as text'],
  errorMediaType: ['usual', 'without a space', 'in capitals', 'with a parameter'],
  /** Members of a StatusResponse that the document does not name. */
  otherMembers: ['shown', 'renamed', 'left out'],
  amount: ['decimal-string', 'decimal-number', 'minor-number', 'minor-string'],
  amountRead: ['decimal-string', 'decimal-number', 'minor-number', 'minor-string'],
  orderFields: ['usual', 'flat', 'nested', 'in a list'],
  customerFields: ['usual', 'other'],
  browserFields: ['usual', 'other'],
  urlFields: ['usual', 'other', 'without callback'],
  cardFields: ['usual', 'inside order', 'in one text'],
  cardIdField: ['cardId', 'nested', 'inside order'],
  transferFields: ['usual', 'flat', 'nested'],
  /** What a request must hold beside what is documented. */
  besides: ['nothing', 'channel'],
  systemIdAt: ['/orderSystemId', '/id', '/order/system/id', '/references/0', 'header:X-Order-Number'],
  systemIdAs: ['number', 'digits', 'prefixed', 'long number'],
  correlationAt: ['/correlationId', '/trace/0/value', 'header:X-Trace', '/meta~1data/correlation'],
  correlationAs: ['uuid', 'capitals', 'number'],
  errorCorrelationAs: ['uuid', 'number', 'path'],
  entryFields: ['usual', 'nested', 'numbered', 'without amount'],
  typeNames: ['usual', 'words', 'numbers'],
  stateNames: ['usual', 'words', 'letters'],
  entriesListed: ['all', 'approved with state', 'approved without state'],
  /** Whether an order lists more than its payments: an entry of a type that stands for none of them. */
  otherEntries: ['none', 'a fee'],
  entryOrder: ['oldest first', 'newest first'],
  refusedOperations: ['not listed', 'listed'],
  saleEntries: ['sale', 'authorization and capture'],
  reversalSign: ['positive', 'negative'],
  /** Seconds until the outcome of a payment, and of what follows it. */
  outcomeAfter: [0, 2, 9],
  /** Seconds until the step of an authorization or verification is there; that a sale's comes at once is promised. */
  stepAfter: [0, 3],
  transferAfter: [3, 0, 20],
  /** What a taken transfer is answered with: that is not described. */
  transferAnswer: ['StatusResponse', 'other'],
  /** What ends a payment whose card is pending. */
  pendingEnds: ['time', 'the control plane'],
  pendingAs: ['PROCESSING', 'UNKNOWN', 'CHAIN_STEP'],
  followUpAfter: [0, 4],
  /** The state of an order that was approved while something that follows is under way, where that is listed. */
  stateMeanwhile: ['PROCESSING', 'kept'],
  /** Whether what a partial capture left can be captured, too. */
  captures: ['several', 'one'],
  /** Whether what a block leaves uncharged when it lapses, or is captured for the only time, is listed as a void of its own. */
  releases: ['not listed', 'listed'],
  /** What becomes of a capture above the authorized amount. */
  captureAbove: ['refused', 'cut to what is left'],
  refusal: ['DECLINED', '400', 'ERROR', 'FILTERED'],
  stateAfterRefusal: ['kept', 'of the refusal'],
  /** What a capture or reversal goes by that names its order by both of its ids. */
  bothIds: ['system id', 'own id', 'refused'],
  unknownOrder: ['UNKNOWN', '400', 'ERROR'],
  /** Whether an order of which nothing was approved is forgotten after a week. */
  failedOrders: ['kept', 'forgotten'],
  /** Number of an error whose number the document does not give: as it is, or times so much. */
  otherCodes: ['small', 'large', 'positive', 'reused'],
  wording: ['usual', 'other'],
  invalidParams: ['list', 'text', 'map'],
  figures: ['number', 'text', 'four decimals'],
  rates: ['number', 'text'],
  /** What a sale or a capture costs, and the seconds until it is on the balance. */
  fee: ['none', 'two percent'],
  bookedAfter: [0, 30],
  bufferHold: ['apart', 'deducted'],
  balanceNames: ['usual', 'other'],
  balanceOrder: ['as opened', 'latest first'],
  /** Whose login a manager reads a balance with. */
  managerLogin: ['own', 'of the merchant'],
  /** Whether others use the merchant meanwhile: one sale of theirs in ten seconds, or one in each. */
  otherSales: ['none', 'at times', 'all the time'],
  /** How the expiry of a card comes in a history lookup, and what is left empty there. */
  historyExpiry: ['text', 'numbers'],
  historyEmpty: ['empty text', 'left out'],
  historyFields: ['usual', 'nested', 'in rows'],
  flags: ['boolean', 'words', 'numbers'],
  scores: ['number', 'text'],
  /** Who issued the cards: codes in letters or in figures, of which a country and its currency may have the same. */
  issuers: ['usual', 'other', 'in figures'],
  cardIdAt: ['/cardId', '/registered/0/token', 'header:X-Card'],
  cardIdAs: ['uuid', 'number'],
  recurringPath: ['usual', 'other'],
  reportPath: ['usual', 'other'],
  /** When a report has what was done: at once, some seconds later, or after the day on which it was. */
  reported: ['at once', 'seconds later', 'the next day'],
  reportFields: ['usual', 'bare list', 'nested'],
  threeDSNames: ['usual', 'other', 'nested'],
  /** What leads the customer to a 3-D Secure step; as asked: a page, unless the request wants an address by `feature` or `urls`. */
  stepShownBy: ['as asked', 'html', 'redirect', 'both'],
  /**
   * How the customer comes back from a page of the gateway: a bare request, a form that is posted with MD and session data, or a link to
   * be followed.
   */
  customerReturn: ['bare', 'posted form', 'a link'],
  /** What a form does with a card that is declined: leads back, or asks for another one. */
  formDeclines: ['leads back', 'asks for another card'],
  /** Whether the customer is asked once more before a payment is cancelled on the form. */
  formCancels: ['at once', 'when confirmed'],
  /** On how many pages a form asks for a card: on one, or for the number and the name first. */
  formPages: ['one', 'two'],
  /** When a card that is entered on the form can be sent: at any time, or once a key was pressed in each field. */
  formSends: ['at any time', 'after typing'],
  /** Whether `urls.redirectWebhookUrl` is told once there is an address to send the customer to. */
  redirectCall: ['sent', 'not sent'],
  /** What becomes of a payment with a card that has expired. */
  expiredCard: ['declined', 'refused'],
  /** An expiry year of two digits. */
  shortYears: ['refused', 'taken'],
  cardHashAs: ['number', 'hex'],
  /** Whether a page of another origin may read what is answered. */
  crossOrigin: ['refused', 'allowed'],
  /** Whether a card that needs no challenge asks for the 3DS Method first. */
  frictionless: ['after the method', 'at once'],
  /** What a report on the 3DS Method has to name as threeDSServerTransID. */
  serverTransactionId: ['the one of the method', 'one of its own', 'one beside it'],
  /** Whether a verification asks for 3-D Secure where a payment with the card does; what is verified has no amount. */
  verificationThreeDS: ['as a payment', 'never'],
  /** Why the issuer declines the payments of the card that is declined; a card without money is valid and active. */
  declinedFor: ['the card', 'lack of funds'],
  /** Whether the requestor has hosted forms; without them their start is an error. */
  hostedForms: ['enabled', 'not enabled'],
  /** What stands between the caller and the service, and tells it the address of its peer. */
  frontEnd: ['none', 'appends its peer', 'replaces the addresses'],
  /** Whether X-Real-IP counts beside an X-Forwarded-For without a public entry. */
  realIpBesidePrivate: ['counts', 'does not count'],
  pageIds: ['usual', 'other'],
  hold: ['usual', 'shorter', 'longer'],
  statusCurrency: ['optional', 'needed'],
  /** Which request a failure that was asked for strikes. */
  failureMeets: ['the next', 'the next of a requestor'],
  callbackAfter: [0, 5],
  callbackWhilePending: ['not sent', 'sent'],
  callbackAgain: ['until taken', 'never', 'once more when taken'],
  callbackHeaders: ['few', 'many'],
  /** Whether it looks that somebody is there before an address is told for the first time. */
  callbackProbe: ['none', 'HEAD'],
} as const;

/** One way for each of {@link GATEWAY_CHOICES}. */
export type GatewayChoices = ChosenWays<typeof GATEWAY_CHOICES>;
