import { expect, test } from '@playwright/test';
import fc from 'fast-check';
import { appendPointer } from '#json-pointer';
import { exchangeView } from './client/exchange-view.js';
import type { PageNode } from './page-node.ts';

/** The view of an answer with one violation. */
function viewOf(body: string, where: string): PageNode {
  return exchangeView({
    id: 'a.b.1',
    check: 'a.b',
    api: 'v1',
    direction: 'out',
    at: '2026-01-01T00:00:00.000Z',
    duration: 1,
    request: { method: 'GET', url: 'https://service.test/', headers: [], size: 0 },
    response: { status: 200, headers: [], size: body.length, body },
    violations: [{ rule: 'V1-GEN-01', where, expected: 'one thing', actual: 'another' }],
    redactions: 0,
  });
}

/** The text of what is marked. */
function markedLines(node: PageNode): string[] {
  if (typeof node === 'string') return [];
  const [, attributes, ...children] = node;
  return attributes['class'] === 'spot' ? [children.join('')] : children.flatMap(markedLines);
}

test('the member that a violation names is marked, whatever its name', () => {
  const body = {
    '': 1,
    'a/b': 2,
    'm~n': 3,
    'says "so"': 4,
    list: [5, { deep: 6 }, []],
  };
  const marked = (...tokens: (string | number)[]) =>
    markedLines(viewOf(JSON.stringify(body), appendPointer('', ...tokens))).map((line) => line.trim());
  expect(marked('')).toEqual(['"": 1,']);
  expect(marked('a/b')).toEqual(['"a/b": 2,']);
  expect(marked('m~n')).toEqual(['"m~n": 3,']);
  expect(marked('says "so"')).toEqual(['"says \\"so\\"": 4,']);
  expect(marked('list', 0)).toEqual(['5,']);
  expect(marked('list', 1, 'deep')).toEqual(['"deep": 6']);
  expect(marked('list', 2)).toEqual(['[]']);
});

test('for any member name the view and the JSON Pointer of a violation agree', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (name) => {
      const lines = markedLines(viewOf(JSON.stringify({ before: 0, [name]: 'x' }), appendPointer('', name)));
      expect(lines).toHaveLength(1);
      expect(lines[0]).toContain('"x"');
    }),
  );
});
