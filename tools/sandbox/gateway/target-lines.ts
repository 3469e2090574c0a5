import type { TargetLine } from '../service-offer.ts';
import type { GatewayChoices } from './choices.ts';
import { VARIED_PATHS } from './wire/gateway-dialect.ts';
import { translateBalanceName } from './wire/identifiers.ts';
import { THREE_DS_NAMES } from './wire/request-reader.ts';
import { chooseTemplates } from './wire/request-templates.ts';
import { cardHistoryPointers } from './wire/response-writer.ts';
import { describeEntries, reportRowPointers } from './wire/transaction-entries.ts';

const FORM = {
  number: 'cardNumber',
  code: 'cvv2',
  month: 'expireMonth',
  year: 'expireYear',
  holder: 'cardPrintedName',
};
const slot = (name: string) => `\${${name}}`;

/** What a target file has to say of a gateway that makes these choices. */
export function gatewayTargetLines(gateway: GatewayChoices): readonly TargetLine[] {
  const { besides, recurring, report, ...templates } = chooseTemplates(gateway);
  const { transaction, types } = describeEntries(gateway);
  const id = (name: string) => (gateway.pageIds === 'usual' ? `#${name}` : `#x-${name}`);
  const operations = ['sale', 'auth', 'saleForm', 'authForm', 'accountVerification', 'capture', 'reversal'];
  const wire = {
    amount: gateway.amount,
    amountRead: gateway.amountRead,
    ...templates,
    ...(gateway.besides === 'nothing' ? {} : { extra: Object.fromEntries(operations.map((one) => [one, besides])) }),
    history: historyTemplate(gateway),
    names: THREE_DS_NAMES[gateway.threeDSNames],
    read: {
      orderSystemId: gateway.systemIdAt,
      correlationId: gateway.correlationAt,
      cardId: gateway.cardIdAt,
      threeDSServerTransID: {
        'the one of the method': '/threeDSAuth/threeDSMethodTransactionId',
        'one of its own': '/threeDSAuth/serverTransaction/id',
        'one beside it': '/threeDSServer',
      }[gateway.serverTransactionId],
      transaction,
      history: historyNames(gateway),
    },
    types,
    recurring: {
      path: `${gateway.recurringPath === 'usual' ? '/recurring/register-cards' : VARIED_PATHS.registerCards}/${slot('requestorId')}`,
      body: recurring,
    },
    report: {
      path: `${gateway.reportPath === 'usual' ? '/report/transaction/by-merchant' : VARIED_PATHS.transactionReport}/${slot('login')}`,
      body: report,
      rows: { usual: '/transactions', 'bare list': '', nested: '/data/report/rows' }[gateway.reportFields],
      row: reportRowPointers(gateway),
    },
  };
  const form = Object.fromEntries(Object.entries(FORM).map(([name, one]) => [name, id(one)]));
  return [
    [['gateway', 'balance'], translateBalanceName(gateway, 'main', 'outward')],
    [
      ['gateway', 'balances'],
      gateway.balanceNames === 'usual'
        ? undefined
        : ['usd', 'main'].map((name) => translateBalanceName(gateway, name, 'outward')),
    ],
    [
      ['gateway', 'manager', 'login'],
      gateway.managerLogin === 'own' ? 'embedded:gateway.manager.login' : 'embedded:gateway.merchant.login',
    ],
    [
      ['control', 'finish'],
      gateway.pendingEnds === 'time'
        ? undefined
        : { url: `embedded:control/gateway/orders/${slot('orderSystemId')}/finish` },
    ],
    ...Object.entries(wire).map(([name, value]): TargetLine => [['gateway', 'wire', name], value]),
    [
      ['gateway', 'form'],
      gateway.hostedForms === 'enabled' ? { ...form, submit: id('pay'), cancel: id('cancel') } : undefined,
    ],
    [['gateway', 'acs'], { submit: id('approve'), cancel: id('refuse') }],
  ];
}

/** How a lookup of a card's history is written. */
function historyTemplate({ historyExpiry, historyEmpty }: GatewayChoices): Readonly<Record<string, unknown>> {
  const type = historyExpiry === 'text' ? '' : ':number';
  const empty = ['cardNumber', 'cardFirstDigits', 'cardLastDigits'].map((name) => [name, null]);
  return {
    expireMonth: slot(`cardMonth${type}`),
    expireYear: slot(`cardYear${type}`),
    ...(historyEmpty === 'left out' ? Object.fromEntries(empty) : {}),
  };
}

/** Pointers into a card history answer, by the names that a target file has for them. */
function historyNames(gateway: GatewayChoices): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(cardHistoryPointers(gateway)).map(([name, pointer]) => [
      name.replace('SeveralSources', 'Several'),
      pointer,
    ]),
  );
}
