import { trimAddress } from '../address.ts';
import type { GatewayTarget } from './types.ts';
import { GATEWAY_WIRE_DEFAULTS } from './wire-defaults.ts';

/** The section `gateway:` with its defaults. */
// biome-ignore lint/suspicious/noExplicitAny: the shape is what target.schema.json has just checked
export function resolveGateway(written: any): GatewayTarget {
  const { transaction, read, names, types, ...rest } = GATEWAY_WIRE_DEFAULTS;
  const { amount = rest.amount, ...wire } = written.wire ?? {};
  return {
    ...written,
    address: trimAddress(written.address),
    cards: Object.fromEntries(Object.entries(written.cards ?? {}).map(([name, card]) => [name, cardOf(card)])),
    requestors: Object.fromEntries(
      Object.entries(written.requestors).map(([name, one]) => [name, requestorOf(one)] as const),
    ),
    ...(written.oauth
      ? { oauth: { ...written.oauth, requestor: Number(written.oauth.requestor ?? written.requestors.main.id) } }
      : {}),
    wire: {
      ...rest,
      amountRead: amount,
      ...wire,
      amount,
      names: { ...names, ...wire.names },
      read: { ...read, ...wire.read, transaction: { ...transaction, ...wire.read?.transaction } },
      types: { ...types, ...wire.types },
      ...(wire.recurring ? { recurring: { method: 'POST', ...wire.recurring } } : {}),
      ...(wire.report ? { report: { method: 'POST', ...wire.report } } : {}),
    },
  };
}

// biome-ignore lint/suspicious/noExplicitAny: the shape is what target.schema.json has just checked
function requestorOf(written: any): unknown {
  return {
    currency: 'EUR',
    ...written,
    id: Number(written.id),
    ...(written.address ? { address: trimAddress(written.address) } : {}),
  };
}

// biome-ignore lint/suspicious/noExplicitAny: the shape is what target.schema.json has just checked
function cardOf({ amount, ...card }: any): unknown {
  return {
    holder: 'ADA TEST',
    ...card,
    ...(amount === undefined ? {} : { amount: Math.round(Number(amount) * 100) }),
  };
}

/** Every address of the section with its pointer. */
export function listGatewayAddresses(gateway: GatewayTarget): [string, string | undefined][] {
  return [
    ['/gateway/address', gateway.address],
    ...Object.entries(gateway.requestors).map(([name, one]): [string, string | undefined] => [
      `/gateway/requestors/${name}/address`,
      one.address,
    ]),
  ];
}
