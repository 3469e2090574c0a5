import { decision, type Faults } from '../decision.ts';

/** A JSON object on its way out. */
export type Body = Record<string, unknown>;

/** What a lie about a member may look at besides its value. */
export interface Sight {
  /** Which answer shows the resource. */
  readonly place: 'create' | 'read' | 'list';
  /** Position in the list on page 1, counted from 0; 0 outside of lists. */
  readonly index: number;
}

/** The rule about one member and the lies about its value; `undefined` leaves the member out. */
export interface Member {
  readonly rule: string;
  readonly lies: Readonly<Record<string, (value: unknown, sight: Sight) => unknown>>;
}

/**
 * One decision for each member of a resource: honest is the value as it stands.
 * @returns a function that gives the body as it goes out, the body itself when no lie touches it
 */
export function shape(members: Readonly<Record<string, Member | readonly Member[]>>) {
  const decisions = Object.entries(members).flatMap(([name, rules]) =>
    [rules].flat().map(({ rule, lies }) => {
      const honest = (value: unknown, _sight: Sight) => value;
      return { name, names: Object.keys(lies), decide: decision({ rule, honest, lies }) };
    }),
  );
  return (faults: Faults, body: Body, sight: Sight): Body => {
    if (faults.size === 0) return body;
    const told = decisions.filter(({ names }) => names.some((name) => faults.has(name)));
    if (told.length === 0) return body;
    const shown = { ...body };
    for (const { name, decide } of told) shown[name] = decide(faults, shown[name], sight);
    return shown;
  };
}

/** What an answer with a success status is made of. */
export interface Answer {
  readonly status: number;
  /** Undefined: no body at all. */
  readonly body?: unknown;
  /** There is no body, though the answer is labelled as JSON. */
  readonly hollow?: boolean;
}

/**
 * The decision about the success answer of one operation.
 * @param rule rule that promises status and kind of body
 * @param status the documented status
 * @param lies by name, the answer given instead
 */
export function success(rule: string, status: number, lies: Readonly<Record<string, (body: unknown) => Answer>>) {
  return decision({ rule, honest: (body: unknown): Answer => ({ status, body }), lies });
}
