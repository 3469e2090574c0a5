import { formatCount, type Html, html, renderSection, renderTable } from '#report';
import type { UpgradeView } from './view.ts';

/** Draws what recorded traffic and generated bodies said. */
export function renderReplay({ upgrade }: UpgradeView): Html {
  const { replay, searches, seed } = upgrade;
  const tried = searches.reduce((sum, { bodies }) => sum + bodies, 0);
  const left = Object.entries(replay?.left ?? {});
  return renderSection(
    'replay',
    'Replay and search',
    html`${replay === undefined ? 'No run was given to replay.' : `${formatCount(replay.requests, 'recorded request')} and ${formatCount(replay.responses, 'answer')} were held against the new description; ${formatCount(replay.refusals.length, 'kind')} of them no longer fit.`} ${formatCount(tried, 'body was', 'bodies were')} made for ${formatCount(searches.length, 'changed schema')}, seed <code>${seed}</code>.`,
    html`${
      replay &&
      replay.refusals.length > 0 &&
      renderTable(
        'Recorded and no longer fitting',
        ['Operation', 'Side', 'Where', 'What', 'Exchanges'],
        replay.refusals.map(
          (one) =>
            html`<tr><th scope="row"><code>${one.operation}</code>${one.status && ` ${one.status}`}</th><td>${one.side === 'request' ? 'sent' : 'received'}</td><td><code>${one.where}</code></td><td>${one.problem}</td><td>${one.exchanges.length}: <code>${one.exchanges.slice(0, 2).join(', ')}</code></td></tr>`,
        ),
      )
    }${left.length > 0 && html`<p class="fine">Left out: ${left.map(([why, count], i) => `${i > 0 ? ', ' : ''}${count} ${why}`)}.</p>`}${
      searches.length > 0 &&
      renderTable(
        'Changed bodies',
        ['Body', 'Tried', 'Smallest body on which old and new part'],
        searches.map(
          ({ operation, direction, status, bodies, counterexample }) =>
            html`<tr><th scope="row"><code>${operation}</code> ${direction}${status && ` ${status}`}</th><td>${bodies}</td><td>${counterexample === undefined ? 'none found' : html`<code>${counterexample.where}</code> ${counterexample.problem}<pre tabindex="0">${counterexample.body}</pre>`}</td></tr>`,
        ),
      )
    }`,
  );
}

/** Draws the changelog sentence by sentence. */
export function renderChangelog({ upgrade }: UpgradeView): Html {
  const { changelog: read } = upgrade;
  if (read === undefined)
    return renderSection('changelog', 'Changelog', 'No changelog was given: add --changelog FILE.', html``);
  const text = new Map(upgrade.changes.map((change) => [change.fingerprint, change.text]));
  return renderSection(
    'changelog',
    'Changelog',
    html`<code>${read.file}</code>: ${formatCount(read.sentences.length, 'sentence')}; ${formatCount(read.unannounced.length, 'change')} without one. A sentence is matched by the names in it.`,
    renderTable(
      'Sentences',
      ['Line', 'Begins', 'Matched by', 'Changes'],
      read.sentences.map(
        ({ line, begins, matches, names }) =>
          html`<tr><td>${line}</td><td>${begins} …</td><td>${[...new Set(matches.flatMap(({ words }) => words))].join(', ')}</td><td>${matches.length > 0 ? matches.map(({ fingerprint }) => html`<div>${text.get(fingerprint)}</div>`) : names.length > 0 ? html`<strong>no change</strong>` : 'prose'}</td></tr>`,
      ),
    ),
  );
}

/** Draws the accepted changes. */
export function renderChangeWaivers({ upgrade }: UpgradeView): Html {
  const own = upgrade.changes.filter(({ waiver }) => waiver !== undefined);
  if (own.length === 0) return renderSection('waivers', 'Waivers', 'No change is waived.', html``);
  return renderSection(
    'waivers',
    'Waivers',
    'Changes that a person accepted until a day.',
    renderTable(
      'Waivers',
      ['Fingerprint', 'State', 'Owner', 'Until', 'Reason'],
      own.map(
        ({ fingerprint, waiver }) =>
          html`<tr><td><code>${fingerprint}</code></td><td>${waiver!.state}</td><td>${waiver!.owner}</td><td>${waiver!.until}</td><td>${waiver!.reason}</td></tr>`,
      ),
    ),
  );
}

/** Draws what was compared, how to do it again, and what nobody should conclude from it. */
export function renderUpgradeIdentity({ upgrade, command }: UpgradeView): Html {
  const side = ({ file, version, sha256 }: { file: string; version: string; sha256: string }) =>
    html`<code>${file}</code> version ${version || 'none'} <code class="hash">${sha256}</code>`;
  return renderSection(
    'identity',
    'Identity and limits',
    'What was compared, and what this page cannot tell.',
    html`<dl class="identity">${upgrade.specs.map(({ api, from, to }) => html`<div><dt>${api}, old</dt><dd>${side(from)}</dd></div><div><dt>${api}, new</dt><dd>${side(to)}</dd></div>`)}<div><dt>Judged by the day</dt><dd>${upgrade.today}</dd></div><div><dt>Command</dt><dd><code>${command}</code></dd></div></dl>
<ul><li>Only what the descriptions say was compared: a service may change without saying so.</li><li>A search that finds nothing is no proof.</li><li>What a recorded exchange never met was judged by structure alone.</li></ul>`,
  );
}
