import { readFileSync } from 'node:fs';
import { pageStyle as base, html, renderFrame } from '#report';
import { renderNotes, renderWork } from './cards.ts';
import { renderClauseWalk } from './clauses.ts';
import { renderChanges, renderRuns, renderUnexercised } from './comparisons.ts';
import { renderImpact } from './drawing.ts';
import { renderChangelog, renderChangeWaivers, renderReplay, renderUpgradeIdentity } from './evidence.ts';
import { renderUpgradeHead, upgradeHeadline } from './head.ts';
import type { UpgradeView } from './view.ts';

/** Every section in the order of the page, with its name in the contents. */
const SECTIONS = [
  ['work', 'Needs work', renderWork],
  ['impact', 'Impact', renderImpact],
  ['notes', 'Worth knowing', renderNotes],
  ['unexercised', 'Never exercised', renderUnexercised],
  ['changes', 'Descriptions', renderChanges],
  ['clauses', 'Documents', renderClauseWalk],
  ['runs', 'Runs', renderRuns],
  ['replay', 'Replay and search', renderReplay],
  ['changelog', 'Changelog', renderChangelog],
  ['waivers', 'Waivers', renderChangeWaivers],
  ['identity', 'Identity and limits', renderUpgradeIdentity],
] as const;

const style = `${base}\n${readFileSync(new URL('./upgrade.css', import.meta.url), 'utf8')}`;

const BADGES = { safe: '', 'safe with notes': '', 'needs work': 'broken', 'cannot tell': 'incomplete' };

/** Draws the whole page: one file without a script, nothing loaded from anywhere. */
export function renderUpgradePage(view: UpgradeView): string {
  const { upgrade } = view;
  const names = upgrade.specs.map(({ api, from, to }) => `${api} ${from.version} → ${to.version}`).join(', ');
  return renderFrame({
    title: `${upgradeHeadline(upgrade)} (${names})`,
    style,
    skip: { to: 'work', text: 'Skip to what needs work' },
    head: renderUpgradeHead(view),
    sections: inOrder(upgrade).map(([id, name, draw]) => ({ id, name, drawn: draw(view) })),
    badge: html`<p class="badge ${BADGES[upgrade.verdict]}">${upgrade.verdict}</p>`,
    footer: html`Drawn by Assay. Machine forms: <a href="upgrade.json">upgrade.json</a>, <a href="upgrade.md">upgrade.md</a>, <a href="upgrade.sarif">upgrade.sarif</a>.`,
  });
}

/** What waits for a person's decision comes right after what needs work. */
function inOrder({ documents }: UpgradeView['upgrade']): readonly (typeof SECTIONS)[number][] {
  if (!documents?.changes.some(({ weight }) => weight === 'unknown')) return SECTIONS;
  const walk = SECTIONS.filter(([id]) => id === 'clauses');
  return [SECTIONS[0], ...walk, ...SECTIONS.slice(1).filter(([id]) => id !== 'clauses')];
}
