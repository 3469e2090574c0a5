import type { ExchangeLine } from '#evidence';

/** A piece of the page as data: text, or an element with its attributes and children. */
export type PageNode =
  | string
  | readonly [tag: string, attributes: Readonly<Record<string, string>>, ...children: PageNode[]];

/** Draws one exchange: request, response, what it broke, and how to send it again. */
export function exchangeView(exchange: ExchangeLine): PageNode;

/** A command line that sends the request again, with placeholders where something was redacted. */
export function curl(exchange: ExchangeLine): string;
