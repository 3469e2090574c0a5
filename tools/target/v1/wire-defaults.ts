// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are placeholders of request templates
import type { RequestTemplate } from '../types.ts';
import type { TargetV1Wire } from './types.ts';

/** A one-pixel picture, the smallest attachment that is what it says. */
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=';

/** What a target file need not say: request templates. */
export const V1_WIRE_DEFAULTS = {
  payer: { ultimate: { name: 'Ada Test' } },
  recipient: { name: 'Grace Test', iban: '${iban}', country_code: 'DE' },
  document: {
    type: 'passport',
    description: 'Conformance check',
    file_name: '${fileName}',
    attachment: { content: PIXEL, page_type: null },
  },
} as const satisfies Record<string, RequestTemplate>;

/** The letters of SEPA (EPC 217-08). */
export const SEPA_CHARACTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789 /-?:().,'+";

/** Texts that any bank takes: of a payment code, a purpose that every list has. */
export const TRANSFER_SAMPLES: TargetV1Wire['samples'] = {
  payment_details: ['Conformance check', 'Conformance check '.padEnd(140, 'A')],
  payment_code: ['SUPP'],
  end_to_end_ident: ['CONFORMANCE-CHECK', 'A'.repeat(35)],
};
