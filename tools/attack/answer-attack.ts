import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { NoAnswerError, RecordingClient } from '#client';
import { projectContract } from '#contract';
import { JOURNAL, Journal, Recorder, Redactor } from '#evidence';
import { ENDLESS_TEXTS, writeEndless } from '#spellings';
import type { Target } from '#target';
import type { AttackTry } from './attack-tally.ts';

const MIB = 1024 * 1024;
const HEAD = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n';

/** Most that one answer may add to a journal, in bytes. */
const JOURNAL_GROWTH = 2 * MIB;

type Answer = (socket: Socket) => void;

function body(text: string | Buffer, head = HEAD): Answer {
  return (socket) => {
    const bytes = Buffer.from(text);
    socket.write(`${head}content-length: ${bytes.length}\r\n\r\n`);
    socket.write(bytes);
  };
}
const raw =
  (text: string): Answer =>
  (socket) =>
    void socket.end(text, 'latin1');
const stay =
  (text: string): Answer =>
  (socket) =>
    void socket.write(text, 'latin1');
const forever =
  (head: string, piece: string): Answer =>
  (socket) => {
    socket.write(head);
    const write = () => {
      while (!socket.destroyed && socket.write(piece));
    };
    socket.on('drain', write);
    write();
  };

/** Texts that patterns with a choice to make try over and over. */
const REPEATED: Readonly<Record<string, string>> = {
  backslashes: '\\',
  'an equals sign and backslashes': '=\\',
  quotes: '"',
  digits: '4',
  'card digits and blanks': '4 1 1 1 ',
  'card digits and hyphens': '4111-',
  'percent signs': '%25',
  entities: '&#52;',
  'base64 letters': 'QUJD',
  'hex digits': '34313131',
  'names of codes': 'cvv2',
  'names and equals signs': 'cvv=',
  'words of codes': 'security code ',
  'open tags': '<span>',
  'escaped quotes': '\\"',
  'unicode escapes': '\\u0034',
  'token words': 'Bearer ',
  'dots of signed tokens': 'eyJh.',
  'PEM beginnings': '-----BEGIN PRIVATE KEY-----',
  'track marks': '%B4111^',
  'thin spaces': '4\u2009',
  'Bengali digits': '\u09ea',
  'open braces in a string': '{"a":',
  commas: ',',
  'ampersands and equals signs': 'a=b&',
};

/** Bodies of eight megabytes, whole and right as JSON. */
function large(piece: (index: number) => string, count: number, open: string, close: string): string {
  return open + Array.from({ length: count }, (_, index) => piece(index)).join(',') + close;
}

