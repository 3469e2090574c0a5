import { offerService } from '../service-offer.ts';
import { V1_CHOICES } from './choices.ts';
import { issueV1Credentials } from './credentials.ts';
import { v1Service } from './service.ts';
import { V1_SESSION_MEANS } from './session-means.ts';
import { v1TargetLines } from './target-lines.ts';

/** The account, transfer, document and webhook service, as the sandbox lists it. */
export const V1_OFFER = offerService({
  choices: V1_CHOICES,
  tellingChoices: ['uuids', 'transactionMembers', 'repeatedRequest', 'delivery'],
  listeners: [{ name: 'v1', title: 'the v1 service', basePath: '' }],
  create: v1Service,
  issueCredentials: issueV1Credentials,
  sessionMeans: V1_SESSION_MEANS,
  tryLine: ({ v1 }, { token }) =>
    `curl ${v1}/api/v1/auth -H 'Authorization: Bearer ${token}' -H 'Accept: application/json'`,
  targetLines: v1TargetLines,
});
