import { inflateRawSync } from 'node:zlib';
import { expect, test } from '@playwright/test';
import fc from 'fast-check';
import { type ExchangeLine, findLeaks, type Line } from '#evidence';
import { indexJournal } from './journal-index.ts';
import { readPackNames, unpack } from './page/client/unpack.js';
import { packExchanges, packNames } from './page/pack-exchanges.ts';
import { judgeIndexedRun } from './run-result.ts';
import { finishJournal, HOSTILE_TEXT, sampleCheck, sampleExchange, sampleRunLine } from './sample-run.ts';

/** Packs so many quiet exchanges that none is written out, and takes them out again. */
function through(exchanges: readonly ExchangeLine[]): { sent: ExchangeLine[]; came: unknown[] } {
  const sent = Array.from({ length: Math.ceil(301 / exchanges.length) }, () => exchanges)
    .flat()
    .map((one, i) => ({ ...one, id: `c0000001.${i + 1}`, duration: Math.round(one.duration) }));
  const lines: Line[] = finishJournal([
    sampleRunLine(),
    ...sent,
    { ...sampleCheck('c0000001', 'is quiet', ['GW-CAP-01']), exchanges: sent.length },
  ]);
  const shelf = indexJournal(lines);
  const { written, packs } = packExchanges(judgeIndexedRun(shelf, {}), shelf);
  expect(written.size).toBe(0);
  const came = packs.flatMap((one) =>
    unpack(JSON.parse(inflateRawSync(Buffer.from(one.toString(), 'base64')).toString('utf8'))),
  );
  return { sent, came };
}

const plain = (one: unknown) => JSON.parse(JSON.stringify(one, (key, value) => (key === 'kind' ? undefined : value)));

test('gives back every packed exchange, hostile ones too', () => {
  const bodies = [
    HOSTILE_TEXT,
    '',
    '{"a":"x\\"y\\\\","b":[1,-2.50,1e3,"",{}],"a":null}',
    '<p title="a\nb" id="c">1</p>',
    'a=1&b="',
    '"',
    '{"s":"\\u0001","t": "1" , "u" : 2}',
  ];
  const { sent, came } = through([
    ...bodies.map((body) => sampleExchange('c0000001', 1, { body })),
    sampleExchange('c0000001', 1, { response: undefined as never, failure: `reset "${HOSTILE_TEXT}` }),
    sampleExchange('c0000001', 1, { operation: undefined as never, direction: 'browser' }),
    sampleExchange('c0000001', 1, {
      request: {
        method: 'GET',
        url: `http://h/?q="${HOSTILE_TEXT}1`,
        headers: [
          ['x', HOSTILE_TEXT],
          ['y', '2'],
          ['y', '"3"'],
        ],
        size: 0,
      },
    }),
  ]);
  // Only the placeholder itself, an unprintable character, is shown as its escape.
  const shown = (text: string) => text.replaceAll('\u0001', '\\u0001');
  expect(came).toEqual(
    sent
      .map(plain)
      .map((one) => ({ ...one, response: one.response && { ...one.response, body: shown(one.response.body) } })),
  );
});

test('gives back any text', () => {
  fc.assert(
    fc.property(
      fc.array(fc.oneof(fc.json(), fc.string({ unit: 'binary' }), fc.string()), { minLength: 1, maxLength: 20 }),
      (bodies) => {
        const { sent, came } = through(bodies.map((body) => sampleExchange('c0000001', 1, { body })));
        const texts = (all: unknown[]) => (all as ExchangeLine[]).map(({ response }) => response!.body);
        expect(texts(came)).toEqual(texts(sent).map((text) => text!.replaceAll('\u0001', '\\u0001')));
      },
    ),
    { numRuns: 60, seed: 20260302 },
  );
});

test('cuts a long body and says so', () => {
  const { came } = through([sampleExchange('c0000001', 1, { body: 'x'.repeat(5000) })]);
  const { response } = came[0] as ExchangeLine;
  expect([response!.body!.length, response!.cut, response!.size]).toEqual([4096, true, 5000]);
});

test('the packs of a check are no card number, whichever they are', () => {
  const runs = (numbers: readonly number[]) => numbers.map((_, i) => numbers.slice(i, i + 8));
  const all = runs(Array.from({ length: 1200 }, (_, i) => i));
  const inFigures = all.filter((some) => findLeaks('index.html', `data-packs="${some.join(' ')}"`).length > 0);
  expect(inFigures).toContainEqual([41, 42, 43, 44, 45, 46, 47, 48]);
  expect(all.filter((some) => findLeaks('index.html', `data-packs="${packNames(some)}"`).length > 0)).toEqual([]);
});

test('the page reads the packs of a check as they were named', () => {
  for (const numbers of [[0], [7], [9, 10, 11], [1234567890], Array.from({ length: 1200 }, (_, i) => i)])
    expect(readPackNames(packNames(numbers))).toEqual(numbers);
  expect(packNames([10, 987])).toBe('hg pon');
  expect(readPackNames('hg pon')).toEqual([10, 987]);
});
