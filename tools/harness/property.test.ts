import { expect, type TestInfo, test } from '@playwright/test';
import fc from 'fast-check';
import { PromiseFinding, UnarrangedError } from '#client';
import { Redactor } from '#evidence';
import { redactProperties } from './check-annotations.ts';
import { assertProperty, replayOptions, tryProperty } from './property.ts';

type Record = { readonly runs: number; readonly path?: string; readonly case?: string };

/** Three steps up are one too many, whatever lies between them. */
function climb(breaks: () => Error): fc.IAsyncProperty<[Iterable<fc.AsyncCommand<{ height: number }, object>>]> {
  const step = (name: string, by: number) =>
    fc.constant({
      check: ({ height }: { height: number }) => height + by >= 0,
      async run(model: { height: number }) {
        model.height += by;
        if (model.height > 2) throw breaks();
      },
      toString: () => name,
    });
  const steps = [step('up', 1), step('down', -1), step('stay', 0), step('up', 1)];
  return fc.asyncProperty(fc.commands(steps, { maxCommands: 12, ...replayOptions() }), async (drawn) => {
    await fc.asyncModelRun(() => ({ model: { height: 0 }, real: {} }), drawn);
  });
}

async function fall(breaks: () => Error, runs = 50): Promise<{ record: Record; error: Error }> {
  const info = { annotations: [] as { description: string }[], timeout: 60_000, setTimeout() {} };
  const error = await assertProperty(info as unknown as TestInfo, 'a ladder of two', climb(breaks), { runs }).then(
    () => new Error('it held'),
    (thrown: Error) => thrown,
  );
  return { record: JSON.parse(info.annotations[0]!.description) as Record, error };
}

test.afterEach(() => {
  delete process.env.ASSAY_PATH;
});

test('a failure names its rule, its shortest sequence and the way back to it', async () => {
  const { record, error } = await fall(() => new PromiseFinding('two steps', 'three', 'GW-CAP-05'));
  expect(record).toMatchObject({ case: 'up,up,up', path: expect.stringMatching(/^[0-9:]+@\S+$/) });
  expect(error).toMatchObject({ rule: 'GW-CAP-05', expected: 'two steps' });
  expect(error.message).toContain(
    `GW-CAP-05: expected two steps; got three (seed 1, path ${record.path}, case up,up,up)`,
  );
});

test('the way back leads to the shortest sequence at once', async () => {
  const breaks = () => new PromiseFinding('two steps', 'three');
  process.env.ASSAY_PATH = (await fall(breaks)).record.path;
  const { record, error } = await fall(breaks);
  expect(record).toMatchObject({ runs: 1, case: 'up,up,up' });
  expect(error.name).toBe('PromiseFinding');
});

test('what stopped the arrangement stays what it is', async () => {
  const { error } = await fall(() => new UnarrangedError('no ladder'));
  expect(error).toMatchObject({ name: 'UnarrangedError', message: 'no ladder' });
});

test('a property leaves one of its cases on record, worked through', async () => {
  const info = { annotations: [] as { description: string }[], timeout: 60_000, setTimeout() {} };
  const words = fc.property(fc.constantFrom('a', 'abc', '\u0001\u0001\u0001\u0001'), () => true);
  const explain = ([word]: unknown[]) => [{ name: 'Length', value: String(String(word).length) }];
  await tryProperty(info as unknown as TestInfo, 'words', words, { runs: 30, explain });
  const record = JSON.parse(info.annotations[0]!.description);
  expect(record).toMatchObject({
    runs: 30,
    duration: expect.any(Number),
    example: { case: '"abc"', steps: [{ name: 'Length', value: '3' }] },
  });
});

test('nothing of a card that was drawn stays on record', () => {
  const card = '4111111111111111';
  const example = { case: card, steps: [{ name: 'Sent', value: `card ${card}` }] };
  const [shown] = redactProperties([{ name: 'a sale', seed: 1, runs: 1, case: card, example }], (text) =>
    new Redactor().text(text),
  );
  expect(JSON.stringify(shown)).not.toContain(card);
});

test('very many cases are the same as in one go, though they are not tried in one', async () => {
  const info = { annotations: [] as { description: string }[], timeout: 60_000, setTimeout() {} };
  const draw = async (try_: (property: fc.IProperty<[number]>) => unknown) => {
    const drawn: number[] = [];
    await try_(fc.property(fc.nat(), (one) => drawn.push(one) > 0));
    return drawn;
  };
  const once = await draw((property) => fc.check(property, { seed: 1, numRuns: 5300 }));
  const ours = await draw((property) => tryProperty(info as unknown as TestInfo, 'many', property, { runs: 5300 }));
  expect(ours).toHaveLength(5300);
  expect(ours).toEqual(once);
  expect(JSON.parse(info.annotations[0]!.description)).toMatchObject({ runs: 5300 });
});
