import { readFileSync } from 'node:fs';
import { pageStyle as base, html, renderFrame } from '#report';
import { notes, work } from './cards.ts';
import { clauseWalk } from './clauses.ts';
import { changes, runs, unexercised } from './comparisons.ts';
import { drawing } from './drawing.ts';
import { changelog, identity, replayed, waivers } from './evidence.ts';
import { head, headline } from './head.ts';
import type { View } from './view.ts';

/** Every section in the order of the page, with its name in the contents. */
const SECTIONS = [
  ['work', 'Needs work', work],
  ['impact', 'Impact', drawing],
  ['notes', 'Worth knowing', notes],
  ['unexercised', 'Never exercised', unexercised],
  ['changes', 'Descriptions', changes],
  ['clauses', 'Documents', clauseWalk],
  ['runs', 'Runs', runs],
  ['replay', 'Replay and search', replayed],
  ['changelog', 'Changelog', changelog],
  ['waivers', 'Waivers', waivers],
  ['identity', 'Identity and limits', identity],
] as const;

const style = `${base}\n${readFileSync(new URL('./upgrade.css', import.meta.url), 'utf8')}`;

const BADGES = { safe: '', 'safe with notes': '', 'needs work': 'broken', 'cannot tell': 'incomplete' };

/** Draws the whole page: one file without a script, nothing loaded from anywhere. */
export function page(view: View): string {
  const { upgrade } = view;
  const names = upgrade.specs.map(({ api, from, to }) => `${api} ${from.version} → ${to.version}`).join(', ');
  return renderFrame({
    title: `${headline(upgrade)} (${names})`,
    style,
    skip: { to: 'work', text: 'Skip to what needs work' },
    head: head(view),
    sections: inOrder(upgrade).map(([id, name, draw]) => ({ id, name, drawn: draw(view) })),
    badge: html`<p class="badge ${BADGES[upgrade.verdict]}">${upgrade.verdict}</p>`,
    footer: html`Drawn by Assay. Machine forms: <a href="upgrade.json">upgrade.json</a>, <a href="upgrade.md">upgrade.md</a>, <a href="upgrade.sarif">upgrade.sarif</a>.`,
  });
}

/** What waits for a person's decision comes right after what needs work. */
function inOrder({ documents }: View['upgrade']): readonly (typeof SECTIONS)[number][] {
  if (!documents?.changes.some(({ weight }) => weight === 'unknown')) return SECTIONS;
  const walk = SECTIONS.filter(([id]) => id === 'clauses');
  return [SECTIONS[0], ...walk, ...SECTIONS.slice(1).filter(([id]) => id !== 'clauses')];
}
