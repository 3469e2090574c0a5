import type { JournalIndex } from '../journal-index.ts';
import type { CheckResult, RunResult } from '../types.ts';
import { renderAnswerTimes } from './answer-times.ts';
import { renderAreaAccounts } from './area-accounts.ts';
import { pageScript, pageStyle } from './assets.ts';
import type { AuditView } from './audit-view.ts';
import { renderChangesSince } from './changes-since.ts';
import { renderChecks } from './checks.ts';
import {
  renderEffects,
  renderRedaction,
  renderResidualRisk,
  renderSkipped,
  renderSums,
  renderVerification,
} from './closing-sections.ts';
import { renderCoverage } from './coverage.ts';
import { renderEncounters } from './encounters.ts';
import { listFewRules, renderFewRules } from './few-rules.ts';
import { renderFindings } from './findings.ts';
import { renderFirstPage } from './first-page.ts';
import { Html, html } from './html.ts';
import { renderMasthead } from './masthead.ts';
import { packExchanges, renderPack } from './pack-exchanges.ts';
import { renderFramePieces } from './page-frame.ts';
import { renderProof } from './proof-sections.ts';
import { renderProperties } from './properties.ts';
import { renderClauseAccount, renderHoles, renderReadings, renderRunWaivers } from './register-sections.ts';
import { renderRules } from './rules.ts';
import { renderRunIdentity } from './run-identity.ts';
import { renderSequences } from './sequences.ts';
import { renderSessions } from './sessions.ts';
import { renderObservedStates } from './states.ts';
import { renderTrend } from './trend.ts';

/** Every section in the order of the page, with its name in the contents. */
const SECTIONS = [
  ['findings', 'Findings', renderFindings],
  ['sessions', 'Under each lie', renderSessions],
  ['since', 'Since the previous run', renderChangesSince],
  ['trend', 'Trend', renderTrend],
  ['rules', 'Promises', renderRules],
  ['accounts', 'Area by area', renderAreaAccounts],
  ['proof', 'Proof', renderProof],
  ['skipped', 'Not judged', renderSkipped],
  ['waivers', 'Waivers', renderRunWaivers],
  ['identity', 'Identity', renderRunIdentity],
  ['coverage', 'Coverage', renderCoverage],
  ['encounters', 'Met and never met', renderEncounters],
  ['timing', 'Answer times', renderAnswerTimes],
  ['states', 'States', renderObservedStates],
  ['sequences', 'Sequences', renderSequences],
  ['properties', 'Property tests', renderProperties],
  ['holes', 'Not shown', renderHoles],
  ['clauses', 'Clauses', renderClauseAccount],
  ['readings', 'Readings', renderReadings],
  ['checks', 'Checks and evidence', renderChecks],
  ['effects', 'Side effects', renderEffects],
  ['redaction', 'Redaction', renderRedaction],
  ['sums', 'Sums', renderSums],
  ['risk', 'Residual risk', renderResidualRisk],
  ['verify', 'How to verify', renderVerification],
] as const;

/** From so many checks on, a page is a long one. */
const LONG = 400;

/**
 * Draws the whole audit page: one file, nothing loaded from anywhere.
 * @returns its text in pieces: packed evidence, which may be most of it, each pack by itself
 */
export function renderAuditPage(
  run: RunResult,
  shelf: JournalIndex,
  { history, previous }: Pick<AuditView, 'history' | 'previous'>,
): (string | Buffer)[] {
  const { written, whole, packsOf, packs } = packExchanges(run, shelf);
  const checks = new Map<string, CheckResult>();
  // Of a check that was played twice, the first.
  for (const check of run.checks) if (!checks.has(check.id)) checks.set(check.id, check);
  const view: AuditView = { run, journal: shelf, exchanges: whole, checks, history, previous, written, packsOf };
  const few = listFewRules(run);
  const sections = SECTIONS.flatMap(([id, name, draw]) => {
    const drawn = draw(view);
    return drawn === undefined ? [] : [{ id, name, drawn }];
  });
  return renderFramePieces({
    title: `${unreal(run) ? `[${run.target.kind}] ` : ''}${run.verdict}: ${run.target.name}, run ${run.id}`,
    style: pageStyle,
    script: pageScript,
    skip: { to: 'findings', text: 'Skip to the findings' },
    head: html`${renderMasthead(view)}${renderFirstPage(view, few && renderFewRules(view, few))}`,
    sections,
    badge: badge(run),
    footer: html`Drawn by Assay ${run.suite.version} from the run folder alone. Machine forms: <a href="run.json">run.json</a>, <a href="evidence.ndjson">evidence.ndjson</a>, <a href="junit.xml">junit.xml</a>, <a href="ctrf.json">ctrf.json</a>, <a href="summary.md">summary.md</a>.`,
    ...(few && { fold: 'Everything else: the whole register, proof, coverage, checks and evidence, how to verify' }),
    long: run.checks.length > LONG,
    pictures: run.pictures !== undefined,
    tail: [new Html('<p id="copied" class="unseen-text" role="status"></p>\n'), ...packs.map(renderPack)],
  });
}

const unreal = ({ subject, target }: RunResult) =>
  subject === undefined && (target.kind === 'embedded' || target.kind === 'mock');

/** Stays in sight beside the contents, so that no part of the page is taken for a judgement of a real service. */
function badge(run: RunResult): Html {
  return html`<p class="badge ${run.verdict}">${run.verdict}${!run.complete && run.verdict !== 'incomplete' && ', incomplete'}</p>${unreal(run) && html`<p class="badge stripes">${run.target.kind}: not a real service</p>`}`;
}
