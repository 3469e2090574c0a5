import { trimAddress } from '../address.ts';
import type { WrittenSection } from '../target-service.ts';
import type { GatewayTarget, NamedTransactionKind, TargetCard, TargetLogin, TargetRequestor } from './types.ts';
import { GATEWAY_WIRE_DEFAULTS } from './wire-defaults.ts';

type WrittenCard = NonNullable<NonNullable<WrittenSection<'gateway'>['cards']>['approved']>;

/** The section `gateway:` with its defaults. */
export function resolveGateway(written: WrittenSection<'gateway'>): GatewayTarget {
  const { transaction, read, names, types, ...rest } = GATEWAY_WIRE_DEFAULTS;
  const { amount = rest.amount, recurring, report, ...wire } = written.wire ?? {};
  const requestors = Object.fromEntries(
    Object.entries(written.requestors).map(([name, one]) => [name, requestorOf(one)] as const),
  );
  const { approved, ...entry } = { ...transaction, ...wire.read?.transaction };
  const { merchant, secondMerchant, manager, client, oauth, alias, ...others } = written;
  return {
    ...others,
    ...(merchant ? { merchant: loginOf(merchant) } : {}),
    ...(secondMerchant ? { secondMerchant: loginOf(secondMerchant) } : {}),
    ...(manager ? { manager: loginOf(manager) } : {}),
    ...(client ? { client: { ...client, id: String(client.id) } } : {}),
    ...(alias === undefined ? {} : { alias: String(alias) }),
    address: trimAddress(written.address),
    cards: Object.fromEntries(Object.entries(written.cards ?? {}).map(([name, card]) => [name, cardOf(card)])),
    requestors: { ...requestors, main: requestorOf(written.requestors.main) },
    ...(oauth ? { oauth: oauthOf(oauth, written.requestors.main.id) } : {}),
    wire: {
      ...rest,
      amountRead: amount,
      ...wire,
      amount,
      names: { ...names, ...wire.names },
      read: { ...read, ...wire.read, transaction: { ...entry, approved: approved.map(String) } },
      types: typeNames({ ...types, ...wire.types }),
      ...(recurring ? { recurring: { method: 'POST', ...recurring } } : {}),
      ...(report ? { report: { method: 'POST', ...report } } : {}),
    },
  };
}

/** A type may be written as a number. */
function typeNames(types: Readonly<Record<NamedTransactionKind, readonly unknown[]>>): GatewayTarget['wire']['types'] {
  return Object.fromEntries(Object.entries(types).map(([kind, names]) => [kind, names.map(String)])) as never;
}

function oauthOf(
  { second, ...first }: NonNullable<WrittenSection<'gateway'>['oauth']>,
  main: string | number,
): NonNullable<GatewayTarget['oauth']> {
  const requestor = Number(first.requestor ?? main);
  const other = second && { second: { ...second, requestor: Number(second.requestor ?? requestor) } };
  return { ...first, requestor, ...other };
}

/** A login of digits may be written as a number. */
function loginOf(written: NonNullable<WrittenSection<'gateway'>['merchant']>): TargetLogin {
  return { ...written, login: String(written.login) };
}

function requestorOf(written: WrittenSection<'gateway'>['requestors']['main']): TargetRequestor {
  return {
    currency: 'EUR',
    ...written,
    id: Number(written.id),
    ...(written.address ? { address: trimAddress(written.address) } : {}),
  };
}

function cardOf({ amount, ...card }: WrittenCard): TargetCard {
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
    ['/gateway/description', gateway.description],
    ...Object.entries(gateway.requestors).map(([name, one]): [string, string | undefined] => [
      `/gateway/requestors/${name}/address`,
      one.address,
    ]),
  ];
}
