import { setTimeout as wait } from 'node:timers/promises';
import type { Dialog, Page, Response } from '@playwright/test';
import { type ApiReply, UnarrangedError, witness } from '#client';
import { projectContract } from '#contract';
import type { Recorder } from '#evidence';
import type { PageSelectors, Target, TargetCard } from '#target';
import { COMING } from '../browser-window.ts';
import type { MessageReceiver } from '../message-receiver.ts';
import { LOOK, PageElement } from '../page-element.ts';
import { readPageSight } from '../page-sight.ts';
import { waitAtMost } from '../wait-at-most.ts';

/** Milliseconds between two looks at what is known here already. */
const GLANCE = 5;
/** Milliseconds that the rest of a form may take to come up beside what was filled in; then it is looked for on the next page. */
const PAGE_TURN = 2000;

/** A field of a payment form, and the ways to write what goes into it. */
interface CardField {
  readonly name: keyof TargetCard & keyof PageSelectors;
  readonly selector: string;
  readonly ways: readonly [string, ...string[]];
}

interface Parts {
  readonly page: Page;
  /** What tells the customer from another of the same check. */
  readonly name: string;
  readonly receiver: MessageReceiver;
  readonly recorder: Recorder;
  readonly target: Target;
  /** Whether pages are given up sooner: under a lie one may never come, and without it the same check is given the whole time. */
  readonly hurried: boolean;
  /** Whether pictures of the pages are kept. */
  readonly pictures: boolean;
}

/** A customer of the merchant with a real browser: sees the merchant's, the gateway's and the issuer's pages, and no others. */
export class CustomerBrowser {
  readonly #page: Page;
  readonly #name: string;
  readonly #receiver: MessageReceiver;
  readonly #recorder: Recorder;
  /** Milliseconds that a page may take to come up or to lead on. */
  readonly #patience: number;
  readonly #pictures: boolean;
  readonly #typed = new Set<string>();
  #count = 0;

  private constructor(parts: Parts) {
    this.#page = parts.page;
    this.#name = parts.name;
    this.#receiver = parts.receiver;
    this.#recorder = parts.recorder;
    this.#pictures = parts.pictures;
    this.#patience = parts.target.manners.patience * (parts.hurried ? 250 : 1000);
  }

