import { createSocket } from 'node:dgram';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { type Browser, chromium, expect, type Page, test } from '@playwright/test';
import { browserBehind, findBrowser } from '#browser';
import { type ExchangeLine, type Line, Recorder, Redactor } from '#evidence';
import type { PageSelectors, Target, TargetCard } from '#target';
import { MessageReceiver } from '../message-receiver.ts';
import { PageProxy, withPort } from '../page-proxy.ts';
import { CustomerBrowser } from './customer-browser.ts';

test.skip(findBrowser() === undefined, 'there is no browser here');
// In one worker: the browser behind bounds is started for this file alone.
test.describe.configure({ mode: 'default' });

const CARD = {
  number: '5383908528354962',
  code: '8391',
  month: '10',
  year: '2049',
  holder: 'ADA TEST',
} as TargetCard;

/** A server that only counts who comes. */
interface Stranger {
  readonly host: string;
  calls: number;
}

const lines: Line[] = [];
let hosted: Server;
let html = '';
let address: string;
/** The same server, as a host of its own. */
let elsewhere: string;
let stranger: Stranger;
const servers: { close(): void }[] = [];
let proxy: PageProxy;
let browser: Browser;
let page: Page;
let receiver: MessageReceiver;
let customer: CustomerBrowser;

test.beforeAll(async () => {
  hosted = createServer((request, response) => {
    if (request.url?.startsWith('/away')) response.writeHead(307, { location: `http://${stranger.host}/away` }).end();
    else if (request.url === '/busy')
      response.writeHead(200, { 'content-type': 'text/html' }).end('<script>for (;;);</script>');
    else response.writeHead(200, { 'content-type': 'text/html' }).end(html);
  });
  const far = createTcpServer((socket) => {
    stranger.calls += 1;
    socket.on('error', () => {}).end('HTTP/1.1 204 No Content\r\n\r\n');
  });
  for (const server of [hosted, far]) {
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    servers.push(server);
  }
  const { port } = hosted.address() as AddressInfo;
  address = `http://127.0.0.1:${port}/`;
  elsewhere = `localhost:${port}`;
  // WebRTC asks by UDP.
  const datagrams = createSocket('udp4', () => {
    stranger.calls += 1;
  });
  await new Promise<void>((done) => datagrams.bind((far.address() as AddressInfo).port, '127.0.0.1', done));
  servers.push(datagrams);
  stranger = { host: `127.0.0.1:${(far.address() as AddressInfo).port}`, calls: 0 };
  const target = {
    kind: 'embedded',
    manners: { timeout: 2, patience: 2 },
    gateway: { address, requestors: {} },
    pages: [elsewhere],
    control: {},
    connection: {},
  } as unknown as Target;
  const journal = { write: (line: Line) => void lines.push(line), note: () => {} };
  const recorder = new Recorder('c0000001', new Redactor(), journal);
  receiver = await MessageReceiver.open(target, recorder);
  proxy = await PageProxy.open({ hosts: [withPort(address), elsewhere, withPort(receiver.address)] });
  const executablePath = findBrowser()!;
  const behind = browserBehind(proxy.address);
  // A whole browser keeps sites apart without being told.
  const args = [...behind.args, '--site-per-process'];
  browser = await chromium.launch({ executablePath, ...behind, args });
  page = await browser.newPage();
  customer = CustomerBrowser.open({ name: 'first', page, receiver, recorder, target, hurried: false, pictures: true });
});
test.afterAll(async () => {
  await browser?.close();
  await proxy?.close();
  await receiver?.close();
  for (const server of servers.splice(0)) server.close();
});

test('lets the customer go where the target file says', async () => {
  html = '<p id="there">there</p>';
  expect(await customer.visit(address)).toBe(200);
  expect(await customer.findVisible('#there')).toBeDefined();
  expect(await customer.visitHtml('<p>shop</p>')).toBe(200);
});

test('looks into frames before the page around them', async () => {
  const at = (where: string) => `<input id="number" data-at="${where}">`;
  html = `${at('outside')}<iframe srcdoc='${at('inside')}'></iframe>`;
  await customer.visit(address);
  await customer.enterCard({ number: '#number' } as PageSelectors, CARD);
  const written = page.frames().map((frame) => frame.locator('#number').inputValue());
  expect(await Promise.all(written)).toEqual(['', CARD.number]);
});

