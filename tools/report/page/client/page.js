// The page is whole without this script; it adds filters, copy buttons, and unpacks the evidence of quiet checks.
import { checkView } from './check-view.js';
import { exchangeView } from './exchange-view.js';
import { printable } from './printable.js';
import { readPackNames, unpack } from './unpack.js';

/**
 * @import { ExchangeLine } from '#evidence'
 * @import { ExchangePack } from '../pack-exchanges.ts'
 * @import { PageNode } from '../page-node.ts'
 * @import { QuietCheck } from '../checks.ts'
 * @typedef {Omit<ExchangeLine, 'kind'>} Exchange
 */

const packs = document.querySelectorAll('script.pack');
/** @type {Map<number, Promise<Exchange[]>>} */
const opened = new Map();
const form = partOfPage('#filters', HTMLFormElement);
const shown = partOfPage('#shown', HTMLElement);
const copied = partOfPage('#copied', HTMLElement);

/**
 * @template {Element} E
 * @param {string} selector
 * @param {{ new (): E }} kind
 * @param {ParentNode} [root]
 * @returns {E}
 */
function partOfPage(selector, kind, root = document) {
  const part = root.querySelector(selector);
  if (part instanceof kind) return part;
  throw new Error(`the page has no ${selector}`);
}

/**
 * @param {PageNode} node
 * @returns {Node}
 */
function build(node) {
  if (typeof node === 'string') return document.createTextNode(printable(node));
  const [tag, attributes, ...children] = node;
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  for (const child of children) element.append(build(child));
  return element;
}

/** @param {number} number */
function exchangesOf(number) {
  const known = opened.get(number) ?? inflate(packs[number]?.textContent ?? '').then(unpack);
  opened.set(number, known);
  return known;
}

/**
 * @param {string} base64 of raw deflate
 * @returns {Promise<ExchangePack>}
 */
async function inflate(base64) {
  const bytes = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
  return JSON.parse(await new Response(stream).text());
}

/** @param {HTMLElement} check */
async function fill(check) {
  if (!check.dataset['packs']) return;
  const numbers = readPackNames(check.dataset['packs']);
  delete check.dataset['packs'];
  const place = partOfPage('.evidence', HTMLElement, check);
  const id = partOfPage('summary .id', HTMLElement, check).textContent;
  place.setAttribute('aria-busy', 'true');
  try {
    const own = (await Promise.all(numbers.map(exchangesOf))).flat().filter((one) => one.check === id);
    const views = own.map((one) => build(exchangeView(one)));
    place.append(...views);
    const order = [...place.children].sort((a, b) => numberOf(a) - numberOf(b));
    place.append(...order);
    const all = Number(check.dataset['exchanges']);
    const missing = all - order.length;
    if (missing > 0) place.prepend(build(holeView(`${missing} of its ${all} exchanges are not in this page`)));
  } catch {
    place.prepend(build(holeView('The evidence of this check that is packed into this page cannot be read')));
  }
  place.removeAttribute('aria-busy');
}

/**
 * Draws what stands for evidence that should be here and is not.
 * @param {string} what
 * @returns {PageNode}
 */
function holeView(what) {
  return [
    'p',
    { class: 'violation', role: 'alert' },
    ['strong', {}, what],
    ': the page was changed or cut, or this browser is too old for it. Read it under the same ids in ',
    ['a', { href: 'evidence.ndjson' }, 'evidence.ndjson'],
    '; ',
    ['code', {}, 'assay verify'],
    ' says whether the folder is as it was signed.',
  ];
}

/**
 * Builds the folded checks of a file.
 * @param {Element} quiets
 */
function unfold(quiets) {
  const data = quiets.querySelector('script');
  if (data === null) return;
  /** @type {QuietCheck[]} */
  const checks = JSON.parse(data.textContent);
  data.replaceWith(...checks.map((check) => build(checkView(check))));
}

/**
 * What has an id on the page, unfolded when it is a folded check.
 * @param {string} id
 */
function find(id) {
  if (document.getElementById(id) === null && id.startsWith('c-'))
    for (const quiets of document.querySelectorAll('details.quiets'))
      if (quiets.textContent.includes(`"anchor":"${id}"`)) unfold(quiets);
  return document.getElementById(id);
}

/** @param {Element} exchange */
function numberOf(exchange) {
  return Number(exchange.id.split('.').pop());
}

