import type { ChosenWays } from '../chosen-ways.ts';

/**
 * What the document leaves to the v1 service and the sandbox can do in more than one way. The first way of each is the plain sandbox's
 * own; a variation draws one of them for each.
 */
export const V1_CHOICES = {
  memberOrder: ['as written', 'backwards', 'shuffled'],
  extraMembers: ['none', 'some', 'many'],
  extraHeaders: ['none', 'some'],
  /** Whether a page of another origin may read what is answered. */
  crossOrigin: ['refused', 'allowed'],
  mediaType: ['with charset', 'without charset', 'in capitals', 'quoted'],
  emptyMediaType: ['none', 'html', 'json'],
  uuids: ['lower', 'upper', 'alphanumeric'],
  moments: ['milliseconds', 'seconds', 'east', 'west', 'without zone'],
  currencies: ['letters', 'numeric'],
  /** The sign of what goes out of the account. */
  amountSign: ['positive', 'negative when it goes out'],
  transactionMembers: ['all', 'few', 'others', 'uuid alone', 'all but uuid'],
  /** What the answer to a creation shows of the transaction. */
  creationShows: ['as much as a reader', 'uuid and status'],
  nulls: ['shown', 'left out'],
  statuses: ['usual', 'other'],
  enumerations: ['usual', 'other'],
  settlesAfter: ['never', 5, 0],
  user: ['usual', 'nested', 'list'],
  listMetadata: ['none', 'nested', 'beside'],
  pageBeyond: [200, 404],
  /** How finely entries are told apart in time, and which of equals comes first. */
  sortedBy: ['milliseconds', 'seconds, as entered', 'seconds, latest first', 'seconds, by what is asked'],
  /** Whether a fee is booked for each transfer: as a transaction of its own, whose parent the transfer is and whose texts it repeats. */
  fees: ['none', 'booked'],
  periodEnd: ['included', 'excluded'],
  /** A period that ends on a day that is still to come. */
  futureDays: ['taken', 'refused'],
  /** A period that begins before the account was opened. */
  earlyDays: ['taken', 'refused'],
  repeatedRequest: ['same', 409, 422],
  secondWebhook: [422, 409, 'same'],
  /** When a second one is found to be one, where it is refused. */
  secondWebhookFound: ['after its fields', 'before its fields'],
  /** A 422 for another reason than a failed validation. */
  businessRefusal: ['as validation', 'array', 'array as validation'],
  /** Letters that the rails of a bank do not know, in details and end-to-end identifiers. */
  otherLetters: ['shown', 'refused', 'transliterated'],
  paymentCodes: ['any', 'purpose codes'],
  /** A recipient's IBAN that begins with no country. */
  strangeIbans: ['taken', 'refused'],
  /** Whether a recipient's bank has to be in the country of the IBAN. */
  recipientBanks: ['anywhere', 'where the account is'],
  /** Whether the host of a webhook's url has to be found. */
  webhookHosts: ['any', 'resolving'],
  maskedToken: ['stars', 'left out', 'tail'],
  tokenWhenWritten: ['masked', 'shown'],
  malformedUuid: ['usual', 400, 404, 422],
  /** A uuid in a request whose groups nothing parts. */
  joinedUuids: ['refused', 'understood'],
  unknownAccount: [404, 403, 422],
  wording: ['usual', 'several', 'none'],
  /** A document type, page side, sort field or direction that there is not. */
  unknownWords: ['refused', 'taken'],
  /** A filter by a document type that there is not, where such a word is taken. */
  unknownFilter: ['matches nothing', 'ignored'],
  ascending: ['taken', 'refused', 'ignored'],
  ibanCheck: ['digits', 'form'],
  badIban: [200, 422],
  fileNames: ['equal', 'contain'],
  /** The description of a document that was handed in without one. */
  noDescription: ['empty', 'null'],
  /** A document with the name of one that is there. */
  sameFileName: ['taken', 'refused'],
  attachment: ['optional', 'needed'],
  passportSides: ['taken', 'refused'],
  /** Whether a request that is refused for another reason uses up the limit. */
  refusedRequests: ['counted', 'not counted'],
  rateWindow: ['from the first request', 'by the clock'],
  delivery: ['usual', 'bearer', 'quoted', 'enveloped', 'in a list', 'basic', 'in capitals', 'thin'],
  deliveryAfter: [0, 7],
  /** Whether a transaction brings a message about its account beside its own. */
  moreMessages: ['none', 'of the account'],
  connection: ['kept', 'closed'],
  deliveryGaps: ['doubling', 'short', 'long'],
  deliveryTaken: ['202', '200 and 202', '202 and 404'],
  /** What is answered to a user who has no webhook configuration. */
  noWebhook: [404, 'null', 'nothing in it'],
} as const;

/** One way for each of {@link V1_CHOICES}. */
export type V1Choices = ChosenWays<typeof V1_CHOICES>;
