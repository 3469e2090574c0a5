import type { ApiReply } from '#client';
import { projectContract } from '#contract';
import type { Target } from '#target';
import type { GatewayClient } from './gateway-client.ts';
import type { GatewayRequestOptions } from './placed-order.ts';

/** What stands for the last path segment of an operation. */
export type PathSubject = 'requestor' | 'login' | 'client';

/** A request that is right in every respect, ready to have one thing changed. */
export interface PreparedRequest {
  readonly operation: string;
  readonly subject: PathSubject;
  readonly options: GatewayRequestOptions & {
    readonly path: Readonly<Record<string, string | number>>;
    readonly token: string;
  };
}

/** Where an operation was found, and in words what came at its documented path. */
export interface OperationPlace {
  readonly place: 'documented path' | 'below a version' | 'nowhere';
  readonly path: string;
  readonly answer: string;
}

/** Segments that versions of this interface would have. */
const VERSIONS = ['v1', 'v1.0', '1.0', '1.0.0'];

/** One right request for every bearer operation that the target offers, so that a promise made for all is checked on all. */
export class BearerRequests {
  readonly #gateway: GatewayClient;
  readonly #here: NonNullable<Target['gateway']>;
  #made: Promise<readonly PreparedRequest[]> | undefined;

  constructor(gateway: GatewayClient, target: Target) {
    this.#gateway = gateway;
    this.#here = target.gateway!;
  }

  /** All of them, made once a check: an authorization to capture and a sale to reverse are arranged for it. */
  all(): Promise<readonly PreparedRequest[]> {
    this.#made ??= this.#make();
    return this.#made;
  }

  /** Those whose last path segment is of this kind. */
  async ofSubject(subject: PathSubject): Promise<readonly PreparedRequest[]> {
    return (await this.all()).filter((one) => one.subject === subject);
  }

  /** Sends one, with something changed. */
  send(prepared: PreparedRequest, changes: GatewayRequestOptions = {}): Promise<ApiReply> {
    const { operation, options } = prepared;
    const { token, ...rest } = { ...options, ...changes };
    const headers = { ...options.headers, ...changes.headers };
    return this.#gateway.send(operation, {
      ...rest,
      headers,
      path: { ...options.path, ...changes.path },
      ...(changes.authorization === undefined ? { token } : {}),
    });
  }

  /** Looks where an operation is. Any documented answer proves its path, an error too; a 404, a 405 or a body of another make does not. */
  async locate(prepared: PreparedRequest): Promise<OperationPlace> {
    const { path } = projectContract().operations.get(prepared.operation)!;
    const reply = await this.send(prepared);
    const answer = `status ${reply.status}${[404, 405].includes(reply.status) ? '' : ' with a body of another make'}`;
    if (isDocumented(reply)) return { place: 'documented path', path, answer };
    const { path: parameters, ...options } = prepared.options;
    for (const version of VERSIONS) {
      const url = this.#gateway.urlOf(`/${version}${path}`, { path: parameters });
      if (isDocumented(await this.#gateway.sendRaw('POST', url, options)))
        return { place: 'below a version', path: `/${version}${path}`, answer };
    }
    return { place: 'nowhere', path, answer };
  }

  async #make(): Promise<readonly PreparedRequest[]> {
    const { requestors, merchant, manager, client, wire, cards, balance, form } = this.#here;
    const { id, token } = requestors.main;
    const authorized = await this.#gateway.arrangeApproved('auth');
    const sold = await this.#gateway.arrangeApproved('sale');
    const requestor = (operation: string, body: unknown): PreparedRequest => ({
      operation,
      subject: 'requestor',
      options: { path: { requestorId: id }, token, body },
    });
    const login = (operation: string, who: typeof merchant, body?: unknown): PreparedRequest[] =>
      who === undefined
        ? []
        : [
            {
              operation,
              subject: 'login',
              options: { path: { username: who.login }, token: who.token, ...(body === undefined ? {} : { body }) },
            },
          ];
    const pay = (operation: 'sale' | 'saleForm' | 'auth' | 'authForm' | 'accountVerification') =>
      requestor(operation, this.#gateway.preparePayment(operation, { card: 'approved' }).body);
    const { history } = cards;
    return [
      pay('sale'),
      pay('auth'),
      ...(form === undefined ? [] : [pay('saleForm'), pay('authForm')]),
      requestor('capture', this.#gateway.orderBody(authorized, 'capture')),
      requestor('reversal', { ...this.#gateway.orderBody(sold, 'reversal'), reversalReason: 'Conformance check' }),
      pay('accountVerification'),
      requestor('status', { orderSystemId: sold.systemId }),
      ...(history === undefined
        ? []
        : [
            requestor('getCardHistory', {
              cardHistorySourceType: 'FULL_CARD_NUMBER',
              cardNumber: history.number,
              cardFirstDigits: '',
              cardLastDigits: '',
              expireMonth: history.month,
              expireYear: history.year,
              orderMerchantId: sold.merchantId,
            }),
          ]),
      ...(wire.provider === undefined
        ? []
        : [
            requestor('getExchangeRate', {
              exchangeProvider: wire.provider.name,
              exchangeCurrencyCodeFrom: wire.provider.from,
              exchangeCurrencyCodeTo: wire.provider.to,
            }),
          ]),
      ...(balance === undefined
        ? []
        : [
            ...login('balanceByMerchant', merchant, { balanceName: balance }),
            ...login('balanceByManager', manager, { balanceName: balance }),
          ]),
      ...login('balanceByMerchantAll', merchant),
      ...(client === undefined || cards.approved === undefined
        ? []
        : [
            {
              operation: 'getCardInfo',
              subject: 'client',
              options: {
                path: { clientId: client.id },
                token: client.token,
                body: { cardNumber: cards.approved.number },
              },
            } as const,
          ]),
    ];
  }
}

/** Whether an answer is one that the document has: taken, or refused with the body of an error. */
function isDocumented(reply: ApiReply): boolean {
  if (reply.status >= 200 && reply.status < 300) return true;
  if (![400, 401, 500].includes(reply.status)) return false;
  try {
    const { errorCode, errorMessage } = reply.object;
    return errorCode !== undefined && errorMessage !== undefined;
  } catch {
    return false;
  }
}
