import type { Target } from '#target';
import type { CardRegistrations } from './card-registrations.ts';
import type { GatewayClient } from './gateway-client.ts';
import { buildHistoryRequest } from './history-request.ts';
import type { MerchantThreeDS } from './merchant-three-ds.ts';
import type { PaymentOperation, PlacedOrder } from './placed-order.ts';
import type { TransactionReports } from './transaction-reports.ts';

type Gateway = NonNullable<Target['gateway']>;

/** What right requests are made of. The sale is arranged when it is first asked for. */
export interface RequestArrangement {
  readonly gateway: GatewayClient;
  readonly target: Gateway;
  readonly threeDS: MerchantThreeDS;
  readonly recurring: CardRegistrations;
  readonly reports: TransactionReports;
  /** A sale that nothing is done to. */
  readonly sold: () => Promise<PlacedOrder>;
}

/** How an operation is sent; what is absent is as the contract has it, and the main requestor's. */
export interface BearerSending {
  readonly body?: unknown;
  readonly token?: string;
  /** Values of the path's parameters. */
  readonly path?: Readonly<Record<string, string | number>>;
  /** The target file's path, filled in but for `{requestorId}` and `{username}`. */
  readonly template?: string;
}

/** An operation that a bearer token opens. */
export interface BearerOperation {
  /** Lines of the target file without which it is left out, and where they are. */
  readonly lines?: Readonly<Record<string, (target: Gateway) => unknown>>;
  /** Whether a right request that is answered 200 shows as well that it is offered: for one that leaves nothing but an unpaid order. */
  readonly isProbed?: boolean;
  /** Where it is, by the target file; absent where the document shows it. */
  readonly place?: (target: Gateway) => { readonly method: string; readonly path: string };
  /** A request that is right in every respect. */
  readonly prepare: (arranged: RequestArrangement) => BearerSending | Promise<BearerSending>;
}

const payment = (operation: PaymentOperation): BearerOperation['prepare'] => {
  return ({ gateway }) => ({ body: gateway.preparePayment(operation, { card: 'approved' }).body });
};
const form = { 'gateway.form': (target: Gateway) => target.form };
const balance = (who: 'merchant' | 'manager', named: boolean): BearerOperation => ({
  lines: {
    [`gateway.${who}`]: (target) => target[who],
    ...(named ? { 'gateway.balance': ({ balance }: Gateway) => balance } : {}),
  },
  prepare: ({ target }) => ({
    token: target[who]!.token,
    path: { username: target[who]!.login },
    ...(named ? { body: { balanceName: target.balance } } : {}),
  }),
});

/** One right request for every operation of the gateway that a bearer token opens, by the contract's operation ids. */
export const BEARER_OPERATIONS: Readonly<Record<string, BearerOperation>> = {
  sale: { prepare: payment('sale') },
  saleForm: { lines: form, isProbed: true, prepare: payment('saleForm') },
  auth: { prepare: payment('auth') },
  authForm: { lines: form, isProbed: true, prepare: payment('authForm') },
  capture: {
    prepare: async ({ gateway }) => ({ body: gateway.orderBody(await gateway.arrangeApproved('auth'), 'capture') }),
  },
  reversal: {
    prepare: async ({ gateway }) => ({
      body: {
        ...gateway.orderBody(await gateway.arrangeApproved('sale'), 'reversal'),
        reversalReason: 'Conformance check',
      },
    }),
  },
  accountVerification: { prepare: payment('accountVerification') },
  status: { prepare: async ({ sold }) => ({ body: { orderSystemId: (await sold()).systemId } }) },
  threeDSMethod: {
    lines: { 'gateway.cards.method': ({ cards }) => cards.method },
    prepare: async ({ threeDS }) => ({
      body: threeDS.methodReport(await threeDS.arrangeStep('THREEDS_METHOD'), 'U'),
    }),
  },
  balanceByMerchant: balance('merchant', true),
  balanceByMerchantAll: balance('merchant', false),
  balanceByManager: balance('manager', true),
  getCardInfo: {
    lines: { 'gateway.client': ({ client }) => client, 'gateway.cards.approved': ({ cards }) => cards.approved },
    prepare: ({ target: { client, cards } }) => ({
      token: client!.token,
      path: { clientId: client!.id },
      body: { cardNumber: cards.approved!.number },
    }),
  },
  getCardHistory: {
    lines: { 'gateway.cards.history': ({ cards }) => cards.history },
    prepare: async ({ target: { cards, wire }, sold }) => ({
      body: buildHistoryRequest(wire.history, cards.history!, 'FULL_CARD_NUMBER', (await sold()).merchantId),
    }),
  },
  getExchangeRate: {
    lines: { 'gateway.wire.provider': ({ wire }) => wire.provider },
    prepare: ({ target: { wire } }) => ({
      body: {
        exchangeProvider: wire.provider!.name,
        exchangeCurrencyCodeFrom: wire.provider!.from,
        exchangeCurrencyCodeTo: wire.provider!.to,
      },
    }),
  },
  registerCards: {
    lines: { 'gateway.wire.recurring': ({ wire }) => wire.recurring },
    place: ({ wire }) => wire.recurring!,
    prepare: async ({ recurring, sold }) => recurring.prepare(await sold()),
  },
  transactionReport: {
    lines: { 'gateway.wire.report': ({ wire }) => wire.report, 'gateway.merchant': ({ merchant }) => merchant },
    place: ({ wire }) => wire.report!,
    prepare: async ({ reports, sold, target: { merchant } }) => ({
      token: merchant!.token,
      path: { username: merchant!.login },
      ...(await reports.prepare(await sold())),
    }),
  },
};

/** Operations that a bearer token opens and that no sweep sends, each with its reason. */
export const OPERATIONS_LEFT_OUT: Readonly<Record<string, string>> = {
  threeDSCRes: "a CRes comes out of a customer's browser: GW-BEA-10",
  threeDSPaRes: "a PaRes comes out of a customer's browser: GW-BEA-11",
};
