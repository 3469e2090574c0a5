import type { CDPSession, Page } from '@playwright/test';
import type { PageAsSeen, PictureBox } from '#evidence';

/** Pixels of the largest picture; what lies beyond is left out. */
const WIDEST = 800;
const TALLEST = 640;
const EDGE = 24;
/** Texts of a page that are looked at; one with more is no page to pay on. */
const MOST_TEXTS = 4000;

/** What shows more than its text says, or shows text that the browser does not tell: covered as a whole. */
const OPAQUE = /^(?:img|svg|canvas|video|audio|object|embed|input|select|textarea|iframe|frame|meter|progress)$/i;
const BARE_INPUT = /^(?:checkbox|radio|hidden)$/i;
/** Numerals of every script; the name of the method is none. */
const NUMERALS = /\p{N}+/gu;
const IMAGE = /\b(?:url|paint|element)\(/;
const METHOD_NAME = /3(?=-?D(?![\p{L}\p{N}])|DS)/gu;
const STYLES = [
  'background-image',
  'text-shadow',
  'filter',
  '-webkit-box-reflect',
  'text-emphasis-style',
  'border-image-source',
  'list-style-image',
  'mask-image',
  'content',
  'border-left-width',
  'border-top-width',
  'padding-left',
  'padding-top',
  'border-right-width',
  'border-bottom-width',
  'padding-right',
  'padding-bottom',
] as const;

/** What `DOMSnapshot.captureSnapshot` answers, as far as it is read (Chrome DevTools Protocol). */
interface Snapshot {
  readonly strings: readonly string[];
  readonly documents: readonly DocumentSnapshot[];
}

interface DocumentSnapshot {
  readonly scrollOffsetX?: number;
  readonly scrollOffsetY?: number;
  readonly nodes: {
    readonly nodeName?: readonly number[];
    readonly attributes?: readonly (readonly number[])[];
    readonly contentDocumentIndex?: { readonly index: readonly number[]; readonly value: readonly number[] };
  };
  readonly layout: {
    readonly nodeIndex: readonly number[];
    readonly styles: readonly (readonly number[])[];
    readonly bounds: readonly (readonly number[])[];
    readonly text: readonly number[];
  };
  readonly textBoxes: {
    readonly layoutIndex: readonly number[];
    readonly bounds: readonly (readonly number[])[];
    readonly start: readonly number[];
    readonly length: readonly number[];
  };
}

interface Looks {
  readonly covers: PictureBox[];
  /** Every text with its place, numerals left out. */
  readonly places: string[];
  readonly texts: string[];
  /** What the texts and buttons take up of what is in sight. */
  readonly reach: { left: number; top: number; right: number; bottom: number };
  readonly scrolled: { readonly x: number; readonly y: number };
}

/** A page may be looked at many times, and each session costs as much as a look. */
const sessions = new WeakMap<Page, Promise<CDPSession>>();

/**
 * What a page shows, from the browser itself, which no script of the page can deceive: its texts, and every place of a field, a numeral or
 * something drawn. @returns undefined for a page of which that cannot be told
 * @param name which page it is, in words
 */
export async function readPageSight(page: Page, name: string): Promise<PageAsSeen | undefined> {
  const opened = sessions.get(page) ?? page.context().newCDPSession(page);
  sessions.set(page, opened);
  const session = await opened;
  const seen = await readLooks(session);
  if (seen === undefined) return undefined;
  const { left, top, right, bottom } = seen.reach;
  const corner = { x: Math.max(0, Math.floor(left) - EDGE), y: Math.max(0, Math.floor(top) - EDGE) };
  const clip = {
    // The browser counts from the beginning of the page, not from what is in sight of it.
    x: seen.scrolled.x + corner.x,
    y: seen.scrolled.y + corner.y,
    width: Math.max(EDGE, Math.min(WIDEST, Math.ceil(right) + EDGE - corner.x)),
    height: Math.max(EDGE, Math.min(TALLEST, Math.ceil(bottom) + EDGE - corner.y)),
    scale: 1,
  };
  const looks = writeLooks(seen);
  return {
    page: name,
    covers: seen.covers.map((box) => ({ ...box, x: box.x - corner.x, y: box.y - corner.y })),
    text: `${seen.texts.join('')}\n${seen.texts.join('\n')}`,
    looks: `${name}\n${looks}`,
    take: async () => {
      const { data } = await session.send('Page.captureScreenshot', { format: 'png', clip });
      const after = await readLooks(session);
      // What changed meanwhile may stand in the picture and in none of the covers.
      return after !== undefined && writeLooks(after) === looks && after.texts.join() === seen.texts.join()
        ? Buffer.from(data, 'base64')
        : undefined;
    },
  };
}

async function readLooks(session: CDPSession): Promise<Looks | undefined> {
  const snapshot = (await session.send('DOMSnapshot.captureSnapshot', { computedStyles: [...STYLES] })) as Snapshot;
  const [top] = snapshot.documents;
  const looks: Looks = {
    covers: [],
    places: [],
    texts: [],
    reach: { left: WIDEST, top: TALLEST, right: 0, bottom: 0 },
    scrolled: { x: top?.scrollOffsetX ?? 0, y: top?.scrollOffsetY ?? 0 },
  };
  return top !== undefined && readDocument(snapshot, top, { x: 0, y: 0 }, looks) && looks.texts.length <= MOST_TEXTS
    ? looks
    : undefined;
}

/** @returns false when the document shows text in a place that is not told */
function readDocument(
  snapshot: Snapshot,
  document: DocumentSnapshot,
  origin: { x: number; y: number },
  looks: Looks,
): boolean {
  const { strings, documents } = snapshot;
  const { nodes, layout, textBoxes } = document;
  const at = (bounds: readonly number[]): PictureBox => ({
    x: origin.x + bounds[0]! - (document.scrollOffsetX ?? 0),
    y: origin.y + bounds[1]! - (document.scrollOffsetY ?? 0),
    width: bounds[2]!,
    height: bounds[3]!,
  });
  const inner = new Map(
    nodes.contentDocumentIndex?.index.map((node, i) => [node, nodes.contentDocumentIndex!.value[i]!]),
  );
  for (const [i, node] of layout.nodeIndex.entries()) {
    const box = at(layout.bounds[i]!);
    const name = strings[nodes.nodeName?.[node] ?? -1] ?? '';
    const style = (key: (typeof STYLES)[number]) => strings[layout.styles[i]?.[STYLES.indexOf(key)] ?? -1] ?? '';
    if (drawsElsewhere(style)) return false;
    const content = documents[inner.get(node) ?? -1];
    const frame = content && frameOrigin(layout.bounds[i]!, box, content, style);
    if (frame !== undefined) {
      if (!readDocument(snapshot, content!, frame, looks)) return false;
    } else if (
      isOpaque(name, attributesOf(nodes.attributes?.[node], strings)) ||
      IMAGE.test(`${style('background-image')} ${style('content')}`)
    )
      looks.covers.push(box);
    if (/^(?:button|input)$/i.test(name) && box.width > 0) stretch(box, looks);
  }
  for (const [i, owner] of textBoxes.layoutIndex.entries()) {
    const whole = strings[layout.text[owner] ?? -1] ?? '';
    const text = whole.slice(textBoxes.start[i]!, textBoxes.start[i]! + textBoxes.length[i]!);
    if (text.trim() === '') continue;
    const box = at(textBoxes.bounds[i]!);
    stretch(box, looks);
    looks.texts.push(text);
    looks.places.push(`${text.replace(NUMERALS, '#')} ${Object.values(box).map(Math.round).join()}`);
    if (text.replace(METHOD_NAME, '').search(NUMERALS) >= 0) looks.covers.push(box);
  }
  return true;
}

/** Where the content of a frame begins; undefined for one that is drawn in another size than its own, or whose content is not told. */
function frameOrigin(
  bounds: readonly number[],
  box: PictureBox,
  content: DocumentSnapshot,
  style: (key: (typeof STYLES)[number]) => string,
): { x: number; y: number } | undefined {
  const own = content.layout.bounds[0];
  const edge = (...keys: (typeof STYLES)[number][]) =>
    keys.reduce((sum, key) => sum + (Number.parseFloat(style(key)) || 0), 0);
  const left = edge('border-left-width', 'padding-left');
  const top = edge('border-top-width', 'padding-top');
  const across = left + edge('border-right-width', 'padding-right');
  const down = top + edge('border-bottom-width', 'padding-bottom');
  if (own === undefined || Math.abs(bounds[2]! - across - own[2]!) > 1 || Math.abs(bounds[3]! - down - own[3]!) > 1)
    return undefined;
  return { x: box.x + left, y: box.y + top };
}

/** Whether something draws a text or an image in a place that no box tells. */
function drawsElsewhere(style: (key: (typeof STYLES)[number]) => string): boolean {
  return (
    (['text-shadow', '-webkit-box-reflect', 'text-emphasis-style'] as const).some(
      (key) => !/^(?:none)?$/.test(style(key)),
    ) ||
    (['border-image-source', 'list-style-image', 'mask-image'] as const).some((key) => IMAGE.test(style(key))) ||
    /drop-shadow|url\(/.test(style('filter'))
  );
}

function isOpaque(name: string, attributes: ReadonlyMap<string, string>): boolean {
  return OPAQUE.test(name) && !(/^input$/i.test(name) && BARE_INPUT.test(attributes.get('type') ?? ''));
}

function attributesOf(pairs: readonly number[] = [], strings: readonly string[]): Map<string, string> {
  const attributes = new Map<string, string>();
  for (let i = 0; i + 1 < pairs.length; i += 2) attributes.set(strings[pairs[i]!] ?? '', strings[pairs[i + 1]!] ?? '');
  return attributes;
}

function stretch({ x, y, width, height }: PictureBox, { reach }: Looks): void {
  reach.left = Math.min(reach.left, x);
  reach.top = Math.min(reach.top, y);
  reach.right = Math.max(reach.right, x + width);
  reach.bottom = Math.max(reach.bottom, y + height);
}

function writeLooks({ covers, places, scrolled }: Looks): string {
  return JSON.stringify([scrolled, covers.map((box) => Object.values(box).map(Math.round)), places]);
}
