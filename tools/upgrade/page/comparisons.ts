import { formatCount, type Html, html, renderSection, renderTable, verdictWord } from '#report';
import { changedOperations } from '../impact.ts';
import { changeLink, changesOfRules, levelMark, linkChanges, placeText, shownLevel, type UpgradeView } from './view.ts';

const MOST = 400;

/** Draws every change, the loudest first. */
export function renderChanges({ upgrade }: UpgradeView): Html {
  const rows = upgrade.changes.slice(0, MOST).map((change) => {
    const operations = changedOperations(change);
    const spots = [change.old && placeText(change.old), change.new && placeText(change.new)].filter(Boolean);
    return html`<tr><td>${levelMark(shownLevel(change))}</td><td>${change.text}</td><td>${operations.slice(0, 2).join(', ')}${operations.length > 2 && ` and ${operations.length - 2} more`}</td><td><code>${spots.join(' → ')}</code></td><td>${['breaking', 'unclear', 'risky'].includes(change.level) ? changeLink(change.fingerprint) : html`<code>${change.fingerprint}</code>`}</td></tr>`;
  });
  return renderSection(
    'changes',
    'Descriptions',
    html`${formatCount(upgrade.changes.length, 'change')} from the old to the new description${rows.length < upgrade.changes.length && html`, the first ${MOST} of which are listed; all stand in <a href="upgrade.json">upgrade.json</a>`}.`,
    rows.length === 0
      ? html`<p>Both describe the same.</p>`
      : renderTable('Changes', ['Level', 'What', 'Operations', 'Where', 'Fingerprint'], rows),
  );
}

/** Draws what no recorded exchange met. */
export function renderUnexercised({ upgrade }: UpgradeView): Html {
  const { unexercised: list } = upgrade;
  if (list === undefined)
    return renderSection('unexercised', 'Changed but never exercised', 'No run was given: add --run DIR.', html``);
  if (upgrade.changes.length === 0)
    return renderSection('unexercised', 'Changed but never exercised', 'The descriptions did not change.', html``);
  const own = upgrade.changes.filter(({ fingerprint }) => list.includes(fingerprint));
  return renderSection(
    'unexercised',
    'Changed but never exercised',
    own.length === 0
      ? 'Every change that has a place was met by a recorded exchange.'
      : 'The run says nothing about these: no recorded exchange met the place.',
    own.length === 0
      ? html``
      : html`<ul>${own.slice(0, MOST).map((one) => html`<li>${levelMark(shownLevel(one))} ${one.text} <small>${changedOperations(one).slice(0, 3).join(', ')}</small></li>`)}</ul>`,
  );
}

/** Draws what became of verdicts, holes and shapes from one run to another. */
export function renderRuns({ upgrade }: UpgradeView): Html {
  const { runs: compared } = upgrade;
  if (compared === undefined)
    return renderSection('runs', 'Runs', 'No two runs were given: add --baseline DIR and --run DIR.', html``);
  const { verdicts, drift, shapes, from, to, sameSpecs } = compared;
  const touching = changesOfRules({ upgrade });
  return renderSection(
    'runs',
    'Runs',
    html`<code>${from}</code> → <code>${to}</code>${!sameSpecs && ', judged by different descriptions'}: ${formatCount(verdicts.length, 'changed verdict')}, drift in ${formatCount(drift.length, 'hole')}, ${formatCount(shapes.length, 'changed shape')}.`,
    html`${
      verdicts.length > 0 &&
      renderTable(
        'Verdicts',
        ['Rule', 'Before', 'After', 'Changes'],
        verdicts
          .slice(0, MOST)
          .map(
            (one) =>
              html`<tr><th scope="row"><code>${one.rule}</code></th><td>${verdictWord(one.from)}</td><td>${one.worse ? html`<strong>${verdictWord(one.to)}</strong>` : verdictWord(one.to)}</td><td>${linkChanges(touching.get(one.rule) ?? [])}</td></tr>`,
          ),
      )
    }${
      drift.length + shapes.length > 0 &&
      renderTable(
        'Drift and shapes',
        ['Where', 'Appeared', 'Vanished'],
        [...drift, ...shapes]
          .slice(0, MOST)
          .map(
            ({ where, appeared, vanished }) =>
              html`<tr><th scope="row"><code>${where}</code></th><td>${list(appeared)}</td><td>${list(vanished)}</td></tr>`,
          ),
      )
    }`,
  );
}

function list(ones: readonly string[]): Html {
  return html`${ones.slice(0, 5).map((one, i) => html`${i > 0 && ', '}<code>${one}</code>`)}${ones.length > 5 && ` and ${ones.length - 5} more`}`;
}
