/**
 * @module sandbox
 * Takes lies, a seed and ports; gives every service as their documents describe them, over real HTTP, with memory, and the control
 * plane with its page. Never imports client, oauth or the compiled validators: the reference may not be judged with its own ruler.
 * Harness and CLI start it; proof reads its list of lies.
 */
export { chooseWays, listChoices, type NamedChoice } from './choose-ways.ts';
export type { ControlCall } from './control-calls.ts';
export { type Lie, listLies } from './decision.ts';
export type { ExchangeLog, LoggedExchange } from './logged-exchange.ts';
export type { ExchangeObserver } from './observed-exchange.ts';
export { seededRandom } from './seeded-random.ts';
export type { SampleList } from './service-offer.ts';
export type { SandboxCredentials } from './services.ts';
export type { SessionLie } from './session-lie.ts';
export type { BegunSession } from './session-teller.ts';
export {
  listSessionLies,
  type Sandbox,
  type SandboxParameters,
  SERVICE_LISTENERS,
  startSandbox,
} from './start-sandbox.ts';
export { describeUsage, type SandboxUsage } from './usage.ts';
export {
  drawVariation,
  listDifferences,
  TELLING_CHOICES,
  targetLines,
  VARIATION_DOZEN,
  type Variation,
  type VariationId,
} from './variation.ts';
export type { WireMutation, WireOperator } from './wire-mutation.ts';
