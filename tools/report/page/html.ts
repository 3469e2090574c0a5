import { printable } from '../printable.ts';

/** Markup that is safe to insert as it is. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  toString(): string {
    return this.text;
  }
}

/** What may stand in a template: text is escaped, markup is not, lists are joined, nothing stays nothing. */
export type HtmlPart = Html | string | number | undefined | false | readonly HtmlPart[];

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Escapes text for element content and quoted attributes, and shows characters that would not be seen. */
export function escapeHtmlText(text: string): string {
  return printable(text).replace(/[&<>"']/g, (char) => ENTITIES[char]!);
}

/** Builds markup from a template; everything put into it is escaped unless it is markup already. */
export function html(strings: TemplateStringsArray, ...parts: readonly HtmlPart[]): Html {
  let text = strings[0]!;
  parts.forEach((part, i) => {
    text += render(part) + strings[i + 1]!;
  });
  return new Html(text);
}

function render(part: HtmlPart): string {
  if (part instanceof Html) return part.text;
  if (part === undefined || part === false) return '';
  if (typeof part === 'number') return String(part);
  if (typeof part === 'string') return escapeHtmlText(part);
  return part.map(render).join('');
}

/** `1 check`, `2 checks`. */
export function formatCount(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`;
}
