import { createHash } from 'node:crypto';

/** One smallest accountable piece of a document: a heading, a table row, or a sentence (of a list item or a paragraph). */
export interface Clause {
  readonly document: string;
  /** Headings above it, outermost first, joined by " > "; the document's title is left out. */
  readonly section: string;
  readonly kind: 'heading' | 'row' | 'item' | 'sentence';
  /** Normalized text. Never written into the project; only its hash is. */
  readonly text: string;
  readonly sha256: string;
  readonly line: number;
}

/** Markdown marks dropped, white space collapsed, Unicode composed: what a clause's hash is taken over. */
export function normalizeClause(text: string): string {
  return text.normalize('NFC').replace(/[`*]/g, '').replace(/\s+/g, ' ').trim();
}

/** SHA-256, lowercase hex, of the normalized text in UTF-8. */
export function hashClause(text: string): string {
  return createHash('sha256').update(normalizeClause(text), 'utf8').digest('hex');
}

/**
 * Splits a Markdown document into its clauses, in reading order.
 * @param document short name the clauses carry (`gateway`, `v1`)
 * @param markdown the whole text; headings with #, pipe tables, lists and paragraphs
 */
export function splitClauses(document: string, markdown: string): Clause[] {
  const found: Clause[] = [];
  const path: string[] = [];
  let paragraph: { text: string; line: number; kind: 'item' | 'sentence' } | undefined;
  const add = (kind: Clause['kind'], text: string, line: number, section: string) =>
    found.push({ document, section, kind, text: normalizeClause(text), sha256: hashClause(text), line });
  const flush = () => {
    if (!paragraph) return;
    const { text, line, kind } = paragraph;
    for (const sentence of sentences(text)) add(kind, sentence, line, path.join(' > '));
    paragraph = undefined;
  };
  markdown.split('\n').forEach((raw, index) => {
    const line = index + 1;
    const heading = /^(#+)\s+(.*)$/.exec(raw);
    const item = /^\s*(?:[-*]|\d+\.)\s+(.*)$/.exec(raw);
    if (heading) {
      flush();
      path.length = Math.max(0, heading[1]!.length - 2);
      const above = path.join(' > ');
      if (heading[1]!.length > 1) path.push(normalizeClause(heading[2]!));
      add('heading', heading[2]!, line, above);
    } else if (/^\s*\|/.test(raw)) {
      flush();
      if (!/^\s*\|[\s:|-]+\|\s*$/.test(raw)) {
        const cells = raw
          .trim()
          .replace(/^\||\|$/g, '')
          .split('|');
        add('row', cells.map(normalizeClause).join(' | '), line, path.join(' > '));
      }
    } else if (item) {
      flush();
      paragraph = { text: item[1]!, line, kind: 'item' };
    } else if (raw.trim() === '') {
      flush();
    } else if (paragraph) {
      paragraph.text += ` ${raw.trim()}`;
    } else {
      paragraph = { text: raw.trim(), line, kind: 'sentence' };
    }
  });
  flush();
  return found;
}

function sentences(text: string): string[] {
  return text.split(/(?<=[.!?])(?<!\b(?:i\.e|e\.g|etc)\.)\s+(?=[A-Z`"*])/).filter((s) => s.trim() !== '');
}
