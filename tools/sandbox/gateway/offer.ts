import { offerService } from '../service-offer.ts';
import { showGatewayCredentials } from './access/token-grants.ts';
import { GATEWAY_CHOICES } from './choices.ts';
import { issueGatewayCredentials } from './credentials.ts';
import { sandboxCards } from './payments/sandbox-cards.ts';
import { gatewayService } from './service.ts';
import { GATEWAY_SESSION_MEANS } from './session-means.ts';
import { gatewayTargetLines } from './target-lines.ts';

/** The card payment gateway, as the sandbox lists it. */
export const GATEWAY_OFFER = offerService({
  choices: GATEWAY_CHOICES,
  tellingChoices: ['amount', 'systemIdAs', 'systemIdAt', 'entriesListed', 'refusal', 'outcomeAfter'],
  listeners: [
    { name: 'gateway', title: 'the gateway', basePath: '/api' },
    { name: 'elsewhere', title: 'the gateway under its second host', basePath: '/api' },
  ],
  create: gatewayService,
  issueCredentials: issueGatewayCredentials,
  showCredentials: showGatewayCredentials,
  printCredentials({ oauth: { requestor, consumerKey, privateKey }, ...others }, save) {
    return { ...others, oauth: { requestor, consumerKey, privateKey: save('oauth-private-key.pem', privateKey) } };
  },
  publicKeys: ({ oauth, allowlisted }) => [
    [oauth.consumerKey, oauth.publicKey],
    [oauth.second.consumerKey, oauth.second.publicKey],
    [allowlisted.consumerKey, oauth.publicKey],
  ],
  samples: {
    name: 'cards',
    title: 'Test cards (any future expiry)',
    entries: sandboxCards,
    rows: sandboxCards.map(({ number, code, behaviour }) => [`${number} ${code}`, behaviour]),
  },
  sessionMeans: GATEWAY_SESSION_MEANS,
  tryLine: ({ gateway }, { main }) =>
    `curl ${gateway}/payments/status/${main.id} -H 'Authorization: Bearer ${main.token}' -H 'Content-Type: application/json' -d '{"orderMerchantId":"none"}'`,
  targetLines: gatewayTargetLines,
});
