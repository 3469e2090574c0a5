/**
 * @module alternate
 * Services written from the documents alone, each with other choices wherever the documents leave one: what the suite says about
 * them shows whether it demands more than is promised. Each can be given one defects, which must then be found.
 * Takes nothing from other rooms; our own tests start them.
 */

export { GATEWAY_ALTERNATES, type GatewayAlternateChoices } from './gateway/choices.ts';
export { type GatewayAlternate, openGatewayAlternate } from './gateway/gateway-alternate.ts';
export { gatewayTargetSecrets, writeGatewayTarget } from './gateway/target-file.ts';
export { V1_ALTERNATES, type V1AlternateChoices } from './v1/choices.ts';
export { v1TargetSecrets, writeV1Target } from './v1/target-file.ts';
export { openV1Alternate, type V1Alternate } from './v1/v1-alternate.ts';
