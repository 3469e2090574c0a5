import { type CommonFixtures, countAffordable, type GatewayClient } from '#harness';

const KINDS = ['sale', 'auth', 'accountVerification'] as const;

/** Places payments that come after others: a hundred and one where they are cheap, else a few. */
export async function payMany(
  gateway: GatewayClient,
  { clock, target, together }: Pick<CommonFixtures, 'clock' | 'target' | 'together'>,
): Promise<void> {
  const most = countAffordable({ clock, target });
  const pay = (kind: (typeof KINDS)[number]) => () => gateway.pay(kind, { card: 'approved', amount: 100 });
  for (let paid = 0; paid < most; paid += KINDS.length) await together(KINDS.slice(0, most - paid).map(pay));
}