const ANSWERS: Readonly<Record<string, () => Answer>> = {
  ...Object.fromEntries(
    Object.entries(REPEATED).flatMap(([name, piece]) => [
      [`a megabyte of ${name}`, () => body(piece.repeat(Math.ceil(MIB / piece.length)))],
      [
        `a megabyte of ${name} in JSON`,
        () => body(JSON.stringify({ orderState: 'APPROVED', message: piece.repeat(Math.ceil(MIB / piece.length)) })),
      ],
    ]),
  ),
  // Of the first a client takes no more than eight megabytes.
  'ten megabytes of one letter': () => body(writeEndless('letters', 10 * MIB)),
  ...Object.fromEntries(
    Object.keys(ENDLESS_TEXTS).map((name) => [`seven megabytes: ${name}`, () => body(writeEndless(name, 7 * MIB))]),
  ),
  'a million members': () => body(large((i) => `"k${i}":1`, 600_000, '{"orderState":"APPROVED",', '}')),
  'half a million entries': () => body(large(() => '{"amount":1}', 500_000, '{"transactions":[', ']}')),
  'numbers without end in a list': () => body(large(() => '1', 4_000_000, '{"transactions":[', ']}')),
  'a name of megabytes': () => body(`{"${'x'.repeat(7 * MIB)}":1}`),
  'a value of megabytes': () => body(`{"orderState":"${'x'.repeat(7 * MIB)}"}`),
  'a number of a million digits': () => body(`{"amount":${'4'.repeat(MIB)}}`),
  'a hundred thousand arrays in each other': () => body('['.repeat(100_000) + ']'.repeat(100_000)),
  'a hundred thousand objects in each other': () => body('{"a":'.repeat(100_000)),
  'members that mean something to objects': () =>
    body('{"__proto__":{"a":1},"constructor":{"prototype":1},"toString":1}'),
  'a bomb': () => body(gzipSync(Buffer.alloc(64 * MIB)), `${HEAD}content-encoding: gzip\r\n`),
  'a bomb in a bomb': () => body(gzipSync(gzipSync(Buffer.alloc(64 * MIB))), `${HEAD}content-encoding: gzip\r\n`),
  'half of a body': () => raw(`${HEAD}content-length: 100\r\n\r\n{"half":`),
  'a body without end': () => forever(`${HEAD}\r\n`, ' '.repeat(65_536)),
  'chunks without end': () => forever(`${HEAD}transfer-encoding: chunked\r\n\r\n`, `1000\r\n${' '.repeat(4096)}\r\n`),
  'headers without end': () => forever('HTTP/1.1 200 OK\r\n', 'x-more: more\r\n'.repeat(100)),
  'a header of a megabyte': () => raw(`HTTP/1.1 200 OK\r\nx-a: ${'x'.repeat(MIB)}\r\n\r\n`),
  'sixty kilobytes of cookies': () => body('{}', `${HEAD}set-cookie: ${'4111-'.repeat(12_000)}\r\n`),
  'two lengths': () => raw(`${HEAD}content-length: 2\r\ncontent-length: 3\r\n\r\n{}`),
  'a length and chunks': () => raw(`${HEAD}content-length: 2\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`),
  nothing: () => stay(''),
  'a status line and silence': () => stay('HTTP/1.1 200'),
  'no HTTP': () => raw('220 mail.example ESMTP\r\n'),
  'zero bytes': () => body(Buffer.alloc(MIB)),
  'random bytes': () => body(Buffer.from(Array.from({ length: 65_536 }, (_, i) => (i * 7919) % 256))),
};

/** Tries of answers that hold up, fill up or mislead whoever reads them. */
export function answerTries(): AttackTry[] {
  return Object.entries(ANSWERS).map(([name, make]) => ({ name, run: () => meet(make()) }));
}

/** Lets the client meet an answer, record it and judge it. @returns what got through */
async function meet(answer: Answer): Promise<string | undefined> {
  const folder = mkdtempSync(join(tmpdir(), 'assay-answers-'));
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.once('data', () => answer(socket));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const address = `http://127.0.0.1:${(server.address() as { port: number }).port}`;
  const target = {
    name: 'hostile',
    kind: 'mock',
    gateway: { address, requestors: {} },
    v1: { address },
    control: {},
    connection: {},
    manners: { timeout: 2, money: { calls: 10, total: 10 } },
  } as unknown as Target;
  const journal = new Journal(folder);
  const recorder = new Recorder('c0000001', new Redactor(), journal);
  const client = new RecordingClient({ contract: projectContract(), target, recorder });
  const operation = [...projectContract().operations.values()].find(({ method }) => method === 'GET')!;
  const [before] = [statSync(join(folder, JOURNAL)).size];
  try {
    for (const { id, api } of [operation, projectContract().operations.get('status') ?? operation])
      await client
        .send({ api, operation: id, method: 'POST', url: `${address}/x`, headers: [], body: Buffer.from('{}') })
        .catch((error: unknown) => {
          if (!(error instanceof NoAnswerError)) throw error;
        });
    if (({} as { a?: unknown }).a !== undefined) return 'every object has a member of the answer';
    const grown = statSync(join(folder, JOURNAL)).size - before;
    return grown > JOURNAL_GROWTH ? `${grown} bytes of journal` : undefined;
  } finally {
    await client.close();
    journal.close();
    for (const socket of sockets) socket.destroy();
    await new Promise((done) => server.close(done));
    rmSync(folder, { recursive: true, force: true });
  }
}
