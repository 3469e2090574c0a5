import { isJudged } from '../judged-verdicts.ts';
import { stateOfProof } from '../proof-file.ts';
import type { CheckResult, RuleResult } from '../types.ts';
import { verdictWord } from '../verdict-words.ts';
import type { AuditView } from './audit-view.ts';
import { formatCount, type Html, html } from './html.ts';
import { exchangeLink, renderSection, ruleLink } from './marks.ts';

/** Operations, headings and findings that one paragraph names. */
const NAMED = 6;

/** An area of the register with what this run has on it. */
interface AreaAccount {
  readonly id: string;
  readonly title: string;
  readonly rules: readonly RuleResult[];
  readonly checks: readonly CheckResult[];
}

/** Tells of each area, in prose for a reviewer, what it promises, what was checked and how, what was found and what was not looked at. */
export function renderAreaAccounts(view: AuditView): Html | undefined {
  const { run, checks } = view;
  const accounts = run.areas.flatMap(({ id, title }): AreaAccount[] => {
    const rules = run.rules.filter(({ area }) => area === id);
    const isAsked = run.selection === undefined || rules.some(({ verdict }) => verdict !== 'skipped');
    const own = [...new Set(rules.flatMap((rule) => rule.checks))].flatMap((check) => checks.get(check) ?? []);
    return rules.length > 0 && isAsked ? [{ id, title, rules, checks: own }] : [];
  });
  if (accounts.length === 0) return undefined;
  return renderSection(
    'accounts',
    'Area by area',
    'For a reviewer: what each area promises, what was checked and how, what was found, and what was not looked at.',
    html`${accounts.map((account) => tellArea(view, account))}`,
  );
}

function tellArea(view: AuditView, account: AreaAccount): Html {
  const { id, title, rules } = account;
  return html`<article class="account" id="about-${id}" aria-labelledby="about-${id}-title"><h3 id="about-${id}-title">${title} <small><a href="#area-${id}">${id}, ${formatCount(rules.length, 'rule')}</a></small></h3>
<p>${promised(rules)}</p>
<p>${checked(view, account)}</p>
<p>${found(rules)}</p>
<p>${leftOut(view, rules)}</p></article>
`;
}

function promised(rules: readonly RuleResult[]): Html {
  const should = rules.filter(({ level }) => level === 'should').length;
  const sources = rules.flatMap(({ source }) => source);
  const documents = [...new Set(sources.map(({ document }) => document))];
  const headings = [...new Set(sources.map(({ section }) => section.split(' > ').at(-1)!))];
  const harms = [...new Set(rules.flatMap(({ consequence }) => (consequence ? [consequence.text] : [])))];
  const split =
    should === 0
      ? 'a client may rely on each of them'
      : should === rules.length
        ? 'they are recommendations'
        : `a client may rely on ${rules.length - should}, the other ${should} are recommendations`;
  return html`<b>Promised.</b> ${capital(formatCount(rules.length, 'statement'))} of ${documents.length === 1 ? 'the document' : 'the documents'} ${listed(documents)}, under ${listed(headings)}; ${split}. ${harms.length > 0 && html`Were they broken: ${harms.slice(0, NAMED).join(' ')}${harms.length > NAMED && ` And ${harms.length - NAMED} more, each with its rule.`}`}`;
}

