import { setTimeout as wait } from 'node:timers/promises';
import { stringify } from 'lossless-json';
import { API_NAMES, type Api } from '#apis';
import { valueAt } from '#json-pointer';
import { type ControlName, fillTemplate, type MovedClock, namesPlaceholder, type Target } from '#target';
import { NoAnswerError, UnarrangedError, UnofferedError } from './failures.ts';
import { parseJsonText } from './json-text.ts';
import { Transport } from './transport.ts';

/** What `control.advance` does to a clock of the target; `unknown` until somebody has looked. */
export type LeverEffect = 'moves' | 'stands' | 'unknown';

/** The target's time: advanced where the target lets us, waited for where it does not. */
export interface TargetTime {
  /** Whether {@link TargetTime.sleep} takes next to no time on the clock of records. */
  readonly steered: boolean;
  /** Seconds that have passed so far, those by which the target was advanced among them: they tell how long something took. */
  readonly passed: number;
  /** What advancing does to a clock, by the target file or by what was seen. */
  lever(clock: MovedClock): LeverEffect;
  /** Notes what was seen of a clock after it was advanced, for all that follows. */
  noteLever(clock: MovedClock, effect: 'moves' | 'stands'): void;
  /** Whether anything tells what the clock of records shows: it is never moved, or control.now reads it. */
  readonly isReadable: boolean;
  /**
   * Milliseconds since the Unix epoch, on the target's clock.
   * @throws Unoffered where that clock may be moved and nothing reads it
   */
  now(): Promise<number>;
  /** The same, or the real time where nothing tells: a clock that was moved is ahead of it. */
  nowAtLeast(): Promise<number>;
  /**
   * Lets seconds pass on one of the target's clocks, the one of its records unless told otherwise.
   * @throws Unoffered where advancing does not move that clock and waiting would take too long
   */
  sleep(seconds: number, clock?: MovedClock): Promise<void>;
}

/** What somebody else's service may do on a clock of its own, whatever is advanced (queues, deliveries), gets as many milliseconds. */
const BREATH = 100;

/** What was seen of the clocks of a target that were advanced, each by whose it is and its name. */
const seen = new WeakMap<Target, Map<string, LeverEffect>>();

/** Whether a target's services have clocks of their own: then the request that advances one names its service. */
export function hasClocksApart({ control: { advance } }: Pick<Target, 'control'>): boolean {
  return namesPlaceholder(advance, 'service');
}

/** Seconds that are waited for in real time: as long as an order is polled, or two windows of a limit. */
function longestWait({ manners: { pollGap, pollLimit } }: Target): number {
  return Math.max(120, pollGap * pollLimit);
}

/** One transport for the control requests of a target; its idle connections do not keep a process alive. */
const transports = new WeakMap<Target, Transport>();

/**
 * The target's time.
 * @param service whose, where each has clocks of its own; absent: that of all services, which are advanced together
 * @throws Unarranged from its methods when the target's control address does not do what the target file says
 */
export function createTargetTime(target: Target, service?: Api): TargetTime {
  const { now, advance } = target.control;
  const owners = clockOwners(target, service);
  let advanced = 0;
  const lever = (clock: MovedClock): LeverEffect => {
    if (advance === undefined) return 'stands';
    if (target.kind === 'embedded') return 'moves';
    if (advance.moves !== undefined) return advance.moves.includes(clock) ? 'moves' : 'stands';
    const found = owners.map((one) => seen.get(target)?.get(`${one} ${clock}`));
    return found.find((effect) => effect !== undefined) ?? 'unknown';
  };
  const noteLever = (clock: MovedClock, effect: 'moves' | 'stands') => {
    const known = seen.get(target) ?? new Map<string, LeverEffect>();
    for (const one of owners) known.set(`${one} ${clock}`, effect);
    seen.set(target, known);
  };
  /** What the target says of its time; undefined where it says nothing, or a lever that leaves records alone has a time of its own. */
  const clockTime = async () => {
    if (now === undefined || advance?.moves?.includes('records') === false) return undefined;
    const pointer = now.read ?? '/now';
    const text = await performControl(target, 'now', { service: service ?? servicesOf(target)[0] });
    const milliseconds = moment(text, pointer);
    if (milliseconds === undefined)
      throw new UnarrangedError(`the control address for the time answers no time at ${pointer}`);
    return milliseconds;
  };
  const isReadable = () => now !== undefined || lever('records') === 'stands';
  const nowAtLeast = async () => (await clockTime()) ?? Date.now();
  /** Waits in real time. */
  const pass = async (seconds: number, clock: MovedClock) => {
    if (advance !== undefined && seconds > longestWait(target))
      throw new UnofferedError(
        'capability',
        `control.advance does not move ${clock}, and ${seconds} seconds are too long to wait; control.advance.moves in the target file says what it moves`,
      );
    await wait(seconds * 1000);
  };
  return {
    get steered() {
      return lever('records') !== 'stands';
    },
    get passed() {
      return performance.now() / 1000 + advanced;
    },
    lever,
    noteLever,
    get isReadable() {
      return isReadable();
    },
    async now() {
      if (isReadable()) return nowAtLeast();
      throw new UnofferedError(
        'capability',
        'the clock of the target is moved and nothing reads it; control.now in the target file would enable it',
      );
    },
    nowAtLeast,
    async sleep(seconds, clock = 'records') {
      if (advance === undefined || lever(clock) === 'stands') return pass(seconds, clock);
      const before = clock === 'records' && lever(clock) === 'unknown' ? await clockTime() : undefined;
      const began = performance.now();
      await advanceClocks(target, seconds, service);
      advanced += seconds;
      // The way back from there and that of the next request give it as well.
      const breath = Math.min(seconds * 1000, BREATH) - (performance.now() - began);
      if (target.kind !== 'embedded' && breath > 0) await wait(breath);
      // Shorter steps may drown in the way the time is written.
      if (before === undefined || seconds < 2 || (await clockTime())! - before > seconds * 500) return;
      noteLever(clock, 'stands');
      await pass(seconds, clock);
    },
  };
}

