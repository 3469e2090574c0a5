import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, type Page, test } from '@playwright/test';
import { findBrowser } from '#browser';
import { coverPicture, type PageAsSeen, Recorder, Redactor, readPng } from '#evidence';
import { sharedPage } from '#page-look';
import { readPageSight } from './page-sight.ts';

test.skip(findBrowser() === undefined, 'there is no browser here');

/** Two customers: what a picture shows of one it must not show of the other. */
const CUSTOMERS = [
  { number: '5383908528354962', code: '8391' },
  { number: '4929721486753031', code: '6072' },
] as const;

type Customer = (typeof CUSTOMERS)[number];

const groups = (number: string) => number.replace(/(\d{4})(?=\d)/g, '$1 ');
const frame = (body: string) => `srcdoc="${body.replaceAll('"', '&quot;')}"`;
const svg = (text: string) =>
  `<svg xmlns='http://www.w3.org/2000/svg' width='300' height='30'><text y='20'>${text}</text></svg>`;
const image = (text: string) => `data:image/svg+xml,${encodeURIComponent(svg(text))}`;

/** Pages that show a card number or code, each in its way. */
const PAGES: Readonly<Record<string, (customer: Customer) => string>> = {
  'in a field': ({ number, code }) => `<input value="${number}"><input type="password" value="${code}">`,
  'in fields of every kind': ({ number, code }) =>
    `<textarea>${number}</textarea><select><option>${number}</select><input type="submit" value="Pay with ${number}"><input placeholder="${number}"><input type="range" max="9999" value="${code}"><meter max="9999" value="${code}"></meter>`,
  'in a field of its own making': ({ number }) => `<div contenteditable>${number}</div>`,
  'as the code alone': ({ code }) => `<p>Your code was <b>${code}</b>, ${[...code].join(' ')}</p>`,
  'digit by digit, in reverse': ({ number }) =>
    `<div style="display:flex;flex-direction:row-reverse;justify-content:flex-end">${[...number].map((one) => `<i>${one}</i>`).join('')}</div>`,
  'in other digits': ({ number }) =>
    `<p>${number.replace(/\d/g, (one) => String.fromCodePoint(0x660 + Number(one)))}</p><p>${number.replace(/\d/g, (one) => String.fromCodePoint(0x2080 + Number(one)))}</p>`,
  'turned and enlarged': ({ number }) =>
    `<p style="transform:rotate(20deg) scale(1.4);width:20rem;margin:6rem">${groups(number)}</p>`,
  'upright in a column': ({ number }) => `<p style="writing-mode:vertical-rl;text-orientation:upright">${number}</p>`,
  'by a style': ({ number }) => `<style>p::after{content:"${number}"}</style><p>Card </p>`,
  'as a counter': ({ code }) => `<ol start="${code}"><li>first</ol>`,
  'in an open shadow': ({ number }) =>
    `<div id="at"></div><script>at.attachShadow({mode:'open'}).innerHTML='<p>${number}</p>'</script>`,
  'in a closed shadow': ({ number }) =>
    `<div id="at"></div><script>at.attachShadow({mode:'closed'}).innerHTML='<p>${number}</p>'</script>`,
  'in a frame that is scrolled': ({ number }) =>
    `<iframe width="400" height="90" style="border:9px solid;padding:11px;margin:13px" ${frame(`<body style="height:900px"><p>${number}</p><script>scrollTo(0,12)</script>`)}></iframe>`,
  'in a frame that is turned': ({ number }) =>
    `<iframe style="transform:rotate(10deg) scale(.8)" ${frame(`<p>${number}</p>`)}></iframe>`,
  'in a frame in a frame': ({ number }) =>
    `<iframe ${frame(`<iframe ${frame(`<p>${number}</p>`)}></iframe>`)}></iframe>`,
  'in a frame of another origin': ({ number }) =>
    `<iframe src="data:text/html,${encodeURIComponent(`<p>${number}</p>`)}"></iframe>`,
  'on a scrolled page': ({ number }) =>
    `<div style="height:500px">up</div><p>${number}</p><div style="height:2000px">down</div><script>scrollTo(0,200)</script>`,
  'in a canvas': ({ number }) =>
    `<canvas id="at" width="400" height="40"></canvas><script>const c=at.getContext('2d');c.font='20px sans-serif';c.fillText('${number}',0,30)</script>`,
  'in a drawing': ({ number }) => svg(number),
  'in an image': ({ number }) => `<img src="${image(number)}" alt="${number}">`,
  'in a background': ({ number }) => `<p style="background:url(&quot;${image(number)}&quot;);height:60px">Card</p>`,
  'in a content image': ({ number }) => `<style>p::before{content:url("${image(number)}")}</style><p>Card</p>`,
  'in a border image': ({ number }) =>
    `<p style="border:20px solid;border-image:url(&quot;${image(number)}&quot;) 10 stretch">Card</p>`,
  'in a list image': ({ number }) =>
    `<ul style="padding-left:20rem;list-style-image:url(&quot;${image(number)}&quot;)"><li>Card</ul>`,
  'as a shadow elsewhere': ({ number }) => `<p style="text-shadow:0 60px red;color:transparent">${number}</p>`,
  'as a reflection': ({ number }) => `<p style="-webkit-box-reflect:below 30px">${number}</p>`,
  'as the shadow of a filter': ({ number }) => `<p style="filter:drop-shadow(0 60px red)">${number}</p>`,
  'in a dialog above everything': ({ number }) =>
    `<dialog id="at"><p>${number}</p></dialog><script>at.showModal()</script>`,
  'above a cover': ({ number }) =>
    `<p style="position:fixed;z-index:2147483647;top:90px">${groups(number)}</p><div popover id="at">${number}</div><script>at.showPopover()</script>`,
  'in the summary of details': ({ number }) => `<details open><summary>Card ${number}</summary>${number}</details>`,
  'by a script that answers for the page': ({ number }) =>
    `<p>${number}</p><script>Range.prototype.getClientRects=Element.prototype.getBoundingClientRect=()=>({});Node.prototype.toString=()=>'';Object.defineProperty(Node.prototype,'textContent',{get:()=>''})</script>`,
};

