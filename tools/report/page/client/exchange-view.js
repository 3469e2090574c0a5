// Shared by the page generator and the page itself, so that evidence looks the same whether it was written out or unpacked.
export function exchangeView(x) {
  const marked = new Set(x.violations.map((one) => one.where));
  const status = x.response ? String(x.response.status) : 'no answer';
  const verb = { out: 'sent', in: 'received', browser: 'browser' }[x.direction];
  const path = x.request.url.replace(/^[a-z]+:\/\/[^/]*/i, '') || '/';
  return [
    'details',
    { class: x.violations.length > 0 ? 'exchange bad' : 'exchange', id: `x-${x.id}` },
    [
      'summary',
      {},
      ['code', { class: 'xid' }, x.id],
      ' ',
      ['span', { class: 'verb' }, verb],
      ' ',
      ['code', { class: 'line' }, `${x.request.method} ${path}`],
      ' ',
      ['span', { class: `status s${status[0]}` }, status],
      ' ',
      ['span', { class: 'ms' }, `${Math.round(x.duration)} ms`],
    ],
    [
      'div',
      { class: 'sides' },
      ...x.violations.map((one) => [
        'p',
        { class: 'violation' },
        ['a', { href: `#${one.rule}` }, one.rule],
        ' at ',
        ['code', {}, one.where || 'the body'],
        ': expected ',
        ['strong', {}, one.expected],
        ', got ',
        ['strong', {}, one.actual],
      ]),
      message('Request', [`${x.request.method} ${x.request.url}`], x.request, new Set()),
      x.response
        ? message('Response', [`status ${x.response.status}`], x.response, marked)
        : [
            'div',
            { class: 'side' },
            ['p', { class: 'title' }, 'Response'],
            ['p', { class: 'none' }, `None: ${x.failure || 'the connection ended'}`],
          ],
      ['p', { class: 'fine' }, `${x.operation || 'no operation'}, ${x.api}, ${x.at}, ${x.redactions} redacted`],
      x.direction === 'out'
        ? ['div', { class: 'curl' }, ['p', { class: 'title' }, 'Send it again'], ['pre', { tabindex: '0' }, curl(x)]]
        : '',
    ],
  ];

  function message(title, first, side, spots) {
    const heads = side.headers.flatMap(([name, value]) => [
      ['span', spots.has(`header: ${name.toLowerCase()}`) ? { class: 'spot' } : {}, ['b', {}, name], `: ${value}\n`],
    ]);
    const lines = [['span', spots.has('status') ? { class: 'spot' } : { class: 'first' }, `${first[0]}\n`], ...heads];
    const body = side.body === undefined || side.body === '' ? [] : ['\n', ...bodyLines(side.body, spots)];
    const size = side.size === 0 ? 'no body' : `${side.size} bytes${side.cut ? ', only the beginning kept' : ''}`;
    return [
      'div',
      { class: 'side' },
      ['p', { class: 'title' }, title, ' ', ['small', {}, size]],
      ['pre', { tabindex: '0' }, ...lines, ...body],
    ];
  }

  // Only white space between the tokens is touched: numbers, order and doubled members stay as they came.
  function bodyLines(body, spots) {
    if (!/^\s*[[{]/.test(body)) return [body];
    const tokens = body.match(/"(?:[^"\\]|\\.)*"|[[\]{}:,]|[^\s"[\]{}:,]+|"/g) || [];
    const out = [];
    const stack = [];
    let line = '';
    let here = '';
    const flush = () => {
      if (line.trim() !== '') out.push(spots.has(here) ? ['span', { class: 'spot' }, `${line}\n`] : `${line}\n`);
      line = '  '.repeat(stack.length);
    };
    const escaped = (key) => key.replace(/~/g, '~0').replace(/\//g, '~1');
    const path = () => stack.map((level) => `/${level.key}`).join('');
    tokens.forEach((token, i) => {
      const top = stack[stack.length - 1];
      if (token === '}' || token === ']') {
        const empty = tokens[i - 1] === '{' || tokens[i - 1] === '[';
        if (!empty) flush();
        stack.pop();
        if (!empty) {
          line = '  '.repeat(stack.length);
          here = `${path()}/`;
        }
        line += token;
        return;
      }
      if (line.trim() === '') {
        if (top && !top.array && token[0] === '"') top.key = escaped(token.slice(1, -1));
        here = path();
      }
      line += token === ':' ? ': ' : token;
      if (token === '{' || token === '[') {
        stack.push({ array: token === '[', key: 0 });
        if (tokens[i + 1] !== '}' && tokens[i + 1] !== ']') flush();
      } else if (token === ',') {
        flush();
        if (top?.array) top.key += 1;
      }
    });
    flush();
    return out;
  }
}

export function curl(x) {
  const quote = (text) => `'${text.replace(/'/g, "'\\''").replace(/\[redacted\]/g, '\'"$REDACTED"\'')}'`;
  const parts = [`curl -i -X ${x.request.method} ${quote(x.request.url)}`];
  for (const [name, value] of x.request.headers) {
    const key = name.toLowerCase();
    if (['host', 'content-length', 'connection', 'transfer-encoding', 'accept-encoding'].includes(key)) continue;
    if (key === 'authorization' && /^oauth\s/i.test(value)) parts.push(`-H "${name}: $OAUTH_HEADER"`);
    else if (key === 'authorization' && /^bearer \[redacted\]$/i.test(value)) parts.push(`-H "${name}: Bearer $TOKEN"`);
    else parts.push(`-H ${quote(`${name}: ${value}`)}`);
  }
  if (x.request.body) parts.push(`--data-binary ${quote(x.request.body)}`);
  return parts.join(' \\\n  ');
}
