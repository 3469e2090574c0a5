/** A value and the entry that says so. */
export interface HeldValue<T> {
  readonly value: T;
  readonly at: string;
}

/** A bound of numbers, lengths or counts. */
export interface ValueBound {
  readonly n: number;
  readonly exclusive: boolean;
}
