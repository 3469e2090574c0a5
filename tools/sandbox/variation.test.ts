import { expect, test } from '@playwright/test';
import { valueAt, withValueAt } from '#json-pointer';
import { fillTemplate, mergeBodies, type RequestTemplate, readStyledAmount } from '#target';
import { applyJsonStyle } from './json-style.ts';
import { SERVICE_LIST, type ServiceChoices } from './services.ts';
import { type Sandbox, startSandbox } from './start-sandbox.ts';
import {
  drawVariation,
  listDifferences,
  PLAIN_CHOICES,
  targetLines,
  VARIATION_DOZEN,
  type Variation,
} from './variation.ts';

type Json = Record<string, unknown>;

const CHOICE_TABLES = Object.fromEntries(SERVICE_LIST.map(([service, { choices }]) => [service, choices]));

const dozen = (seed: number) =>
  Array.from({ length: VARIATION_DOZEN }, (_, i) => drawVariation({ seed, number: i + 1 }));
const waysOf = (choices: ServiceChoices) =>
  Object.entries(CHOICE_TABLES).flatMap(([service, table]) =>
    Object.keys(table).map((name) => [
      `${service}.${name}`,
      (choices[service as keyof ServiceChoices] as unknown as Json)[name],
    ]),
  );

test.describe('drawing', () => {
  test('gives the same choices for the same seed and number, and others for another', () => {
    expect(drawVariation({ seed: 7, number: 3 })).toEqual(drawVariation({ seed: 7, number: 3 }));
    expect(drawVariation({ seed: 7, number: 3 })).not.toEqual(drawVariation({ seed: 8, number: 3 }));
    expect(Object.isFrozen(drawVariation({ seed: 7, number: 3 }).gateway)).toBe(true);
  });

  for (const seed of [1, 7, 4_000_000_000]) {
    test(`gives twelve that differ from each other, and every way of every choice: seed ${seed}`, () => {
      const drawn = dozen(seed);
      expect(new Set(drawn.map((one) => JSON.stringify([one.gateway, one.v1]))).size).toBe(VARIATION_DOZEN);
      for (const [service, table] of Object.entries(CHOICE_TABLES))
        for (const [name, ways] of Object.entries(table)) {
          const met = drawn.map((one) => (one[service as keyof ServiceChoices] as unknown as Json)[name]);
          expect(new Set(met), `${service}.${name}`).toEqual(new Set<unknown>(ways));
        }
    });
  }

  test('ties no two choices together', () => {
    const drawn = [...dozen(1), ...dozen(2)].map((one) => new Map(waysOf(one) as [string, unknown][]));
    const seen = (name: string) => drawn.map((one) => String(one.get(name))).join();
    const names = waysOf(PLAIN_CHOICES).map(([name]) => String(name));
    expect(new Set(names.map(seen)).size).toBe(names.length);
  });

  test('goes on after a dozen with another dozen', () => {
    expect(listDifferences(drawVariation({ seed: 7, number: VARIATION_DOZEN + 1 }))).not.toEqual(
      listDifferences(drawVariation({ seed: 7, number: 1 })),
    );
    expect(listDifferences(PLAIN_CHOICES)).toEqual([]);
  });
});

test.describe('a hand', () => {
  const value = { a: { b: 1, c: [{ d: null }] }, errors: { field: ['text'] } };

  test('keeps every member and its value, whatever it adds and in which order', () => {
    for (const memberOrder of ['as written', 'backwards', 'shuffled'] as const)
      for (const extraMembers of ['none', 'some', 'many'] as const) {
        const written = applyJsonStyle(value, { memberOrder, extraMembers }, new Set(['errors']));
        expect(written).toMatchObject(value);
        expect((written as typeof value).errors).toEqual(value.errors);
      }
  });

  test('writes members backwards or in a drawn order that stays', () => {
    const many = Object.fromEntries([...'abcdefgh'].map((name) => [name, 1]));
    const names = (memberOrder: 'as written' | 'backwards' | 'shuffled') =>
      Object.keys(applyJsonStyle(many, { memberOrder, extraMembers: 'none' }) as Json).join('');
    expect(names('backwards')).toBe('hgfedcba');
    expect(names('shuffled')).toBe(names('shuffled'));
    expect(['abcdefgh', 'hgfedcba']).not.toContain(names('shuffled'));
  });

  test('puts a value where a pointer has it', () => {
    expect(withValueAt({ a: 1 }, '/b/0/c~1d', 2)).toEqual({ a: 1, b: [{ 'c/d': 2 }] });
    expect(valueAt(withValueAt({}, '/x/y', 5), '/x/y')).toBe(5);
  });
});

