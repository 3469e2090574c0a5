import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Agent, request } from 'undici';
import { RecordingClient } from '#client';
import { projectContract } from '#contract';
import { Journal, Recorder, Redactor } from '#evidence';
import { parseTarget, resolveTarget } from '#target';
import { startBareServer } from './bare-server.ts';
import type { BenchFigure, BenchPart, BenchSize } from './bench-figure.ts';
import { SAMPLE_STATUS } from './sample-status.ts';
import { type TurnPlan, takeTurns } from './take-turns.ts';

const TOKEN = 'bench-token-0123456789abcdef';
const BODY = Buffer.from(JSON.stringify({ orderMerchantId: 'order-1001', orderSystemId: 4711 }));

/** A client that records into a folder and asks one address as the gateway of the embedded target. */
export interface BenchClient {
  /** Sends the request of the bench once: sent, judged, redacted, recorded. */
  readonly ask: () => Promise<void>;
  /** The request alone. */
  readonly askBare: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Opens the client of the bench against an address. @param folder where its journal goes */
export function openBenchClient(origin: string, folder: string): BenchClient {
  const contract = projectContract();
  const file = join(folder, 'target.yaml');
  writeFileSync(
    file,
    `name: bench\nkind: mock\ngateway:\n  address: ${origin}\n  requestors: { main: { id: 1001, token: env:TOKEN } }\n`,
  );
  const target = resolveTarget(parseTarget(file), { env: { TOKEN } });
  const url = `${origin}/payments/status/1001`;
  const redactor = new Redactor();
  redactor.add(TOKEN);
  const journal = new Journal(folder);
  const recorder = new Recorder('be4c0001', redactor, journal);
  const client = new RecordingClient({ contract, target, recorder });
  const headers = [
    ['authorization', `Bearer ${TOKEN}`],
    ['accept', 'application/json'],
    ['content-type', 'application/json'],
  ] as const;
  const agent = new Agent({ pipelining: 1 });
  const flat = headers.flat();
  return {
    ask: async () => {
      await client.send({ api: 'gateway', operation: 'status', method: 'POST', url, headers, body: BODY });
    },
    askBare: async () => {
      const { body } = await request(url, { method: 'POST', headers: flat, body: BODY, dispatcher: agent });
      await body.text();
    },
    close: async () => {
      await Promise.all([client.close(), agent.close()]);
      journal.close();
    },
  };
}

const BARE = 'a bare request';

/**
 * What recording and judging add to a request: a whole checked exchange beside a bare request with the same client library, in turns; of a
 * server on this machine that answers at once, of one that takes as long as the way to the next machine, and of one that takes as long as
 * quick services do.
 */
export async function benchCheckedExchange({ isTrial }: BenchSize): Promise<BenchPart> {
  const goals = [{ text: 'at most 1.5 times a bare undici request', to: BARE, atMost: 1.5 }];
  const atOnce = await measureAgainst(0, isTrial ? 5 : 100, {
    id: 'checked-exchange',
    title: 'An exchange sent, judged, redacted and recorded; answered at once',
    unit: 'µs',
    rounds: isTrial ? 2 : 40,
    warmUp: isTrial ? 1 : 10,
    goals,
  });
  const figures = [atOnce];
  for (const [milliseconds, times] of [
    [1, 50],
    [20, 5],
  ] as const)
    figures.push(
      await measureAgainst(milliseconds, isTrial ? 1 : times, {
        id: `checked-exchange-${milliseconds}`,
        title: `The same, answered after ${milliseconds} ms`,
        unit: 'ms',
        rounds: isTrial ? 2 : 20,
        goals,
      }),
    );
  return { figures };
}

async function measureAgainst(milliseconds: number, times: number, plan: TurnPlan): Promise<BenchFigure> {
  const server = await startBareServer(JSON.stringify(SAMPLE_STATUS), milliseconds);
  const folder = mkdtempSync(join(tmpdir(), 'assay-bench-'));
  const client = openBenchClient(server.origin, folder);
  try {
    const takers = [
      { name: 'a checked exchange', turn: client.ask, times },
      { name: BARE, turn: client.askBare, times },
    ];
    return await takeTurns(takers, plan);
  } finally {
    await client.close();
    await server.close();
    rmSync(folder, { recursive: true });
  }
}
