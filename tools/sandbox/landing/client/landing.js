// Watches the log: asks for what is new, and shows it as text and nothing else.

/**
 * @import { LoggedExchange } from '../../logged-exchange.ts'
 */

const EVERY = 1000;
const MOST = 300;
const list = partOfPage('#exchanges', HTMLOListElement);
const summary = partOfPage('#summary', HTMLElement);
const filter = partOfPage('#filter', HTMLInputElement);
const paused = partOfPage('#paused', HTMLInputElement);
let last = 0;

/**
 * @template {Element} Kind
 * @param {string} selector
 * @param {new () => Kind} kind
 * @returns {Kind}
 */
function partOfPage(selector, kind) {
  const part = document.querySelector(selector);
  if (!(part instanceof kind)) throw new Error(`the page has no ${selector}`);
  return part;
}

/**
 * @param {string} name
 * @param {string} text
 * @param {string} [kind]
 */
function element(name, text, kind = '') {
  const made = document.createElement(name);
  made.textContent = text;
  if (kind !== '') made.className = kind;
  return made;
}

/**
 * @param {string} title
 * @param {string} line
 * @param {LoggedExchange['request'] | NonNullable<LoggedExchange['response']>} message
 */
function messageView(title, line, message) {
  const side = document.createElement('div');
  const text = [line, ...message.headers.map(([name, value]) => `${name}: ${value}`), '', message.body ?? ''].join(
    '\n',
  );
  const block = element('pre', text.trimEnd());
  block.tabIndex = 0;
  side.append(element('h3', title), block);
  return side;
}

/** @param {LoggedExchange} exchange */
function exchangeView({ number, api, message, at, duration, request, response, failure }) {
  const entry = document.createElement('li');
  entry.value = number;
  const details = document.createElement('details');
  const head = document.createElement('summary');
  const status = response === undefined ? 'no answer' : String(response.status);
  const kind = message === 'request' ? 'asked' : 'sent';
  const path = message === 'request' ? request.url.replace(/^[a-z]+:\/\/[^/]*/i, '') || '/' : request.url;
  const isGood = response !== undefined && response.status < 400;
  head.append(
    element('span', at.slice(11, 23), 'time'),
    ' ',
    element('span', api, 'api'),
    ' ',
    element('span', kind, 'kind'),
    ' ',
    element('code', `${request.method} ${path}`),
    ' ',
    element('strong', status, isGood ? 'good' : 'bad'),
    ' ',
    element('span', `${Math.round(duration)} ms`, 'time'),
  );
  const sides = element('div', '', 'sides');
  sides.append(messageView(message === 'request' ? 'Request' : message, `${request.method} ${request.url}`, request));
  if (response !== undefined) sides.append(messageView('Answer', `status ${response.status}`, response));
  if (failure !== undefined) sides.append(element('p', failure, 'bad'));
  details.append(head, sides);
  entry.append(details);
  return entry;
}

function applyFilter() {
  const wanted = filter.value.trim().toLowerCase();
  let shown = 0;
  for (const entry of list.children) {
    const isWanted = wanted === '' || (entry.textContent ?? '').toLowerCase().includes(wanted);
    entry.toggleAttribute('hidden', !isWanted);
    if (isWanted) shown += 1;
  }
  const all = list.children.length;
  if (all > 0)
    summary.textContent = `${last} exchanged so far, latest first${shown === all ? '' : `; ${shown} of ${all} shown`}.`;
}

async function watch() {
  try {
    if (!paused.checked && !document.hidden) {
      const answer = await fetch(`/log?after=${last}`);
      /** @type {{ exchanges: LoggedExchange[] }} */
      const { exchanges } = await answer.json();
      for (const exchange of exchanges) {
        list.prepend(exchangeView(exchange));
        last = exchange.number;
      }
      while (list.children.length > MOST) list.lastElementChild?.remove();
      if (exchanges.length > 0) applyFilter();
    }
  } catch {
    summary.textContent = 'The sandbox does not answer any more.';
  }
  setTimeout(watch, EVERY);
}

filter.addEventListener('input', applyFilter);
watch();

export {};
