import { type ActiveLies, decision } from '../../decision.ts';

/** A JSON object on its way out. */
export type AnswerBody = Record<string, unknown>;

/** What a lie about a member may look at besides its value. */
export interface MemberPlace {
  /** Which answer shows the resource. */
  readonly place: 'create' | 'read' | 'list';
  /** Position in the list on page 1, counted from 0; 0 outside of lists. */
  readonly index: number;
}

/** The rule about one member and the lies about its value; `undefined` leaves the member out. */
export interface MemberLies {
  readonly rule: string;
  readonly lies: Readonly<Record<string, (value: unknown, sight: MemberPlace) => unknown>>;
}

/** Lets the list and the reading of a single resource part at one member that is there. @param other another value of it */
export function partTwoWays(rule: string, name: string, other: (value: unknown) => unknown): MemberLies {
  const lieAt =
    (where: MemberPlace['place']) =>
    (value: unknown, { place }: MemberPlace) =>
      place === where && value !== undefined && value !== null ? other(value) : value;
  return { rule, lies: { [`read-${name}-unlike-list`]: lieAt('read'), [`list-${name}-unlike-read`]: lieAt('list') } };
}

/**
 * One decision for each member of a resource: honest is the value as it stands.
 * @returns a function that gives the body as it goes out, the body itself when no lie touches it
 */
export function createMemberShape(members: Readonly<Record<string, MemberLies | readonly MemberLies[]>>) {
  const decisions = Object.entries(members).flatMap(([name, rules]) =>
    [rules].flat().map(({ rule, lies }) => {
      const honest = (value: unknown, _sight: MemberPlace) => value;
      return { name, names: Object.keys(lies), decide: decision({ rule, honest, lies }) };
    }),
  );
  return (activeLies: ActiveLies, body: AnswerBody, sight: MemberPlace): AnswerBody => {
    if (activeLies.size === 0) return body;
    const told = decisions.filter(({ names }) => names.some((name) => activeLies.has(name)));
    if (told.length === 0) return body;
    const shown = { ...body };
    for (const { name, decide } of told) shown[name] = decide(activeLies, shown[name], sight);
    return shown;
  };
}

/** What an answer with a success status is made of. */
export interface V1Answer {
  readonly status: number;
  /** Undefined: no body at all. */
  readonly body?: unknown;
  /** Milliseconds of real time that it waits before it goes out. */
  readonly after?: number;
  /** There is no body, though the answer is labelled as JSON. */
  readonly labelledEmpty?: boolean;
}

/** An answer that goes out behind what takes so many milliseconds of real time; at once for none. */
export function answerBehind(answer: V1Answer, milliseconds: number): V1Answer {
  return milliseconds > 0 ? { ...answer, after: milliseconds + 20 } : answer;
}

/**
 * The decision about the success answer of one operation.
 * @param rule rule that promises status and kind of body
 * @param status the documented status
 * @param lies by name, the answer given instead
 */
export function decideSuccess(
  rule: string,
  status: number,
  lies: Readonly<Record<string, (body: unknown) => V1Answer>>,
) {
  return decision({ rule, honest: (body: unknown): V1Answer => ({ status, body }), lies });
}
