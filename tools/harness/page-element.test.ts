import { type Browser, expect, type Page, test } from '@playwright/test';
import { findBrowser } from '#browser';
import { sharedBrowser } from '#page-look';
import { PageElement } from './page-element.ts';

test.skip(findBrowser() === undefined, 'there is no browser here');

/** Milliseconds that anything may take, and those in which nothing comes. */
const LONG = 5000;
const SHORT = 200;

let browser: Browser;
let page: Page;

test.beforeAll(async () => {
  browser = await sharedBrowser();
});
test.beforeEach(async () => {
  page = await browser.newPage();
});
test.afterEach(() => page.close());

const on = (selector: string) => new PageElement(page.mainFrame(), selector);
const soon = () => Date.now() + LONG;
const noted = () => page.locator('#noted').textContent();
/** Writes down what its events say. */
const NOTES = `<p id="noted"></p><script>
  for (const kind of ['input', 'change', 'keyup', 'click', 'blur'])
    addEventListener(kind, ({ target }) => { noted.textContent += kind + ' ' + (target.id ?? '') + ', ' }, true)
</script>`;

for (const [what, html, isSeen] of [
  ['a field', '<input id="it">', true],
  ['one below a shadow root', '<div><template shadowrootmode="open"><input id="it"></template></div>', true],
  ['the first of several', '<input id="it" style="display: none"><input id="it">', false],
  ['one that is hidden', '<input id="it" style="visibility: hidden">', false],
  ['one without an extent', '<div id="it"></div>', false],
  ['none', '<p>there</p>', false],
] as const)
  for (const asksDriver of [false, true])
    test(`sees ${what}${isSeen ? '' : ' not'}, ${asksDriver ? 'the driver' : 'the page'} asked`, async () => {
      await page.setContent(html);
      expect(await on('#it').isVisible(asksDriver)).toBe(isSeen);
    });

test('sees what a selector of the driver names, and uses it', async () => {
  await page.setContent(`<button id="pay">Pay now</button>${NOTES}`);
  const button = on('button:has-text("now")');
  expect(await button.isVisible(false)).toBe(true);
  await button.press(soon());
  expect(await noted()).toContain('click pay');
});

test('uses what a page shows that has taken its own tools apart', async () => {
  await page.setContent(
    `<input id="number"><button id="pay">Pay</button>${NOTES}<script>
      Document.prototype.querySelector = () => { throw new Error('none of yours') };
    </script>`,
  );
  expect(await on('#number').isVisible(false)).toBe(true);
  await on('#number').enter(['4111'], soon());
  await on('#pay').press(soon());
  expect(await page.locator('#number').inputValue()).toBe('4111');
  expect(await noted()).toContain('click pay');
});

test('writes in place of what is there, with the events of somebody who types', async () => {
  await page.setContent(`<input id="number" value="0000">${NOTES}`);
  await on('#number').enter(['4111'], soon());
  await on('#number').leave();
  expect(await page.locator('#number').inputValue()).toBe('4111');
  expect(await noted()).toBe('input number, keyup number, change number, blur number, ');
});

test('writes into fields of other kinds', async () => {
  await page.setContent('<div id="rich" contenteditable style="min-height: 20px"></div><input id="date" type="month">');
  await on('#rich').enter(['ADA TEST'], soon());
  await on('#date').enter(['2049-10'], soon());
  expect(await page.locator('#rich').textContent()).toBe('ADA TEST');
  expect(await page.locator('#date').inputValue()).toBe('2049-10');
});

test('writes on the keyboard where a page takes it from nowhere else', async () => {
  await page.setContent(`<input id="number"><script>
    number.addEventListener('input', ({ inputType }) => { if (typed === 0) number.value = '' });
    let typed = 0;
    number.addEventListener('beforeinput', () => { typed += 1 });
  </script>`);
  expect(await on('#number').enterAtOnce(['4111'])).toBe(false);
  await on('#number').enter(['4111'], soon());
  expect(await page.locator('#number').inputValue()).toBe('4111');
});

