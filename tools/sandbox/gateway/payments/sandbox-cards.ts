/** A 3-D Secure step that a card asks for first. */
export type FirstStep = 'method' | 'challenge' | 'pareq';

/** What the issuer of a test card does. */
export interface IssuerBehaviour {
  /** First 3-D Secure step; none: straight to the ending. */
  readonly step?: FirstStep;
  /** 3-D Secure 2 without a challenge: the 3DS method alone comes before the ending, where the service asks for it. */
  readonly frictionless?: boolean;
  /** What follows a completed 3DS method; default a challenge. */
  readonly afterMethod?: 'challenge' | 'frictionless';
  /** The state shown for some seconds before the ending. */
  readonly via?: 'PROCESSING' | 'UNKNOWN' | 'CHAIN_STEP';
  /** Its deposits and withdrawals score as badly as can be, which is no affair of its issuer. */
  readonly scoresWorst?: boolean;
  /** The card is no longer valid: even its verification, for which no money is needed, is declined. */
  readonly inactive?: boolean;
  /** Why it is declined, where there is more to say than that it is. */
  readonly reason?: { readonly code: number; readonly message: string };
  readonly ending: 'APPROVED' | 'DECLINED' | 'FILTERED' | 'ERROR';
  /** Days an authorization holds: 7 for debit, 28 for credit. */
  readonly holdDays: 7 | 28;
}

/** Whether an issuer wants no challenge after a 3DS method that completed. */
export function isSatisfiedByMethod({ frictionless, afterMethod }: IssuerBehaviour): boolean {
  return frictionless === true || afterMethod === 'frictionless';
}

/** A card that the sandbox knows, as printed by `assay sandbox`. */
export interface SandboxCard {
  /** What it is for, one word with dashes. */
  readonly name: string;
  readonly number: string;
  readonly code: string;
  /** What happens, one line for a reader. */
  readonly behaviour: string;
  /** The same for the sandbox. */
  readonly script: IssuerBehaviour;
  /** Answer of the issuer lookup; default FOUND. */
  readonly listed?: 'FOUND' | 'NOT_FOUND_01' | 'NOT_FOUND_02';
  /** Whether deposits and withdrawals are on record. */
  readonly history?: boolean;
}

const approved: IssuerBehaviour = { ending: 'APPROVED', holdDays: 7 };
const debit = (behaviour: Partial<IssuerBehaviour>): IssuerBehaviour => ({ ...approved, ...behaviour });

/** Every test card: the first five as merchants already use them, the others of the sandbox's own. */
export const sandboxCards: readonly SandboxCard[] = [
  card('approved', '5555444433331111', '123', 'approved at once, no 3-D Secure, debit, with history', approved, {
    history: true,
  }),
  card('declined', '5555444433331111', '555', 'declined at once', debit({ ending: 'DECLINED' }), { history: true }),
  card('pareq', '4444444411111111', '872', '3-D Secure 1.0.2, then approved', debit({ step: 'pareq' })),
  card(
    'frictionless',
    '4444444444444422',
    '123',
    '3-D Secure 2 without a challenge, approved',
    debit({ frictionless: true }),
  ),
  card(
    'frictionless-declined',
    '4444444444444455',
    '123',
    'the same, declined',
    debit({ frictionless: true, ending: 'DECLINED' }),
  ),
  card('challenge', '4000000000000101', '123', 'challenge, then approved', debit({ step: 'challenge' })),
  card('method', '4000000000000200', '123', '3DS method, challenge, then approved', debit({ step: 'method' })),
  card(
    'method-frictionless',
    '4000000000000309',
    '123',
    '3DS method; approved when it completed, else a challenge',
    debit({ step: 'method', afterMethod: 'frictionless' }),
  ),
  card(
    'challenge-pending',
    '4000000000000408',
    '123',
    'challenge, PROCESSING for some seconds, then approved',
    debit({ step: 'challenge', via: 'PROCESSING' }),
  ),
  card('filtered', '4000000000000507', '123', 'filtered', debit({ ending: 'FILTERED' })),
  card('error', '4000000000000606', '123', 'ends in ERROR', debit({ ending: 'ERROR' })),
  card('pending', '4000000000000705', '123', 'PROCESSING, then approved', debit({ via: 'PROCESSING' })),
  card('unknown', '4000000000000804', '123', 'UNKNOWN, then approved', debit({ via: 'UNKNOWN' })),
  card('chain', '4000000000000903', '123', 'CHAIN_STEP, then approved', debit({ via: 'CHAIN_STEP' })),
  card(
    'pending-declined',
    '4000000000000119',
    '123',
    'PROCESSING, then declined',
    debit({ via: 'PROCESSING', ending: 'DECLINED' }),
  ),
  card('inactive', '4000000000001208', '123', 'not active: even its verification is declined', {
    ...debit({ ending: 'DECLINED' }),
    inactive: true,
  }),
  card('bad-score', '4000000000001406', '123', 'approved, with the worst score', debit({ scoresWorst: true }), {
    history: true,
  }),
  card('credit', '5100000000000016', '123', 'approved, credit: holds 28 days', { ending: 'APPROVED', holdDays: 28 }),
  card('unlisted-01', '6700000000000018', '123', 'approved, BIN not on record (NOT_FOUND_01)', approved, {
    listed: 'NOT_FOUND_01',
  }),
  card('unlisted-02', '6711000000000015', '123', 'approved, BIN not on record (NOT_FOUND_02)', approved, {
    listed: 'NOT_FOUND_02',
  }),
];

const byNumber = new Map<string, SandboxCard[]>();
for (const one of sandboxCards) byNumber.set(one.number, [...(byNumber.get(one.number) ?? []), one]);

/** The test card of this number; the code chooses where one number behaves in two ways. */
export function findSandboxCard(number: string, code?: string): SandboxCard | undefined {
  const same = byNumber.get(number);
  return same?.find((one) => one.code === code) ?? same?.[0];
}

/** The first test card with these ends, as a lookup by parts sees it. */
export function findCardByEnds(first: string, last: string): SandboxCard | undefined {
  return sandboxCards.find((one) => one.number.startsWith(first) && one.number.endsWith(last));
}

function card(
  name: string,
  number: string,
  code: string,
  behaviour: string,
  script: IssuerBehaviour,
  more: Pick<SandboxCard, 'listed' | 'history'> = {},
): SandboxCard {
  return { name, number, code, behaviour, script, ...more };
}