async function reveal() {
  const id = decodeURIComponent(location.hash.slice(1));
  if (id === '') return;
  if (id.startsWith('x-') && !document.getElementById(id)) {
    const check = find(`c-${id.slice(2, id.lastIndexOf('.'))}`);
    if (check) await fill(check);
  }
  const target = find(id);
  if (!target) return;
  if (target.closest('[hidden]')) {
    form.reset();
    filter();
  }
  /** @type {HTMLElement | null} */
  let around = target;
  for (; around; around = around.parentElement) if (around instanceof HTMLDetailsElement) around.open = true;
  target.scrollIntoView();
  const summary = target.querySelector(':scope > summary');
  if (summary instanceof HTMLElement) summary.focus({ preventScroll: true });
}

/**
 * @param {string} text
 * @param {HTMLElement} button
 */
async function copy(text, button) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const area = document.createElement('textarea');
    area.value = text;
    document.body.append(area);
    area.select();
    document.execCommand('copy');
    area.remove();
    button.focus();
  }
  copied.textContent = `Copied: ${text.split('\n')[0]}`;
}

/**
 * @param {string} label
 * @param {string} of what is copied, for those who do not see where the button stands
 * @param {() => string} text
 */
function button(label, of, text) {
  const one = document.createElement('button');
  one.type = 'button';
  one.className = 'copy';
  one.textContent = label;
  one.setAttribute('aria-label', `${label} ${of}`);
  one.addEventListener('click', () => copy(text(), one));
  return one;
}

/** @param {ParentNode} root */
function equip(root) {
  for (const place of root.querySelectorAll('.copyable, .curl pre')) {
    // What nobody can see yet is equipped when it is opened.
    if (!(place instanceof HTMLElement) || place.dataset['equipped'] || place.closest('details:not([open])')) continue;
    place.dataset['equipped'] = 'yes';
    place.after(
      button('Copy', place.tagName === 'PRE' ? 'the command' : place.textContent.slice(0, 60), () => place.textContent),
    );
  }
}

/** @param {HTMLElement} details */
function link(details) {
  if (details.dataset['linked'] || !details.id) return;
  details.dataset['linked'] = 'yes';
  const inside = details.querySelector(':scope > .inside, :scope > .sides');
  if (!inside) return;
  const name = details.id.replace(/^[cx]-/, '');
  const address = () => `${location.href.split('#')[0]}#${details.id}`;
  const tools = document.createElement('p');
  tools.className = 'tools';
  tools.append(
    button('Copy link', `to ${name}`, address),
    button('Copy id', name, () => name),
  );
  inside.prepend(tools);
}

document.addEventListener(
  'toggle',
  (event) => {
    const details = event.target;
    if (!(details instanceof HTMLDetailsElement && details.open)) return;
    if (details.matches('.quiets')) unfold(details);
    if (details.matches('.check')) fill(details);
    if (details.matches('.rule, .check, .exchange')) link(details);
    equip(details);
  },
  true,
);

const list = [...document.querySelectorAll('details.rule')]
  .filter((element) => element instanceof HTMLElement)
  .map((element) => ({ element, text: (element.firstElementChild?.textContent ?? '').toLowerCase() }));

function filter() {
  const data = new FormData(form);
  /** @param {string} field */
  const wanted = (field) => String(data.get(field) ?? '');
  const words = wanted('text').toLowerCase().split(/\s+/).filter(Boolean);
  let count = 0;
  for (const { element, text } of list) {
    const fits = ['verdict', 'level', 'api'].every((key) => wanted(key) === '' || element.dataset[key] === wanted(key));
    element.hidden = !(fits && words.every((word) => text.includes(word)));
    if (!element.hidden) count += 1;
  }
  for (const area of document.querySelectorAll('#rules section.area'))
    area.toggleAttribute('hidden', !area.querySelector('details.rule:not([hidden])'));
  shown.textContent = `${count} of ${list.length} rules shown`;
}

form.hidden = false;
form.addEventListener('input', filter);
form.addEventListener('reset', () => setTimeout(filter));
form.addEventListener('submit', (event) => event.preventDefault());
filter();

/** @type {Element[]} */
let closed = [];
addEventListener('beforeprint', () => {
  closed = [...document.querySelectorAll('details:not([open])')];
  for (const one of closed) one.setAttribute('open', '');
});
addEventListener('afterprint', () => {
  for (const one of closed) one.removeAttribute('open');
});
addEventListener('hashchange', reveal);
equip(document);
reveal();
