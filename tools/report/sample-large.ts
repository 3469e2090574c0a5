import type { Api } from '#apis';
import type { Rule } from '#contract';
import type { ExchangeLine, Line } from '#evidence';
import { finishJournal, sampleCheck, sampleExchange, sampleRunLine } from './sample-run.ts';
import type { ProofFile, ProvenRule } from './types.ts';

/**
 * A large run for measuring: many rules, ten to twenty-five exchanges a check, bodies of usual length with ids of their own.
 * @param count exchanges in all
 * @param size rules of the register
 */
export function* largeLines(count: number, size = 400): Generator<Line> {
  const draw = random(20260302);
  const run = sampleRunLine();
  // An area has room for 90 rules.
  const most = Math.max(20, Math.ceil(size / 90));
  const letter = (nth: number) => String.fromCharCode(65 + nth);
  const rules = Array.from({ length: size }, (_, i): Rule => {
    const like = run.register.rules[i % 12]!;
    const nth = i % most;
    const area = `${like.api === 'v1' ? 'V1' : 'GW'}-${letter(Math.floor(nth / 26))}${letter(nth % 26)}`;
    const { retired: _retired, untestable: _untestable, ...rest } = like;
    return {
      ...rest,
      id: `${area}-${String(10 + Math.floor(i / most)).padStart(2, '0')}`,
      area,
      text: `${like.text} Case ${i} of many.`,
    };
  });
  const areas = [...new Set(rules.map(({ area, api }) => `${api} ${area}`))].map((one) => {
    const [api, id] = one.split(' ') as ['v1' | 'gateway', string];
    return { id, api, title: `Area ${id}`, file: `${api}/${id.toLowerCase()}` };
  });
  yield { ...run, register: { ...run.register, rules, areas }, waivers: [] };
  let made = 0;
  let checks = 0;
  while (made < count) {
    const id = hex(draw, 8);
    const own = Math.min(count - made, 10 + Math.floor(draw() * 16));
    const rule = rules[checks % rules.length]!;
    for (let nth = 1; nth <= own; nth += 1) yield usual(draw, id, nth, rule.api);
    made += own;
    checks += 1;
    const fails = checks % 97 === 0;
    yield {
      ...sampleCheck(id, `keeps what ${rule.id} promises in case ${checks}`, [rule.id], {
        file: `tests/${rule.api}/${rule.area.toLowerCase()}.spec.ts`,
        ...(fails && {
          outcome: 'fail',
          failures: [
            {
              message: 'it came otherwise',
              expected: `answer ${checks}`,
              actual: 'another answer',
              exchange: `${id}.${own}`,
            },
          ],
        }),
      }),
      exchanges: own,
    };
  }
  const [end] = finishJournal([]);
  yield { ...(end as Extract<Line, { kind: 'end' }>), counts: { checks, exchanges: made } };
}

/** A proof of such a run: two or three lies about every rule on average, a few of them turning others red. @param size rules */
export function largeProofs(size = 400): ProofFile {
  const [run] = largeLines(0, size);
  const rules = (run as Extract<Line, { kind: 'run' }>).register.rules;
  const draw = random(7);
  const proofs = rules.map(({ id }, i): [string, ProvenRule] => {
    const lies = Array.from({ length: 1 + Math.floor(draw() ** 2 * 5) }, (_, n) => ({
      name: `lie-${n + 1}-about-what-case-${i}-promises`,
      caught: true,
      by: [hex(draw, 8)],
      ...(draw() < 0.1 && { beside: [rules[(i + 20) % rules.length]!.id] }),
    }));
    return [id, { seal: 'ab'.repeat(8), finishedAt: '2026-03-01T22:00:00.000Z', checks: 2, lies }];
  });
  const lies = proofs.reduce((sum, [, proof]) => sum + proof.lies.length, 0);
  return {
    suite: 'ab'.repeat(32),
    known: lies,
    rules: Object.fromEntries(proofs),
  };
}

function usual(draw: () => number, check: string, nth: number, api: Api): ExchangeLine {
  const operations = ['sale', 'status', 'capture', 'listTransactions'] as const;
  const operation = operations[Math.floor(draw() * operations.length)]!;
  const uuid = () => [8, 4, 4, 4, 12].map((length) => hex(draw, length)).join('-');
  const body = {
    correlationId: uuid(),
    orderSystemId: Math.floor(draw() * 1e8),
    orderMerchantId: `m-${uuid()}`,
    orderState: draw() < 0.8 ? 'APPROVED' : 'DECLINED',
    statusCreatedTimestamp: 1772442000000 + Math.floor(draw() * 1e7),
    transactionType: 'SALE',
    orderAmount: (draw() * 100).toFixed(2),
    orderCurrencyCode: 'EUR',
    cardFirstDigits: '555544',
    cardLastDigits: '1111',
    transactions: Array.from({ length: 1 + Math.floor(draw() * 3) }, () => ({
      type: 'AUTH',
      status: 'APPROVED',
      amount: '10.00',
      createdSystemTimestamp: `2026.03.02 09:${10 + Math.floor(draw() * 49)}:${10 + Math.floor(draw() * 49)} +0000`,
    })),
  };
  const sent = JSON.stringify({
    orderMerchantId: body.orderMerchantId,
    order: {
      orderMerchantId: body.orderMerchantId,
      orderDescription: 'an order',
      orderAmount: body.orderAmount,
      orderCurrencyCode: 'EUR',
    },
    browser: {
      ipAddress: '203.0.113.7',
      acceptHeader: 'text/html',
      colorDepth: 32,
      javascriptEnabled: true,
      acceptLanguage: 'en',
      screenHeight: 900,
      screenWidth: 1440,
      timeZone: -180,
      userAgent: 'Mozilla/5.0',
      javaEnabled: false,
    },
    card: {
      cardNumber: '555544******1111',
      cvv2: '[redacted]',
      expireMonth: '10',
      expireYear: '2027',
      cardPrintedName: 'A CUSTOMER',
    },
  });
  return {
    ...sampleExchange(check, nth, { operation, body, path: `/payments/${operation}/7`, api }),
    duration: Math.round(draw() * 400) / 10 + 1,
    request: {
      method: 'POST',
      url: `http://127.0.0.1:43210/api/payments/${operation}/7`,
      headers: [
        ['accept', 'application/json'],
        ['authorization', 'Bearer [redacted]'],
        ['content-type', 'application/json'],
        ['x-request-id', uuid()],
      ],
      body: sent,
      size: sent.length,
    },
    redactions: 2,
  };
}

function hex(draw: () => number, length: number): string {
  return Array.from({ length }, () => Math.floor(draw() * 16).toString(16)).join('');
}

/** A small generator of numbers that are the same on every machine. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}
