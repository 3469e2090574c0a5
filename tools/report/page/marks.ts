import type { Verdict } from '#evidence';
import { verdictWord } from '../verdict-words.ts';
import { type Html, html } from './html.ts';

/** What each verdict means, in the order of loudness. */
export const VERDICT_MEANINGS: readonly (readonly [Verdict, string])[] = [
  ['fail', 'a must is not kept'],
  ['warn', 'a should is not kept'],
  ['broken', 'our check could not tell'],
  ['unseen', 'what it speaks of never came'],
  ['waived', 'not kept, accepted for now'],
  ['skipped', 'not judged'],
  ['pass', 'kept'],
];

/** A verdict as a small labelled mark; its sign, so that none is told by colour alone, is set by the style sheet. */
export function renderVerdictMark(verdict: Verdict): Html {
  return html`<span class="mark sign ${verdict}">${verdictWord(verdict)}</span>`;
}

/** A link to a rule on this page. */
export function ruleLink(id: string): Html {
  return html`<a class="id" href="#${id}">${id}</a>`;
}

/** A link to an exchange on this page. */
export function exchangeLink(id: string): Html {
  return html`<a class="id" href="#x-${id}">${id}</a>`;
}

/** A link to a check on this page. */
export function checkLink(id: string): Html {
  return html`<a class="id" href="#c-${id}">${id}</a>`;
}

/** One section of the page with its heading and a word on what it is. */
export function renderSection(id: string, title: string, lead: Html | string, body: Html): Html {
  return html`<section id="${id}" aria-labelledby="${id}-title">
<h2 id="${id}-title">${title} <a class="anchor" href="#${id}" aria-label="Link to ${title}">#</a></h2>
<p class="lead">${lead}</p>
${body}
</section>
`;
}

/** A table that may scroll by itself where the page is narrow. */
export function renderTable(label: string, heads: readonly string[], rows: readonly Html[], kind = ''): Html {
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${label}"><table class="${kind}"><thead><tr>${heads.map(
    (head) => html`<th scope="col">${head}</th>`,
  )}</tr></thead><tbody>${rows}</tbody></table></div>`;
}

/** A time as people in different zones can compare it. */
export function formatUtc(iso: string): string {
  return iso.replace('T', ' ').replace(/(\.\d+)?Z$/, ' UTC');
}
