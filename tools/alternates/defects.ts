/** What a service does wrong on purpose, by name; it has no others. */
export type AlternateDefects = ReadonlySet<string>;
