import { Recorder } from '../recorder.ts';
import { Redactor } from '../redact.ts';
import type { Line, Redacted } from '../types.ts';
import { CODE_HEADERS, codeCases } from './codes.ts';
import { digestCases } from './digests.ts';
import { PLANTING_PLACES, type Planted } from './places.ts';
import { CARD_SPELLINGS, SCHEME_CARDS, twinOf } from './spellings.ts';

export { ENDLESS_TEXTS, writeEndless } from './endless-texts.ts';

/** What became of an attack: how often it was tried, where a secret came through, and where a line had to be withheld. */
export interface Survival {
  readonly tries: number;
  readonly survivors: readonly string[];
  readonly withheld: readonly string[];
}

/** What to try of a corpus: every n-th case, beginning with the first. */
export interface Sampling {
  readonly every?: number;
}

/** Everything that is written of texts planted one after another in checks of their own; undefined when a line was withheld. */
export function writtenOf(planted: readonly Planted[], redactor = new Redactor()): string | undefined {
  const lines: Redacted<Line>[] = [];
  const journal = { write: (line: Redacted<Line>) => void lines.push(line), note: () => {} };
  const spoken: string[] = [];
  try {
    for (const [n, one] of planted.entries()) {
      const recorder = new Recorder(`c0ffee0${n}`, redactor, journal);
      recorder.exchange(
        {
          api: 'gateway',
          direction: 'out',
          at: 1_763_692_127_123,
          duration: 12,
          request: {
            method: 'POST',
            url: one.url ?? 'https://gateway.example/api/payments/sale/7',
            headers: [['content-type', 'application/json'], ...(one.requestHeader ? [one.requestHeader] : [])],
            body: Buffer.from(one.requestBody ?? '{"order":{}}'),
          },
          response: {
            status: 200,
            headers: one.answerHeader ? [one.answerHeader] : [],
            body: Buffer.from(one.answerBody ?? '{}'),
          },
          failure: one.failure,
          violations: one.violation ? [{ rule: 'GW-SAL-01', expected: 'another', ...one.violation }] : [],
        },
        one.observation ? [{ hole: 'GW-HOLE-01', ...one.observation }] : [],
      );
      if (one.effect !== undefined) recorder.effect({ what: 'order', id: one.effect, restored: false });
      if (one.console !== undefined) {
        const message = recorder.redact(one.console);
        spoken.push(message);
        recorder.finish({
          title: 'plants a secret',
          file: 'tests/gateway/sale.spec.ts',
          line: 1,
          project: 'gateway',
          rules: [],
          outcome: 'fail',
          failures: [{ message }],
          startedAt: '2026-03-02T09:00:00.000Z',
          duration: 1,
        });
      }
    }
  } catch {
    return undefined;
  }
  // How long a body was tells little of what stood in it, and escapes make it longer by chance.
  return [...lines.map((line) => JSON.stringify(line).replace(/"size":\d+/g, '')), ...spoken].join('\n');
}

/**
 * Backwards, twelve or thirteen digits are too often a time or an order number to be taken for a card that nobody has named; and nineteen
 * may by chance be a card number forwards as well, and be masked as that.
 */
const LEFT_BACKWARDS = /^reversed.*(?:12|13|19) digits$/;

/**
 * Plants card numbers of every scheme in every spelling and place, each beside a twin that differs only in digits nobody may see: where
 * what is written of the two differs, the number came through.
 * @param known whether the redactor was told the numbers before
 */
export function attackCards(known: boolean, { every = 1 }: Sampling = {}): Survival {
  const cases = known ? cardCases() : cardCases().filter(({ name }) => !LEFT_BACKWARDS.test(name));
  return tally(cases, every, ({ place, spelling, digits }) =>
    [digits, twinOf(digits)].map((one) => {
      const redactor = new Redactor();
      if (known) redactor.addCard(one);
      const written = writtenOf([PLANTING_PLACES[place]!(CARD_SPELLINGS[spelling]!(one))], redactor);
      // Read otherwise, also with the digits of an escape before it, it may by chance be a number of its own: then it is masked as one, or
      // not at all shown.
      const masks = `(?:%(?:[0-9A-F]{2})?)?(?:${one.slice(0, 6)}\\*{6}(?:${one.slice(-4)}|${one.slice(-3)}\\d)|\\[redacted\\])`;
      return written?.replace(new RegExp(masks, 'g'), 'masked');
    }),
  );
}