test('sees the page around a frame that is busy for ever', async () => {
  // Of another site, and so in another process: what is around it stays awake.
  html = `<iframe src="http://${elsewhere}/busy"></iframe><button id="pay">Pay</button>`;
  await page.goto(address, { waitUntil: 'commit' });
  await expect.poll(() => page.frames().map((frame) => frame.url())).toContain(`http://${elsewhere}/busy`);
  expect(await customer.findVisible('#pay')).toBeDefined();
  await page.goto('about:blank');
});

test('writes nothing of what was typed, wherever a page sends it', async () => {
  const body = `<input id="number"><input id="code"><script>
    code.addEventListener('input', () => fetch('/take/' + code.value + '/%38%33%39%31?n=' + number.value))
  </script>`;
  html = body;
  await customer.visit(address);
  const answered = page.waitForResponse(/take/);
  await customer.enterCard({ number: '#number', code: '#code' } as PageSelectors, CARD);
  await answered;
  await expect
    .poll(() => lines.map((line) => JSON.stringify(line)).find((line) => line.includes('/take/')))
    .toBeDefined();
  const line = lines.find((one) => one.kind === 'exchange' && one.request.url.includes('/take/')) as ExchangeLine;
  expect(line.request.url).toBe(`${address}take/[redacted]/[redacted]`);
});

const WAYS: readonly (readonly [string, (host: string) => string])[] = [
  ['a script fetches', (host) => `<script>fetch('http://${host}/x',{mode:'no-cors'}).catch(()=>{})</script>`],
  ['a web socket', (host) => `<script>new WebSocket('ws://${host}/x')</script>`],
  [
    'a shared worker',
    (host) => {
      const code = `fetch('http://${host}/x',{mode:'no-cors'}).catch(()=>{});new WebSocket('ws://${host}/x')`;
      return `<script>new SharedWorker(URL.createObjectURL(new Blob([${JSON.stringify(code)}])))</script>`;
    },
  ],
  [
    'a redirect that keeps the method',
    () => '<form method="post" action="/away"></form><script>document.forms[0].submit()</script>',
  ],
  ['a prefetch', (host) => `<link rel="prefetch" href="http://${host}/x"><link rel="dns-prefetch" href="//${host}">`],
  ['a prerender', (host) => `<script type="speculationrules">{"prerender":[{"urls":["http://${host}/x"]}]}</script>`],
  [
    'an iframe by the other name of this machine',
    (host) => `<iframe src="http://${host.replace('127.0.0.1', 'localhost')}/x"></iframe>`,
  ],
  [
    'WebRTC over TCP and UDP',
    (host) => {
      const urls = JSON.stringify([`stun:${host}`, `turn:${host}?transport=tcp`, `turn:${host}?transport=udp`]);
      return `<script>const c=new RTCPeerConnection({iceServers:[{urls:${urls},username:'a',credential:'b'}]});c.createDataChannel('x');c.createOffer().then(o=>c.setLocalDescription(o))</script>`;
    },
  ],
];

for (const [name, write] of WAYS)
  test(`does not let a page reach another port: ${name}`, async () => {
    html = `<!doctype html><title>Form</title>${write(stranger.host)}<p id="there">there</p>`;
    stranger.calls = 0;
    await customer.visit(address);
    await page.waitForTimeout(700);
    expect(stranger.calls).toBe(0);
  });

test('leads the customer nowhere that the target file does not name', async () => {
  expect(await customer.visit(address.replace('//', '//somebody@'))).toBe(200);
  for (const host of [stranger.host, stranger.host.replace('127.0.0.1', 'localhost')])
    for (const away of [host, `${new URL(address).host}@${host}`])
      expect(await customer.visit(`http://${away}/`), away).toBeUndefined();
});

test('types nothing any more once it has given up', async () => {
  html = '<input id="number">';
  await customer.visit(address);
  for (const name of ['code', 'year']) {
    const form = { number: '#number', [name]: `#${name}` } as unknown as PageSelectors;
    await expect(customer.enterCard(form, CARD)).rejects.toThrow(`(gateway.form.${name})`);
  }
  await page.setContent('<input id="code"><input id="year">');
  await page.waitForTimeout(300);
  expect(await page.evaluate(() => [...document.querySelectorAll('input')].map(({ value }) => value))).toEqual([
    '',
    '',
  ]);
});

