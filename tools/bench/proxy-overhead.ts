import { Pool } from 'undici';
import { API_NAMES } from '#apis';
import { startProxy } from '#proxy';
import { startBareServer } from './bare-server.ts';
import type { BenchPart, BenchSize } from './bench-figure.ts';
import { takeTurns } from './take-turns.ts';

const ANSWER = JSON.stringify({ orderState: 'APPROVED', transactions: [] });
const BODY = JSON.stringify({ orderMerchantId: 'order-1', order: { orderAmount: '10.00' }, browser: {} });

/** What the proxy adds to a request that is answered at once: the same server asked through it and directly. */
export async function benchProxyOverhead({ isTrial }: BenchSize): Promise<BenchPart> {
  const server = await startBareServer(ANSWER);
  let watched = 0;
  const proxy = await startProxy({
    routes: [{ name: 'it', api: API_NAMES[0]!, message: 'request', upstream: server.origin }],
    observe: () => {
      watched += 1;
    },
  });
  const asker = (name: string, origin: string) => {
    const pool = new Pool(origin, { connections: 1, pipelining: 1 });
    return {
      name,
      times: isTrial ? 5 : 500,
      pool,
      turn: async () => {
        const { body } = await pool.request({
          path: '/',
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: BODY,
        });
        await body.dump();
      },
    };
  };
  const takers = [asker('through the proxy', proxy.addresses['it']!), asker('directly', server.origin)];
  try {
    const figure = await takeTurns(takers, {
      id: 'proxy-overhead',
      title: 'A request that is answered at once, watched by the proxy',
      unit: 'ms',
      rounds: isTrial ? 2 : 9,
      goals: [{ text: 'less than 1 ms', atMost: 1 }],
    });
    if (watched === 0) throw new Error('the proxy saw nothing');
    return { figures: [figure] };
  } finally {
    await Promise.all(takers.map(({ pool }) => pool.close()));
    await proxy.close();
    await server.close();
  }
}
