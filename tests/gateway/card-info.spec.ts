import { expect, mixCalls, requireSeen, rule, test } from '#harness';

test(
  'answers a lookup of each known card with its issuer, country and currency',
  rule('GW-INF-01', 'GW-INF-06', 'GW-INF-07', 'GW-INF-08', 'GW-INF-09', 'GW-INF-10'),
  async ({ lookups }) => {
    expect(await lookups.cardInfo(lookups.listedBehaviour), 'GW-INF-01').toAnswer(200);
    // What the others are answered is held against its schema; one that is no card at all may be refused.
    for (const behaviour of lookups.otherBehaviours) await lookups.cardInfo(behaviour);
  },
);

test('finds a card whose BIN is in the database', rule('GW-INF-02'), async ({ lookups }) => {
  const reply = await lookups.cardInfo(lookups.listedBehaviour);
  expect(reply.object.result).toBe('FOUND');
});

test(
  'tells issuer, country and currency of a known card apart',
  rule('GW-INF-07', 'GW-INF-08'),
  async ({ lookups }) => {
    const { object } = await lookups.cardInfo(lookups.listedBehaviour);
    const [name, country, currency] = ['cardIssuerName', 'cardIssuerCountryCode', 'cardCurrencyCode'].map((one) =>
      String(requireSeen(object[one] ?? undefined, `${one} of a known card`)).toUpperCase(),
    );
    expect([country, currency], 'GW-INF-07').not.toContain(name);
    // No country has the letters of a currency; 840 is the United States and their dollar.
    if (Number.isNaN(Number(country))) expect(country, 'GW-INF-08').not.toBe(currency);
  },
);

for (const behaviour of ['unlisted', 'unlisted2'] as const) {
  test(
    `does not find the ${behaviour} card, whose BIN is not in the database`,
    rule('GW-INF-03'),
    async ({ lookups, target }) => {
      test.skip(target.gateway?.cards[behaviour] === undefined, `the target names no card ${behaviour}`);
      const reply = await lookups.cardInfo(behaviour);
      expect(['NOT_FOUND_01', 'NOT_FOUND_02']).toContain(reply.object.result);
    },
  );
}

test(
  'finds a known card and not an unknown one, whichever was looked up before',
  rule('GW-INF-02', 'GW-INF-03', { needs: ['card.unlisted'] }),
  async ({ lookups }) => {
    for (let times = 0; times < 2; times += 1) {
      const known = await lookups.cardInfo(lookups.listedBehaviour);
      expect(known.object.result, 'GW-INF-02').toBe('FOUND');
      const unknown = await lookups.cardInfo('unlisted');
      expect(['NOT_FOUND_01', 'NOT_FOUND_02'], 'GW-INF-03').toContain(unknown.object.result);
    }
  },
);

test(
  'finds a known card and not an unknown one where both are looked up at once',
  rule('GW-INF-02', 'GW-INF-03', { needs: ['card.unlisted'] }),
  async ({ lookups, together }) => {
    const { ones, others } = await mixCalls(
      together,
      () => lookups.cardInfo(lookups.listedBehaviour),
      () => lookups.cardInfo('unlisted'),
    );
    for (const { object } of ones) expect(object.result, 'GW-INF-02').toBe('FOUND');
    for (const { object } of others) expect(['NOT_FOUND_01', 'NOT_FOUND_02'], 'GW-INF-03').toContain(object.result);
  },
);

test('takes the client id as it is, a string, in the path', rule('GW-INF-05'), async ({ lookups }) => {
  expect(await lookups.cardInfo('approved')).toAnswer(200);
});

test('leaves no order behind', rule('GW-INF-04'), async ({ gateway, lookups, target }) => {
  const behaviours = (['approved', 'unlisted'] as const).filter((one) => target.gateway?.cards[one] !== undefined);
  for (const behaviour of behaviours) {
    const reply = await lookups.cardInfo(behaviour);
    expect(reply, behaviour).toAnswer(200);
    const byCorrelationId = requireSeen(
      reply.at(target.gateway!.wire.read.correlationId),
      'the correlation id of a lookup',
    );
    const found = await gateway.send('status', { body: { byCorrelationId } });
    expect(found.status === 200 ? (found.object.transactions ?? []) : [], behaviour).toEqual([]);
    // UNKNOWN and ERROR are how some servers say that there is no such order.
    if (found.status === 200)
      expect(['UNKNOWN', 'ERROR', undefined, null], behaviour).toContain(found.object.orderState);
  }
});
