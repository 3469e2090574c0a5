/**
 * What some checks do in every request and others never, as clients of a service differ: the bits of a check's id that tell it. No two go
 * by the same, so that each meets checks with and without the other.
 */
const HABITS = {
  /** Payments name an address for callbacks: those of three checks in four. */
  namesCallbackUrl: 0b0011,
  /** Captures and reversals name their order by both of its ids, as merchants do who send their own id with every request. */
  namesBothIds: 0b0100,
  /** Lists are asked for what is the default, and transfers name the rails that are, as clients do that always name all of it. */
  saysDefaults: 0b1000,
  /** An order is asked for by the caller's own id, as merchants do who keep no other. */
  asksByOwnId: 0b1_0000,
  /** Transfers name all that they may: an identifier from end to end, the bank, and who stands behind either party. */
  namesAll: 0b10_0000,
  /** Transfers come under an id of their own, as those of clients do that may have to send one again. */
  namesRequests: 0b100_0000,
  /** Uploads are not described. */
  describesNothing: 0b1000_0000,
  /** Transfers go over SWIFT, from where money may be sent so. */
  goesOverSwift: 0b1_0000_0000,
  /** Uploads are fronts of identity cards. */
  uploadsIdentityCards: 0b10_0000_0000,
  /** The card that is registered for a payment is that of an authorization. */
  registersAuthorizations: 0b100_0000_0000,
} as const;

/** Something that some checks do in every request and others never. */
export type CheckHabit = keyof typeof HABITS;

/**
 * The habits of a check: the same check always has the same.
 * @param check its id, eight hex digits
 */
export function habitsOf(check: string): ReadonlySet<CheckHabit> {
  const bits = Number.parseInt(check, 16);
  return new Set((Object.keys(HABITS) as CheckHabit[]).filter((habit) => (bits & HABITS[habit]) !== 0));
}
