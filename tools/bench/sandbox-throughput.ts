import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Pool } from 'undici';
import { publishDescription, readSpec, SPEC_FILES } from '#contract';
import { startBareServer } from './bare-server.ts';
import type { BenchPart, BenchSize } from './bench-figure.ts';
import { takeTurns } from './take-turns.ts';

const CONNECTIONS = 16;
const PATH = '/exchange-rate/get-exchange-rate/1001';
const BODY = JSON.stringify({
  exchangeProvider: 'ECB',
  exchangeCurrencyCodeFrom: 'EUR',
  exchangeCurrencyCodeTo: 'USD',
});
const [PRISM, BARE] = ['the Prism mock', 'bare node:http'];

/** A server that takes the request of the bench. */
interface Contender {
  readonly name: string;
  readonly url: string;
}

/** The embedded sandbox beside the Prism mock over the same description, and beside a bare handler that sends the same bytes. */
export async function benchSandboxThroughput({ isTrial, rivals }: BenchSize): Promise<BenchPart> {
  const cli = fileURLToPath(new URL('../cli/assay.mjs', import.meta.url));
  const sandbox = spawn(process.execPath, [cli, 'sandbox', '--json', '--seed', 'bench'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const home = mkdtempSync(join(tmpdir(), 'assay-bench-'));
  let prism: ChildProcess | undefined;
  try {
    const { addresses, credentials } = await readOpening(sandbox);
    const headers = {
      authorization: `Bearer ${credentials.gateway.main.token}`,
      accept: 'application/json',
      'content-type': 'application/json',
    };
    const own = { name: 'the sandbox', url: `${addresses.gateway}${PATH}` };
    const bytes = await ask(own.url, headers);
    const bare = await startBareServer(bytes);
    const contenders: Contender[] = [own, { name: BARE, url: `${bare.origin}${PATH}` }];
    if (rivals !== undefined) {
      const port = await freePort();
      const file = join(home, 'gateway.json');
      writeFileSync(file, JSON.stringify(publishDescription(readSpec('gateway', SPEC_FILES.gateway).root)));
      const program = join(rivals, 'node_modules/@stoplight/prism-cli/dist/index.js');
      prism = spawn(process.execPath, [program, 'mock', '-p', String(port), file], { stdio: 'ignore' });
      const url = `http://127.0.0.1:${port}${PATH}`;
      await untilAnswered(url, headers);
      contenders.push({ name: PRISM, url });
    }
    const milliseconds = isTrial ? 50 : 2000;
    const figure = await takeTurns(
      contenders.map(({ name, url }) => ({ name, turn: () => rateOf(url, headers, milliseconds) })),
      {
        id: 'sandbox-throughput',
        title: 'Requests answered over 16 kept connections',
        unit: 'a second',
        rounds: isTrial ? 1 : 5,
        isRate: true,
        goals: [
          { text: 'at least 0.7 of the Prism mock', to: PRISM, atLeast: 0.7 },
          { text: 'at least half of a bare node:http', to: BARE, atLeast: 0.5 },
        ],
        ...(rivals === undefined ? { missing: ['the Prism mock: it was not fetched'] } : {}),
      },
    );
    await bare.close();
    return { figures: [figure] };
  } finally {
    sandbox.kill();
    prism?.kill();
    rmSync(home, { recursive: true });
  }
}

/** Requests a second that an address answers. */
async function rateOf(url: string, headers: Record<string, string>, milliseconds: number): Promise<number> {
  const { origin, pathname } = new URL(url);
  const pool = new Pool(origin, { connections: CONNECTIONS, pipelining: 1 });
  const began = performance.now();
  let answered = 0;
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      while (performance.now() < began + milliseconds) {
        const { body, statusCode } = await pool.request({ path: pathname, method: 'POST', headers, body: BODY });
        await body.dump();
        if (statusCode !== 200) throw new Error(`${origin} answers ${statusCode}`);
        answered += 1;
      }
    }),
  );
  const seconds = (performance.now() - began) / 1000;
  await pool.close();
  return answered / seconds;
}

interface Opening {
  readonly addresses: { readonly gateway: string };
  readonly credentials: { readonly gateway: { readonly main: { readonly token: string } } };
}

async function readOpening({ stdout }: ChildProcess): Promise<Opening> {
  let printed = '';
  for await (const chunk of stdout as AsyncIterable<Buffer>) {
    printed += chunk.toString();
    if (printed.trimEnd().endsWith('}')) return JSON.parse(printed) as Opening;
  }
  throw new Error('the sandbox ended before it was open');
}

async function ask(url: string, headers: Record<string, string>): Promise<string> {
  const answer = await fetch(url, { method: 'POST', headers, body: BODY });
  if (answer.status !== 200) throw new Error(`${url} answers ${answer.status}`);
  return answer.text();
}

async function untilAnswered(url: string, headers: Record<string, string>): Promise<void> {
  for (let tries = 0; ; tries += 1)
    try {
      await ask(url, headers);
      return;
    } catch (error) {
      if (tries === 240) throw error;
      await wait(500);
    }
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}
