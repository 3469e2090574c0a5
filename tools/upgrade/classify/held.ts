/** A value and the entry that says so. */
export interface Held<T> {
  readonly value: T;
  readonly at: string;
}

/** A bound of numbers, lengths or counts. */
export interface Bound {
  readonly n: number;
  readonly exclusive: boolean;
}