/** Every scheme in every spelling in every place. */
export function cardCases(): { name: string; scheme: string; digits: string; spelling: string; place: string }[] {
  return Object.entries(SCHEME_CARDS).flatMap(([scheme, digits]) =>
    Object.keys(CARD_SPELLINGS).flatMap((spelling) =>
      Object.keys(PLANTING_PLACES).map((place) => ({
        name: `${spelling}, ${place}, ${scheme}`,
        ...{ scheme, digits, spelling, place },
      })),
    ),
  );
}

const CODES = ['8391', '5274'] as const;
const CODE_PLACES: Readonly<Record<string, (text: string) => Planted>> = {
  request: (requestBody) => ({ requestBody }),
  answer: (answerBody) => ({ answerBody }),
  console: (text) => ({ console: text }),
};

/** Plants verification codes beside their names, in structures, sentences and headers; compares what is written of two codes. */
export function attackCodes({ every = 1 }: Sampling = {}): Survival {
  const bodies = codeCases().flatMap(({ name, write }) =>
    Object.entries(CODE_PLACES).map(([place, plant]) => ({
      name: `${name}, ${place}`,
      plant: (code: string) => plant(write(code)),
    })),
  );
  const headers = CODE_HEADERS.flatMap((header) => [
    { name: `request header ${header}`, plant: (code: string): Planted => ({ requestHeader: [header, code] }) },
    { name: `answer header ${header}`, plant: (code: string): Planted => ({ answerHeader: [header, code] }) },
    {
      name: `query ${header}`,
      plant: (code: string): Planted => ({ url: `https://x.example/?a=1&${header}=${code}` }),
    },
  ]);
  return tally([...bodies, ...headers], every, ({ plant }) => CODES.map((code) => writtenOf([plant(code)])));
}

/** Lets a service give back digests of a body that held a card number, of an earlier check's body and of the number itself. */
export function attackDigests({ every = 1 }: Sampling = {}): Survival {
  const number = SCHEME_CARDS['Mastercard']!;
  const bodyOf = (digits: string) => JSON.stringify({ order: { amount: '10.00' }, card: { cardNumber: digits } });
  const orders: Readonly<Record<string, (digits: string, write: (subject: string) => string) => Planted[]>> = {
    'body of this exchange': (digits, write) => [{ requestBody: bodyOf(digits), answerBody: write(bodyOf(digits)) }],
    "body of another check's": (digits, write) => [
      { requestBody: bodyOf(digits) },
      { answerBody: write(bodyOf(digits)) },
    ],
    'number itself': (digits, write) => [{ requestBody: bodyOf(digits) }, { answerBody: write(digits) }],
  };
  const cases = digestCases().flatMap(({ name, write }) =>
    Object.entries(orders).map(([subject, plant]) => ({ name: `${name}, ${subject}`, write, plant })),
  );
  return tally(cases, every, ({ plant, write }) =>
    [number, twinOf(number)].map((digits) => writtenOf(plant(digits, write))),
  );
}

function tally<T extends { name: string }>(
  cases: readonly T[],
  every: number,
  written: (one: T) => readonly (string | undefined)[],
): Survival {
  const tried = cases.filter((_, i) => i % every === 0);
  const survivors: string[] = [];
  const withheld: string[] = [];
  for (const one of tried) {
    const [first, second] = written(one);
    if (first === undefined || second === undefined) withheld.push(one.name);
    else if (first !== second) survivors.push(one.name);
  }
  return { tries: tried.length, survivors, withheld };
}
