import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { Journal, type Line, type Redacted, readJournal } from '#evidence';
import { projectContract, touchedSchemas, traceExchange } from './index.ts';

const SCHEMAS = '/components/schemas';

test('touches what a value meets, through references, lists and alternatives, and nothing else', () => {
  const root = {
    components: {
      schemas: {
        Order: {
          properties: { id: {}, lines: { items: { $ref: '#/components/schemas/Line' } }, note: {} },
          anyOf: [{ required: ['id'] }],
        },
        Line: { properties: { sum: {}, 'a/b': {} }, allOf: [{ $ref: '#/components/schemas/Line' }] },
      },
    },
  };
  const found = touchedSchemas(root, `${SCHEMAS}/Order`, { id: 1, lines: [{ sum: 1 }, { 'a/b': 2 }], other: 3 });
  expect(found).toEqual(
    [
      `${SCHEMAS}/Line`,
      `${SCHEMAS}/Line/allOf/0`,
      `${SCHEMAS}/Line/properties/a~1b`,
      `${SCHEMAS}/Line/properties/sum`,
      `${SCHEMAS}/Order`,
      `${SCHEMAS}/Order/anyOf/0`,
      `${SCHEMAS}/Order/properties/id`,
      `${SCHEMAS}/Order/properties/lines`,
      `${SCHEMAS}/Order/properties/lines/items`,
    ].sort(),
  );
});

test('traces answer, headers and body of an operation, and leaves out what is not documented', () => {
  const known = projectContract();
  const read = known.operations.get('readTransaction')!;
  const headers = new Map([['x-ratelimit-limit', '500']]);
  const [traced, ...rest] = traceExchange(known, read, undefined, {
    status: 200,
    headers,
    body: '{"status":"pending"}',
  });
  expect(rest).toEqual([]);
  expect(traced).toMatchObject({ operation: 'readTransaction', side: 'response', status: 200 });
  expect(traced!.at).toContain('/components/headers/RateLimit');
  expect(traced!.at).not.toContain('/components/headers/RateRemaining');
  expect(traced!.at).toContain(`${SCHEMAS}/Transaction/properties/status`);
  expect(traced!.at).not.toContain(`${SCHEMAS}/Transaction/properties/amount`);
  expect(traceExchange(known, read, undefined, { status: 418, headers, body: '' })).toEqual([]);
});

test('a journal writes a set of places when it is first met, and who else met it when it is closed', () => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-trace-'));
  const journal = new Journal(folder);
  journal.write({ kind: 'run' } as Line as Redacted<Line>);
  const one = { api: 'gateway', operation: 'a', side: 'response', status: 200, at: ['/x'] } as const;
  journal.note(one, 'c.1');
  journal.note({ ...one, at: ['/x', '/y'] }, 'c.2');
  journal.note(one, 'd.1');
  journal.close();
  const traces = readJournal(folder).filter(({ kind }) => kind === 'trace');
  rmSync(folder, { recursive: true });
  expect(traces).toEqual([
    { kind: 'trace', ...one, exchanges: ['c.1'] },
    { kind: 'trace', ...one, at: ['/x', '/y'], exchanges: ['c.2'] },
    { kind: 'trace', ...one, exchanges: ['d.1'] },
  ]);
});
