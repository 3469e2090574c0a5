import type { CheckResult } from '../types.ts';
import type { AuditView } from './audit-view.ts';
import { formatCount, type Html, html } from './html.ts';
import { checkLink, renderSection } from './marks.ts';

/** A statement that was tried on drawn cases, and the check that tried it. */
type Tried = NonNullable<CheckResult['properties']>[number] & { readonly check: CheckResult };

/** Draws the statements that drawn cases were tried against, file by file, each with one case worked through. */
export function renderProperties({ run }: AuditView): Html {
  const tried = run.checks.flatMap((check) => (check.properties ?? []).map((one): Tried => ({ check, ...one })));
  if (tried.length === 0)
    return renderSection('properties', 'Property tests', 'No property was tested in this run.', html``);
  const files = [...new Set(tried.map(({ check }) => check.file))].sort();
  const cases = tried.reduce((sum, { runs }) => sum + runs, 0);
  const broken = tried.filter((one) => one.case !== undefined).length;
  return renderSection(
    'properties',
    'Property tests',
    `${formatCount(tried.length, 'statement')} that should hold for every case, tried on ${formatCount(cases, 'drawn case')}; ${broken === 0 ? 'none failed' : `${broken} failed`}. Seed and path repeat a case exactly; a failing case is shown after it was made as small as possible.`,
    html`${files.map((file) => {
      const own = tried.filter(({ check }) => check.file === file);
      return html`<section class="area"><h3>${titleOf(file, run.areas)} <small>${file}, ${formatCount(own.length, 'statement')}</small></h3>${own.map(statement)}</section>`;
    })}`,
  );
}

/** The title of the area a file checks, else the file's own words: `parameter-string.spec.ts` is about the parameter string. */
function titleOf(file: string, areas: AuditView['run']['areas']): string {
  const words = file.replace(/^.*\/|\.spec\.[jt]s$/g, '').replaceAll('-', ' ');
  const area = areas.find((one) => [`/${one.file}.spec.ts`, `/${one.file}/`].some((part) => file.includes(part)));
  return area?.title ?? `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

function statement({ name, check, runs, seed, path, duration, case: shrunk, example }: Tried): Html {
  return html`<details class="law"${shrunk !== undefined && html` open`}><summary><span class="promise">${name}</span><span class="n">${formatCount(runs, 'case')}</span><span class="n">${duration !== undefined && `${duration} ms`}</span>${shrunk === undefined ? html`<span class="mark sign pass">held</span>` : html`<span class="mark sign fail">failed</span>`}</summary>
<div class="inside">${shrunk !== undefined && html`<p class="violation">Smallest failing case</p><pre tabindex="0">${shrunk}</pre>`}
<p class="fine">Check ${checkLink(check.id)}, seed <code>${seed}</code>${path !== undefined && html`, path <code>${path}</code>`}</p>
${example && html`<p class="title">One of the cases${example.steps && example.steps.length > 0 && ', worked through'}</p><dl class="worked"><div><dt>Drawn</dt><dd><pre tabindex="0">${example.case}</pre></dd></div>${(example.steps ?? []).map(({ name: step, value }) => html`<div><dt>${step}</dt><dd><pre tabindex="0">${value}</pre></dd></div>`)}</dl>`}</div></details>
`;
}
