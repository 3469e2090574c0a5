// A small shop. It sells at once, reserves and captures, sends gifts whose payment is told by callback, and leads to the hosted form.
import { createServer } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';

const { GATEWAY_URL, GATEWAY_ID, GATEWAY_TOKEN, PORT = '4100' } = process.env;
const OWN = `http://127.0.0.1:${PORT}`;
const FINAL = ['APPROVED', 'DECLINED', 'ERROR', 'FILTERED'];
const orders = new Map();

async function ask(path, body) {
  try {
    const response = await fetch(`${GATEWAY_URL}/payments/${path}/${GATEWAY_ID}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${GATEWAY_TOKEN}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return await response.json();
  } catch {
    return {};
  }
}

/** What the gateway says of an order; what anything else says of it does not count. */
async function look(order) {
  const { orderState } = await ask('status', { orderMerchantId: order.id });
  order.state = orderState ?? order.state;
}

async function follow(order) {
  for (let i = 0; i < 10 && !FINAL.includes(order.state); i += 1) {
    await wait(2000);
    await look(order);
  }
}

function paymentOf(order, more) {
  return {
    orderMerchantId: order.id,
    order: { orderMerchantId: order.id, orderAmount: '25.00', orderCurrencyCode: 'EUR', orderDescription: 'a lamp' },
    browser: { ipAddress: '203.0.113.5', userAgent: 'shop', acceptHeader: '*/*' },
    ...more,
  };
}

const card = ({ number }) => ({ cardNumber: number, cvv2: '123', expireMonth: '10', expireYear: '2049' });

async function pay(order) {
  const urls = order.kind === 'gift' ? { webhookUrl: `${OWN}/callback` } : {};
  const operation = order.kind === 'reserve' ? 'auth' : 'sale';
  const { orderState } = await ask(operation, paymentOf(order, { card: card(order), urls }));
  // Without an answer nobody knows what was done, so it is asked for and not paid again.
  order.state = orderState ?? 'PROCESSING';
  if (order.kind === 'gift' && orderState !== undefined) return;
  await follow(order);
  if (order.kind === 'reserve' && order.state === 'APPROVED') {
    await ask('capture', { orderMerchantId: order.id, captureAmount: '25.00' });
    order.isCaptured = true;
  }
}

async function lead(order) {
  const customer = { firstname: 'Ada', lastname: 'Byron' };
  const urls = { resultUrl: `${OWN}/return?order=${order.id}` };
  const { outputRedirectToUrl } = await ask('sale-form', paymentOf(order, { customer, urls }));
  order.redirect = outputRedirectToUrl;
}

const routes = {
  'POST /orders': async (_url, { kind, number }) => {
    const order = { id: `shop-${orders.size + 1}-${Date.now()}`, kind, number, state: 'PROCESSING', calls: 0 };
    orders.set(order.id, order);
    if (kind === 'form') await lead(order);
    else void pay(order);
    return order;
  },
  'POST /retry': async (url) => {
    const order = orders.get(url.searchParams.get('order'));
    await look(order);
    // Paid again is only what is known to have failed.
    if (['DECLINED', 'ERROR', 'FILTERED'].includes(order.state)) void pay(order);
    return order;
  },
  'GET /orders': async (url) => orders.get(url.searchParams.get('order')),
  'GET /return': async (url) => {
    const order = orders.get(url.searchParams.get('order'));
    await look(order);
    await follow(order);
    return order.state === 'APPROVED' ? '<h1>Thank you</h1>' : '<h1>We are sorry</h1>';
  },
  'POST /callback': async (_url, { orderMerchantId }) => {
    const order = orders.get(orderMerchantId);
    order.calls += 1;
    void look(order);
    return {};
  },
};

createServer(async (request, response) => {
  const url = new URL(request.url, OWN);
  const pieces = [];
  for await (const piece of request) pieces.push(piece);
  const text = Buffer.concat(pieces).toString();
  try {
    const route = routes[`${request.method} ${url.pathname}`];
    const answer = route === undefined ? undefined : await route(url, text === '' ? {} : JSON.parse(text));
    if (answer === undefined) return response.writeHead(404).end();
    const type = typeof answer === 'string' ? 'text/html' : 'application/json';
    response.writeHead(200, { 'content-type': type }).end(typeof answer === 'string' ? answer : JSON.stringify(answer));
  } catch (error) {
    response.writeHead(500).end(String(error));
  }
}).listen(Number(PORT), '127.0.0.1');
