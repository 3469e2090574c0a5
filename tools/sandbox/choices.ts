/**
 * Everything that the documents leave to a service and the sandbox can do in more than one way. The first way of each is the plain
 * sandbox's own; a variation draws one of them for each.
 */
export const CHOICE_TABLES = {
  gateway: {
    /** Members of every object in an answer. */
    memberOrder: ['as written', 'backwards', 'shuffled'],
    extraMembers: ['none', 'some', 'many'],
    extraHeaders: ['none', 'some'],
    mediaType: ['with charset', 'without charset', 'in capitals', 'with a parameter'],
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
    systemIdAs: ['number', 'digits', 'prefixed'],
    correlationAt: ['/correlationId', '/trace/0/value', 'header:X-Trace', '/meta~1data/correlation'],
    correlationAs: ['uuid', 'capitals', 'number'],
    errorCorrelationAs: ['uuid', 'number', 'path'],
    entryFields: ['usual', 'nested', 'numbered'],
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
    pendingAs: ['PROCESSING', 'UNKNOWN', 'CHAIN_STEP'],
    followUpAfter: [0, 4],
    /** Whether what a partial capture left can be captured, too. */
    captures: ['several', 'one'],
    refusal: ['DECLINED', '400', 'ERROR', 'FILTERED'],
    stateAfterRefusal: ['kept', 'of the refusal'],
    unknownOrder: ['UNKNOWN', '400', 'ERROR'],
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
    historyFields: ['usual', 'nested', 'in rows'],
    flags: ['boolean', 'words', 'numbers'],
    scores: ['number', 'text'],
    issuers: ['usual', 'other'],
    cardIdAt: ['/cardId', '/registered/0/token', 'header:X-Card'],
    cardIdAs: ['uuid', 'number'],
    recurringPath: ['usual', 'other'],
    reportPath: ['usual', 'other'],
    reportFields: ['usual', 'bare list', 'nested'],
    threeDSNames: ['usual', 'other', 'nested'],
    stepShownBy: ['html', 'redirect', 'both'],
    pageIds: ['usual', 'other'],
    hold: ['usual', 'shorter', 'longer'],
    statusCurrency: ['optional', 'needed'],
    callbackAfter: [0, 5],
    callbackWhilePending: ['not sent', 'sent'],
    callbackAgain: ['until taken', 'never', 'once more when taken'],
    callbackHeaders: ['few', 'many'],
  },
  v1: {
    memberOrder: ['as written', 'backwards', 'shuffled'],
    extraMembers: ['none', 'some', 'many'],
    extraHeaders: ['none', 'some'],
    mediaType: ['with charset', 'without charset', 'in capitals', 'quoted'],
    emptyMediaType: ['none', 'html', 'json'],
    uuids: ['lower', 'upper', 'alphanumeric'],
    moments: ['milliseconds', 'seconds', 'east', 'west'],
    transactionMembers: ['all', 'few', 'others'],
    nulls: ['shown', 'left out'],
    statuses: ['usual', 'other'],
    enumerations: ['usual', 'other'],
    settlesAfter: ['never', 5, 0],
    user: ['usual', 'nested', 'list'],
    listMetadata: ['none', 'nested', 'beside'],
    pageBeyond: [200, 404],
    /** How finely entries are told apart in time, and which of equals comes first. */
    sortedBy: ['milliseconds', 'seconds, as entered', 'seconds, latest first'],
    periodEnd: ['included', 'excluded'],
    repeatedRequest: ['same', 409, 422],
    secondWebhook: [422, 409, 'same'],
    maskedToken: ['stars', 'left out', 'tail'],
    tokenWhenWritten: ['masked', 'shown'],
    malformedUuid: ['usual', 400, 404, 422],
    unknownAccount: [404, 403, 422],
    wording: ['usual', 'several', 'none'],
    ascending: ['taken', 'refused', 'ignored'],
    ibanCheck: ['digits', 'form'],
    badIban: [200, 422],
    fileNames: ['equal', 'contain'],
    attachment: ['optional', 'needed'],
    passportSides: ['taken', 'refused'],
    rateWindow: ['from the first request', 'by the clock'],
    delivery: ['usual', 'bearer', 'quoted', 'enveloped', 'in a list'],
    deliveryAfter: [0, 7],
    /** Whether a transaction brings a message about its account beside its own. */
    moreMessages: ['none', 'of the account'],
    connection: ['kept', 'closed'],
    deliveryGaps: ['doubling', 'short', 'long'],
    deliveryTaken: ['202', '200 and 202', '202 and 404'],
  },
} as const;

type Table = typeof CHOICE_TABLES;

/** What a service does where its document leaves it free. */
export type ServiceChoices = {
  readonly [Service in keyof Table]: {
    readonly [Name in keyof Table[Service]]: Table[Service][Name] extends readonly (infer Way)[] ? Way : never;
  };
};

/** Choices of the gateway. */
export type GatewayChoices = ServiceChoices['gateway'];
/** Choices of the v1 service. */
export type V1Choices = ServiceChoices['v1'];
