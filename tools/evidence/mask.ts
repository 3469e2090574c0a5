/** What stands where a secret stood. */
export const MASK = '[redacted]';
