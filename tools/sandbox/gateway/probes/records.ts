import { probe, state, types } from './probe.ts';
import type { Wire } from './wire.ts';

/** Registered cards and transaction reports. */
export const records = [
  probe('GW-REC-01', [200, 'APPROVED'], async (wire) => {
    const sale = await wire.sale();
    const { cardId } = (await wire.post('/recurring/register-cards/1001', { orderSystemId: sale.body.orderSystemId }))
      .body;
    return state(await wire.sale('approved', { card: undefined, paymentMethod: 'CARD_ID', cardId }));
  }),
  probe('GW-REC-02', false, async (wire) => {
    const sale = await wire.sale();
    const { cardId } = (await wire.post('/recurring/register-cards/1001', { orderSystemId: sale.body.orderSystemId }))
      .body;
    const body = wire.paying('approved', { card: undefined, paymentMethod: 'CARD_ID', cardId });
    const paid = await wire.post('/payments/sale/1002', body, { token: wire.credentials.second.token });
    return paid.status === 200 && paid.body.orderState === 'APPROVED';
  }),
  probe('GW-REC-04', [200, true], async (wire) => {
    const sale = await wire.sale();
    const came = await wire.post('/recurring/register-cards/1001', { orderSystemId: sale.body.orderSystemId });
    return [came.status, Boolean(came.body?.cardId)];
  }),

  probe('GW-REP-01', [200, 3], async (wire) => {
    const rows = await reported(wire);
    return [rows.status, rows.body?.transactions.length];
  }),
  probe('GW-REP-02', ['AUTH', 'CAPTURE', 'REVERSAL'], async (wire) => types(await reported(wire))),
  probe('GW-REP-03', 1, async (wire) => {
    const rows = (await reported(wire)).body.transactions as { orderSystemId: unknown }[];
    return new Set(rows.map((row) => row.orderSystemId)).size;
  }),
  probe('GW-REP-04', 'changed mind', async (wire) => {
    const rows = (await reported(wire)).body.transactions as { type: string; reversalReason?: string }[];
    return rows.find((row) => row.type === 'REVERSAL')?.reversalReason;
  }),
];

/** The report of the merchant after an authorization, a capture and a reversal, oldest row first. */
async function reported(wire: Wire) {
  const auth = await wire.auth();
  await wire.capture(auth, { captureAmount: '4' });
  await wire.reverse(auth, '1');
  const { login, token } = wire.credentials.merchant;
  const came = await wire.post(`/report/transaction/by-merchant/${login}`, {}, { token });
  came.body?.transactions.reverse();
  return came;
}
