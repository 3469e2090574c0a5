import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { style as base, Html, html } from '#report';
import { notes, work } from './cards.ts';
import { changes, documents, runs, unexercised } from './comparisons.ts';
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
  ['clauses', 'Documents', documents],
  ['runs', 'Runs', runs],
  ['replay', 'Replay and search', replayed],
  ['changelog', 'Changelog', changelog],
  ['waivers', 'Waivers', waivers],
  ['identity', 'Identity and limits', identity],
] as const;

const style = `${base}\n${readFileSync(new URL('./upgrade.css', import.meta.url), 'utf8')}`;

/** What the page may do: use this style, nothing else and nothing from elsewhere. It has no script. */
const policy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

const BADGES = { safe: '', 'safe with notes': '', 'needs work': 'broken', 'cannot tell': 'incomplete' };

/** Draws the whole page: one file without a script, nothing loaded from anywhere. */
export function page(view: View): string {
  const { upgrade } = view;
  const names = upgrade.specs.map(({ api, from, to }) => `${api} ${from.version} → ${to.version}`).join(', ');
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<title>${headline(upgrade)} (${names})</title>
<style>${new Html(style)}</style>
</head>
<body>
<a class="skip-link" href="#work">Skip to what needs work</a>
<div class="page">
${head(view)}
<nav aria-labelledby="contents"><h2 id="contents">Contents</h2><ol>${SECTIONS.map(([id, name]) => html`<li><a href="#${id}">${name}</a></li>`)}</ol><p class="badge ${BADGES[upgrade.verdict]}">${upgrade.verdict}</p></nav>
<main>
${SECTIONS.map(([, , draw]) => draw(view))}
<footer>Drawn by Assay. Machine forms: <a href="upgrade.json">upgrade.json</a>, <a href="upgrade.md">upgrade.md</a>, <a href="upgrade.sarif">upgrade.sarif</a>.</footer>
</main>
</div>
</body>
</html>
`.text;
}
