/** Milliseconds of an hour. */
export const HOUR = 3_600_000;

/** Milliseconds of a day. */
export const DAY = 24 * HOUR;