function checked({ journal }: AuditView, { rules, checks }: AreaAccount): Html {
  const played = checks.filter(({ outcome }) => outcome !== 'skipped');
  const exchanges = played.flatMap(({ id }) => journal.byCheck.get(id) ?? []);
  const operations = tally(
    exchanges.flatMap(({ operation, direction }) => (operation && direction === 'out' ? [operation] : [])),
  );
  const count = (direction: string) => exchanges.filter((one) => one.direction === direction).length;
  const tried = played.flatMap(({ properties }) => properties ?? []);
  const cases = tried.reduce((sum, { runs }) => sum + runs, 0);
  const proven = rules.filter(({ proof }) => stateOfProof(proof) === 'proven').length;
  const before = rules.filter(({ proof }) => stateOfProof(proof) === 'proven before these changes').length;
  const lies = rules.flatMap(({ proof }) => proof?.lies ?? []);
  if (played.length === 0)
    return html`<b>Checked.</b> No check of its own was played${rules.some(({ verdict }) => isJudged(verdict)) && '; it was judged by the answers that other checks brought'}.`;
  return html`<b>Checked.</b> ${capital(formatCount(played.length, 'check'))} asked and judged what came, in ${formatCount(exchanges.length, 'exchange')}${operations.length > 0 && html`: ${listed(operations.map(([name, times]) => `${name} (${times})`))}`}. ${count('browser') > 0 && `A browser went to ${formatCount(count('browser'), 'page')}. `}${count('in') > 0 && `${capital(formatCount(count('in'), 'message'))} of the service ${count('in') === 1 ? 'was' : 'were'} received. `}${tried.length > 0 && html`${capital(formatCount(tried.length, 'statement'))} ${tried.length === 1 ? 'was' : 'were'} tried on <a href="#properties">${formatCount(cases, 'drawn case')}</a>. `}Every answer was held against the contract. ${lies.length > 0 && html`${capital(formatCount(lies.length, 'lie'))} about it ${lies.length === 1 ? 'was' : 'were'} told on purpose, and ${lies.filter(({ caught }) => caught).length} caught: that the checks can fail is proven for ${proven} of ${formatCount(rules.length, 'rule')}${before > 0 && `, and for ${before} was before something changed that the proof rests on`}.`}`;
}

function found(rules: readonly RuleResult[]): Html {
  const judged = rules.filter(({ verdict }) => isJudged(verdict));
  const loud = judged.filter(({ verdict }) => verdict !== 'pass');
  if (judged.length === 0) return html`<b>Found.</b> Nothing: no rule of it was judged.`;
  if (loud.length === 0)
    return html`<b>Found.</b> ${judged.length === rules.length ? 'All of it is kept.' : `What was judged, ${formatCount(judged.length, 'rule')}, is kept.`}`;
  return html`<b>Found.</b> ${loud.slice(0, NAMED).map(({ id, verdict, failures: [first] }) => html`${ruleLink(id)} (${verdictWord(verdict)}): ${first?.sentence ?? first?.message} ${first?.exchanges[0] !== undefined && exchangeLink(first.exchanges[0])} `)}${loud.length > NAMED && `${capital(formatCount(loud.length - NAMED, 'more rule'))} of it ${loud.length - NAMED === 1 ? 'is' : 'are'} broken. `}${loud.length < judged.length && `The other ${judged.length - loud.length} that were judged are kept.`}`;
}

function leftOut({ run }: AuditView, rules: readonly RuleResult[]): Html {
  const open = rules.filter(({ verdict }) => !isJudged(verdict));
  const reasons = new Map<string, string[]>();
  for (const { id, verdict, reason } of open) {
    const why = reason?.text ?? verdictWord(verdict);
    reasons.set(why, [...(reasons.get(why) ?? []), id]);
  }
  const operations = new Set(rules.flatMap(({ operation }) => operation ?? []));
  const never = run.coverage.flatMap(({ operation, documented, seen }) => {
    const missing = documented.filter((status) => !seen[status]);
    return operations.has(operation) && missing.length > 0 ? [`${listed(missing.map(String))} of ${operation}`] : [];
  });
  if (open.length + never.length === 0)
    return html`<b>Not looked at.</b> Every rule was judged, and every documented answer of its operations came.`;
  return html`<b>Not looked at.</b> ${open.length === 0 ? 'Every rule was judged.' : [...reasons].map(([why, ids]) => html`${ids.slice(0, NAMED).map((id, i) => html`${i > 0 && ', '}${ruleLink(id)}`)}${ids.length > NAMED && ` and ${ids.length - NAMED} more`}: ${why}. `)} ${never.length > 0 && html`Documented answers that never came: ${never.join('; ')}.`}`;
}

/** How often each comes, the most frequent first. */
function tally(names: readonly string[]): (readonly [string, number])[] {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].sort(([a, one], [b, other]) => other - one || (a < b ? -1 : 1));
}

/** `one, two and three`. */
function listed(words: readonly string[]): string {
  const some = words.length > NAMED ? [...words.slice(0, NAMED), `${words.length - NAMED} more`] : words;
  return [some.slice(0, -1).join(', '), some.at(-1)].filter(Boolean).join(' and ');
}

function capital(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
