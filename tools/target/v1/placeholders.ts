import type { PlaceholderTable } from '../target-service.ts';

/** What a target file may use in the templates of the v1 service. */
export const V1_PLACEHOLDERS: PlaceholderTable = {
  iban: { type: 'string', means: 'v1.ibans.valid', in: 'v1.wire.recipient, v1.wire.swift' },
  fileName: { type: 'string', means: 'a new file name', in: 'v1.wire.document' },
  uuid: { type: 'string', means: 'transaction, or account for an event of an account', in: 'control' },
  status: { type: 'number', means: 'HTTP status that the failure is answered with, 400 or 500', in: 'control.v1Fault' },
  token: { type: 'string', means: 'v1.newcomer', in: 'control.forget' },
};
