import { printable } from './printable.ts';
import type { RunResult } from './types.ts';

const SHOWN = 15;
const LONGEST = 300;

/**
 * The body of a chat webhook, `{ "text": … }`: promises that are broken now and were not in the run before, and waivers whose day is
 * over. Without a run before, every broken promise is new.
 * @param page where the whole page stands, if others can reach it
 * @returns undefined when there is nothing new
 */
export function renderChatMessage(run: RunResult, page?: string): string | undefined {
  const before = new Set(run.since?.verdicts.filter(({ worse }) => worse).map(({ rule }) => rule));
  const broken = run.rules.filter(
    ({ id, verdict }) => (verdict === 'fail' || verdict === 'warn') && (run.since === undefined || before.has(id)),
  );
  const expired = run.waivers.filter(({ state }) => state === 'expired');
  if (broken.length + expired.length === 0) return undefined;
  const lines = [
    ...broken.map(({ id, verdict, text, failures: [first] }) => {
      const got = first === undefined ? '' : ` ${first.sentence ?? first.message}`;
      return `• *${verdict}* ${plain(id)}: ${plain(`${text}${got}`)}`;
    }),
    ...expired.map(
      ({ rule, owner, until }) => `• *expired waiver* ${plain(rule)}: ${plain(`until ${until}, of ${owner}`)}`,
    ),
  ];
  const text = [
    `*Assay: ${run.verdict}*, ${plain(run.target.name)} (${run.target.kind}), run ${plain(run.id)}`,
    ...lines.slice(0, SHOWN),
    ...(lines.length > SHOWN ? [`and ${lines.length - SHOWN} more`] : []),
    ...(page === undefined ? [] : [plain(page)]),
  ].join('\n');
  return JSON.stringify({ text });
}

/** Text of a service can neither call people, nor make links, nor mark anything. */
function plain(text: string): string {
  const short = text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
  return printable(short)
    .replace(/\s+/g, ' ')
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .replace(/[*_~`@]/g, (sign) => `\u200b${sign}`);
}
