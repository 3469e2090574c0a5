/** Operations of the document, by their ids. */
const OPERATIONS = [
  'getAuth',
  'listTransactions',
  'createTransaction',
  'readTransaction',
  'getIbanDetails',
  'uploadDocument',
  'listDocuments',
  'readDocument',
  'deleteDocument',
  'createWebhook',
  'readWebhook',
  'replaceWebhook',
];

/** Whether an operation is about what an account or a customer has: transactions and documents. */
export function isAboutHoldings(operation: string): boolean {
  return /Transaction|Document/.test(operation);
}

/**
 * One lie for each operation, that only this one tells.
 * @param isMeant whether there is one for an operation
 */
export function toldAtEach<Fact, Answer>(
  name: string,
  told: (fact: Fact, operation: string) => Answer,
  isMeant: (operation: string) => boolean = () => true,
): Readonly<Record<string, (fact: Fact) => Answer>> {
  return Object.fromEntries(
    OPERATIONS.filter(isMeant).map((operation) => [`${name}-at-${operation}`, (fact: Fact) => told(fact, operation)]),
  );
}
