import type { Api } from '#apis';
import type { ClientService } from './client-service.ts';
import { GATEWAY_CLIENT_SERVICE } from './gateway/client-service.ts';
import { V1_CLIENT_SERVICE } from './v1/client-service.ts';

const SERVICES: Readonly<Record<Api, ClientService>> = { gateway: GATEWAY_CLIENT_SERVICE, v1: V1_CLIENT_SERVICE };

/** Every service, as the client knows it. */
export const CLIENT_SERVICES: readonly ClientService[] = Object.values(SERVICES);
