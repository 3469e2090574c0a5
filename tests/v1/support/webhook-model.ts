import fc from 'fast-check';
import { assertPromise, expect, type LockedWebhook } from '#harness';

type Sheet = Readonly<Record<string, unknown>>;

/** The one configuration; what it says is unknown after a second creation was let through. */
interface Model {
  readonly uuid: unknown;
  sheet: Sheet | undefined;
}

type Step = fc.AsyncCommand<Model, LockedWebhook>;

class Replace implements Step {
  readonly changes: Sheet;
  constructor(changes: Sheet) {
    this.changes = changes;
  }
  check = () => true;
  async run(model: Model, webhook: LockedWebhook): Promise<void> {
    const sheet = webhook.configurationBody(this.changes);
    expect(await webhook.replace(sheet), 'V1-WHK-06').toAnswer(200);
    model.sheet = sheet;
  }
  toString = () => `Replace(${JSON.stringify(this.changes)})`;
}

class Break implements Step {
  readonly field: string;
  readonly value: unknown;
  constructor([field, value]: readonly [string, unknown]) {
    this.field = field;
    this.value = value;
  }
  check = () => true;
  async run(model: Model, webhook: LockedWebhook): Promise<void> {
    // Whether it is refused is for the checks of its field to say; here a refusal changes nothing.
    if ((await webhook.replace({ [this.field]: this.value })).status === 200) model.sheet = undefined;
  }
  toString = () => `Break(${this.field})`;
}

class Again implements Step {
  check = () => true;
  async run(model: Model, webhook: LockedWebhook): Promise<void> {
    const reply = await webhook.createSecond();
    if (reply.status >= 300) return;
    expect(reply.object.uuid, 'V1-WHK-01').toBe(model.uuid);
    model.sheet = undefined;
  }
  toString = () => 'Again()';
}

class Read implements Step {
  check = () => true;
  async run({ uuid, sheet }: Model, webhook: LockedWebhook): Promise<void> {
    const reply = await webhook.read();
    expect(reply.object.uuid, 'V1-WHK-01').toBe(uuid);
    if (sheet === undefined) return;
    const { token, ...values } = sheet;
    // A nullable field without a value may be null or left out.
    expect({ name: null, description: null, ...reply.object }, 'V1-WHK-06').toMatchObject(values);
    const isHidden = !reply.text.includes(String(token));
    assertPromise(isHidden, 'a token that is masked or left out', 'the token', 'V1-WHK-04');
  }
  toString = () => 'Read()';
}

/**
 * Sequences of steps against the webhook configuration.
 * @param address an address for a path
 */
export function webhookCommands(address: (path: string) => string): fc.Arbitrary<Iterable<Step>> {
  const text = (most: number) =>
    fc.stringMatching(new RegExp(`^[A-Za-zÀ-ÖØ-öø-ÿ0-9]([A-Za-zÀ-ÖØ-öø-ÿ0-9 .,:-]{0,${most - 2}}[A-Za-z0-9])?$`));
  const changes = fc.record({
    url: fc.stringMatching(/^[a-z0-9]{1,40}(\/[a-z0-9]{1,40}){0,3}$/).map(address),
    name: fc.option(text(255)),
    description: fc.option(text(500)),
    is_active: fc.boolean(),
  });
  const broken = fc.constantFrom(
    ...([
      ['url', undefined],
      ['url', 'not a url'],
      ['token', undefined],
      ['token', 'short'],
      ['name', 'n'.repeat(256)],
      ['description', 'd'.repeat(501)],
      ['is_active', undefined],
    ] as const),
  );
  return fc.commands<Model, LockedWebhook, false>(
    [
      changes.map((one) => new Replace(one)),
      broken.map((one) => new Break(one)),
      fc.constant(new Again()),
      fc.constant(new Read()),
      fc.constant(new Read()),
    ],
    { maxCommands: 10 },
  );
}
