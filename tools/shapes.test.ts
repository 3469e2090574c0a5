import { readFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { renderShape, SCHEMA_SHAPES } from './shapes.ts';

for (const shape of SCHEMA_SHAPES)
  test(`${shape.file} says what ${shape.schema} says`, async () => {
    const there = readFileSync(new URL(`../${shape.file}`, import.meta.url), 'utf8');
    expect(there === (await renderShape(shape)), 'npm run shapes writes it').toBe(true);
  });
