/**
 * @module sandbox
 * Takes lies, a seed and ports; gives both services as their documents describe them, over real HTTP, with memory, and the control
 * plane. Never imports client, oauth or the compiled validators: the reference may not be judged with its own ruler.
 * Harness and CLI start it; proof reads its list of lies.
 */
export type { SandboxCredentials } from './credentials.ts';
export { type Lie, listLies } from './decision.ts';
export { type SandboxCard, sandboxCards } from './gateway/payments/sandbox-cards.ts';
export { type Sandbox, type SandboxParameters, startSandbox } from './start-sandbox.ts';
export { targetLines } from './target-lines.ts';
export { drawVariation, listDifferences, VARIATION_DOZEN, type Variation, type VariationId } from './variation.ts';
export type { WireMutation, WireOperator } from './wire-mutation.ts';
