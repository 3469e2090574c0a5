import { Worker } from 'node:worker_threads';

/** A bare `node:http` server in a thread of its own, so that it does not share one with the load. */
export interface BareServer {
  readonly origin: string;
  close(): Promise<unknown>;
}

const SOURCE = `const { workerData, parentPort } = require('node:worker_threads');
const server = require('node:http').createServer((request, response) => {
  request.resume();
  request.on('end', () => workerData.wait > 0 ? setTimeout(answer, workerData.wait, response) : answer(response));
});
const answer = (response) => { response.writeHead(200, { 'content-type': 'application/json' }); response.end(workerData.bytes); };
server.keepAliveTimeout = 60000;
server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));`;

/** Starts a server that answers every request with the same bytes of JSON. @param wait milliseconds before each answer */
export function startBareServer(bytes: string, wait = 0): Promise<BareServer> {
  const worker = new Worker(SOURCE, { eval: true, workerData: { bytes, wait } });
  return new Promise((resolve, reject) => {
    worker.once('message', (port: number) =>
      resolve({ origin: `http://127.0.0.1:${port}`, close: () => worker.terminate() }),
    );
    worker.once('error', reject);
  });
}
