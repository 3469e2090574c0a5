import { isMaskedText } from '#evidence';
import { type ClientRule, type RuleSight, requestRule, trafficRule } from '../client-rule.ts';
import { findMembers, findTexts, isGiven, membersOf, type ReadExchange, type ReadTraffic } from '../read-traffic.ts';

/** What a caller was told to do next, and by which exchange. */
interface ToldStep {
  readonly one: ReadExchange;
  readonly orderId: string;
  readonly step: Readonly<Record<string, unknown>>;
}

/** Seconds after which what was not reported is not going to be. */
const PATIENCE = 60;

function stepsOf({ all }: ReadTraffic, name: string): ToldStep[] {
  return all.flatMap((one) => {
    const body = membersOf(one.exchange.direction === 'in' ? one.body : one.answer);
    const step = membersOf(body['threeDSAuth']);
    if (step['threeDSAuthStep'] !== name) return [];
    const orderId = String(body['orderSystemId'] ?? membersOf(one.body)['orderSystemId'] ?? '');
    return [{ one, orderId, step }];
  });
}

/** Values of a form field that a browser was given or posted. */
function fieldValues({ pages }: ReadTraffic, name: string): Set<string> {
  const input = new RegExp(`name="${name}"\\s+value="([^"]*)"`, 'gi');
  return new Set(
    pages.flatMap(({ form, answerText }) => [
      ...[...form].filter(([key]) => key.toLowerCase() === name.toLowerCase()).map(([, value]) => value),
      ...[...answerText.matchAll(input)].map(([, value]) => unescapeHtml(value!)),
    ]),
  );
}

function unescapeHtml(text: string): string {
  return text
    .replace(/&#(\d+);/g, (_all, code) => String.fromCharCode(Number(code)))
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}

/** A rule that a value of the ACS is handed on as it was. */
function handedOn(id: string, operation: string, field: string): ClientRule {
  return trafficRule(
    id,
    (traffic, notes) => {
      const given = fieldValues(traffic, field);
      if (given.size === 0) return;
      for (const one of traffic.asked.filter((request) => request.operation === operation)) {
        const { orderSystemId: _, ...others } = membersOf(one.body);
        const texts = findTexts(others);
        // Of a value that was taken out of a recording nothing can be said.
        if (texts.some(isMaskedText) || [...given].some(isMaskedText)) continue;
        notes.take(one, texts.some((text) => given.has(text)) || 'a value that no ACS gave');
      }
    },
    ['browser'],
  );
}

/** How a browser loads something, by a header of its own. */
function destination({ headers }: ReadExchange, wanted: string): RuleSight {
  const value = headers.get('sec-fetch-dest');
  return value === undefined ? undefined : value === wanted || `loaded as ${value}`;
}

/** What a caller does in the steps of 3-D Secure. */
export const threeDSRules: readonly ClientRule[] = [
  trafficRule('GW-C3D-01', (traffic, notes) => {
    const reports = traffic.asked.filter(({ operation }) => operation === 'threeDSMethod');
    const last = traffic.all.at(-1)?.endedAt ?? 0;
    for (const { one, orderId } of stepsOf(traffic, 'THREEDS_METHOD')) {
      const isReported = reports.some(({ body }) => String(membersOf(body)['orderSystemId']) === orderId);
      const isLate = traffic.isWhole || last - one.endedAt > PATIENCE * 1000;
      if (isReported) notes.keep(one);
      else if (isLate && orderId !== '') notes.break(one, 'the method was never reported');
    }
  }),
  requestRule('GW-C3D-02', ['threeDSMethod'], ({ body }) => {
    const names = ['orderSystemId', 'browser', 'threeDSServerTransID', 'cresUrl', 'threeDSCompInd'];
    const missing = names.filter((name) => !isGiven(membersOf(body)[name]));
    return missing.length === 0 || `${missing.join(' and ')} missing`;
  }),
  requestRule('GW-C3D-03', ['threeDSMethod'], ({ body }) => {
    const { threeDSCompInd: word } = membersOf(body);
    return !isGiven(word) ? undefined : ['Y', 'N', 'U'].includes(String(word)) || 'another word';
  }),
  trafficRule(
    'GW-C3D-04',
    (traffic, notes) => {
      const steps = stepsOf(traffic, 'THREEDS_METHOD');
      for (const one of traffic.asked.filter(({ operation }) => operation === 'threeDSMethod')) {
        const { orderSystemId, threeDSCompInd } = membersOf(one.body);
        const step = steps.findLast(({ orderId }) => orderId === String(orderSystemId));
        if (step === undefined || !isGiven(threeDSCompInd)) continue;
        const isLoaded = traffic.pages.some(
          ({ exchange, index }) => index < one.index && exchange.request.url === step.step['threeDSMethodUrl'],
        );
        notes.take(one, threeDSCompInd !== 'Y' || isLoaded || 'Y, and no browser had loaded the method');
      }
    },
    ['browser'],
  ),
  trafficRule(
    'GW-C3D-05',
    (traffic, notes) => {
      const addresses = stepsOf(traffic, 'THREEDS_METHOD').map(({ step }) => step['threeDSMethodUrl']);
      for (const page of traffic.pages)
        if (addresses.includes(page.exchange.request.url)) notes.take(page, destination(page, 'iframe'));
    },
    ['browser'],
  ),
  orderIdRule('GW-C3D-06', 'threeDSCRes'),
  handedOn('GW-C3D-07', 'threeDSCRes', 'cres'),
  orderIdRule('GW-C3D-08', 'threeDSPaRes'),
  handedOn('GW-C3D-09', 'threeDSPaRes', 'PaRes'),
  trafficRule(
    'GW-C3D-10',
    (traffic, notes) => {
      const steps = [...stepsOf(traffic, 'CREQ'), ...stepsOf(traffic, 'PAREQ')].map(({ step }) => step);
      for (const page of traffic.pages.filter(({ form }) => [...form].length > 0)) {
        const posted = steps.filter(({ acsUrl }) => acsUrl === page.exchange.request.url);
        const values = [...page.form].filter(([name]) => /^(?:creq|pareq)$/i.test(name)).map(([, value]) => value);
        if (posted.length === 0 || values.some(isMaskedText)) continue;
        const isSame = values.some((value) => posted.some(({ creq, paReq }) => value === (creq ?? paReq)));
        notes.take(page, isSame || 'a message that the service did not give');
      }
    },
    ['browser'],
  ),
];

function orderIdRule(id: string, operation: string): ClientRule {
  return requestRule(
    id,
    [operation],
    ({ body }) => findMembers(body, 'orderSystemId').some(isGiven) || 'no orderSystemId',
  );
}
