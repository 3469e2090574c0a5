import { isMaskedText } from '#evidence';
import { type ClientRule, requestRule } from '../client-rule.ts';
import { isGiven, membersOf } from '../read-traffic.ts';

/** What a caller puts into the upload of a document. */
export const documentRules: readonly ClientRule[] = [
  requestRule('V1-CDO-01', ['uploadDocument'], ({ body }) => isGiven(membersOf(body)['type']) || 'no type'),
  requestRule('V1-CDO-02', ['uploadDocument'], ({ body }) => isGiven(membersOf(body)['file_name']) || 'no file_name'),
  requestRule('V1-CDO-03', ['uploadDocument'], ({ body }) => {
    const { content } = membersOf(membersOf(body)['attachment']);
    if (content === undefined || (typeof content === 'string' && isMaskedText(content))) return undefined;
    const isBase64 =
      typeof content === 'string' &&
      /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}(?:==)?|[A-Za-z0-9+/]{3}=?)?$/.test(content);
    return isBase64 || 'something else';
  }),
];
