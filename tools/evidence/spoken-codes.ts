import { MASK } from './mask.ts';

const NAMES =
  'cvv2?|cvc2?|csc|cav2?|cvn2?|cvd2?|cv2|cvx2?|(?:card )?(?:security|verification|validation) (?:code|value|number)|card code';
const SHORT_LIVED = 'otp|one[- ]time (?:code|password|passcode)|pin code|pin';
const BETWEEN =
  '((?:[^A-Za-z0-9\\n<]|<\\/?[A-Za-z][^<>]{0,60}>|(?:is|was|of|the|code|value|number|got|sent|received|expected|and|not|card|your|this|for|invalid|wrong)(?![A-Za-z])){1,30}?)';
// No date and no decimal number: neither is a code.
const END = '(?!\\d|\\.\\d|-\\d\\d-)';
const BEFORE =
  '(["\'`)\\]]?\\s(?:is|was|as|for)\\s(?:(?:not|an?|the|in|valid|invalid|wrong|incorrect|expected|card|your|of|this)\\s){0,5})';

/** What is looked for in a text; each of them takes linear time on any text. */
export const SPOKEN_PATTERNS = {
  after: new RegExp(`(?<![A-Za-z0-9])(${NAMES})(?![A-Za-z0-9])${BETWEEN}(\\d{3,4})${END}`, 'gi'),
  afterShortLived: new RegExp(`(?<![A-Za-z0-9])(${SHORT_LIVED})(?![A-Za-z0-9])${BETWEEN}(\\d{3,8})${END}`, 'gi'),
  before: new RegExp(`(?<![\\w.])()()(\\d{3,8})${BEFORE}(?:${NAMES}|${SHORT_LIVED})(?![A-Za-z0-9])`, 'gi'),
  hint: /c[vs][a-z0-9]|cav|code|value|number|otp|one.time|pin/i,
} as const;

/** Takes out verification codes beside their name in running text: `CVV was 123`, `123 is not a valid security code`. */
export function hideSpokenCodes(text: string): string {
  if (!SPOKEN_PATTERNS.hint.test(text)) return text;
  const hide = (_all: string, name: string, between: string, _code: string, ...rest: unknown[]) => {
    const [offset, whole] = rest.slice(-2) as [number, string];
    const end = offset + _all.length;
    // A bare number of JSON becomes a text of JSON.
    const bare = /[:,[]\s*$/.test(between) && /^\s*[,}\]]/.test(whole.slice(end, end + 20)) && /"/.test(between);
    return name + between + (bare ? `"${MASK}"` : MASK);
  };
  return text
    .replace(SPOKEN_PATTERNS.after, hide)
    .replace(SPOKEN_PATTERNS.afterShortLived, hide)
    .replace(
      SPOKEN_PATTERNS.before,
      (all, _name: string, _between: string, code: string) => MASK + all.slice(code.length),
    );
}
