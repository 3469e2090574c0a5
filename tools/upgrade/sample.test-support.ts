import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ExchangeLine, Line } from '#evidence';
import type { SpecChange } from './types.ts';

/** A small description; `edit` replaces parts of its text. */
export function description(edit: Readonly<Record<string, string>> = {}): string {
  let text = SPEC;
  for (const [from, to] of Object.entries(edit)) {
    if (!text.includes(from)) throw new Error(`the sample has no ${from}`);
    text = text.replace(from, () => to);
  }
  return text;
}

const SPEC = `openapi: 3.1.0
info: { title: Orders, version: 1.0.0 }
paths:
  /orders:
    post:
      operationId: createOrder
      x-rules:
        - { id: V1-TRC-05, level: must, text: An order can be read afterwards. }
      parameters:
        - { name: dry, in: query, schema: { type: boolean } }
      requestBody:
        required: true
        content:
          application/json:
            schema: { $ref: '#/components/schemas/NewOrder' }
      responses:
        '201':
          description: made
          content:
            application/json:
              schema: { $ref: '#/components/schemas/Order' }
  /orders/{id}:
    get:
      operationId: readOrder
      parameters:
        - { name: id, in: path, required: true, schema: { type: string } }
      responses:
        '200':
          description: shown
          content:
            application/json:
              schema: { $ref: '#/components/schemas/Order' }
webhooks:
  orderEvent:
    post:
      requestBody:
        content:
          application/json:
            schema: { type: object, properties: { kind: { enum: [made, gone] } } }
      responses:
        '202': { description: taken }
components:
  schemas:
    NewOrder:
      type: object
      required: [amount]
      properties:
        amount: { type: integer, minimum: 1 }
        token: { type: string, pattern: '^t-[0-9]+$' }
        note: { type: string, maxLength: 40 }
    Order:
      type: object
      required: [id]
      properties:
        id: { type: string }
        state: { enum: [open, closed] }
        old_state:
          type: string
          deprecated: true
          x-removed: '2025-08-04'
          x-rules:
            - { id: V1-TRN-05, level: must, text: It is text. }
`;

/** A hand-made change. */
export function change(more: Partial<SpecChange> = {}): SpecChange {
  return {
    id: 'request-required-property-added',
    level: 'breaking',
    operation: 'createOrder',
    direction: 'request',
    subject: '/purpose',
    text: '`/purpose` is new and required.',
    why: 'What clients send today may be refused.',
    fingerprint: 'kqzmwtrbfpxd',
    ...more,
  };
}

/** An exchange of the sample. */
export function exchange(more: {
  id?: string;
  operation?: string;
  direction?: 'out' | 'in';
  url?: string;
  sent?: unknown;
  status?: number;
  came?: unknown;
  headers?: readonly (readonly [string, string])[];
}): ExchangeLine {
  const { id = 'a0000001.1', operation = 'createOrder', direction = 'out', status = 201, headers = [] } = more;
  const body = (value: unknown) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    return { headers: [], size: text?.length ?? 0, ...(text === undefined ? {} : { body: text }) };
  };
  return {
    kind: 'exchange',
    id,
    check: id.split('.')[0]!,
    api: 'v1',
    direction,
    operation,
    at: '2026-03-02T09:00:01.000Z',
    duration: 3,
    request: { method: 'POST', url: more.url ?? 'https://api.invalid/base/orders', ...body(more.sent) },
    response: { status, ...body(more.came), headers },
    violations: [],
    redactions: 0,
  };
}

/** Writes a run folder that holds these lines. */
export function writeRun(
  folder: string,
  lines: readonly Line[],
  status: 'complete' | 'interrupted' = 'complete',
): string {
  const first = {
    kind: 'run',
    id: '20260302-090000-5a3c',
    startedAt: '2026-03-02T09:00:00.000Z',
    target: { name: 'sample', kind: 'sandbox', file: 'target.yaml', sha256: '0'.repeat(64), hosts: {} },
    suite: { version: '0.1.0' },
    runtime: { node: 'v20', openssl: '3', platform: 'linux x64' },
    specs: [],
    seed: 1,
    argv: ['run'],
    register: { areas: [], rules: [], holes: [], readings: [], operations: [] },
    waivers: [],
  };
  const last = {
    kind: 'end',
    finishedAt: '2026-03-02T09:00:02.000Z',
    status,
    counts: {
      checks: lines.filter(({ kind }) => kind === 'check').length,
      exchanges: lines.filter(({ kind }) => kind === 'exchange').length,
    },
  };
  mkdirSync(folder, { recursive: true });
  const text = [first, ...lines, last].map((line) => `${JSON.stringify(line)}\n`).join('');
  writeFileSync(join(folder, 'evidence.ndjson'), text);
  return folder;
}
