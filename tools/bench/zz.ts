import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startBareServer } from './bare-server.ts';
import { openBenchClient } from './checked-exchange.ts';
import { SAMPLE_STATUS } from './sample-status.ts';

const server = await startBareServer(JSON.stringify(SAMPLE_STATUS), 0);
const client = openBenchClient(server.origin, mkdtempSync(join(tmpdir(), 'zz-')));
for (let r = 0; r < 3; r++) {
  for (const [n, f] of [
    ['ask', client.ask],
    ['bare', client.askBare],
  ] as const) {
    const b = performance.now();
    const c = process.cpuUsage();
    for (let i = 0; i < 2000; i++) await f();
    const u = process.cpuUsage(c);
    console.log(n, ((performance.now() - b) / 2).toFixed(0), 'µs each; cpu', ((u.user + u.system) / 2000).toFixed(0));
  }
}
if (process.argv[2]) {
  const b = performance.now();
  while (performance.now() - b < 8000) await client.ask();
}
await client.close();
await server.close();
