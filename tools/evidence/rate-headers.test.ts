import { expect, test } from '@playwright/test';
import { readRateHeaders } from './rate-headers.ts';

const NONE = { limit: undefined, left: undefined };

for (const [what, headers, said] of [
  [
    'names in any case, values with blanks around',
    [
      ['X-RateLimit-Limit', ' 500 '],
      ['x-ratelimit-remaining', '0'],
    ],
    { limit: 500, left: 0 },
  ],
  ['one without the other', [['x-ratelimit-remaining', '7']], { limit: undefined, left: 7 }],
  [
    'the first of several',
    [
      ['X-RateLimit-Limit', '500'],
      ['x-ratelimit-limit', '9'],
    ],
    { limit: 500, left: undefined },
  ],
  ['nothing', [['content-type', 'application/json']], NONE],
  [
    'no whole numbers',
    [
      ['x-ratelimit-limit', 'many'],
      ['x-ratelimit-remaining', '-1'],
    ],
    NONE,
  ],
  [
    'an empty one, and one with a fraction',
    [
      ['x-ratelimit-limit', ''],
      ['x-ratelimit-remaining', '4.5'],
    ],
    NONE,
  ],
] as const)
  test(`reads ${what}, of a list and of a map`, () => {
    expect(readRateHeaders(headers)).toEqual(said);
    // A map has one value a name.
    if (what !== 'the first of several') expect(readRateHeaders(new Map(headers))).toEqual(said);
  });
