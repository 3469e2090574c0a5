import type { History } from '../history.ts';
import type { Shelf } from '../shelf.ts';
import type { Run } from '../types.ts';
import { script, style } from './assets.ts';
import { checks } from './checks.ts';
import { coverage } from './coverage.ts';
import { findings } from './findings.ts';
import { frame } from './frame.ts';
import { Html, html } from './html.ts';
import { identity } from './identity.ts';
import { masthead } from './masthead.ts';
import { pack } from './pack.ts';
import { proof } from './proof.ts';
import { holes, properties, readings, waivers } from './register.ts';
import { effects, redaction, risk, skipped, sums, verify } from './remains.ts';
import { rules } from './rules.ts';
import { sequences } from './sequences.ts';
import { since } from './since.ts';
import { states } from './states.ts';
import { trend } from './trend.ts';
import type { View } from './view.ts';

/** Every section in the order of the page, with its name in the contents. */
const SECTIONS = [
  ['findings', 'Findings', findings],
  ['since', 'Since the previous run', since],
  ['trend', 'Trend', trend],
  ['rules', 'Promises', rules],
  ['proof', 'Proof', proof],
  ['skipped', 'Not judged', skipped],
  ['waivers', 'Waivers', waivers],
  ['identity', 'Identity', identity],
  ['coverage', 'Coverage', coverage],
  ['states', 'Observed states', states],
  ['sequences', 'Sequences', sequences],
  ['properties', 'Property tests', properties],
  ['holes', 'Not shown', holes],
  ['readings', 'Readings', readings],
  ['checks', 'Checks and evidence', checks],
  ['effects', 'Side effects', effects],
  ['redaction', 'Redaction', redaction],
  ['sums', 'Sums', sums],
  ['risk', 'Residual risk', risk],
  ['verify', 'How to verify', verify],
] as const;

/** From so many checks on, a page is a long one. */
const LONG = 400;

/** Draws the whole audit page: one file, nothing loaded from anywhere. */
export function page(run: Run, shelf: Shelf, history?: History): string {
  const { written, packsOf, packs } = pack(run, shelf);
  const exchanges = new Map(shelf.exchanges.map((one) => [one.id, one]));
  const view: View = { run, shelf, exchanges, history, written, packsOf };
  const sections = SECTIONS.flatMap(([id, name, draw]) => {
    const drawn = draw(view);
    return drawn === undefined ? [] : [{ id, name, drawn }];
  });
  return frame({
    title: `${unreal(run) ? `[${run.target.kind}] ` : ''}${run.verdict}: ${run.target.name}, run ${run.id}`,
    style,
    script,
    skip: { to: 'findings', text: 'Skip to the findings' },
    head: masthead(view),
    sections,
    badge: badge(run),
    footer: html`Drawn by Assay ${run.suite.version} from the run folder alone. Machine forms: <a href="run.json">run.json</a>, <a href="evidence.ndjson">evidence.ndjson</a>, <a href="junit.xml">junit.xml</a>, <a href="ctrf.json">ctrf.json</a>, <a href="summary.md">summary.md</a>.`,
    long: run.checks.length > LONG,
    tail: html`<p id="said" class="unseen-text" role="status"></p>
${packs.map((one) => html`<script type="text/plain" class="pack">${new Html(one)}</script>\n`)}`,
  });
}

const unreal = ({ target }: Run) => target.kind === 'embedded' || target.kind === 'mock';

/** Stays in sight beside the contents, so that no part of the page is taken for a judgement of a real service. */
function badge(run: Run): Html {
  return html`<p class="badge ${run.verdict}">${run.verdict}${!run.complete && ', incomplete'}</p>${unreal(run) && html`<p class="badge stripes">${run.target.kind}: not a real service</p>`}`;
}
