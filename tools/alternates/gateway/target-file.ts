import { ALLOWLIST_ADDRESSES, ALTERNATE_SUBJECTS } from './access-guard.ts';
import type { GatewayAlternate } from './gateway-alternate.ts';

/** A placeholder of a target file. */
const slot = (name: string) => `\${${name}}`;

/** A target file for a gateway alternate, as its owner would write it; JSON is YAML. Secrets are named by environment variable. */
export function writeGatewayTarget(alternate: GatewayAlternate): string {
  const { address, elsewhere, control, choices, issuer, console: port } = alternate;
  const { journeys } = choices;
  const requestor = (name: keyof typeof ALTERNATE_SUBJECTS, more = {}) => ({
    id: Number(ALTERNATE_SUBJECTS[name]),
    token: `env:ALTERNATE_${name.toUpperCase()}`,
    currency: name === 'multicurrency' ? 'USD' : 'EUR',
    ...more,
  });
  const login = (name: 'merchant' | 'secondMerchant' | 'manager') => ({
    login: ALTERNATE_SUBJECTS[name],
    token: `env:ALTERNATE_${name.toUpperCase()}`,
  });
  const { cards, behaviours, extraMembers: besides } = choices;
  const plain = (number: string, code = '321') => ({ number, code, month: '07', year: '2031' });
  const steered = (said: string) =>
    choices.steers === 'code'
      ? plain(cards.approved, said)
      : { ...plain(cards.approved), amount: (Number(said) / 100).toFixed(2) };
  const { approved, ...others } = behaviours;
  return JSON.stringify({
    name: `alternate, ${choices.name}`,
    kind: 'mock',
    gateway: {
      address,
      requestors: {
        main: requestor('main'),
        second: requestor('second'),
        multicurrency: requestor('multicurrency'),
        allowlisted: requestor('allowlisted', { ...ALLOWLIST_ADDRESSES, consumerKey: 'env:ALTERNATE_ALLOWLISTED_KEY' }),
        elsewhere: requestor('elsewhere', { address: elsewhere }),
      },
      merchant: login('merchant'),
      secondMerchant: login('secondMerchant'),
      manager: login('manager'),
      balance: choices.balances[0],
      client: { id: ALTERNATE_SUBJECTS.client, token: 'env:ALTERNATE_CLIENT' },
      oauth: {
        ...(journeys.oauth.requestor === 'main'
          ? {}
          : { requestor: Number(ALTERNATE_SUBJECTS[journeys.oauth.requestor]) }),
        consumerKey: 'env:ALTERNATE_CONSUMER_KEY',
        privateKey: 'env:ALTERNATE_PRIVATE_KEY',
        ...(journeys.oauth.passphrase === undefined ? {} : { passphrase: 'env:ALTERNATE_PASSPHRASE' }),
      },
      wire: {
        amount: choices.amount,
        amountRead: choices.amountRead,
        order: choices.order,
        customer: choices.customer,
        browser: choices.browser,
        urls: choices.urls,
        card: choices.card,
        registered: journeys.registered,
        transfer: journeys.transfer,
        names: journeys.names,
        ...(journeys.afterMethod === 'challenge'
          ? { history: { expireMonth: slot('cardMonth:number'), expireYear: slot('cardYear:number') } }
          : {}),
        recurring: journeys.recurring,
        report: { ...journeys.report, takes: undefined },
        extra: Object.fromEntries(
          ['sale', 'auth', 'saleForm', 'authForm', 'accountVerification', 'capture', 'reversal'].map((one) => [
            one,
            besides,
          ]),
        ),
        read: {
          orderSystemId: choices.systemIdAt,
          correlationId: choices.correlationAt,
          cardId: journeys.cardIdAt,
          ...(journeys.afterMethod === 'challenge' ? { threeDSServerTransID: '/threeDSAuth/server/transaction' } : {}),
          transaction: { ...choices.entry, approved: [choices.states.approved] },
          history: choices.history,
        },
        types: Object.fromEntries(Object.entries(choices.types).map(([kind, names]) => [kind, [...new Set(names)]])),
        provider: choices.provider,
      },
      cards: {
        approved: plain(cards.approved, approved || '321'),
        debit: plain(cards.approved, approved || '321'),
        credit: plain(cards.credit, approved || '321'),
        ...Object.fromEntries(Object.entries(others).map(([name, said]) => [name, steered(said)])),
        unlisted: plain(cards.unlisted),
        unlisted2: plain(cards.unlisted2),
        history: plain(cards.approved),
        nohistory: plain(cards.credit),
      },
      form: journeys.formSelectors,
      acs: journeys.acsSelectors,
    },
    control: {
      now: { method: 'GET', url: `${control}/now`, read: choices.clockAt },
      advance: { url: `${control}/advance`, body: { seconds: slot('seconds:number') } },
      ...(journeys.later === 'chargeback'
        ? { chargeback: { url: `${control}/chargeback/${slot('orderSystemId')}` } }
        : { later: { url: `${control}/state/${slot('orderSystemId')}`, body: { to: slot('state') } } }),
      ...(journeys.callback.known === 'control'
        ? {
            callback: {
              method: 'PUT',
              url: `${control}/callback`,
              body: { requestor: slot('requestorId'), to: slot('callbackUrl') },
            },
          }
        : {}),
    },
    callback: {
      listen: '127.0.0.1',
      ...(port === undefined ? {} : { port, public: `http://127.0.0.1:${port}`, registered: true }),
    },
    pages: [issuer],
    manners: { pollGap: 2, pollLimit: 10, timeout: 10, money: { calls: 100000, total: 10000000 } },
  });
}

/** The secrets that the target file names. */
export function gatewayTargetSecrets({
  tokens,
  privateKey,
  choices,
}: GatewayAlternate): Readonly<Record<string, string>> {
  const { consumerKey, allowlisted, passphrase } = choices.journeys.oauth;
  return {
    ...Object.fromEntries(Object.entries(tokens).map(([name, token]) => [`ALTERNATE_${name.toUpperCase()}`, token])),
    ALTERNATE_CONSUMER_KEY: consumerKey,
    ALTERNATE_ALLOWLISTED_KEY: allowlisted,
    ALTERNATE_PRIVATE_KEY: privateKey,
    ...(passphrase === undefined ? {} : { ALTERNATE_PASSPHRASE: passphrase }),
  };
}
