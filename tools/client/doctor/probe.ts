import { valueAt } from '#json-pointer';

import { NoAnswerError } from '../failures.ts';
import { parseJsonText } from '../json-text.ts';
import type { ExaminedTarget } from './types.ts';

/** An answer as a doctor reads it, or why there is none. */
export interface ProbeAnswer {
  /** 0: no answer. */
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly json: unknown;
  /** In a few words, without values that could be secret. */
  readonly text: string;
  readonly milliseconds: number;
}

/**
 * Sends one request and never throws for what comes back.
 * @throws UnofferedError when `connection.secondAddress` is none of this machine
 */
export async function sendProbe(
  { transport, paces }: ExaminedTarget,
  method: string,
  url: string,
  {
    authorization,
    body,
    from,
    isSecondCaller = false,
  }: {
    readonly authorization?: string | undefined;
    readonly body?: unknown;
    /** Client address to appear under. */
    readonly from?: string | undefined;
    /** Whether it leaves this machine by its second address. */
    readonly isSecondCaller?: boolean;
  } = {},
): Promise<ProbeAnswer> {
  const bytes = body === undefined ? undefined : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
  const began = performance.now();
  try {
    const answer = await transport.send({
      method,
      url,
      headers: [
        ['accept', 'application/json'],
        ...(bytes === undefined ? [] : [['content-type', 'application/json'] as const]),
        ...(from === undefined ? [] : [['x-forwarded-for', from] as const]),
        ...(authorization === undefined ? [] : [['authorization', authorization] as const]),
      ],
      body: bytes,
      isSecondCaller,
    });
    const milliseconds = performance.now() - began;
    paces.push(milliseconds);
    const json = parseJsonText(answer.body.toString('utf8'));
    const code = valueAt(json, '/errorCode');
    const message = valueAt(json, '/errorMessage') ?? valueAt(json, '/message');
    const said = [
      String(answer.status),
      typeof code === 'number' || typeof code === 'string' ? `errorCode ${code}` : '',
      typeof message === 'string' ? `"${message.slice(0, 100)}"` : '',
      json === undefined && method !== 'HEAD' ? '(no JSON)' : '',
    ];
    const { status, headers } = answer;
    return { status, headers, json, text: said.filter(Boolean).join(' '), milliseconds };
  } catch (error) {
    if (!(error instanceof NoAnswerError)) throw error;
    return {
      status: 0,
      headers: new Map(),
      json: undefined,
      text: error.message.replace(/^\w+ \S+: /, ''),
      milliseconds: performance.now() - began,
    };
  }
}
