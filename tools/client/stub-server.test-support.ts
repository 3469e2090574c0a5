import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { projectContract } from '#contract';
import { type ExchangeLine, JOURNAL, Journal, type Line, Recorder, Redactor } from '#evidence';
import { parseTarget, resolveTarget, type Target } from '#target';
import { RecordingClient } from './recording-client.ts';

/** What a stub does with a connection, once a whole request head has come; `count` counts connections from 1. */
export type StubBehaviour = (socket: Socket, head: string, count: number) => void;

/** A server that speaks TCP and nothing else by itself. */
export interface StubServer {
  readonly address: string;
  readonly port: number;
  /** Request heads in the order of their coming. */
  readonly heads: string[];
  close(): Promise<void>;
}

/** Listens on a free port of this machine. */
export async function startStubServer(behave: StubBehaviour): Promise<StubServer> {
  const heads: string[] = [];
  const sockets = new Set<Socket>();
  let count = 0;
  const server = createServer((socket) => {
    sockets.add(socket);
    count += 1;
    const mine = count;
    let text = '';
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
      for (let end = text.indexOf('\r\n\r\n'); end >= 0; end = text.indexOf('\r\n\r\n')) {
        const head = text.slice(0, end);
        const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
        if (text.length < end + 4 + length) return;
        text = text.slice(end + 4 + length);
        heads.push(head);
        behave(socket, head, mine);
      }
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as { port: number };
  return {
    address: `http://127.0.0.1:${port}`,
    port,
    heads,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((done) => server.close(done));
    },
  };
}

/**
 * A target whose both services are at these addresses; `more` is YAML that is appended at the top level.
 * @param timeout seconds: one, where an answer that never comes is waited for
 */
export function stubTarget(address: string, more = '', money = '{ calls: 500, total: 10000 }', timeout = 1): Target {
  const folder = mkdtempSync(join(tmpdir(), 'assay-target-'));
  try {
    const path = join(folder, 'target.yaml');
    writeFileSync(
      path,
      `name: stub\nkind: mock\ngateway:\n  address: ${address}\n  requestors: { main: { id: 1, token: env:T } }\n` +
        `v1: { address: "${address}", token: env:T, account: env:A, customer: env:C }\nmanners: { timeout: ${timeout}, money: ${money} }\n${more}`,
    );
    return resolveTarget(parseTarget(path), {
      env: { T: 'token-of-the-stub', W: 'webhook-token-before', A: 'a', C: 'c' },
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A client of a target with everything it records. */
export function openStubClient(target: Target, folder?: string) {
  const run = mkdtempSync(join(tmpdir(), 'assay-client-'));
  const journal = new Journal(run);
  const recorder = new Recorder('c0000001', new Redactor(), journal);
  const client = new RecordingClient({
    contract: projectContract(),
    target,
    recorder,
    folder,
  });
  return {
    client,
    recorder,
    exchanges(): ExchangeLine[] {
      return readFileSync(join(run, JOURNAL), 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as Line)
        .filter((line) => line.kind === 'exchange');
    },
    async close() {
      await client.close();
      journal.close();
      rmSync(run, { recursive: true, force: true });
    },
  };
}
