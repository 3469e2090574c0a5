/**
 * What the proxy adds to a request: a bare `node:http` server asked directly and through the proxy, in turns, one request after the other
 * over kept-alive connections, the server and the proxy each in a process or thread of its own. Times depend on the machine; the ratio and
 * the difference of the medians are what is wanted.
 *
 *     npm run bench:proxy
 */
import { Worker } from 'node:worker_threads';
import { Pool } from 'undici';
import { API_NAMES } from '#apis';
import { startProxy } from '#proxy';

const REQUESTS = 2000;
const ROUNDS = 5;
const BODY = JSON.stringify({ orderMerchantId: 'order-1', order: { orderAmount: '10.00' }, browser: {} });

const server = new Worker(
  `const { parentPort } = require('node:worker_threads');
   const answer = JSON.stringify({ orderState: 'APPROVED', transactions: [] });
   const server = require('node:http').createServer((request, response) => { request.resume(); request.on('end', () => { response.writeHead(200, { 'content-type': 'application/json' }); response.end(answer); }); });
   server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));`,
  { eval: true },
);
const port = await new Promise<number>((done) => server.once('message', done));
const direct = `http://127.0.0.1:${port}`;
let watched = 0;
const proxy = await startProxy({
  routes: [{ name: 'it', api: API_NAMES[0]!, message: 'request', upstream: direct }],
  observe: () => {
    watched += 1;
  },
});
const proxied = proxy.addresses['it']!;

/** Milliseconds of each request, sorted. */
async function measure(origin: string): Promise<number[]> {
  const pool = new Pool(origin, { connections: 1, pipelining: 1 });
  const times: number[] = [];
  for (let i = 0; i < REQUESTS; i += 1) {
    const began = performance.now();
    const { body } = await pool.request({
      path: '/',
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: BODY,
    });
    await body.dump();
    times.push(performance.now() - began);
  }
  await pool.close();
  return times.sort((a, b) => a - b);
}

const at = (times: readonly number[], share: number) => times[Math.floor(times.length * share)]!;
await measure(direct);
await measure(proxied);
const added: number[] = [];
for (let round = 1; round <= ROUNDS; round += 1) {
  const [without, through] = [await measure(direct), await measure(proxied)];
  added.push(at(through, 0.5) - at(without, 0.5));
  console.log(
    `round ${round}: direct ${at(without, 0.5).toFixed(3)} ms, through ${at(through, 0.5).toFixed(3)} ms (p99 ${at(through, 0.99).toFixed(2)} ms), ratio ${(at(through, 0.5) / at(without, 0.5)).toFixed(2)}`,
  );
}
added.sort((a, b) => a - b);
console.log(
  `added at the median: ${at(added, 0.5).toFixed(3)} ms   (less than 1 wanted); ${watched} exchanges watched`,
);
await proxy.close();
await server.terminate();