/**
 * Advances the clock of a service, or those of all; one request moves what they share.
 * @throws as {@link performControl}
 */
export async function advanceClocks(target: Target, seconds: number, service?: Api): Promise<void> {
  for (const owner of clockOwners(target, service))
    await performControl(target, 'advance', { seconds, service: owner });
}

/** Whose clocks are advanced for a service, or for all: each one's own, or those that they share. */
function clockOwners(target: Target, service: Api | undefined): readonly (Api | 'all')[] {
  if (!hasClocksApart(target)) return ['all'];
  return service === undefined ? servicesOf(target) : [service];
}

function servicesOf(target: Target): readonly Api[] {
  return API_NAMES.filter((api) => target[api] !== undefined);
}

/**
 * Performs one control action of the target file.
 * @returns the body of the answer
 * @throws Unoffered when it is not described, Unarranged when it is refused or not answered
 */
export async function performControl(
  target: Target,
  action: ControlName,
  values: Readonly<Record<string, string | number | bigint | undefined>>,
): Promise<string> {
  const control = target.control[action];
  if (control === undefined)
    throw new UnofferedError('capability', `the target file has no control.${action}, which would enable it`);
  const encoded = Object.fromEntries(
    Object.entries(values).map(([key, value]) => [
      key,
      value === undefined ? value : encodeURIComponent(String(value)),
    ]),
  );
  const url = String(fillTemplate(control.url, encoded));
  const headers = (fillTemplate(control.headers ?? {}, values) ?? {}) as Record<string, string>;
  const body = control.body === undefined ? undefined : Buffer.from(stringify(fillTemplate(control.body, values))!);
  const transport = transports.get(target) ?? new Transport(target);
  transports.set(target, transport);
  const answer = await transport
    .send({
      method: control.method,
      url,
      headers: [
        ...(body === undefined ? [] : [['content-type', 'application/json'] as const]),
        ...Object.entries(headers),
      ],
      body,
    })
    .catch((error: unknown) => {
      if (!(error instanceof NoAnswerError)) throw error;
      throw new UnarrangedError(`the control action ${action} got no answer: ${error.message}`);
    });
  const text = answer.body.toString('utf8');
  if (answer.status >= 300)
    throw new UnarrangedError(`the control action ${action} was refused: ${answer.status} ${text.slice(0, 200)}`);
  return text;
}

/** Closes the connections over which control actions of a target went; the next action makes others. */
export async function closeControl(target: Target): Promise<void> {
  const transport = transports.get(target);
  transports.delete(target);
  await transport?.close();
}

/** A time written as ISO 8601, Unix seconds or Unix milliseconds. */
function moment(text: string, pointer: string): number | undefined {
  const body = parseJsonText(text);
  if (body === undefined) return undefined;
  const value = valueAt(body, pointer);
  const number = typeof value === 'number' ? value : /^\d{9,}$/.test(String(value)) ? Number(value) : undefined;
  if (number !== undefined) return number < 1e11 ? number * 1000 : number;
  const milliseconds = Date.parse(String(value));
  return Number.isNaN(milliseconds) ? undefined : milliseconds;
}
