import { setTimeout as wait } from 'node:timers/promises';
import { request } from 'undici';
import { fill, type Target } from '#target';
import { Unarranged, Unoffered } from './failure.ts';

/** The target's time: advanced where the target lets us, waited for where it does not. */
export interface Time {
  /** Whether {@link Time.sleep} is instant. */
  readonly steered: boolean;
  /** Milliseconds since the Unix epoch, on the target's clock. */
  now(): Promise<number>;
  /** Lets seconds pass on the target's clock. */
  sleep(seconds: number): Promise<void>;
}

/**
 * The target's time.
 * @throws Unarranged from its methods when the target's control address does not do what the target file says
 */
export function time(target: Target): Time {
  const { now, advance } = target.control;
  return {
    steered: advance !== undefined,
    async now() {
      if (now === undefined) return Date.now();
      const response = await request(now.url, { method: now.method as 'GET' });
      const body = (await response.body.json()) as { now?: string };
      const milliseconds = Date.parse(String(body.now));
      if (Number.isNaN(milliseconds)) throw new Unarranged('the control address for the time answers no `now`');
      return milliseconds;
    },
    async sleep(seconds) {
      if (advance === undefined) return void (await wait(seconds * 1000));
      await steer(target, 'advance', { seconds });
    },
  };
}

/** Performs one control action of the target file. @throws Unarranged when it is not described or is refused */
export async function steer(
  target: Target,
  action: keyof Target['control'],
  values: Readonly<Record<string, string | number | undefined>>,
): Promise<void> {
  const control = target.control[action];
  if (control === undefined)
    throw new Unoffered('capability', `the target file has no control.${action}, which would enable it`);
  const body = control.body === undefined ? undefined : JSON.stringify(fill(control.body, values));
  const response = await request(String(fill(control.url, values)), {
    method: control.method as 'POST',
    headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...control.headers },
    ...(body === undefined ? {} : { body }),
  });
  const text = await response.body.text();
  if (response.statusCode >= 300)
    throw new Unarranged(`the control action ${action} was refused: ${response.statusCode} ${text.slice(0, 200)}`);
}
