import { judgeEvent, judgeResponse, projectContract } from '#contract';
import { type ExchangeLine, isMaskedText } from '#evidence';
import type { JournalIndex } from './journal-index.ts';

/** What judging the recorded answers again came to. */
export interface RejudgedAnswers {
  /** Whether the specs at hand are those of the run; else nothing was judged. */
  readonly known: boolean;
  readonly judged: number;
  readonly findings: readonly string[];
}

/**
 * Holds every recorded answer against the contract once more and compares with the violations on record. An answer that was redacted
 * or cut is left out: what is judged must be what came.
 */
export function rejudgeAnswers({ run, lines }: Pick<JournalIndex, 'run' | 'lines'>): RejudgedAnswers {
  const known = projectContract();
  const same = run.specs.every(({ api, sha256 }) =>
    known.specs.some((one) => one.api === api && one.sha256 === sha256),
  );
  if (!same || run.specs.length === 0) return { known: false, judged: 0, findings: [] };
  const findings: string[] = [];
  let judged = 0;
  for (const line of lines) {
    if (line.kind !== 'exchange' || line.operation === undefined) continue;
    const found = line.direction === 'in' ? judgedEvent(line) : judgedAnswer(line);
    if (found === undefined) continue;
    judged += 1;
    const recorded = line.violations.map(({ rule, where }) => `${rule} ${where}`).sort();
    if (found.sort().join('\n') !== recorded.join('\n'))
      findings.push(
        `exchange ${line.id}: the contract finds ${found.join(', ') || 'nothing wrong'}, on record is ${recorded.join(', ') || 'nothing wrong'}`,
      );
  }
  return { known: true, judged, findings };

  function judgedAnswer({ operation, response }: ExchangeLine): string[] | undefined {
    const documented = known.operations.get(operation!);
    if (documented === undefined || response === undefined || !whole(response)) return undefined;
    const headers = new Map<string, string>();
    for (const [name, value] of response.headers) {
      const before = headers.get(name.toLowerCase());
      headers.set(name.toLowerCase(), before === undefined ? value : `${before}, ${value}`);
    }
    const received = { status: response.status, headers, body: response.body ?? '' };
    return judgeResponse(known, documented, received).map(({ rule, where }) => `${rule} ${where}`);
  }

  function judgedEvent({ operation, request }: ExchangeLine): string[] | undefined {
    const event = known.events.get(operation!);
    if (event === undefined || !whole(request)) return undefined;
    return judgeEvent(known, event, request.body ?? '').map(({ rule, where }) => `${rule} ${where}`);
  }
}

function whole({ body = '', cut }: { readonly body?: string; readonly cut?: true }): boolean {
  return !cut && !isMaskedText(body) && !body.includes('\ufffd');
}
