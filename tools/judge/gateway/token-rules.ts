import { isMaskedText } from '#evidence';
import { type ClientRule, requestRule, trafficRule } from '../client-rule.ts';
import { type AskedRequest, membersOf } from '../read-traffic.ts';

const takesBearer = ({ known: { operation } }: AskedRequest): boolean =>
  operation.api === 'gateway' && operation.security.includes('bearer');

/** Headers that browsers add by themselves; some clients of servers send others of the kind. */
const BROWSER_MARKS = ['origin', 'sec-fetch-site', 'sec-ch-ua'];

/** The token of a request; undefined when there is none, or it was taken out of a recording. */
function tokenOf({ headers }: AskedRequest): string | undefined {
  const token = /^Bearer +(\S+)$/.exec(headers.get('authorization') ?? '')?.[1];
  return token === undefined || isMaskedText(token) ? undefined : token;
}

/** How a caller deals with its token. */
export const gatewayTokenRules: readonly ClientRule[] = [
  requestRule(
    'GW-CTK-01',
    takesBearer,
    ({ headers }) => {
      const value = headers.get('authorization');
      if (value === undefined || value === '') return 'no header Authorization';
      return value.startsWith('Bearer') || 'another scheme';
    },
    ['authorization'],
  ),
  requestRule(
    'GW-CTK-02',
    takesBearer,
    ({ headers }) => {
      const value = headers.get('authorization');
      if (!value?.startsWith('Bearer')) return undefined;
      return /^Bearer \S+$/.test(value) || 'other than one space and a token after Bearer';
    },
    ['authorization'],
  ),
  trafficRule(
    'GW-CTK-03',
    ({ asked, all }, notes) => {
      const mine = asked.filter(takesBearer);
      const own = new Set(mine.map(({ index }) => index));
      const tokens = new Set(mine.flatMap((one) => tokenOf(one) ?? []));
      for (const one of all) {
        const { url } = one.exchange.request;
        if ([...tokens].some((token) => url.includes(token) || url.includes(encodeURIComponent(token))))
          notes.break(one, 'the token in the address');
        else if (own.has(one.index) && tokens.size > 0) notes.keep(one);
      }
    },
    ['authorization'],
  ),
  requestRule(
    'GW-CTK-04',
    takesBearer,
    ({ headers }) => {
      if (!headers.has('authorization')) return undefined;
      const mark = BROWSER_MARKS.find((name) => headers.has(name));
      return mark === undefined || `a header ${mark}, as browsers send it`;
    },
    ['headers', 'authorization'],
  ),
  trafficRule(
    'GW-CTK-05',
    ({ asked }, notes) => {
      const mine = asked.filter(takesBearer);
      mine.forEach((one, i) => {
        const token = tokenOf(one);
        const { errorCode } = membersOf(one.answer);
        if (token === undefined || one.exchange.response?.status !== 401 || errorCode !== -7) return;
        const again = mine.slice(i + 1).find((later) => tokenOf(later) === token && sameDoor(later, one));
        if (again === undefined) notes.keep(one);
        else notes.break(again, 'the same host, id and token again');
      });
    },
    ['authorization'],
  ),
];

/** Whether two requests go to one host under one id. */
function sameDoor(a: AskedRequest, b: AskedRequest): boolean {
  const door = ({ exchange, known }: AskedRequest) => {
    const host = URL.canParse(exchange.request.url) ? new URL(exchange.request.url).host : '';
    return JSON.stringify([host, Object.values(known.path)]);
  };
  return door(a) === door(b);
}
