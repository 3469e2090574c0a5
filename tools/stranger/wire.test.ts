import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { expect, test } from '@playwright/test';
import { parse } from 'yaml';
import { openGateway } from './gateway.ts';
import { GATEWAY_CHOICES } from './gateway-choices.ts';
import { gatewayTarget } from './gateway-target.ts';
import { openV1 } from './v1.ts';
import { V1_CHOICES } from './v1-choices.ts';
import { v1Target } from './v1-target.ts';

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
  ['gateway', () => Promise.all(GATEWAY_CHOICES.map((choices) => openGateway(choices).then(told(gatewayTarget))))],
  ['v1', () => Promise.all(V1_CHOICES.map((choices) => openV1(choices).then(told(v1Target))))],
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
