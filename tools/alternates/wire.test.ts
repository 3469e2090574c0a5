import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { expect, test } from '@playwright/test';
import { parse } from 'yaml';
import { GATEWAY_ALTERNATES } from './gateway/choices.ts';
import { openGatewayAlternate } from './gateway/gateway-alternate.ts';
import { writeGatewayTarget } from './gateway/target-file.ts';
import { V1_ALTERNATES } from './v1/choices.ts';
import { writeV1Target } from './v1/target-file.ts';
import { openV1Alternate } from './v1/v1-alternate.ts';

const TARGETS = new URL('../../targets/', import.meta.url);
const read = (name: string) => readFileSync(new URL(name, TARGETS), 'utf8');

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly default?: unknown;
}

/** Every line that the schema knows below a place, with what stands there when it is left out. */
function lines(
  { properties, default: standing }: Schema,
  at: readonly string[],
): { at: string[]; standing: unknown }[] {
  if (properties === undefined) return [{ at: [...at], standing }];
  return Object.entries(properties).flatMap(([name, inner]) => lines(inner, [...at, name]));
}

const value = (target: unknown, at: readonly string[]): unknown =>
  at.reduce<unknown>((found, name) => (found as Record<string, unknown> | undefined)?.[name], target);

const schema = JSON.parse(read('target.schema.json')) as { properties: Record<'gateway' | 'v1', Schema> };
const embedded: unknown = parse(read('embedded.yaml'));

for (const [service, written] of [
  [
    'gateway',
    () =>
      Promise.all(GATEWAY_ALTERNATES.map((choices) => openGatewayAlternate(choices).then(told(writeGatewayTarget)))),
  ],
  ['v1', () => Promise.all(V1_ALTERNATES.map((choices) => openV1Alternate(choices).then(told(writeV1Target))))],
] as const) {
  test(`writes every line of the wire section otherwise than the sandbox in some target file: ${service}`, async () => {
    const all = lines(schema.properties[service].properties!.wire!, [service, 'wire']);
    expect(all.length).toBeGreaterThan(7);
    const targets = await written();
    expect(targets).toHaveLength(3);
    const same = all.filter(({ at, standing }) => {
      const usual = value(embedded, at) ?? standing;
      const others = targets.map((target) => value(target, at)).filter((one) => one !== undefined);
      return !others.some((one) => !isDeepStrictEqual(one, usual));
    });
    expect(same.map(({ at }) => at.join('.'))).toEqual([]);
  });
}

/** The target file of a service, which is closed again. */
function told<T extends { close(): Promise<void> }>(write: (one: T) => string) {
  return async (one: T): Promise<unknown> => {
    await one.close();
    return JSON.parse(write(one));
  };
}