test('takes a number that the page writes in groups as written', async () => {
  await page.setContent(
    `<input id="number" oninput="this.value = this.value.replace(/(.{4})(?=.)/g, '$1 ')"><p id="number-2">none</p>`,
  );
  expect(await on('#number').enterAtOnce(['4111111111111111'])).toBe(true);
  expect(await page.locator('#number').inputValue()).toBe('4111 1111 1111 1111');
  expect(await on('#nothing').enterAtOnce(['4111'])).toBeUndefined();
});

test('writes the short way where there is room for two characters', async () => {
  await page.setContent('<input id="year" maxlength="2"><input id="long" maxlength="4">');
  for (const id of ['#year', '#long']) await on(id).enter(['2049', '2049', '49'], soon());
  expect(await page.locator('#year').inputValue()).toBe('49');
  expect(await page.locator('#long').inputValue()).toBe('2049');
});

for (const [options, picked] of [
  ['<option>09<option>10', '10'],
  ['<option value="a">2048<option value="b">2049', 'b'],
  ['<option value="48"><option value="49">', '49'],
] as const)
  test(`picks ${picked} from a list`, async () => {
    await page.setContent(`<select id="list"><option value="">choose${options}</select>${NOTES}`);
    await on('#list').enter(picked === '10' ? ['10'] : ['2049', '2049', '49'], soon());
    expect(await page.locator('#list').inputValue()).toBe(picked);
    expect(await noted()).toBe('input list, change list, ');
  });

test('waits for a list that is filled later, and gives up on one that never is', async () => {
  await page.setContent(
    `<select id="late"></select><select id="never"></select><script>setTimeout(() => { late.innerHTML = '<option>10' }, 100)</script>`,
  );
  await on('#late').enter(['10'], soon());
  expect(await page.locator('#late').inputValue()).toBe('10');
  await expect(on('#never').enter(['10'], Date.now() + SHORT)).rejects.toThrow('#never is locked');
});

test('waits for a field and a button that are locked at first', async () => {
  await page.setContent(
    `<fieldset id="set" disabled><input id="number"></fieldset><input id="code" readonly><button id="pay" aria-disabled="true">Pay</button>${NOTES}<script>
      setTimeout(() => { set.disabled = false; code.readOnly = false; pay.ariaDisabled = 'false' }, 150)
    </script>`,
  );
  await Promise.all([on('#number').enter(['4111'], soon()), on('#pay').press(soon())]);
  await on('#code').enter(['123'], soon());
  expect(await page.locator('#number').inputValue()).toBe('4111');
  expect(await page.locator('#code').inputValue()).toBe('123');
  expect(await noted()).toContain('click pay');
});

test('writes into a field that is locked until it has the cursor', async () => {
  await page.setContent('<input id="number" readonly onfocus="this.readOnly = false">');
  await on('#number').enter(['4111'], soon());
  expect(await page.locator('#number').inputValue()).toBe('4111');
});

test('presses nothing that is locked, and writes nothing once its time is over', async () => {
  await page.setContent(`<input id="number"><button id="pay" disabled>Pay</button>${NOTES}`);
  await expect(on('#pay').press(Date.now() + SHORT)).rejects.toThrow('#pay is locked');
  await expect(on('#number').enter(['4111'], Date.now() - 1)).rejects.toThrow('is locked');
  expect(await page.locator('#number').inputValue()).toBe('');
  expect(await noted()).toBe('');
});

test('presses the button of a form, whose name goes along, on a page that runs none but its own scripts', async () => {
  await page.route('**/*', (route) =>
    route.request().method() === 'POST'
      ? route.fulfill({ body: route.request().postData() ?? '', contentType: 'text/plain' })
      : route.fulfill({
          contentType: 'text/html',
          headers: { 'content-security-policy': "default-src 'none'; require-trusted-types-for 'script'" },
          body: '<form method="post" action="/pay"><input id="number" name="number"><button id="pay" name="action" value="pay">Pay</button></form>',
        }),
  );
  await page.goto('http://127.0.0.1:9/form');
  await on('#number').enter(['4111'], soon());
  await on('#pay').press(soon());
  await page.waitForURL('**/pay');
  expect(await page.locator('body').textContent()).toBe('number=4111&action=pay');
});
