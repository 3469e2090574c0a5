import { judgeEvent, judgeResponse, type LoadedContract, observeHoles, traceEvent, traceExchange } from '#contract';
import type { ExchangeAsSent, Recorder } from '#evidence';
import { joinHeaders } from './transport.ts';

/** An exchange as it happened, not yet judged. */
export type WitnessedExchange = Omit<ExchangeAsSent, 'violations'>;

/**
 * Records an exchange with what it breaks, what it teaches and what of a spec it met: the answer to a documented operation, or the
 * message of a documented event. Anything else, and what never came, is recorded only.
 * @returns the exchange's id
 */
export function witness(recorder: Recorder, contract: LoadedContract, happened: WitnessedExchange): string {
  const { direction, operation = '', request, response } = happened;
  const sent = request.body && textOf(request.body);
  const event = direction === 'in' ? contract.events.get(operation) : undefined;
  if (event !== undefined && sent !== undefined) {
    const received = { status: 0, headers: joinHeaders(request.headers), body: sent };
    return recorder.exchange(
      { ...happened, violations: judgeEvent(contract, event, sent) },
      observeHoles(contract, event.name, received),
      traceEvent(contract, event, sent),
    );
  }
  const known = direction === 'out' ? contract.operations.get(operation) : undefined;
  if (known !== undefined && response !== undefined) {
    const received = { status: response.status, headers: joinHeaders(response.headers), body: textOf(response.body) };
    return recorder.exchange(
      { ...happened, violations: judgeResponse(contract, known, received) },
      observeHoles(contract, known.id, received),
      traceExchange(contract, known, sent, received),
    );
  }
  return recorder.exchange({ ...happened, violations: [] });
}

/** A byte order mark stays: JSON does not begin with one. */
function textOf(body: Uint8Array): string {
  return Buffer.from(body).toString('utf8');
}
