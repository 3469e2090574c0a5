/** Free choices by name, each with the ways that are open; the first is the plain sandbox's own. */
export type ChoiceTable = Readonly<Record<string, readonly (string | number)[]>>;

/** One way for each choice of a table. */
export type ChosenWays<Table> = {
  readonly [Name in keyof Table]: Table[Name] extends readonly (infer Way)[] ? Way : never;
};
