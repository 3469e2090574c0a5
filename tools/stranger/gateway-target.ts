import { ADDRESSES, type GatewayStranger, SUBJECTS } from './gateway.ts';

/** A placeholder of a target file. */
const slot = (name: string) => `\${${name}}`;

/** A target file for a gateway stranger, as its owner would write it; JSON is YAML. Secrets are named by environment variable. */
export function gatewayTarget({ address, elsewhere, control, choices }: GatewayStranger): string {
  const requestor = (name: keyof typeof SUBJECTS, more = {}) => ({
    id: Number(SUBJECTS[name]),
    token: `env:STRANGER_${name.toUpperCase()}`,
    currency: name === 'multicurrency' ? 'USD' : 'EUR',
    ...more,
  });
  const login = (name: 'merchant' | 'secondMerchant' | 'manager') => ({
    login: SUBJECTS[name],
    token: `env:STRANGER_${name.toUpperCase()}`,
  });
  const { cards, behaviours, besides } = choices;
  const plain = (number: string, code = '321') => ({ number, code, month: '07', year: '2031' });
  const steered = (said: string) =>
    choices.steers === 'code'
      ? plain(cards.approved, said)
      : { ...plain(cards.approved), amount: (Number(said) / 100).toFixed(2) };
  const { approved, ...others } = behaviours;
  return JSON.stringify({
    name: `stranger, ${choices.name}`,
    kind: 'mock',
    gateway: {
      address,
      requestors: {
        main: requestor('main'),
        second: requestor('second'),
        multicurrency: requestor('multicurrency'),
        allowlisted: requestor('allowlisted', ADDRESSES),
        elsewhere: requestor('elsewhere', { address: elsewhere }),
      },
      merchant: login('merchant'),
      secondMerchant: login('secondMerchant'),
      manager: login('manager'),
      balance: choices.balances[0],
      client: { id: SUBJECTS.client, token: 'env:STRANGER_CLIENT' },
      wire: {
        amount: choices.amount,
        amountRead: choices.amountRead,
        order: choices.order,
        customer: choices.customer,
        browser: choices.browser,
        urls: choices.urls,
        card: choices.card,
        extra: Object.fromEntries(
          ['sale', 'auth', 'saleForm', 'authForm', 'accountVerification', 'capture', 'reversal'].map((one) => [
            one,
            besides,
          ]),
        ),
        read: {
          orderSystemId: choices.systemIdAt,
          correlationId: choices.correlationAt,
          transaction: { ...choices.entry, approved: [choices.states.approved] },
          history: choices.history,
        },
        types: Object.fromEntries(Object.entries(choices.types).map(([kind, names]) => [kind, [...new Set(names)]])),
        provider: { name: 'Someone', from: 'EUR', to: 'JPY' },
      },
      cards: {
        approved: plain(cards.approved, approved || '321'),
        credit: plain(cards.credit, approved || '321'),
        ...Object.fromEntries(Object.entries(others).map(([name, said]) => [name, steered(said)])),
        unlisted: plain(cards.unlisted),
        unlisted2: plain(cards.unlisted2),
        history: plain(cards.approved),
        nohistory: plain(cards.credit),
      },
    },
    control: {
      now: { method: 'GET', url: `${control}/now`, read: choices.clockAt },
      advance: { url: `${control}/advance`, body: { seconds: slot('seconds:number') } },
    },
    manners: { pollGap: 2, pollLimit: 10, timeout: 10, money: { calls: 100000, total: 10000000 } },
  });
}

/** The secrets that the target file names. */
export function gatewaySecrets({ tokens }: GatewayStranger): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(tokens).map(([name, token]) => [`STRANGER_${name.toUpperCase()}`, token]));
}
