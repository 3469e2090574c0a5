import type { PublishedRun } from '../published-run.ts';
import { pageStyle } from './assets.ts';
import { formatCount, type Html, html } from './html.ts';
import { formatUtc, renderSection, renderTable } from './marks.ts';
import { renderFrame } from './page-frame.ts';
import { renderRunTrend } from './trend.ts';

/**
 * Draws the index of published runs: verdict, counts and signature of each, and the trend of the target of the latest.
 * @param runs the latest first
 */
export function renderRunsPage(runs: readonly PublishedRun[]): string {
  const [latest] = runs;
  const alike = runs.filter((run) => latest !== undefined && isAlike(run, latest));
  const list = {
    id: 'runs',
    name: 'Runs',
    drawn: renderSection(
      'runs',
      'Runs',
      'The latest first. Each leads to its page; its folder has the evidence, the machine forms and VERIFY.txt.',
      runs.length === 0 ? html`<p>No run was published yet.</p>` : table(runs),
    ),
  };
  const trend =
    latest === undefined || alike.length < 2
      ? []
      : [{ id: 'trend', name: 'Trend', drawn: renderRunTrend(alike, latest.id, 'the latest run', pageOf(latest)) }];
  return renderFrame({
    title:
      latest === undefined
        ? 'Assay: no runs'
        : `${latest.verdict}: ${latest.target.name}, ${formatCount(runs.length, 'run')}`,
    style: pageStyle,
    skip: { to: 'runs', text: 'Skip to the runs' },
    head: masthead(runs),
    sections: [list, ...trend, { id: 'signatures', name: 'Signatures', drawn: signatures() }],
    footer: html`Drawn by Assay from the runs in this folder; the same in machine form: <a href="runs.json">runs.json</a>.`,
  });
}

const pageOf = ({ id }: PublishedRun) => `${id}/index.html`;

function isAlike(one: PublishedRun, other: PublishedRun): boolean {
  return (
    one.target.name === other.target.name && one.target.kind === other.target.kind && one.selection === other.selection
  );
}

function masthead([latest, ...rest]: readonly PublishedRun[]): Html {
  if (latest === undefined)
    return html`<header class="masthead"><p class="brand"><b>Assay</b> published runs</p><div class="verdict incomplete"><h1>No run was published yet</h1></div></header>`;
  const { target, verdict, counts, startedAt, selection } = latest;
  const unreal = { embedded: 'The suite’s own reference was judged', mock: 'A stand-in was judged' }[
    target.kind as string
  ];
  return html`<header class="masthead">
<p class="brand"><b>Assay</b> runs against <b>${target.name}</b></p>
${unreal !== undefined && html`<p class="unreal" role="note"><b>${unreal}</b>, not a real service.</p>`}
<div class="verdict ${verdict}"><h1>The latest run: ${verdict}</h1>
<p><a href="${pageOf(latest)}">${formatUtc(startedAt)}</a>${selection !== undefined && `, only ${selection}`}: ${counts.pass} of ${formatCount(counts.total, 'rule')} kept, ${counts.fail} broken, ${formatCount(counts.warn, 'warning')}, ${counts.skipped + counts.unseen + counts.broken} not judged. ${rest.length > 0 && `${formatCount(rest.length, 'earlier run')} below.`}</p></div>
</header>`;
}

function table(runs: readonly PublishedRun[]): Html {
  return renderTable(
    'Published runs',
    ['Run', 'Target', 'Verdict', 'Kept', 'Broken', 'Warnings', 'Waived', 'Not judged', 'Signature'],
    runs.map(
      (run) =>
        html`<tr><td><a href="${pageOf(run)}">${formatUtc(run.startedAt)}</a><br><code>${run.id}</code></td><td>${run.target.name}${run.target.kind !== 'sandbox' && html`<br><span class="fine">${run.target.kind}</span>`}${run.selection !== undefined && html`<br><span class="fine">only ${run.selection}</span>`}</td><td><strong>${run.verdict}</strong>${!run.complete && html`<br><span class="fine">incomplete</span>`}</td><td>${run.counts.pass}</td><td>${run.counts.fail}</td><td>${run.counts.warn}</td><td>${run.counts.waived}</td><td>${run.counts.skipped + run.counts.unseen + run.counts.broken}</td><td>${signatureOf(run)}</td></tr>`,
    ),
  );
}

function signatureOf({ changed, signature }: PublishedRun): Html {
  if (changed !== undefined) return html`<strong>does not verify</strong>: ${changed}`;
  const state = signature.named ? 'verified, signer as named' : 'intact, signer unknown';
  return html`${state}<br><code class="fine" title="${signature.fingerprint}">${signature.fingerprint.slice(0, 23)}…</code>`;
}

function signatures(): Html {
  return renderSection(
    'signatures',
    'Signatures',
    'What the last column says, and what it does not.',
    html`<p>A run was verified when it was published: signature and sums held, every file drawn anew from the evidence had the same bytes. Its files were compared with their sums again when this index was drawn. <em>Signer as named</em> means that the certificate was named by whoever published; <em>signer unknown</em> that anybody can have made and signed it. A page can say anything: take the folder of a run, and <code>assay verify</code> it against a certificate that you were given another way.</p>`,
  );
}
