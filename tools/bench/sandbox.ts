/**
 * The embedded sandbox beside a bare `node:http` handler that returns the same bytes, and beside the Prism mock server serving the
 * same spec, in one run. Rates are requests a second over kept-alive connections; only their ratios mean anything.
 *
 *     npm run bench:sandbox            (fetches the mock server from the registry for this run; --no-prism leaves it out)
 */
import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { Pool } from 'undici';
import { startSandbox } from '#sandbox';

const SECONDS = 3;
const ROUNDS = 3;
const CONNECTIONS = 16;
const BODY = JSON.stringify({
  exchangeProvider: 'ECB',
  exchangeCurrencyCodeFrom: 'EUR',
  exchangeCurrencyCodeTo: 'USD',
});
const PATH = '/exchange-rate/get-exchange-rate/1001';
const PRISM = '@stoplight/prism-cli@5.14.2';

interface Contender {
  readonly name: string;
  readonly origin: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Requests a second that a contender answers. */
async function rate({ origin, path, headers }: Contender): Promise<number> {
  const pool = new Pool(origin, { connections: CONNECTIONS, pipelining: 1 });
  const end = performance.now() + SECONDS * 1000;
  let answered = 0;
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      while (performance.now() < end) {
        const { body } = await pool.request({ path, method: 'POST', headers, body: BODY });
        await body.dump();
        answered += 1;
      }
    }),
  );
  await pool.close();
  return answered / SECONDS;
}

/** A server in a thread of its own, so that it does not share one with the load. */
function inThread(source: string, data: unknown): Promise<{ port: number; stop: () => Promise<number> }> {
  const worker = new Worker(source, { eval: true, workerData: data });
  return new Promise((resolve, reject) => {
    worker.once('message', (port: number) => resolve({ port, stop: () => worker.terminate() }));
    worker.once('error', reject);
  });
}

const began = performance.now();
const first = await startSandbox();
const start = performance.now() - began;
await first.close();
const again = performance.now();
const second = await startSandbox();
const restart = performance.now() - again;
await second.close();
console.log(`start ${start.toFixed(0)} ms, again in the same process ${restart.toFixed(0)} ms`);

// The sandbox is a process of its own as well: the load must not take its share of the thread.
const cli = fileURLToPath(new URL('../cli/assay.mjs', import.meta.url));
const child = spawn(process.execPath, [cli, 'sandbox', '--json', '--seed', 'bench'], {
  stdio: ['ignore', 'pipe', 'inherit'],
});
let printed = '';
for await (const chunk of child.stdout as AsyncIterable<Buffer>) {
  printed += chunk.toString();
  if (printed.trimEnd().endsWith('}')) break;
}
const { addresses, credentials } = JSON.parse(printed) as {
  addresses: { gateway: string };
  credentials: { gateway: { main: { token: string } } };
};
const headers = {
  authorization: `Bearer ${credentials.gateway.main.token}`,
  accept: 'application/json',
  'content-type': 'application/json',
};
const sample = await fetch(`${addresses.gateway}${PATH}`, { method: 'POST', headers, body: BODY });
if (sample.status !== 200) throw new Error(`the sandbox answered ${sample.status}`);
const bytes = await sample.text();

const bare = await inThread(
  `const { workerData, parentPort } = require('node:worker_threads');
   const server = require('node:http').createServer((request, response) => { request.resume(); request.on('end', () => { response.writeHead(200, { 'content-type': 'application/json' }); response.end(workerData); }); });
   server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));`,
  bytes,
);
const contenders: Contender[] = [
  { name: 'sandbox', origin: new URL(addresses.gateway).origin, path: `/api${PATH}`, headers },
  { name: 'bare node:http', origin: `http://127.0.0.1:${bare.port}`, path: PATH, headers },
];

let prism: ReturnType<typeof spawn> | undefined;
if (!process.argv.includes('--no-prism')) {
  const port = await free();
  const spec = fileURLToPath(new URL('../../specs/gateway.yaml', import.meta.url));
  prism = spawn('npx', ['--yes', PRISM, 'mock', '-p', String(port), spec], { stdio: 'ignore', detached: true });
  for (let tries = 0; tries < 240; tries += 1) {
    const up = await fetch(`http://127.0.0.1:${port}${PATH}`, { method: 'POST', headers, body: BODY }).then(
      ({ status }) => {
        if (status !== 200) console.error(`${PRISM} answers ${status}`);
        return true;
      },
      () => false,
    );
    if (up) {
      contenders.push({ name: PRISM, origin: `http://127.0.0.1:${port}`, path: PATH, headers });
      break;
    }
    await wait(1000);
  }
}

const rates = new Map<string, number[]>();
for (let round = 0; round < ROUNDS; round += 1) {
  for (const contender of contenders) {
    rates.set(contender.name, [...(rates.get(contender.name) ?? []), await rate(contender)]);
  }
}
const median = (name: string) =>
  [...(rates.get(name) ?? [])].sort((a, b) => a - b)[Math.floor(ROUNDS / 2)] ?? Number.NaN;
for (const { name } of contenders) console.log(`${name.padEnd(32)} ${median(name).toFixed(0).padStart(8)} requests/s`);
console.log(
  `sandbox : bare node:http  ${(median('sandbox') / median('bare node:http')).toFixed(2)}   (at least 0.5 wanted)`,
);
if (contenders.length > 2)
  console.log(`sandbox : Prism           ${(median('sandbox') / median(PRISM)).toFixed(1)}   (at least 10 wanted)`);

child.kill();
await bare.stop();
if (prism?.pid !== undefined) process.kill(-prism.pid);

function free(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}
