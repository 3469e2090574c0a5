import { type ApiReply, expect } from '#harness';

/** The rules about every error, whatever it is about and whichever operation answers it. */
export const ERROR_FORM = [
  'V1-ERR-08',
  'V1-ERR-09',
  'V1-ERR-10',
  'V1-ERR-11',
  'V1-ERR-12',
  'V1-GEN-03',
  'V1-LIM-05',
  'V1-LIM-07',
] as const;

/** Holds an error against the form of all of them (v1, Errors): its label, its four members and the headers of the limit. */
export function expectErrorForm(reply: ApiReply): void {
  const { object, status, headers } = reply;
  expect(reply, 'V1-GEN-03').toBeJson();
  expect(Object.keys(object), 'V1-ERR-08').toEqual(
    expect.arrayContaining(['status', 'status_code', 'message', 'errors']),
  );
  expect(object.status, 'V1-ERR-09').toBe(false);
  expect(object.status_code, 'V1-ERR-10').toBe(status);
  expect(typeof object.message, 'V1-ERR-11').toBe('string');
  expect(object.errors, 'V1-ERR-12').toBeInstanceOf(Object);
  expect(headers.get('x-ratelimit-limit'), 'V1-LIM-05').toMatch(/^\d+$/);
  expect(headers.get('x-ratelimit-remaining'), 'V1-LIM-07').toMatch(/^\d+$/);
}
