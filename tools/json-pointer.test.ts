import { expect, test } from '@playwright/test';
import fc from 'fast-check';
import { appendPointer, pointerReference, pointerTokens, referencePointer, valueAt, withValueAt } from '#json-pointer';

/** Tokens with what is special to a pointer, to a fragment or to an object in most of them. */
const token = fc.oneof(
  fc.string({ unit: fc.constantFrom('a', '~', '/', '0', '1', '%', '2', 'F', '#', ' ', 'é'), maxLength: 6 }),
  fc.constantFrom('', '__proto__', 'constructor', 'length', '-', '0', '01', '~1', '50%', 'a%2Fb'),
);
const tokens = fc.array(token, { maxLength: 5 });

/** RFC 6901 section 5: the document, and what each pointer and each fragment evaluates to. */
const DOCUMENT = {
  foo: ['bar', 'baz'],
  '': 0,
  'a/b': 1,
  'c%d': 2,
  'e^f': 3,
  'g|h': 4,
  'i\\j': 5,
  'k"l': 6,
  ' ': 7,
  'm~n': 8,
};
const EVALUATED: readonly (readonly [string, string, unknown])[] = [
  ['', '#', DOCUMENT],
  ['/foo', '#/foo', ['bar', 'baz']],
  ['/foo/0', '#/foo/0', 'bar'],
  ['/', '#/', 0],
  ['/a~1b', '#/a~1b', 1],
  ['/c%d', '#/c%25d', 2],
  ['/e^f', '#/e%5Ef', 3],
  ['/g|h', '#/g%7Ch', 4],
  ['/i\\j', '#/i%5Cj', 5],
  ['/k"l', '#/k%22l', 6],
  ['/ ', '#/%20', 7],
  ['/m~0n', '#/m~0n', 8],
];

for (const [pointer, fragment, value] of EVALUATED)
  test(`evaluates ${JSON.stringify(pointer)} and ${fragment} as the standard does`, () => {
    expect(valueAt(DOCUMENT, pointer)).toEqual(value);
    expect(referencePointer(fragment)).toBe(pointer);
    expect(valueAt(DOCUMENT, referencePointer(pointerReference(pointer))!)).toEqual(value);
  });

test('what is appended is what is read', () => {
  fc.assert(fc.property(tokens, (list) => expect(pointerTokens(appendPointer('', ...list))).toEqual(list)));
});

test('one pointer has one list of tokens', () => {
  fc.assert(
    fc.property(tokens, tokens, (one, other) => {
      const isSame = JSON.stringify(one) === JSON.stringify(other);
      const isWhole = appendPointer(appendPointer('', ...one), ...other) === appendPointer('', ...one, ...other);
      return (appendPointer('', ...one) === appendPointer('', ...other)) === isSame && isWhole;
    }),
  );
});

test('what is put at a pointer is found there, and the value it was put into stays as it was', () => {
  fc.assert(
    fc.property(fc.jsonValue(), tokens, fc.jsonValue(), (root, list, value) => {
      const before = structuredClone(root);
      const inList = (i: number) => Array.isArray(valueAt(root, appendPointer('', ...list.slice(0, i))));
      // A list takes indices only, and no test needs one with a billion holes.
      fc.pre(!list.some((one, i) => /^\d{3,}$/.test(one) || (inList(i) && !/^[0-9]$/.test(one))));
      const pointer = appendPointer('', ...list);
      expect(valueAt(withValueAt(root, pointer, value), pointer)).toEqual(value);
      expect(root).toEqual(before);
    }),
  );
});

test('a put makes lists for indices and objects for names, and leaves the neighbours', () => {
  expect(withValueAt({ a: 1 }, '/b/0/c~1d', 2)).toEqual({ a: 1, b: [{ 'c/d': 2 }] });
  expect(withValueAt({ a: [1, 2] }, '/a/1', 3)).toEqual({ a: [1, 3] });
  expect(() => withValueAt({ a: [1, 2] }, '/a/b', 3)).toThrow('no index');
});

test('only what a value holds itself is found', () => {
  for (const pointer of [
    '/constructor',
    '/__proto__',
    '/toString/name',
    '/list/length',
    '/list/-',
    '/list/00',
    '/text/0',
  ])
    expect(valueAt({ list: [1], text: 'ab' }, pointer)).toBeUndefined();
});

test('a reference gives back the pointer it was written from', () => {
  fc.assert(
    fc.property(tokens, (list) => {
      const pointer = appendPointer('', ...list);
      expect(referencePointer(pointerReference(pointer))).toBe(pointer);
    }),
  );
});

test('a reference to elsewhere, to an anchor or with a broken escape leads nowhere', () => {
  for (const reference of ['other.yaml#/a', '#anchor', '#/50%', '/a', ''])
    expect(referencePointer(reference)).toBeUndefined();
});

test('a text that is no pointer is refused', () => {
  for (const text of ['a', '#/a', 'header:X-Trace', ' /a'])
    expect(() => valueAt({ a: 1 }, text)).toThrow('no JSON Pointer');
});
