import type { ApiReply, RecordingClient } from '#client';
import { projectContract } from '#contract';
import type { Target, TargetRequestor } from '#target';
import { composeRequest } from '../request-parts.ts';
import type { GatewayRequestOptions } from './placed-order.ts';

/** Sends requests to the gateway of a target, with the credentials that each operation wants. */
export class GatewayTransport {
  readonly requestor: TargetRequestor;
  readonly #target: Target;
  readonly #client: RecordingClient;

  constructor(target: Target, client: RecordingClient) {
    this.#target = target;
    this.#client = client;
    this.requestor = target.gateway?.requestors.main ?? { id: 0, token: '', currency: 'EUR' };
  }

  /** Sends one documented operation. Bearer token and path default to the main requestor, the merchant login or the client id. */
  async send(operation: string, options: GatewayRequestOptions = {}): Promise<ApiReply> {
    const known = projectContract().operations.get(operation);
    if (known === undefined) throw new Error(`no operation is called ${operation}`);
    const token = known.security.length === 0 ? null : this.#tokenFor(known.path);
    return this.sendRaw(known.method, this.urlOf(known.path, options), { token, ...options }, operation);
  }

  /** Address of a path template. Its parameters default to the main requestor, the merchant login or the client id. */
  urlOf(template: string, options: Pick<GatewayRequestOptions, 'path' | 'address'> = {}): string {
    const { merchant, client, address } = this.#target.gateway!;
    const path: Record<string, string | number | undefined> = {
      requestorId: this.requestor.id,
      username: merchant?.login,
      clientId: client?.id,
      ...options.path,
    };
    const filled = template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(path[name])));
    return `${options.address ?? address}${filled}`;
  }

  /** Sends any request to the gateway's host; without an operation it is recorded but not held against the contract. */
  async sendRaw(
    method: string,
    url: string,
    options: Omit<GatewayRequestOptions, 'path' | 'address'> = {},
    operation?: string,
  ): Promise<ApiReply> {
    const { money } = options;
    return this.#client.send({
      api: 'gateway',
      ...(operation === undefined ? {} : { operation }),
      method,
      url,
      ...composeRequest({ token: this.requestor.token, ...options }),
      ...(money === undefined ? {} : { money }),
    });
  }

  #tokenFor(path: string): string {
    const { manager, merchant, client } = this.#target.gateway!;
    if (/^\/(balance|report)\//.test(path))
      return (path.includes('by-manager') ? manager : undefined)?.token ?? merchant?.token ?? '';
    return path.includes('{clientId}') ? (client?.token ?? this.requestor.token) : this.requestor.token;
  }
}
