import { probe } from './probe.ts';
import { challenge, forwardCRes } from './three-ds.ts';

const countAndState = (bodies: { orderState?: unknown }[], count: number) => [
  bodies.length,
  bodies[count - 1]?.orderState,
];

/** Callbacks, with a real receiver. */
export const callbacks = [
  probe('GW-CBK-01', ['APPROVED', 'string'], async (wire) => {
    await wire.sale('approved', { urls: { webhookUrl: await wire.receiver() } });
    const [body] = await wire.callbacks(1);
    return [body?.orderState, typeof body?.correlationId];
  }),
  probe('GW-CBK-02', [1, 'APPROVED'], async (wire) => {
    await wire.sale('pending', { urls: { webhookUrl: await wire.receiver() } });
    await wire.advance(5);
    return countAndState(await wire.callbacks(1), 1);
  }),
  probe('GW-CBK-03', true, async (wire) => {
    const sale = await wire.sale('approved', { urls: { webhookUrl: await wire.receiver() } });
    const [body] = await wire.callbacks(1);
    const status = (await wire.status(sale)).body;
    return JSON.stringify({ ...body, correlationId: 0 }) === JSON.stringify({ ...status, correlationId: 0 });
  }),
  probe('GW-CBK-04', [1, 'APPROVED'], async (wire) => {
    await wire.auth('approved', { urls: { webhookUrl: await wire.receiver() } });
    return countAndState(await wire.callbacks(1), 1);
  }),
  probe('GW-CBK-05', [2, 'APPROVED'], async (wire) => {
    const auth = await wire.auth('approved', { urls: { webhookUrl: await wire.receiver() } });
    await wire.capture(auth);
    return countAndState(await wire.callbacks(2), 2);
  }),
  probe('GW-CBK-06', [2, 'APPROVED'], async (wire) => {
    const sale = await wire.sale('approved', { urls: { webhookUrl: await wire.receiver() } });
    await wire.reverse(sale);
    return countAndState(await wire.callbacks(2), 2);
  }),
  probe('GW-CBK-07', [1, 'APPROVED'], async (wire) => {
    const urls = { webhookUrl: await wire.receiver(), cresUrl: 'http://127.0.0.1:9/cres' };
    const sale = await wire.sale('challenge', { urls });
    await forwardCRes(wire, sale, (await challenge(wire, sale)).cres);
    return countAndState(await wire.callbacks(1), 1);
  }),
  probe('GW-CBK-08', [2, 'DECLINED'], async (wire) => {
    const sale = await wire.sale('approved', { urls: { webhookUrl: await wire.receiver() } });
    await wire.advance(30 * 86_400);
    await wire.steer(`/gateway/orders/${sale.body.orderSystemId}/chargeback`, {});
    return countAndState(await wire.callbacks(2), 2);
  }),
];