let page: Page;
let server: Server;
let body = '';
let address: string;

test.beforeAll(async () => {
  server = createServer((_request, response) =>
    response
      .writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
      .end(
        `<!doctype html><title>Form</title><body style="font:20px sans-serif"><h1>Pay by card</h1><div style="min-height:400px">${body}</div><p style="text-align:right">The end of the page</p>`,
      ),
  );
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  page = await sharedPage();
});
test.afterAll(() => void server?.close());

async function see(of: string): Promise<PageAsSeen | undefined> {
  body = of;
  await page.goto(address);
  return readPageSight(page, 'the page');
}

/** The picture as it would be kept; `nothing` where none is. */
async function photograph(of: string): Promise<string> {
  const seen = await see(of);
  const png = await seen?.take();
  return png === undefined ? 'nothing' : coverPicture(png, seen!.covers)!.png.toString('base64');
}

test('shows what there is to read of a page', async () => {
  const { width, height, pixels } = readPng(Buffer.from(await photograph('<p>Your order</p>'), 'base64'));
  expect(width).toBe(800);
  expect(height).toBeLessThanOrEqual(640);
  expect(pixels.filter((one) => one < 64).length).toBeGreaterThan(1000);
  expect(await photograph('<p>Your order</p>')).not.toBe(await photograph('<p>Some order</p>'));
});

test('covers a field with one colour', async () => {
  const seen = (await see('<input value="5383908528354962" style="width:300px;height:40px">'))!;
  const { width, pixels } = readPng(coverPicture((await seen.take())!, seen.covers)!.png);
  const [field] = seen.covers;
  const colours = new Set<string>();
  for (let y = Math.floor(field!.y); y < field!.y + field!.height; y += 1)
    for (let x = Math.floor(field!.x); x < field!.x + field!.width; x += 1)
      colours.add(pixels.subarray((y * width + x) * 3, (y * width + x) * 3 + 3).join());
  expect(field!.width).toBeGreaterThan(290);
  expect([...colours]).toHaveLength(1);
});

for (const [name, show] of Object.entries(PAGES))
  test(`looks the same whatever number or code is there: ${name}`, async () => {
    const [one, other] = [await photograph(show(CUSTOMERS[0])), await photograph(show(CUSTOMERS[1]))];
    expect(one).toBe(other);
  });

test('is not taken of a page where a card number can be read', async () => {
  const lines: unknown[] = [];
  const journal = { write: (line: unknown) => void lines.push(line), note: () => {} };
  const recorder = new Recorder('c0000001', new Redactor(), journal);
  for (const name of ['digit by digit, in reverse', 'by a style', 'in a closed shadow', 'in a frame in a frame'])
    expect(await recorder.picture((await see(PAGES[name]!(CUSTOMERS[0])))!), name).toBe(false);
  expect(lines).toEqual([]);
  expect(await recorder.picture((await see('<p>Your order</p>'))!)).toBe(true);
  expect(await recorder.picture((await see('<p>Your order</p>'))!)).toBe(true);
  expect(lines).toEqual([
    expect.objectContaining({ kind: 'picture', png: expect.any(String) }),
    expect.not.objectContaining({ png: expect.anything() }),
  ]);
});

test('is not taken of a page that changes under the camera', async () => {
  const script =
    '<p id="at">0</p><script>setInterval(()=>{at.textContent=Math.random();at.style.width=Math.random()*90+"px"})</script>';
  expect(await photograph(script)).toBe('nothing');
});
