/**
 * @import { ExchangeLine, Message } from '#evidence'
 * @import { PageNode } from '../page-node.ts'
 */

/**
 * Draws one exchange: request, response, what it broke, and how to send it again. Shared by the page generator and the page itself,
 * so that evidence looks the same whether it was written out or unpacked.
 * @param {Omit<ExchangeLine, 'kind'>} exchange
 * @returns {PageNode}
 */
export function exchangeView({ violations, request, response, ...exchange }) {
  const marked = new Set(violations.map((one) => one.where));
  const status = response ? String(response.status) : 'no answer';
  const verb = { out: 'sent', in: 'received', browser: 'browser' }[exchange.direction];
  const path = request.url.replace(/^[a-z]+:\/\/[^/]*/i, '') || '/';
  return [
    'details',
    { class: violations.length > 0 ? 'exchange bad' : 'exchange', id: `x-${exchange.id}` },
    [
      'summary',
      {},
      ['code', { class: 'xid' }, exchange.id],
      ' ',
      ['span', { class: 'verb' }, verb],
      ' ',
      ['code', { class: 'line' }, `${request.method} ${path}`],
      ' ',
      ['span', { class: `status s${status[0]}` }, status],
      ' ',
      ['span', { class: 'ms' }, `${Math.round(exchange.duration)} ms`],
    ],
    [
      'div',
      { class: 'sides' },
      ...violations.map(violationView),
      messageView('Request', `${request.method} ${request.url}`, request, new Set()),
      response
        ? messageView('Response', `status ${response.status}`, response, marked)
        : [
            'div',
            { class: 'side' },
            ['p', { class: 'title' }, 'Response'],
            ['p', { class: 'none' }, `None: ${exchange.failure || 'the connection ended'}`],
          ],
      [
        'p',
        { class: 'fine' },
        `${exchange.operation || 'no operation'}, ${exchange.api}, ${exchange.at}, ${exchange.redactions} redacted`,
      ],
      exchange.direction === 'out'
        ? [
            'div',
            { class: 'curl' },
            ['p', { class: 'title' }, 'Send it again'],
            ['pre', { tabindex: '0' }, curl(request)],
          ]
        : '',
    ],
  ];
}

/**
 * @param {ExchangeLine['violations'][number]} violation
 * @returns {PageNode}
 */
function violationView({ rule, where, expected, actual }) {
  return [
    'p',
    { class: 'violation' },
    ['a', { href: `#${rule}` }, rule],
    ' at ',
    ['code', {}, where || 'the body'],
    ': expected ',
    ['strong', {}, expected],
    ', got ',
    ['strong', {}, actual],
  ];
}

/**
 * @param {string} title
 * @param {string} firstLine
 * @param {Message} message
 * @param {ReadonlySet<string>} marked JSON Pointers, header names or the status, as violations name them
 * @returns {PageNode}
 */
function messageView(title, firstLine, message, marked) {
  /** @type {PageNode[]} */
  const headers = message.headers.map(([name, value]) => [
    'span',
    marked.has(`header: ${name.toLowerCase()}`) ? { class: 'spot' } : {},
    ['b', {}, name],
    `: ${value}\n`,
  ]);
  const body = message.body === undefined || message.body === '' ? [] : ['\n', ...bodyLines(message.body, marked)];
  const size =
    message.size === 0 ? 'no body' : `${message.size} bytes${message.cut ? ', only the beginning kept' : ''}`;
  return [
    'div',
    { class: 'side' },
    ['p', { class: 'title' }, title, ' ', ['small', {}, size]],
    [
      'pre',
      { tabindex: '0' },
      ['span', { class: marked.has('status') ? 'spot' : 'first' }, `${firstLine}\n`],
      ...headers,
      ...body,
    ],
  ];
}

/**
 * The lines of a body, those at a marked pointer marked. Only white space between the tokens is touched: numbers, order and doubled
 * members stay as they came.
 * @param {string} body
 * @param {ReadonlySet<string>} marked
 * @returns {PageNode[]}
 */
function bodyLines(body, marked) {
  if (!/^\s*[[{]/.test(body)) return [body];
  const tokens = body.match(/"(?:[^"\\]|\\.)*"|[[\]{}:,]|[^\s"[\]{}:,]+|"/g) || [];
  /** @type {PageNode[]} */
  const lines = [];
  /** @type {{ index: number, key?: string }[]} */
  const stack = [];
  let line = '';
  /** @type {string | undefined} */
  let pointer;
  const flush = () => {
    if (line.trim() !== '')
      lines.push(pointer !== undefined && marked.has(pointer) ? ['span', { class: 'spot' }, `${line}\n`] : `${line}\n`);
    line = '  '.repeat(stack.length);
  };
  const pointerHere = () => stack.map(({ key, index }) => `/${key ?? index}`).join('');
  tokens.forEach((token, i) => {
    const top = stack.at(-1);
    if (token === '}' || token === ']') {
      const empty = tokens[i - 1] === '{' || tokens[i - 1] === '[';
      if (!empty) flush();
      stack.pop();
      if (!empty) {
        line = '  '.repeat(stack.length);
        pointer = undefined;
      }
      line += token;
      return;
    }
    if (line.trim() === '') {
      if (top?.key !== undefined && token.startsWith('"')) top.key = pointerToken(token);
      pointer = pointerHere();
    }
    line += token === ':' ? ': ' : token;
    if (token === '{' || token === '[') {
      stack.push(token === '[' ? { index: 0 } : { index: 0, key: '' });
      if (tokens[i + 1] !== '}' && tokens[i + 1] !== ']') flush();
    } else if (token === ',') {
      flush();
      if (top) top.index += 1;
    }
  });
  flush();
  return lines;
}

/**
 * The pointer token (RFC 6901) of a member name as it stands in the body. Written here a second time because the page carries this
 * file alone; a test holds both to the same.
 * @param {string} quoted
 */
function pointerToken(quoted) {
  let name = quoted.slice(1, -1);
  try {
    name = String(JSON.parse(quoted));
  } catch {
    // A name that is no JSON stays as it came.
  }
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}

/**
 * A command line that sends the request again, with placeholders where something was redacted.
 * @param {ExchangeLine['request']} request
 */
export function curl(request) {
  /** @param {string} text */
  const quote = (text) => `'${text.replace(/'/g, "'\\''").replace(/\[redacted\]/g, '\'"$REDACTED"\'')}'`;
  const parts = [`curl -i -X ${request.method} ${quote(request.url)}`];
  for (const [name, value] of request.headers) {
    const key = name.toLowerCase();
    if (['host', 'content-length', 'connection', 'transfer-encoding', 'accept-encoding'].includes(key)) continue;
    if (key === 'authorization' && /^oauth\s/i.test(value)) parts.push(`-H "${name}: $OAUTH_HEADER"`);
    else if (key === 'authorization' && /^bearer \[redacted\]$/i.test(value)) parts.push(`-H "${name}: Bearer $TOKEN"`);
    else parts.push(`-H ${quote(`${name}: ${value}`)}`);
  }
  if (request.body) parts.push(`--data-binary ${quote(request.body)}`);
  return parts.join(' \\\n  ');
}
