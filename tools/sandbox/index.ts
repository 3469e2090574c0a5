/**
 * @module sandbox
 * Takes lies, a seed and ports; gives both services as their documents describe them, over real HTTP, with memory, and the control
 * plane. Never imports client, oauth or the compiled validators: the reference may not be judged with its own ruler.
 * Harness and CLI start it; proof reads its list of lies.
 */
export type { Credentials } from './credentials.ts';
export { type Lie, lies } from './decision.ts';
export { cards, type TestCard } from './gateway/cards.ts';
export { type Parameters, type Sandbox, startSandbox } from './start.ts';
export { targetLines } from './target-lines.ts';
export { DOZEN, differences, drawVariation, type Variation, type VariationId } from './variation.ts';
