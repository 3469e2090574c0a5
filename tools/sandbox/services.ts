import type { Api } from '#apis';
import type { ChoiceTable, ChosenWays } from './chosen-ways.ts';
import { GATEWAY_OFFER } from './gateway/offer.ts';
import type { ServiceOffer } from './service-offer.ts';
import { V1_OFFER } from './v1/offer.ts';

const OFFERS = { gateway: GATEWAY_OFFER, v1: V1_OFFER };

type Offers = { readonly [Name in Api]: (typeof OFFERS)[Name] };

/** What the services do where their documents leave them free. */
export type ServiceChoices = { readonly [Name in Api]: ChosenWays<Offers[Name]['choices']> };

/** Everything a client of the sandbox needs to know, by service; none of it is worth anything elsewhere. */
export type SandboxCredentials = { readonly [Name in Api]: ReturnType<Offers[Name]['issueCredentials']> };

/** Names of the addresses that the services listen at. */
export type ListenerName = Offers[Api]['listeners'][number]['name'];

/** Base addresses; that of the control plane only when it is open. */
export type SandboxAddresses = Readonly<Record<ListenerName, string> & { control?: string }>;

/** An offer whose own choices and credentials do not matter to who asks. */
export type AnyServiceOffer = ServiceOffer<ChoiceTable, object, ListenerName>;

/** Every service with its name, in the order of the variations, for whoever treats them all alike. */
export const SERVICE_LIST = Object.entries(OFFERS) as unknown as readonly (readonly [Api, AnyServiceOffer])[];
