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
export type Part = Html | string | number | undefined | false | readonly Part[];

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Escapes text for element content and quoted attributes, and shows characters that would not be seen. */
export function escaped(text: string): string {
  return printable(text).replace(/[&<>"']/g, (char) => ENTITIES[char]!);
}

/** Builds markup from a template; everything put into it is escaped unless it is markup already. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  let text = strings[0]!;
  parts.forEach((part, i) => {
    text += render(part) + strings[i + 1]!;
  });
  return new Html(text);
}

function render(part: Part): string {
  if (part instanceof Html) return part.text;
  if (part === undefined || part === false) return '';
  if (typeof part === 'number') return String(part);
  if (typeof part === 'string') return escaped(part);
  return part.map(render).join('');
}

/** `1 check`, `2 checks`. */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`;
}
