import { setTimeout as wait } from 'node:timers/promises';
import type { Frame, Locator } from '@playwright/test';

/** Milliseconds between two looks at something on a page. */
export const LOOK = 25;

/** What is done with an element: looked at, pressed, entered into, or left. */
type Deed = 'look' | 'press' | 'enter' | 'leave';
/** What came of it; `typing`, or `narrow` where two characters fit: what is written is for the keyboard to write. */
type Outcome = 'absent' | 'hidden' | 'shown' | 'busy' | 'done' | 'typing' | 'narrow' | 'other';

interface Question {
  readonly selector: string;
  readonly deed: Deed;
  readonly ways: readonly string[];
}

/**
 * What a selector names first in a frame, as a customer sees and uses it. The page is asked itself: for what the driver answers it brings all
 * its tools into each new page, which costs more than all that is done there. It does so where a selector says more than CSS, where a page does not
 * let itself be asked, and for fields of another kind.
 */
export class PageElement {
  readonly #frame: Frame;
  readonly #selector: string;
  /** Whether the page said of the element that it is there. */
  #wasSeen = false;

  constructor(frame: Frame, selector: string) {
    this.#frame = frame;
    this.#selector = selector;
  }

  /** Whether it can be seen. @param asksDriver whether the driver is asked as well when the page says no */
  async isVisible(asksDriver: boolean): Promise<boolean> {
    const outcome = await this.#ask('look');
    this.#wasSeen = outcome === 'shown';
    if (this.#wasSeen) return true;
    return (outcome === undefined || asksDriver) && this.#locator.isVisible().catch(() => false);
  }

  /** Writes as {@link PageElement.enter} does, if that can be done right now. @returns whether it was; undefined when there is nothing to be seen */
  async enterAtOnce(ways: readonly [string, ...string[]]): Promise<boolean | undefined> {
    const outcome = await this.#ask('enter', ways);
    return outcome === undefined || outcome === 'absent' || outcome === 'hidden' ? undefined : outcome === 'done';
  }

  /**
   * Writes a text into a field, or picks it from a list, as soon as the field lets itself be changed.
   * @param ways to write it: as it is first, and last in as little room as can be
   * @param end Unix time in milliseconds from which on nothing is written any more
   * @throws when the field is locked until then; the driver's error when there is none
   */
  async enter(ways: readonly [string, ...string[]], end: number): Promise<void> {
    const outcome = await this.#once('enter', end, ways);
    if (outcome === 'done') return;
    if (outcome !== 'typing' && outcome !== 'narrow') return this.#enterByDriver(ways, end);
    const { keyboard } = this.#frame.page();
    // The next customer's page has such a field as well: nothing goes on when nobody waits any more.
    if (Date.now() < end) await keyboard.insertText(outcome === 'narrow' ? ways.at(-1)! : ways[0]);
    // A page may look at what was written when a key is let go.
    if (Date.now() < end) await keyboard.press('End');
  }

  /**
   * Presses it as soon as it lets itself be pressed.
   * @param end Unix time in milliseconds
   * @throws when it is locked until then; the driver's error when there is nothing to press
   */
  async press(end: number): Promise<void> {
    const outcome = await this.#once('press', end);
    // Where it leads the page away there is nobody left to say so.
    if (outcome === 'done' || (outcome === undefined && this.#wasSeen)) return;
    await this.#locator.click({ timeout: timeUntil(end), noWaitAfter: true });
  }

  /** Takes the cursor out of it. */
  async leave(): Promise<void> {
    await this.#ask('leave');
  }

  get #locator(): Locator {
    return this.#frame.locator(this.#selector).first();
  }

  /** @returns undefined when the page could not be asked */
  #ask(deed: Deed, ways: readonly string[] = []): Promise<Outcome | undefined> {
    const question: Question = { selector: this.#selector, deed, ways };
    return this.#frame.evaluate(useElement, question).catch(() => undefined);
  }

  /** What comes of a deed once the element is busy no more. @throws when the time is over before that, and then nothing is done */
  async #once(deed: Deed, end: number, ways?: readonly string[]): Promise<Outcome | undefined> {
    while (Date.now() < end) {
      const outcome = await this.#ask(deed, ways);
      if (outcome !== 'busy') return outcome;
      await wait(LOOK);
    }
    throw new Error(`${this.#selector} is locked`);
  }

  async #enterByDriver(ways: readonly [string, ...string[]], end: number): Promise<void> {
    const field = this.#locator;
    if ((await field.locator('option').count()) > 0) {
      await field.selectOption([...ways], { timeout: timeUntil(end) });
      return;
    }
    const room = ways.length > 1 ? await field.getAttribute('maxlength', { timeout: timeUntil(end) }) : null;
    await field.fill(room === '2' ? ways.at(-1)! : ways[0], { timeout: timeUntil(end) });
    await this.#frame.page().keyboard.press('End');
  }
}

function timeUntil(end: number): number {
  return Math.max(1, end - Date.now());
}

/** Runs in the page: finds the element, below open shadow roots as well, and does what was asked. */
function useElement({ selector, deed, ways }: Question): Outcome {
  const find = (root: Document | ShadowRoot): HTMLElement | undefined => {
    const own = root.querySelector<HTMLElement>(selector);
    if (own !== null) return own;
    for (const { shadowRoot } of root.querySelectorAll('*')) {
      const inner = shadowRoot === null ? undefined : find(shadowRoot);
      if (inner !== undefined) return inner;
    }
    return undefined;
  };
  const element = find(document);
  if (element === undefined) return 'absent';
  const { width, height } = element.getBoundingClientRect();
  if (width === 0 || height === 0 || getComputedStyle(element).visibility !== 'visible') return 'hidden';
  if (deed === 'look') return 'shown';
  if (deed === 'leave') {
    element.blur();
    return 'done';
  }
  if (element.closest(':disabled, [aria-disabled=true]') !== null) return 'busy';
  if (deed === 'press') {
    if (typeof element.click !== 'function') return 'other';
    element.click();
    return 'done';
  }
  if (element instanceof HTMLSelectElement) {
    const option = [...element.options].find(({ value, label }) => ways.includes(value) || ways.includes(label));
    if (option === undefined) return 'busy';
    option.selected = true;
    element.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
    element.dispatchEvent(new Event('change', { bubbles: true }));
    return 'done';
  }
  const isText =
    element instanceof HTMLTextAreaElement ||
    (element instanceof HTMLInputElement && /^(?:text|tel|number|password|search|email|url)$/.test(element.type));
  if (!isText) return 'other';
  element.focus();
  // Some are locked until they have the cursor, so that nothing fills them in by itself.
  if (element.readOnly) return 'busy';
  if (!element.matches(':focus')) return 'other';
  const isNarrow = element.maxLength === 2;
  const text = isNarrow ? ways.at(-1)! : ways[0]!;
  const bare = (shown: string) => shown.replace(/[^\p{L}\p{N}]/gu, '');
  element.select();
  // By the editor of the page itself, which tells it as it tells of a keyboard; a page may write the text anew in groups.
  if (document.execCommand('insertText', false, text) && bare(element.value) === bare(text)) {
    // Some look at what was written when a key is let go.
    for (const kind of ['keydown', 'keyup'])
      element.dispatchEvent(new KeyboardEvent(kind, { key: 'End', code: 'End', bubbles: true, composed: true }));
    return 'done';
  }
  element.select();
  return isNarrow ? 'narrow' : 'typing';
}
