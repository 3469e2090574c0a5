import type { Api } from '#apis';
import type { DeedRules } from './client-deed.ts';
import type { ClientRule } from './client-rule.ts';
import type { Encounter } from './encounter.ts';
import { GATEWAY_DEED_RULES, listOrderStarts } from './gateway/deed-rules.ts';
import { GATEWAY_ENCOUNTERS } from './gateway/encounters.ts';
import { recogniseCallback } from './gateway/messages.ts';
import { gatewayMoneyRules } from './gateway/money-rules.ts';
import { orderRules } from './gateway/order-rules.ts';
import { gatewayRequestRules } from './gateway/request-rules.ts';
import { signingRules } from './gateway/signing-rules.ts';
import { threeDSRules } from './gateway/three-ds-rules.ts';
import { gatewayTokenRules } from './gateway/token-rules.ts';
import type { ReadTraffic } from './read-traffic.ts';
import type { TrafficExchange } from './traffic.ts';
import { V1_DEED_RULES } from './v1/deed-rules.ts';
import { documentRules } from './v1/document-rules.ts';
import { V1_ENCOUNTERS } from './v1/encounters.ts';
import { limitRules } from './v1/limit-rules.ts';
import { recogniseDelivery } from './v1/messages.ts';
import { v1MoneyRules } from './v1/money-rules.ts';
import { v1RequestRules } from './v1/request-rules.ts';
import { transferRules } from './v1/transfer-rules.ts';
import { webhookRules } from './v1/webhook-rules.ts';

/** How every rule of the client's side is judged. */
export const CLIENT_RULES: readonly ClientRule[] = [
  ...gatewayTokenRules,
  ...gatewayRequestRules,
  ...threeDSRules,
  ...orderRules,
  ...gatewayMoneyRules,
  ...signingRules,
  ...v1RequestRules,
  ...transferRules,
  ...documentRules,
  ...webhookRules,
  ...limitRules,
  ...v1MoneyRules,
];

/** Says which event a request that is for no documented operation stands for. */
type MessageReader = (exchange: TrafficExchange, before: readonly TrafficExchange[]) => string | undefined;

/** How the messages of each service are known in a recording. */
export const MESSAGE_READERS: readonly (readonly [Api, MessageReader])[] = [
  ['gateway', recogniseCallback],
  ['v1', recogniseDelivery],
];

/** What a client does by breaking which rules. */
export const DEED_RULES: readonly DeedRules[] = [GATEWAY_DEED_RULES, V1_DEED_RULES];

/** Where what an exchange is about began, by the position of the exchange. */
export const MATTER_STARTS: readonly ((traffic: ReadTraffic) => ReadonlyMap<number, number>)[] = [listOrderStarts];

/** What a client of each service can meet. */
export const ENCOUNTERS: readonly (readonly [Api, readonly Encounter[]])[] = [
  ['gateway', GATEWAY_ENCOUNTERS],
  ['v1', V1_ENCOUNTERS],
];