  /** Takes a browser page, of a browser that reaches no hosts but those of the target file: visits to them are recorded. */
  static open(parts: Parts): CustomerBrowser {
    const customer = new CustomerBrowser(parts);
    parts.page.on('response', customer.#note);
    parts.page.on('dialog', customer.#accept);
    return customer;
  }

  /** Nothing more is recorded. */
  stopRecording(): void {
    this.#page.off('response', this.#note).off('dialog', this.#accept);
  }

  /** Whether they mean what they pressed: they do. */
  readonly #accept = (dialog: Dialog): void => void dialog.accept().catch(() => {});

  /** Goes to an address. @returns the status of what is there, undefined when nothing answers */
  async visit(address: string): Promise<number | undefined> {
    try {
      return (await this.#inTime(this.#page.goto(address, { timeout: this.#patience })))?.status();
    } catch {
      return undefined;
    }
  }

  /** Sees HTML as it is, on a page of the merchant. @returns as {@link CustomerBrowser.visit} */
  visitHtml(html: string): Promise<number | undefined> {
    this.#count += 1;
    const path = `/shop-${this.#recorder.check}-${this.#name}-${this.#count}`;
    return this.visit(this.#receiver.servePage(path, html).address);
  }

  /** Goes on where an answer of the gateway leads. @returns as {@link CustomerBrowser.visit} @throws Unarranged when it leads nowhere */
  followRedirect(reply: ApiReply): Promise<number | undefined> {
    const { outputRedirectToUrl: address, outputHtml: html } = reply.object;
    if (typeof address === 'string') return this.visit(address);
    if (typeof html === 'string') return this.visitHtml(html);
    throw new UnarrangedError('the answer has neither outputRedirectToUrl nor outputHtml');
  }

  /**
   * Sees HTML as it is, and goes on where it leads by itself, or by the one thing on it that can be pressed.
   * @returns the status of what is there; undefined where it leads nowhere, or to no host that is named
   */
  async followHtml(html: string): Promise<number | undefined> {
    let status: number | undefined;
    const come = (response: Response): void => {
      const isRedirect = response.status() >= 300 && response.status() < 400;
      if (!response.request().isNavigationRequest() || isRedirect) return;
      if (!response.url().startsWith(this.#receiver.address)) status ??= response.status();
    };
    const isThere = () => status !== undefined;
    this.#page.on('response', come);
    await this.visitHtml(html);
    if (!(await this.waitUntil(isThere, COMING))) {
      await this.followLink('http');
      await this.waitUntil(isThere, PAGE_TURN);
    }
    this.#page.off('response', come);
    return status;
  }

  /**
   * Keeps a picture of the page as it is now, fields and numerals covered. Once something was typed none is taken: what a page does not
   * know it cannot show.
   * @param name which page it is, in words
   */
  async keepPicture(name: string): Promise<void> {
    if (!this.#pictures || this.#typed.size > 0) return;
    const keep = async () => {
      const seen = await readPageSight(this.#page, name);
      if (seen !== undefined) await this.#recorder.picture(seen);
    };
    // A page that goes away under the camera is no fault of anybody's.
    await this.#inTime(keep().catch(() => {}));
  }

  /** Lets a page that was asked for already take the place of the one before it: whoever goes on sooner is taken back by it. */
  async arriveAt(address: string): Promise<void> {
    const there = this.#page.waitForURL((url) => url.href.startsWith(address), {
      waitUntil: 'commit',
      timeout: COMING,
    });
    await there.catch(() => {});
  }

  /** Follows a link, or presses the button of a form, that leads to an address; nothing where the page has neither. */
  async followLink(address: string): Promise<void> {
    const there = JSON.stringify(address);
    const links = `a[href^=${there}], form[action^=${there}] :is(button, [type=submit])`;
    const link = new PageElement(this.#page.mainFrame(), links);
    if (!(await link.isVisible(false))) return;
    await this.#inTime(link.press(Date.now() + COMING).catch(() => {}));
  }

  /**
   * Types a card into a form, whose button is pressed where the fields that are left come up on a page after it.
   * @throws Unarranged when a field does not come up
   */
  async enterCard(form: PageSelectors, card: TargetCard): Promise<void> {
    for (const typed of [card.number, card.code]) this.#typed.add(typed);
    let left: CardField[] = (['number', 'month', 'year', 'code', 'holder'] as const).flatMap((name) => {
      const selector = form[name];
      return selector === undefined ? [] : [{ name, selector, ways: waysToWrite(name, card[name]) }];
    });
    let last: PageElement | undefined;
    for (let isTyped = false; left.length > 0; ) {
      const later: CardField[] = [];
      for (const one of left) {
        const written = await this.#enterAtOnce(one.selector, one.ways);
        if (written === undefined) later.push(one);
        else [last, isTyped] = [written, true];
      }
      left = later;
      const [next] = left;
      if (next === undefined) break;
      const field = await this.findVisible(next.selector, undefined, isTyped ? PAGE_TURN : undefined);
      if (field !== undefined) {
        await this.#require(
          field.enter(next.ways, this.#end),
          `the field ${next.selector} could not be filled in (gateway.form.${next.name})`,
        );
        [last, isTyped] = [field, true];
        left = left.slice(1);
      } else if (!(isTyped && (await this.#turnPage(form.submit, last))))
        throw new UnarrangedError(`no field ${next.selector} came up (gateway.form.${next.name})`);
      else isTyped = false;
    }
    // The others were left for the next one.
    await this.#inTime(last?.leave());
  }

  /** Goes on to the next page of a form. @returns whether there was something to press */
  async #turnPage(submit: string, last: PageElement | undefined): Promise<boolean> {
    const button = await this.findVisible(submit, undefined, COMING);
    if (button === undefined) return false;
    await this.#inTime(last?.leave());
    await this.pressButton(submit, undefined, button);
    return true;
  }

  /**
   * Presses a button, unless the page leads on by itself before there is one.
   * @param seen where it is, if that is known
   * @throws Unarranged when it does not come up, or cannot be pressed
   */
  async pressButton(selector: string, done: () => boolean = () => false, seen?: PageElement): Promise<void> {
    const button = seen ?? (await this.findVisible(selector, done));
    if (done()) return;
    if (button === undefined) throw new UnarrangedError(`no button ${selector} came up`);
    await this.#require(button.press(this.#end), `the button ${selector} could not be pressed`, done);
  }

  /** Types into a field, unless the page leads on by itself before there is one. */
  async typeInto(selector: string, text: string, done: () => boolean): Promise<void> {
    if (done() || (await this.#enterAtOnce(selector, [text])) !== undefined) return;
    const field = await this.findVisible(selector, done);
    if (field === undefined) return;
    await this.#require(field.enter([text], this.#end), `the field ${selector} could not be filled in`, done);
  }

  /** Writes into the field that a selector names, in whichever frame, if that can be done right now. @returns the field, if it was */
  async #enterAtOnce(selector: string, ways: readonly [string, ...string[]]): Promise<PageElement | undefined> {
    for (const frame of this.#page.frames().reverse()) {
      const field = new PageElement(frame, selector);
      const isWritten = await waitAtMost(COMING, field.enterAtOnce(ways));
      if (isWritten !== undefined) return isWritten ? field : undefined;
    }
    return undefined;
  }

  /** Does something that a page may not take. @throws Unarranged when it is not done before the customer's patience ends, nor the page led on */
  async #require(deed: Promise<void>, failure: string, done: () => boolean = () => false): Promise<void> {
    const succeeded = deed.then(
      () => true,
      () => false,
    );
    if ((await this.#inTime(succeeded)) !== true && !done()) throw new UnarrangedError(failure);
  }

  /**
   * What a selector names, in whichever frame, once it can be seen; undefined when it does not come up or all is done.
   * @param within milliseconds that are waited for it, by default as long as a customer would
   */
  async findVisible(
    selector: string,
    done: () => boolean = () => false,
    within: number = this.#patience,
  ): Promise<PageElement | undefined> {
    let found: PageElement | undefined;
    const soon = Date.now() + COMING;
    await this.waitUntil(async () => {
      // What comes up in a frame is looked for there first: the page around it has nothing to look at.
      for (const frame of this.#page.frames().reverse()) {
        const one = new PageElement(frame, selector);
        // A frame that is busy for ever keeps nobody from the page around it.
        if (!(await waitAtMost(COMING, one.isVisible(Date.now() > soon)))) continue;
        found = one;
        return true;
      }
      return done();
    }, within);
    return found;
  }

  /** Waits until a page, in whichever frame, shows nothing any more of what selectors name, or all is done. */
  async waitUntilGone(selectors: readonly string[], done: () => boolean): Promise<void> {
    const shows = async () => {
      for (const frame of this.#page.frames())
        for (const selector of selectors)
          if (await waitAtMost(COMING, new PageElement(frame, selector).isVisible(false))) return true;
      return false;
    };
    await this.waitUntil(async () => done() || !(await shows()));
  }

  /** Waits until something is so, by default as long as a customer would. @returns whether it came about */
  async waitUntil(so: () => boolean | Promise<boolean>, within = this.#patience): Promise<boolean> {
    for (const end = Date.now() + within; ; ) {
      // A page that is busy for ever does not even say what it shows.
      const answer = so();
      if (await waitAtMost(end - Date.now(), answer)) return true;
      if (Date.now() > end) return false;
      await wait(answer instanceof Promise ? LOOK : GLANCE);
    }
  }

  /** When the customer's patience with what is begun now ends, in milliseconds since the Unix epoch. */
  get #end(): number {
    return Date.now() + this.#patience;
  }

  /** What a page gives, or undefined when the customer's patience ends first. */
  #inTime<Given>(given: Given | Promise<Given>): Promise<Given | undefined> {
    return waitAtMost(this.#patience, given);
  }

  /** Waits for the answer to what was pressed, or for its failure; what it is does not matter. */
  async waitForAnswer(press: () => Promise<void>): Promise<void> {
    let over = false;
    const end = () => {
      over = true;
    };
    this.#page.on('requestfinished', end).on('requestfailed', end);
    await press();
    await this.waitUntil(() => over);
    this.#page.off('requestfinished', end).off('requestfailed', end);
  }

  readonly #note = (response: Response): void => {
    const request = response.request();
    const url = request.url();
    const visited = ['document', 'xhr', 'fetch'].includes(request.resourceType());
    if (!visited || !/^https?:/.test(url) || url.startsWith(this.#receiver.address)) return;
    const at = request.timing().startTime;
    const type = (headers: Readonly<Record<string, string>>) =>
      Object.entries(headers).filter(([name]) => name === 'content-type');
    const body = request.postData();
    const form = /urlencoded/.test(request.headers()['content-type'] ?? '');
    // What the pages answer stays out: they hold, under names of their own, what must not be written.
    witness(this.#recorder, projectContract(), {
      api: 'gateway',
      direction: 'browser',
      at: at > 0 ? at : Date.now(),
      duration: at > 0 ? Math.max(0, Date.now() - at) : 0,
      request: {
        method: request.method(),
        url: this.#holds(url) ? this.#veiledAddress(url) : url,
        headers: type(request.headers()),
        ...(body === null ? {} : { body: Buffer.from(form ? this.#veiled(body) : this.#holds(body) ? '' : body) }),
      },
      response: { status: response.status(), headers: type(response.headers()), body: Buffer.alloc(0) },
    });
  };

  #holds(text: string): boolean {
    return [...this.#typed].some((typed) => text.includes(typed) || decodeOctets(text).includes(typed));
  }

  /** An address without its query, and without the parts of its path that hold what was typed. */
  #veiledAddress(url: string): string {
    const { origin, pathname } = new URL(url);
    return `${origin}${pathname
      .split('/')
      .map((part) => (this.#holds(part) ? '[redacted]' : part))
      .join('/')}`;
  }

  /** A form without what was typed into it, whatever its fields are called. */
  #veiled(body: string): string {
    return [...new URLSearchParams(body)]
      .map(([name, value]) => [
        name,
        this.#holds(value.replace(/[ -]/g, '')) ? '[redacted]' : encodeURIComponent(value),
      ])
      .map((pair) => pair.join('='))
      .join('&');
  }
}

/** A text with its percent-encoded octets as the characters they stand for, each by itself: what is no encoding stays. */
function decodeOctets(text: string): string {
  return text.replace(/%([0-7][0-9A-Fa-f])/g, (_all, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

/** Month and year may be picked from a list, and a year may have room for two digits. */
function waysToWrite(name: keyof TargetCard & keyof PageSelectors, text: string): readonly [string, ...string[]] {
  return name === 'month' || name === 'year' ? [text, String(Number(text)), text.slice(-2)] : [text];
}
