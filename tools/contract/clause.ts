import { createHash } from 'node:crypto';
import { codeIn, sentencesIn, signMarks, withoutSigns } from './markup.ts';

/** Digits of a clause's hash that are kept: few enough to read, twice as many as tell all clauses apart. */
export const CLAUSE_HASH_DIGITS = 12;

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
  /** What it names in code spans: fields, values, paths. */
  readonly names: readonly string[];
}

/** Formatting marks dropped, white space collapsed, Unicode composed: what a clause's hash is taken over. */
export function normalizeClause(text: string): string {
  return collapse(withoutSigns(signMarks(text)));
}

/** First {@link CLAUSE_HASH_DIGITS} digits of the SHA-256, lowercase hex, of the normalized text in UTF-8. */
export function hashClause(text: string): string {
  return hash(normalizeClause(text));
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
  const add = (kind: Clause['kind'], parts: readonly string[], line: number, section: string) => {
    const text = parts.map((part) => collapse(withoutSigns(part))).join(' | ');
    found.push({ document, section, kind, text, sha256: hash(text), line, names: codeIn(parts.join(' ')) });
  };
  const flush = () => {
    if (!paragraph) return;
    const { text, line, kind } = paragraph;
    for (const sentence of sentencesIn(signMarks(text))) add(kind, [sentence], line, path.join(' > '));
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
      add('heading', [signMarks(heading[2]!)], line, above);
    } else if (/^\s*\|/.test(raw)) {
      flush();
      if (!/^\s*\|[\s:|-]+\|\s*$/.test(raw)) {
        const cells = raw
          .trim()
          .replace(/^\||\|$/g, '')
          .split('|');
        add('row', cells.map(signMarks), line, path.join(' > '));
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

function collapse(text: string): string {
  return text.normalize('NFC').replace(/\s+/g, ' ').trim();
}

function hash(normalized: string): string {
  return createHash('sha256').update(normalized, 'utf8').digest('hex').slice(0, CLAUSE_HASH_DIGITS);
}
