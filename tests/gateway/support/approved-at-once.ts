import { type CommonFixtures, expect, type GatewayFixtures, mixCalls, requireSeen } from '#harness';

/**
 * Pays with the approved card and with another one at once, two times each, and finds nothing approved that was paid with the other one.
 * @param card that is not approved
 */
export async function expectNoneApproved(
  { gateway, together }: Pick<GatewayFixtures, 'gateway'> & Pick<CommonFixtures, 'together'>,
  by: 'sale' | 'accountVerification',
  card: 'declined' | 'inactive',
): Promise<void> {
  const pay = (one: 'approved' | typeof card) => () => gateway.pay(by, { card: one });
  const { ones, others } = await mixCalls(together, pay('approved'), pay(card));
  // Whether as many are taken at once is not said.
  const ends = async (paid: typeof ones) => {
    const taken = paid.filter(({ reply }) => reply.status === 200);
    return Promise.all(taken.map(({ order, reply }) => gateway.pollUntilFinal(order, reply)));
  };
  requireSeen((await ends(ones)).includes('APPROVED') || undefined, 'an approved one among four at once');
  const failed = await ends(others);
  requireSeen(failed[0], `one with the ${card} card among four at once`);
  expect(failed).not.toContain('APPROVED');
}
