import { isSelected } from '../judge-gates.ts';
import { groupByCause, loudestRules } from '../loudest-rules.ts';
import type { RuleResult, RunResult } from '../types.ts';
import type { AuditView } from './audit-view.ts';
import { renderConsequence } from './first-page.ts';
import { formatCount, type Html, html } from './html.ts';
import { checkLink, exchangeLink, renderVerdictMark, ruleLink } from './marks.ts';

/** So many rules, and so many checks of each, go on one screen. */
const FEW = 3;
const CHECKS = 8;

/** The rules of a run that was limited to a few; undefined for any other. */
export function listFewRules(run: RunResult): readonly RuleResult[] | undefined {
  if (run.selection === undefined) return undefined;
  const selected = run.rules.filter(isSelected);
  return selected.length > 0 && selected.length <= FEW ? selected : undefined;
}

/** Draws, for a run of a few rules, what became of those that are no finding: each with its checks and their first exchanges. */
export function renderFewRules({ run, checks }: AuditView, few: readonly RuleResult[]): Html | false {
  const loud = new Set(groupByCause(loudestRules(run, ['fail', 'warn', 'waived'])).map(([{ id }]) => id));
  const others = few.filter(({ id }) => !loud.has(id));
  const most = Math.ceil(CHECKS / few.length);
  return (
    others.length > 0 &&
    html`<h3>What was asked</h3><ul class="brief">${others.map((rule) => {
      const caught = rule.proof?.lies.filter((lie) => lie.caught).length ?? 0;
      const own = rule.checks.slice(0, most);
      return html`<li>${renderVerdictMark(rule.verdict)} ${ruleLink(rule.id)} <span class="promise">${rule.text}</span>${renderConsequence(rule)}${rule.reason && html`<p>${rule.reason.text}</p>`}<p class="fine">${formatCount(rule.checks.length, 'check')}, ${formatCount(rule.exchanges.length, 'exchange')}${rule.proof && `, ${caught} of ${formatCount(rule.proof.of ?? rule.proof.lies.length, 'lie')} about it caught`}.</p><ul class="asked">${own.map(
        (id) => {
          const check = checks.get(id);
          const [first] = check?.exchanges ?? [];
          return html`<li>${checkLink(id)} ${check?.title}${first !== undefined && html` <span class="fine">Evidence: ${exchangeLink(first)}</span>`}</li>`;
        },
      )}</ul>${rule.checks.length > most && html`<p class="fine"><a href="#${rule.id}">and ${rule.checks.length - most} more</a></p>`}</li>`;
    })}</ul>`
  );
}
