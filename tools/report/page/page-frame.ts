import { createHash } from 'node:crypto';
import { Html, type HtmlPart, html } from './html.ts';

/** What stands in and around the frame of a page. */
export interface PageFrame {
  readonly title: string;
  readonly style: string;
  /** Its one script; without it the page runs none. */
  readonly script?: string;
  /** Where the first link leads, past head and contents. */
  readonly skip: { readonly to: string; readonly text: string };
  readonly head: Html;
  readonly sections: readonly { readonly id: string; readonly name: string; readonly drawn: HtmlPart }[];
  /** What stands below the contents. */
  readonly badge?: HtmlPart;
  readonly footer: Html;
  /** Whether it is so long that what is out of sight is laid out only when it comes into sight. */
  readonly long?: boolean;
  /** What the sections are folded under, where what stands above them says it all. */
  readonly fold?: string;
  /** Whether it carries pictures. */
  readonly pictures?: boolean;
  /** What the script needs, after the page. */
  readonly tail?: readonly (Html | Buffer)[];
}

const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** What a page may do: use this style, run this script and show its own pictures, nothing else and nothing from elsewhere. */
function policy({ style, script, pictures }: PageFrame): string {
  return [
    "default-src 'none'",
    ...(script === undefined ? [] : [`script-src ${hash(script)}`]),
    `style-src ${hash(style)}`,
    ...(pictures ? ['img-src data:'] : []),
    "base-uri 'none'",
    "form-action 'none'",
    ...(script === undefined ? [] : ["require-trusted-types-for 'script'", "trusted-types 'none'"]),
  ].join('; ');
}

/** Draws a whole page: one file, nothing loaded from anywhere. */
export function renderFrame(of: PageFrame): string {
  return renderFramePieces(of).join('');
}

/** As {@link renderFrame}, in pieces: each part of the tail by itself. */
export function renderFramePieces(of: PageFrame): (string | Buffer)[] {
  const { title, style, script, skip, head, sections, badge, footer, fold, long, tail = [] } = of;
  const drawn = sections.map((section) => section.drawn);
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy(of)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<style>${new Html(style)}</style>
</head>
<body>
<a class="skip-link" href="#${skip.to}">${skip.text}</a>
<div class="page">
${head}
<nav aria-labelledby="contents"><h2 id="contents">Contents</h2><ol>${sections.map(({ id, name }) => html`<li><a href="#${id}">${name}</a></li>`)}</ol>${badge}</nav>
<main${long && html` class="long"`}>
${fold === undefined ? drawn : html`<details class="annex"><summary>${fold}</summary>${drawn}</details>`}
<footer>${footer}</footer>
</main>
</div>
`;
  const end = html`${script !== undefined && html`<script>${new Html(script)}</script>\n`}</body>
</html>
`;
  return [page, ...tail, end].map((piece) => (piece instanceof Html ? piece.text : piece));
}
