import { connect, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { Recorder, Redactor } from '#evidence';
import { MessageReceiver } from '#harness';
import type { Target } from '#target';
import type { AttackTry } from './attack-tally.ts';

const MIB = 1024 * 1024;

type Flood = (dial: (text?: string) => Promise<Socket>, path: string) => Promise<void>;

const head = (path: string, length: number, more = '') =>
  `POST ${path} HTTP/1.1\r\nhost: x\r\n${more}content-length: ${length}\r\n\r\n`;

/** Pushes bytes until they are taken or the line is cut. */
async function push(socket: Socket, bytes: number, piece: string): Promise<void> {
  for (let sent = 0; sent < bytes && !socket.destroyed; sent += piece.length)
    if (!socket.write(piece))
      await Promise.race([
        new Promise((done) => socket.once('drain', done)),
        new Promise((done) => socket.once('close', done)),
        wait(2000),
      ]);
}

const FLOODS: Readonly<Record<string, Flood>> = {
  'half a request and a reset, a hundred times': async (dial, path) => {
    for (let i = 0; i < 100; i += 1) (await dial(`${head(path, 100)}{"half":`)).resetAndDestroy();
  },
  'a hundred megabytes, announced': async (dial, path) =>
    push(await dial(head(path, 100 * MIB)), 100 * MIB, 'x'.repeat(MIB)),
  'a hundred megabytes in chunks': async (dial, path) => {
    const socket = await dial(`POST ${path} HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n`);
    await push(socket, 100 * MIB, `100000\r\n${'4'.repeat(MIB)}\r\n`);
  },
  'a megabyte of card numbers': async (dial, path) => {
    const text = JSON.stringify({ a: '4111111111111111 '.repeat(60_000) });
    await push(await dial(head(path, text.length)), text.length, text);
    await wait(500);
  },
  'a thousand connections that say nothing': async (dial) => {
    for (let i = 0; i < 1000; i += 1) await dial();
  },
  'a thousand headers that do not end': async (dial, path) => {
    for (let i = 0; i < 1000; i += 1) await dial(`POST ${path} HTTP/1.1\r\nx-slow:`);
  },
  'three thousand requests elsewhere': async (dial) => {
    for (let i = 0; i < 3000; i += 1) await dial(`${head('/elsewhere', 2)}{}`);
  },
  'no HTTP at all': async (dial) => {
    for (let i = 0; i < 50; i += 1) await dial('\u0016\u0003\u0001\u0000\r\n\r\n');
  },
};

/** Floods of the port that anybody can reach, each with a delivery of the service in between. */
export function callbackTries(): AttackTry[] {
  return Object.entries(FLOODS).map(([name, flood]) => ({ name, run: () => meet(flood) }));
}

/** @returns what got through: a delivery that was lost, or an error of ours */
async function meet(flood: Flood): Promise<string | undefined> {
  const receiver = await MessageReceiver.open({} as Target, new Recorder('c0000001', new Redactor()));
  receiver.expectPath('/callback');
  const port = Number(new URL(receiver.address).port);
  const sockets: Socket[] = [];
  const dial = async (text?: string) => {
    const socket = connect(port, '127.0.0.1');
    sockets.push(socket);
    socket.on('error', () => {});
    await new Promise((done) => socket.once('connect', done).once('close', done));
    if (text !== undefined) socket.write(text);
    return socket;
  };
  const deliver = () =>
    fetch(`${receiver.address}/callback`, {
      method: 'POST',
      body: '{"orderState":"APPROVED"}',
      signal: AbortSignal.timeout(10_000),
    })
      .then(({ status }) => status)
      .catch(() => 0);
  try {
    const flooded = flood(dial, '/callback');
    const during = await deliver();
    await flooded;
    const after = await deliver();
    if (during !== 202 || after !== 202) return `a delivery was answered ${during} during, ${after} after it`;
    return receiver.failure === undefined ? undefined : `an error of ours: ${receiver.failure}`;
  } finally {
    for (const socket of sockets) socket.destroy();
    await receiver.close();
  }
}
