import type { Choices } from './choices.ts';
import { OTHER_PATHS } from './gateway/dialect.ts';
import { entryWire, rowPointers } from './gateway/entries.ts';
import { THREE_DS_NAMES } from './gateway/inward.ts';
import { balanceName } from './gateway/names.ts';
import { historyPointers } from './gateway/outward.ts';
import { templatesOf } from './gateway/templates.ts';
import { deliveryPointers } from './v1/delivery.ts';

/** A line of a target file: the keys that lead to it, and its value. */
export type TargetLine = readonly [path: readonly string[], value: unknown];

const FORM = {
  number: 'cardNumber',
  code: 'cvv2',
  month: 'expireMonth',
  year: 'expireYear',
  holder: 'cardPrintedName',
};
const slot = (name: string) => `\${${name}}`;

/** What a target file has to say of a sandbox that makes these choices: every line that the choices decide. */
export function targetLines({ gateway, v1 }: Choices): readonly TargetLine[] {
  const { besides, recurring, report, ...templates } = templatesOf(gateway);
  const { transaction, types } = entryWire(gateway);
  const id = (name: string) => (gateway.pageIds === 'usual' ? `#${name}` : `#x-${name}`);
  const operations = ['sale', 'auth', 'saleForm', 'authForm', 'accountVerification', 'capture', 'reversal'];
  const wire = {
    amount: gateway.amount,
    amountRead: gateway.amountRead,
    ...templates,
    ...(gateway.besides === 'nothing' ? {} : { extra: Object.fromEntries(operations.map((one) => [one, besides])) }),
    names: THREE_DS_NAMES[gateway.threeDSNames],
    read: {
      orderSystemId: gateway.systemIdAt,
      correlationId: gateway.correlationAt,
      cardId: gateway.cardIdAt,
      transaction,
      history: historyNames(gateway),
    },
    types,
    recurring: {
      path: `${gateway.recurringPath === 'usual' ? '/recurring/register-cards' : OTHER_PATHS.registerCards}/${slot('requestorId')}`,
      body: recurring,
    },
    report: {
      path: `${gateway.reportPath === 'usual' ? '/report/transaction/by-merchant' : OTHER_PATHS.transactionReport}/${slot('login')}`,
      body: report,
      rows: { usual: '/transactions', 'bare list': '', nested: '/data/report/rows' }[gateway.reportFields],
      row: rowPointers(gateway),
    },
  };
  const form = Object.fromEntries(Object.entries(FORM).map(([name, one]) => [name, id(one)]));
  return [
    [['gateway', 'balance'], balanceName(gateway, 'main', 'outward')],
    ...Object.entries(wire).map(([name, value]): TargetLine => [['gateway', 'wire', name], value]),
    [['gateway', 'form'], { ...form, submit: id('pay'), cancel: id('cancel') }],
    [['gateway', 'acs'], { submit: id('approve'), cancel: id('refuse') }],
    ...Object.entries(deliveryPointers(v1)).map(([name, value]): TargetLine => [['v1', 'wire', name], value]),
  ];
}

/** Pointers into a card history answer, by the names that a target file has for them. */
function historyNames(gateway: Choices['gateway']): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(historyPointers(gateway)).map(([name, pointer]) => [
      name.replace('SeveralSources', 'Several'),
      pointer,
    ]),
  );
}
