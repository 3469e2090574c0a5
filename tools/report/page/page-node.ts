import { escapeHtmlText, Html } from './html.ts';

/** A piece of the page as data: text, or an element with its attributes and children. */
export type PageNode =
  | string
  | readonly [tag: string, attributes: Readonly<Record<string, string>>, ...children: PageNode[]];

/** Writes a piece of the page that is given as data; every text and attribute is escaped. */
export function renderPageNode(node: PageNode): Html {
  return new Html(text(node));
}

function text(node: PageNode): string {
  if (typeof node === 'string') return escapeHtmlText(node);
  const [tag, attributes, ...children] = node;
  const list = Object.entries(attributes).map(([name, value]) => ` ${name}="${escapeHtmlText(value)}"`);
  return `<${tag}${list.join('')}>${children.map(text).join('')}</${tag}>`;
}
