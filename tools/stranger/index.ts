/**
 * @module stranger
 * Services written from the documents alone, each with other choices wherever the documents leave one: what the suite says about
 * them shows whether it demands more than is promised. Each can be given one defect, which must then be found.
 * Takes nothing from other rooms; our own tests start them.
 */

export { type GatewayStranger, openGateway } from './gateway.ts';
export { GATEWAY_CHOICES, type GatewayChoices } from './gateway-choices.ts';
export { gatewaySecrets, gatewayTarget } from './gateway-target.ts';
export { openV1, type V1Stranger } from './v1.ts';
export { V1_CHOICES, type V1Choices } from './v1-choices.ts';
export { v1Secrets, v1Target } from './v1-target.ts';
