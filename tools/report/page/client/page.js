// The page is whole without this script; it adds filters, copy buttons, and unpacks the evidence of quiet checks.
import { exchangeView } from './exchange-view.js';
import { printable } from './printable.js';
import { unpack } from './unpack.js';

const packs = document.querySelectorAll('script.pack');
const opened = new Map();

function build(node) {
  if (typeof node === 'string') return document.createTextNode(printable(node));
  const [tag, attributes, ...children] = node;
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  for (const child of children) element.append(build(child));
  return element;
}

function exchangesOf(number) {
  if (!opened.has(number)) opened.set(number, inflate(packs[number].textContent).then(unpack));
  return opened.get(number);
}

async function inflate(base64) {
  const bytes = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
  return JSON.parse(await new Response(stream).text());
}

async function fill(check) {
  if (!check.dataset.packs) return;
  const numbers = check.dataset.packs.split(' ');
  delete check.dataset.packs;
  const place = check.querySelector('.evidence');
  const id = check.querySelector('summary .id').textContent;
  place.setAttribute('aria-busy', 'true');
  const own = (await Promise.all(numbers.map((number) => exchangesOf(Number(number)))))
    .flat()
    .filter((one) => one.check === id);
  const views = own.map((one) => build(exchangeView(one)));
  place.append(...views);
  const order = [...place.children].sort((a, b) => Number(a.id.split('.').pop()) - Number(b.id.split('.').pop()));
  place.append(...order);
  place.removeAttribute('aria-busy');
}

async function reveal() {
  const id = decodeURIComponent(location.hash.slice(1));
  if (id === '') return;
  if (id.startsWith('x-') && !document.getElementById(id)) {
    const check = document.getElementById(`c-${id.slice(2, id.lastIndexOf('.'))}`);
    if (check) await fill(check);
  }
  const target = document.getElementById(id);
  if (!target) return;
  if (target.closest('[hidden]')) {
    form.reset();
    filter();
  }
  for (let one = target; one; one = one.parentElement) if (one.tagName === 'DETAILS') one.open = true;
  target.scrollIntoView();
  const summary = target.querySelector(':scope > summary');
  if (summary) summary.focus({ preventScroll: true });
}

const said = document.getElementById('said');

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
  said.textContent = `Copied: ${text.split('\n')[0]}`;
}

function button(label, of, text) {
  const one = document.createElement('button');
  one.type = 'button';
  one.className = 'copy';
  one.textContent = label;
  one.setAttribute('aria-label', `${label} ${of}`);
  one.addEventListener('click', () => copy(text(), one));
  return one;
}

function equip(root) {
  for (const place of root.querySelectorAll('.copyable, .curl pre')) {
    if (place.dataset.equipped) continue;
    place.dataset.equipped = 'yes';
    place.after(
      button('Copy', place.tagName === 'PRE' ? 'the command' : place.textContent.slice(0, 60), () => place.textContent),
    );
  }
}

function link(details) {
  if (details.dataset.linked || !details.id) return;
  details.dataset.linked = 'yes';
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
    if (!details.open) return;
    if (details.matches('.check')) fill(details);
    if (details.matches('.rule, .check, .exchange')) link(details);
    equip(details);
  },
  true,
);

const form = document.getElementById('filters');
const shown = document.getElementById('shown');
const list = [...document.querySelectorAll('details.rule')].map((element) => ({
  element,
  text: element.firstElementChild.textContent.toLowerCase(),
}));

function filter() {
  const wanted = Object.fromEntries(new FormData(form));
  const words = wanted.text.toLowerCase().split(/\s+/).filter(Boolean);
  let count = 0;
  for (const { element, text } of list) {
    const fits = ['verdict', 'level', 'api'].every((key) => wanted[key] === '' || element.dataset[key] === wanted[key]);
    element.hidden = !(fits && words.every((word) => text.includes(word)));
    if (!element.hidden) count += 1;
  }
  for (const area of document.querySelectorAll('#rules section.area'))
    area.hidden = !area.querySelector('details.rule:not([hidden])');
  shown.textContent = `${count} of ${list.length} rules shown`;
}

form.hidden = false;
form.addEventListener('input', filter);
form.addEventListener('reset', () => setTimeout(filter));
form.addEventListener('submit', (event) => event.preventDefault());
filter();

let closed = [];
addEventListener('beforeprint', () => {
  closed = [...document.querySelectorAll('details:not([open])')];
  for (const one of closed) one.open = true;
});
addEventListener('afterprint', () => {
  for (const one of closed) one.open = false;
});
addEventListener('hashchange', reveal);
equip(document);
reveal();
