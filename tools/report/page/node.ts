import type { Node } from './client/exchange-view.js';
import { escaped, Html } from './html.ts';

/** Writes a piece of the page that is given as data; every text and attribute is escaped. */
export function write(node: Node): Html {
  return new Html(text(node));
}

function text(node: Node): string {
  if (typeof node === 'string') return escaped(node);
  const [tag, attributes, ...children] = node;
  const list = Object.entries(attributes).map(([name, value]) => ` ${name}="${escaped(value)}"`);
  return `<${tag}${list.join('')}>${children.map(text).join('')}</${tag}>`;
}
