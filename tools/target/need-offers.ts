import type { TargetNeed } from '#contract';
import { type ServiceTargets, TARGET_SERVICES } from './services.ts';
import type { LackReason, NeedOffer } from './target-service.ts';
import type { CommonTarget } from './types.ts';

type Offer = Omit<NeedOffer<unknown>, 'offered'> & {
  /** Whether a resolved target has them. `browser` is not the target's affair and never offered here. */
  readonly offered: (target: CommonTarget & ServiceTargets) => unknown;
};

const COMMON_OFFERS = {
  browser: {
    code: 'browser',
    what: 'browser on this machine',
    lines: [],
    offered: () => false,
  },
  clock: {
    code: 'capability',
    what: 'way to move its clock',
    lines: ['control.advance'],
    offered: ({ control: { advance } }) => advance && (advance.moves?.includes('records') ?? true),
  },
} satisfies Readonly<Record<string, Offer>>;

/** Need to the lines of a target file that offer it; the only list of this kind. */
export const NEED_OFFERS = Object.fromEntries([
  ...TARGET_SERVICES.flatMap(({ api, needs }) =>
    Object.entries(needs).map(([need, { offered, ...offer }]) => [
      need,
      { ...offer, offered: (target: CommonTarget & ServiceTargets) => offered(target[api] as never, target) },
    ]),
  ),
  ...Object.entries(COMMON_OFFERS),
]) as Readonly<Record<TargetNeed, Offer>>;

/** Which needs a target offers. */
export function listOfferedNeeds(target: CommonTarget & ServiceTargets): ReadonlySet<TargetNeed> {
  return new Set((Object.keys(NEED_OFFERS) as TargetNeed[]).filter((need) => NEED_OFFERS[need].offered(target)));
}

/** Why a check that needs this is skipped, and which lines of the target file would change that. */
export function describeLack(need: TargetNeed): { readonly code: LackReason; readonly text: string } {
  const { code, what, lines } = NEED_OFFERS[need];
  const remedy =
    lines.length === 0
      ? 'install Chromium, Chrome or Edge, or name one with ASSAY_BROWSER'
      : `${lines.join(' and ')} in the target file would enable it`;
  return { code, text: `${need === 'browser' ? 'there is' : 'the target offers'} no ${what}; ${remedy}` };
}
