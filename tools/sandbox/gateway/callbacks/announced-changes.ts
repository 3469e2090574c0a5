import { type ActiveLies, decision } from '../../decision.ts';

/** What brought a change about. */
export type ChangeOccasion = 'payment' | 'outcome' | 'capture' | 'reversal' | 'authentication' | 'later';

const silentOn = (rule: string, name: string, occasion: ChangeOccasion) =>
  decision({
    rule,
    honest: (_occasion: ChangeOccasion) => true,
    lies: { [`no-callback-${name}`]: (now) => now !== occasion },
  });

const announced = [
  silentOn('GW-CBK-02', 'when-a-pending-order-ends', 'outcome'),
  silentOn('GW-CBK-04', 'for-a-payment', 'payment'),
  silentOn('GW-CBK-05', 'for-a-capture', 'capture'),
  silentOn('GW-CBK-06', 'for-a-reversal', 'reversal'),
  silentOn('GW-CBK-07', 'after-three-ds', 'authentication'),
  silentOn('GW-CBK-08', 'for-a-later-change', 'later'),
];

const noneIsLost = decision({
  rule: 'GW-CBK-04',
  honest: (_order: number) => true,
  lies: { 'one-callback-in-ten-lost': (order) => order % 10 !== 5 },
});

/** Whether a change brings a callback; honestly, each does. */
export function announcesChange(activeLies: ActiveLies, occasion: ChangeOccasion, order: number): boolean {
  return noneIsLost(activeLies, order) && announced.every((decided) => decided(activeLies, occasion));
}
