import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { ControlCall } from '../control-calls.ts';
import { escapeHtml } from '../escape-html.ts';
import type { SandboxUsage } from '../usage.ts';

/** What the page says of a sandbox that runs. */
export interface LandingContent extends SandboxUsage {
  readonly addresses: Readonly<Record<string, string>>;
  readonly calls: readonly ControlCall[];
  /** Points in which it does otherwise than the plain sandbox, as `service.choice: way`. */
  readonly otherwise: readonly string[];
  /** Names of the lies it tells. */
  readonly lies: readonly string[];
  /** Whether there is a log to watch. */
  readonly isLogged: boolean;
}

const read = (name: string) => readFileSync(new URL(`./client/${name}`, import.meta.url), 'utf8');
const STYLE = read('landing.css');
// Without its notes for the type checker and what a compiler appends.
const SCRIPT = read('landing.js')
  .replace(/^ *\/\*\*(?:[^*]|\*(?!\/))*\*\/\n/gm, '')
  .replace(/^(?:export \{\};|\/\/# .*)$/gm, '');
const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** What the page may do: use its style and its script and ask for the log; nothing from elsewhere, and in no frame. */
export const LANDING_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': [
    "default-src 'none'",
    `script-src ${hash(SCRIPT)}`,
    `style-src ${hash(STYLE)}`,
    "connect-src 'self'",
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; '),
  'cache-control': 'no-store',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

/** Draws the page of the control plane. What was exchanged is not in it: its script asks for that and shows it as text. */
export function renderLandingPage(content: LandingContent): string {
  const { addresses, credentials, samples, calls, tryLines, environment, otherwise, lies, isLogged } = content;
  const sections: [id: string, title: string, body: string][] = [
    ...(isLogged ? [['log', 'Log', LOG] as [string, string, string]] : []),
    [
      'addresses',
      'Addresses',
      table(
        ['Of', 'Address'],
        Object.entries(addresses).map(([name, one]) => [name, code(one)]),
      ),
    ],
    [
      'credentials',
      'Credentials',
      `<p>They work here only.</p>${Object.entries(credentials)
        .map(
          ([api, entries]) =>
            `<h3>${escapeHtml(api)}</h3>${table(['Of', 'Values'], Object.entries(entries).map(credentialRow))}`,
        )
        .join('')}`,
    ],
    ...samples.map(({ name, title, rows }): [string, string, string] => [
      name,
      title,
      table(
        ['Sample', 'What happens'],
        rows.map(([left, right]) => [code(left), escapeHtml(right)]),
      ),
    ]),
    ['calls', 'Control calls', table(['Call', 'What it does', 'Example of a body'], calls.map(callRow))],
    ['try', 'Try', tryLines.map(block).join('')],
    [
      'environment',
      'Environment',
      block(
        Object.entries(environment)
          .map(([name, value]) => `${name}=${value}`)
          .join('\n'),
      ),
    ],
    [
      'otherwise',
      'Otherwise than the plain sandbox',
      otherwise.length + lies.length === 0
        ? '<p>In nothing. <code>assay sandbox --choices</code> prints what can be chosen, <code>assay lies</code> what can be told.</p>'
        : `<ul>${[...otherwise, ...lies.map((lie) => `lie: ${lie}`)].map((one) => `<li>${escapeHtml(one)}</li>`).join('')}</ul>`,
    ],
  ];
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Assay sandbox</title>
<link rel="icon" href="data:,">
<style>${STYLE}</style>
</head>
<body>
<header><h1>Assay sandbox</h1>
<nav aria-label="Contents"><ul>${sections.map(([id, title]) => `<li><a href="#${id}">${escapeHtml(title)}</a></li>`).join('')}</ul></nav></header>
<main>
${sections.map(([id, title, body]) => `<section id="${id}" aria-labelledby="${id}-title"><h2 id="${id}-title">${escapeHtml(title)}</h2>${body}</section>`).join('\n')}
</main>
${isLogged ? `<script>${SCRIPT}</script>\n` : ''}</body>
</html>
`;
}

const LOG = `<p id="summary" role="status">Nothing was exchanged yet.</p>
<noscript><p>With scripts off, ask for <a href="/log">/log</a>.</p></noscript>
<p class="tools"><label for="filter">Only with</label> <input id="filter" type="search" autocomplete="off" spellcheck="false">
<label><input id="paused" type="checkbox"> Pause</label></p>
<ol id="exchanges" reversed></ol>`;

function credentialRow([name, value]: [string, unknown]): [string, string] {
  if (typeof value !== 'object' || value === null) return [name, code(String(value))];
  const pairs = Object.entries(value).map(
    ([key, one]) =>
      `<span class="pair">${escapeHtml(key)} ${code(typeof one === 'object' ? JSON.stringify(one) : String(one))}</span>`,
  );
  return [name, pairs.join(' ')];
}

function callRow({ method, path, does, takes }: ControlCall): string[] {
  return [`${method} ${path}`, escapeHtml(does), takes === undefined ? '' : code(takes)];
}

/** A table; the first cell of a row is text that names it, the others are markup. */
function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const head = heads.map((one) => `<th scope="col">${escapeHtml(one)}</th>`).join('');
  const body = rows.map(([name = '', ...cells]) => {
    const named = name.startsWith('<') ? name : `<code>${escapeHtml(name)}</code>`;
    return `<tr><th scope="row">${named}</th>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`;
  });
  return `<div class="wide"><table><thead><tr>${head}</tr></thead><tbody>${body.join('')}</tbody></table></div>`;
}

function code(text: string): string {
  return `<code>${escapeHtml(text)}</code>`;
}

function block(text: string): string {
  return `<pre tabindex="0">${escapeHtml(text)}</pre>`;
}
