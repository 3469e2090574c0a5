const ESCAPE =
  /%(?:25)*[0-9A-Fa-f]{2}|\\+u[0-9A-Fa-f]{4}|\\+x[0-9A-Fa-f]{2}|&#(?:\d{1,6}|[xX][0-9A-Fa-f]{1,5});|&nbsp;/g;

/**
 * The text with percent, JSON and HTML escapes and digits of other scripts made plain, for finding what hides behind them.
 * @returns the plain text, and for each place in it the place in the text before
 */
export function unescaped(text: string): { text: string; at: (index: number) => number } {
  // Places after which plain text and text before run in step again: plain, before, plain, before, …
  const breaks: number[] = [];
  let out = '';
  let from = 0;
  for (const match of text.matchAll(ESCAPE)) {
    out += text.slice(from, match.index);
    breaks.push(out.length, match.index);
    out += meaning(match[0]);
    from = match.index + match[0].length;
    breaks.push(out.length, from);
  }
  const whole = digitsOf(out + text.slice(from));
  if (breaks.length === 0) return { text: whole, at: (index) => index };
  return {
    text: whole,
    at: (index) => {
      let low = 0;
      let high = breaks.length / 2;
      while (low < high) {
        const middle = (low + high) >> 1;
        if (breaks[2 * middle]! <= index) low = middle + 1;
        else high = middle;
      }
      return low === 0 ? index : breaks[2 * low - 1]! + index - breaks[2 * low - 2]!;
    },
  };
}

// A UTF-8 lead byte of a percent-encoded blank or dash says nothing by itself; it counts as part of the gap.
function meaning(written: string): string {
  if (written === '&nbsp;') return ' ';
  const hex = /^(?:%(?:25)*|\\+[ux]|&#[xX])([0-9A-Fa-f]+)/.exec(written);
  const code = hex ? Number.parseInt(hex[1]!, 16) : Number(/\d+/.exec(written)![0]);
  if (written[0] === '%') return code === 0x0a || code === 0x0d ? '\n' : code >= 0x80 ? ' ' : String.fromCharCode(code);
  return code > 0xffff ? '\ufffd' : String.fromCharCode(code);
}

/** Digits of other scripts as ASCII; each is one character either way. */
function digitsOf(text: string): string {
  return /[\u0660-\u0669\u06f0-\u06f9\u0966-\u096f\uff10-\uff19]/.test(text)
    ? text.replace(/[\u0660-\u0669\u06f0-\u06f9\u0966-\u096f\uff10-\uff19]/g, (char) => {
        const code = char.charCodeAt(0);
        return String((code >= 0xff10 ? code - 0xff10 : code >= 0x0966 ? code - 0x0966 : code & 0xf) % 10);
      })
    : text;
}
