import { readFileSync } from 'node:fs';

const read = (name: string) => readFileSync(new URL(`./client/${name}`, import.meta.url), 'utf8');

/** The page's only style sheet. */
export const pageStyle = ['base.css', 'layout.css', 'drawings.css', 'sheet.css', 'media.css'].map(read).join('\n');

/** The page's only script: the shared view and the behaviour, joined without imports and notes for the type checker. */
export const pageScript = `(() => {\n'use strict';\n${[
  'printable.js',
  'check-view.js',
  'exchange-view.js',
  'unpack.js',
  'page.js',
]
  .map(read)
  .join('\n')
  .replace(/^ *\/\*\*(?:[^*]|\*(?!\/))*\*\/\n|^import .*\n/gm, '')
  .replace(/^export /gm, '')}})();\n`;
