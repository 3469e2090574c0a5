import type { ServiceNeeds } from '../target-service.ts';
import type { V1Target } from './types.ts';

/** Need to the lines of a target file that offer it. */
export const V1_NEED_OFFERS: ServiceNeeds<'v1', V1Target> = {
  v1: { code: 'service', what: 'v1 service', lines: ['v1'], offered: (v1) => v1 },
  'v1.unprivileged': {
    code: 'credentials',
    what: 'v1 token without rights',
    lines: ['v1.unprivileged'],
    offered: (v1) => v1?.unprivileged,
  },
  'v1.user': {
    code: 'credentials',
    what: 'v1 user without a webhook configuration',
    lines: ['v1.newcomer'],
    offered: (v1) => v1?.newcomers[0],
  },
  account: { code: 'credentials', what: 'account', lines: ['v1.account'], offered: (v1) => v1?.account },
  'account.second': {
    code: 'credentials',
    what: 'second account',
    lines: ['v1.secondAccount'],
    offered: (v1) => v1?.secondAccount,
  },
  customer: { code: 'credentials', what: 'customer', lines: ['v1.customer'], offered: (v1) => v1?.customer },
  'iban.valid': {
    code: 'card',
    what: 'IBAN of a known bank',
    lines: ['v1.ibans.valid'],
    offered: (v1) => v1?.ibans.valid,
  },
  'iban.unlisted': {
    code: 'card',
    what: 'IBAN of an unknown bank',
    lines: ['v1.ibans.unlisted'],
    offered: (v1) => v1?.ibans.unlisted,
  },
  'iban.broken': {
    code: 'card',
    what: 'broken IBAN',
    lines: ['v1.ibans.broken'],
    offered: (v1) => v1?.ibans.broken,
  },
  receiver: {
    code: 'capability',
    what: 'way for events to reach this machine',
    lines: ['callback'],
    offered: (v1, { callback }) => v1 && callback,
  },
  trigger: {
    code: 'capability',
    what: 'way to bring an event about',
    lines: ['control.accountEvent, control.virtualIbanEvent, control.complete or control.fail'],
    offered: (_v1, { control }) => control.accountEvent ?? control.virtualIbanEvent ?? control.complete ?? control.fail,
  },
  'v1.fault': {
    code: 'capability',
    what: 'way to make the v1 service fail',
    lines: ['control.v1Fault'],
    offered: (v1, { control }) => v1 && control.v1Fault,
  },
  exhaustion: {
    code: 'cost',
    what: 'leave to use up its rate limit',
    lines: ['manners.exhaust: true'],
    offered: (v1, { manners }) => v1 && manners.exhaust,
  },
};