/** Who asks what, in the form that a variation wants. */
function speaker(sandbox: Sandbox, variation: Variation) {
  const file: Json = {};
  for (const [path, value] of targetLines(variation))
    Object.assign(file, withValueAt(file, `/${path.join('/')}`, value));
  const wire = (file.gateway as Json).wire as Json;
  const read = wire.read as {
    orderSystemId: string;
    correlationId: string;
    transaction: { type: string; amount?: string };
  };
  const { main, merchant, client } = sandbox.credentials.gateway;
  const at = (response: { headers: Headers; body: unknown }, pointer: string) =>
    pointer.startsWith('header:') ? response.headers.get(pointer.slice(7)) : valueAt(response.body, pointer);
  const ask = async (url: string, token: string, body?: unknown, method = 'POST') => {
    const response = await fetch(url, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      // As text what no number holds.
      body: (text === '' ? undefined : JSON.parse(text.replace(/(?<=[:[,])\d{17,}/g, '"$&"'))) as Json,
    };
  };
  const pay = (number: string) => {
    const amount = { 'decimal-string': '12.50', 'decimal-number': 12.5, 'minor-number': 1250, 'minor-string': '1250' };
    const values = {
      amount: amount[variation.gateway.amount],
      currency: 'EUR',
      orderMerchantId: 'own-1',
      cardNumber: number,
      cardCode: '123',
      cardMonth: '10',
      cardYear: '2049',
      cardYear2: '30',
      cardHolder: 'ADA TEST',
      returnUrl: 'https://merchant.example/',
      cancelUrl: 'https://merchant.example/',
    };
    const { order, browser, urls, card, extra } = wire as Record<string, RequestTemplate>;
    const besides = ((extra as Json | undefined)?.sale ?? {}) as Json;
    const body = fillTemplate(
      { orderMerchantId: 'own-1', order: order!, browser: browser!, urls: urls! },
      values,
    ) as Json;
    const means = mergeBodies(fillTemplate(card!, values) as Json, besides);
    return ask(`${sandbox.addresses.gateway}/payments/sale/${main.id}`, main.token, mergeBodies(body, means));
  };
  return { wire, read, at, ask, pay, main, merchant, client, balance: (file.gateway as Json).balance };
}

/** Every answer keeps what the documents promise; what they leave free stands where the target file says. */
for (const variation of dozen(7)) {
  test(`variation 7/${variation.number} keeps every documented member`, async () => {
    const sandbox = await startSandbox({ seed: 'test', variation, control: true });
    try {
      const { read, at, ask, pay, main, merchant, client, balance, wire } = speaker(sandbox, variation);
      const { gateway, v1 } = variation;

      const paid = await pay('5555444433331111');
      expect(paid.status).toBe(200);
      expect(paid.body.orderState).toBe(gateway.outcomeAfter === 0 ? 'APPROVED' : gateway.pendingAs);
      expect(typeof at(paid, read.orderSystemId)).toBe(
        gateway.systemIdAs === 'number' && !gateway.systemIdAt.startsWith('header:') ? 'number' : 'string',
      );
      expect(at(paid, read.correlationId)).toBeTruthy();
      await ask(`${sandbox.addresses.control}/clock/advance`, '', { seconds: 10 });
      const status = await ask(`${sandbox.addresses.gateway}/payments/status/${main.id}`, main.token, {
        orderSystemId: at(paid, read.orderSystemId),
      });
      expect(status.body.orderState).toBe('APPROVED');
      const types = Object.values(wire.types as Record<string, unknown[]>).flat();
      const listed = status.body.transactions as Json[];
      const entries = listed.filter((entry) => types.includes(valueAt(entry, read.transaction.type)));
      expect(entries.length).toBe(gateway.saleEntries === 'sale' ? 1 : 2);
      expect(listed.length - entries.length).toBe(gateway.otherEntries === 'none' ? 0 : 1);
      for (const entry of entries)
        expect(readStyledAmount(valueAt(entry, read.transaction.amount ?? '/amount'), gateway.amountRead)).toBe(
          gateway.entryFields === 'without amount' ? undefined : 1250,
        );

      const secured = await pay('4000000000000101');
      const auth = secured.body.threeDSAuth as Json;
      expect(auth).toMatchObject({ threeDSAuthStep: 'CREQ', acsUrl: expect.stringMatching(/^http/) });
      expect(auth.creq).toMatch(/^[\w-]+$/);
      expect(secured.body.outputHtml ?? secured.body.outputRedirectToUrl).toBeTruthy();

      const [all, one] = [
        await ask(`${sandbox.addresses.gateway}/balance/by-merchant-all/${merchant.login}`, merchant.token),
        await ask(`${sandbox.addresses.gateway}/balance/by-merchant/${merchant.login}`, merchant.token, {
          balanceName: balance,
        }),
      ];
      expect(Object.keys(all.body)).toEqual(['merchantBalances']);
      for (const entry of [one.body, ...(all.body.merchantBalances as Json[])]) {
        const { realBalance, liveBalance, totalShortTermHold, totalRollingReserve, totalProcessingAmount } = entry;
        const [real, ...held] = [realBalance, totalShortTermHold, totalRollingReserve, totalProcessingAmount].map(
          Number,
        );
        const left = held.reduce((sum, hold) => sum - hold, real!);
        if (gateway.bufferHold === 'apart') expect(Number(liveBalance)).toBeCloseTo(left, 6);
        else expect(Number(liveBalance)).toBeLessThan(left);
        expect(entry.balanceName).toBeTruthy();
      }

      const info = await ask(`${sandbox.addresses.gateway}/card-info/get-card-info/${client.id}`, client.token, {
        cardNumber: '5555444433331111',
      });
      expect(info.body).toMatchObject({ result: 'FOUND', cardIssuerName: expect.any(String) });

      const refused = await ask(`${sandbox.addresses.gateway}/payments/status/${main.id}`, 'wrong', {});
      expect(refused.status).toBe(401);
      expect(refused.body).toMatchObject({ errorCode: -7, errorMessage: 'Access token not found' });
      expect(refused.body.errorCorrelationId).toBeTruthy();
      expect(refused.headers.get('content-type')).toMatch(/^application\/json\s*;.*charset="?utf-8/i);

      const { token, account } = sandbox.credentials.v1;
      const created = await ask(`${sandbox.addresses.v1}/api/v1/transactions?account_uuid=${account}`, token, {
        account_uuid: account,
        amount: 12.5,
        payment_details: 'Rent',
        recipient: { name: 'Grace Test', iban: 'DE89370400440532013000' },
      });
      expect(created.status).toBe(201);
      if (v1.transactionMembers === 'all but uuid') expect(created.body.uuid).toBeUndefined();
      else {
        expect(created.body.uuid).toMatch(/^[\da-z]{8}(-[\da-z]{4}){3}-[\da-z]{12}$/i);
        const again = `${sandbox.addresses.v1}/api/v1/transactions/${String(created.body.uuid)}?account_uuid=${account}`;
        expect((await ask(again, token, undefined, 'GET')).body.uuid).toBe(created.body.uuid);
      }
      const lastDay = new Date(Date.now() + (v1.periodEnd === 'included' ? 0 : 86_400_000)).toISOString().slice(0, 10);
      const range = `date_from=2024-01-01&date_to=${lastDay}`;
      const list = await ask(
        `${sandbox.addresses.v1}/api/v1/transactions?account_uuid=${account}&${range}`,
        token,
        undefined,
        'GET',
      );
      expect(list.body.account).toMatchObject({ uuid: account });
      expect((list.body.transactions as Json[])[0]!.uuid).toBe(created.body.uuid);
      expect(list.headers.get('x-ratelimit-limit')).toBe('500');
      const wrong = await ask(
        `${sandbox.addresses.v1}/api/v1/transactions?account_uuid=${account}`,
        token,
        undefined,
        'GET',
      );
      expect(wrong.body).toMatchObject({ status: false, status_code: 422, message: 'VALIDATION_ERROR' });
      expect(Object.keys(wrong.body.errors as Json).sort()).toEqual(['date_from', 'date_to']);
      if (v1.wording === 'none') expect((wrong.body.errors as Json).date_to).toEqual([]);
    } finally {
      await sandbox.close();
    }
  });
}
