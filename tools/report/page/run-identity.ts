import { RULE_PREFIXES } from '#apis';
import type { AuditView } from './audit-view.ts';
import { formatCount, type Html, html } from './html.ts';
import { formatUtc, renderSection } from './marks.ts';

/** Draws who was judged by what, with what, when: all that another person needs to repeat the run. */
export function renderRunIdentity({ run }: AuditView): Html {
  const rows: [string, Html | string][] = [
    ['Run', html`<code>${run.id}</code>`],
    ['Started', html`<time datetime="${run.startedAt}">${formatUtc(run.startedAt)}</time>`],
    [
      'Ended',
      run.finishedAt === undefined
        ? 'no end on record'
        : html`<time datetime="${run.finishedAt}">${formatUtc(run.finishedAt)}</time>`,
    ],
    [
      run.subject === 'client' ? 'Client' : 'Target',
      html`${run.target.name}, ${run.subject === 'client' ? 'before a service of kind' : 'kind'} <strong>${run.target.kind}</strong>`,
    ],
    [
      run.subject === 'client' ? 'Traffic' : 'Target file',
      html`<code>${run.target.file}</code> ${hash(run.target.sha256)}`,
    ],
    ...Object.entries(run.target.hosts).map(([api, host]): [string, Html] => [
      `Host, ${api}`,
      html`<code>${host}</code>`,
    ]),
    ...run.specs.map(({ api, file, version, sha256 }): [string, Html] => [
      `Contract, ${api}`,
      html`<code>${file}</code> version ${version} ${hash(sha256)}`,
    ]),
    [
      'Suite',
      html`Assay ${run.suite.version}${run.suite.commit !== undefined && html`, commit <code>${run.suite.commit}</code>`}`,
    ],
    ...(run.suite.own === undefined
      ? []
      : ([['Own rules and checks', html`${ownAreas(run)} ${hash(run.suite.own)}`]] as [string, Html][])),
    ...(run.suite.lock === undefined ? [] : ([['Lock file', hash(run.suite.lock)]] as [string, Html][])),
    ['Runtime', `Node ${run.runtime.node}, OpenSSL ${run.runtime.openssl}, ${run.runtime.platform}`],
    ['Seed', html`<code>${run.seed}</code>`],
    ['Command line', html`<code class="copyable">${run.argv.join(' ')}</code>`],
    ['Selection', run.selection === undefined ? 'everything' : html`<code>${run.selection}</code>`],
    ...(run.lie === undefined ? [] : ([['Lie told', html`<code>${run.lie}</code>`]] as [string, Html][])),
  ];
  return renderSection(
    'identity',
    'Identity of the run',
    'What was judged, by which contract, with what, and when. Times are UTC, hashes SHA-256.',
    html`<dl class="identity">${rows.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`,
  );
}

/** Areas that are no part of the suite. */
function ownAreas({ areas, rules }: AuditView['run']): string {
  const own = areas.filter(({ id }) => !RULE_PREFIXES.some((prefix) => id.startsWith(`${prefix}-`)));
  return own
    .map(({ id }) => `${id} (${formatCount(rules.filter(({ area }) => area === id).length, 'rule')})`)
    .join(', ');
}

const hash = (sha256: string) => html`<code class="hash">${sha256}</code>`;