test('goes on to the next page of a form for the fields that are left, and waits for those that are only slow', async () => {
  const fields = '<input id="number"><input id="holder">';
  const next = '<input id="month"><input id="year"><input id="code">';
  const selectors = Object.fromEntries(
    ['number', 'month', 'year', 'code', 'holder', 'submit'].map((name) => [name, `#${name}`]),
  ) as unknown as PageSelectors;
  for (const write of [
    `<div id="page">${fields}<button id="submit" onclick='page.innerHTML=${JSON.stringify(next)}'>Next</button></div>`,
    `<div id="page">${fields}</div><button id="submit" onclick="window.isSent=true">Pay</button>
     <script>setTimeout(() => page.insertAdjacentHTML('beforeend', ${JSON.stringify(next)}), 800)</script>`,
  ]) {
    html = write;
    await customer.visit(address);
    await customer.enterCard(selectors, CARD);
    const written = page.locator('#month, #year, #code');
    expect(await written.evaluateAll((all) => all.map((one) => (one as HTMLInputElement).value))).toEqual([
      CARD.month,
      CARD.year,
      CARD.code,
    ]);
    expect(await page.evaluate(() => 'isSent' in window)).toBe(false);
  }
});

test('fills in a year as the form has room for it, or from its list', async () => {
  html =
    '<input id="number"><select id="month"><option value="9"><option value="10"></select><input id="year" maxlength="2">' +
    `<iframe srcdoc="<input id='code'>"></iframe>`;
  await customer.visit(address);
  const form = { number: '#number', month: '#month', year: '#year', code: '#code' } as PageSelectors;
  await customer.enterCard(form, CARD);
  expect(
    await page.locator('#month, #year').evaluateAll((all) => all.map((one) => (one as HTMLInputElement).value)),
  ).toEqual(['10', '49']);
  expect(await page.frames()[1]!.locator('#code').inputValue()).toBe('8391');
});

test('types into a field whose frame comes up behind the page', async () => {
  html =
    '<p>there</p><script>setTimeout(() => { document.body.insertAdjacentHTML("beforeend", `<iframe srcdoc="<input id=number>"></iframe>`) }, 100)</script>';
  await customer.visit(address);
  await customer.enterCard({ number: '#number' } as PageSelectors, CARD);
  expect(await page.frames()[1]!.locator('#number').inputValue()).toBe(CARD.number);
});

test('lets a page see keys and fields that are left, says yes, and follows a link', async () => {
  html =
    '<input id="number"><button id="pay" disabled>Pay</button><p id="left"></p><script>' +
    'number.onkeyup = () => { pay.disabled = number.value.length < 16 }; number.onchange = () => { left.textContent = "left" };' +
    'pay.onclick = () => { if (confirm("Sure?")) document.body.innerHTML = "<a href=" + location.origin + "/shop?paid>Back</a>" }</script>';
  await customer.visit(address);
  await customer.enterCard({ number: '#number' } as PageSelectors, CARD);
  await expect(page.locator('#left')).toHaveText('left');
  await customer.pressButton('#pay');
  expect(await customer.findVisible('a')).toBeDefined();
  await customer.followLink(`${address}shop`);
  await page.waitForURL(/shop\?paid$/);
});

test('loses patience with a page that is busy for ever', async () => {
  html = '<p id="there">there</p><script>setTimeout(() => { for (;;); }, 50)</script>';
  await customer.visit(address);
  await page.waitForTimeout(200);
  const began = Date.now();
  expect(await customer.findVisible('#never')).toBeUndefined();
  expect(Date.now() - began).toBeLessThan(5000);
});

test('ends the browser although a page changes its address without pause', async () => {
  const other = await chromium.launch({ executablePath: findBrowser()!, ...browserBehind(proxy.address) });
  html = '<script>setInterval(() => { for (let i = 0; i < 500; i++) history.pushState(0, "", "/" + i); })</script>';
  await (await other.newPage()).goto(address).catch(() => {});
  await new Promise((done) => setTimeout(done, 1000));
  const ended = other.close().then(() => 'ended');
  expect(await Promise.race([ended, new Promise((done) => setTimeout(done, 10_000, 'still there'))])).toBe('ended');
});
