import { type ApiReply, performControl, UnarrangedError, UnofferedError } from '#client';
import type { TargetCardBehaviour } from '#target';
import type { ServiceTrial, TrialKit } from '../trial-kit.ts';
import { CardHistoryReader } from './card-history-reader.ts';
import { GatewayClient } from './gateway-client.ts';
import { MerchantLookups } from './merchant-lookups.ts';
import { readThreeDSProgress } from './merchant-three-ds.ts';
import { PENDING_STATES, type PlacedOrder } from './placed-order.ts';

/** Whether a card did as its line in the target file says. */
interface CardOutcome {
  readonly text: string;
  readonly fits: boolean;
}

/** How a card is tried. */
type CardTrial = (behaviour: TargetCardBehaviour, parts: Parts) => Promise<CardOutcome>;

interface Parts {
  readonly gateway: GatewayClient;
  readonly lookups: MerchantLookups;
  readonly kit: TrialKit;
}

const paysTo =
  (wanted: string): CardTrial =>
  async (card, { gateway, kit }) => {
    const { reply, order } = await gateway.pay('sale', { card });
    const before = kit.recorder.count;
    const state = await gateway.pollUntilFinal(order, readable(reply, 'a sale'));
    if (wanted === 'APPROVED') kit.notePolls(kit.recorder.count - before);
    return { text: `a sale ended in ${state}`, fits: state === wanted };
  };

const waits: CardTrial = async (card, { gateway, kit }) => {
  const { reply, order } = await gateway.pay('sale', { card });
  const first = String(readable(reply, 'a sale').at('/orderState'));
  const state = await gateway.pollUntilFinal(order, reply);
  const by = kit.target.control.finish === undefined ? '' : ' by control.finish';
  const fits = PENDING_STATES.includes(first) && !PENDING_STATES.includes(state);
  return { text: `a sale was ${first} at first and ${state} in the end${by}`, fits };
};

const asksFor =
  (...steps: readonly (string | undefined)[]): CardTrial =>
  async (card, { gateway }) => {
    const { reply, order } = await gateway.pay('sale', { card });
    const shows = (one: ApiReply) => readThreeDSProgress(one).auth !== undefined;
    const { auth, state } = readThreeDSProgress(await gateway.pollUntil(order, reply, 'a sale', shows));
    const step = auth === undefined ? undefined : String(auth.threeDSAuthStep);
    const text = step === undefined ? `a sale ended in ${state} without 3-D Secure` : `a sale asked for ${step}`;
    return { text, fits: steps.includes(step) && (step !== undefined || state === 'APPROVED') };
  };

const isFound =
  (wanted: boolean): CardTrial =>
  async (card, { lookups, kit }) => {
    if (kit.target.gateway!.client === undefined)
      throw new UnofferedError('credentials', 'card info asks for gateway.client');
    const { result } = readable(await lookups.cardInfo(card), 'card info').object;
    return { text: `card info says ${String(result)}`, fits: (result === 'FOUND') === wanted };
  };

const hasHistory =
  (wanted: boolean): CardTrial =>
  async (card, { lookups, kit }) => {
    const reply = readable(await lookups.cardHistory(card), 'card history');
    const reader = new CardHistoryReader(kit.target);
    const found = (['deposits', 'withdrawals'] as const).map((side) => reader.read(reply, side, 'Found'));
    if (found.every((one) => one === undefined))
      return { text: 'its history is answered; gateway.wire.read.history would say what it holds', fits: true };
    const isTrue = found.some((one) => ['true', '1', 'yes', 'y'].includes(String(one).toLowerCase()));
    return { text: `deposits and withdrawals found: ${found.map(String).join(', ')}`, fits: isTrue || !wanted };
  };

const CARD_TRIALS: Readonly<Record<TargetCardBehaviour, CardTrial>> = {
  approved: paysTo('APPROVED'),
  declined: paysTo('DECLINED'),
  filtered: paysTo('FILTERED'),
  error: paysTo('ERROR'),
  debit: paysTo('APPROVED'),
  credit: paysTo('APPROVED'),
  async inactive(card, { gateway }) {
    const { reply, order } = await gateway.pay('accountVerification', { card });
    const state = reply.status === 200 ? await gateway.pollUntilFinal(order, reply) : `status ${reply.status}`;
    return { text: `its verification ended in ${state}`, fits: state !== 'APPROVED' };
  },
  pending: waits,
  unknown: waits,
  chain: waits,
  method: asksFor('THREEDS_METHOD'),
  challenge: asksFor('CREQ', 'THREEDS_METHOD'),
  pareq: asksFor('PAREQ'),
  frictionless: asksFor(undefined, 'THREEDS_METHOD'),
  listed: isFound(true),
  unlisted: isFound(false),
  unlisted2: isFound(false),
  history: hasHistory(true),
  nohistory: hasHistory(false),
  badscore: paysTo('APPROVED'),
};

/** Pays or looks up with each test card, and performs each control action on an order of its own. */
export const tryGateway: ServiceTrial = async (kit) => {
  const { target, attempt } = kit;
  if (target.gateway === undefined) return;
  const gateway = new GatewayClient(kit);
  const parts = { gateway, lookups: new MerchantLookups(gateway, kit.time, target), kit };
  if (target.gateway.cards.approved !== undefined) await tryWire(gateway, kit);
  for (const card of Object.keys(CARD_TRIALS) as TargetCardBehaviour[])
    if (target.gateway.cards[card] !== undefined)
      await attempt(`gateway.cards.${card}`, async () => {
        const { text, fits } = await CARD_TRIALS[card](card, parts);
        if (!fits) throw new UnarrangedError(text);
        return text;
      });
  const changed = async (change: (order: PlacedOrder) => Promise<void>) => {
    const order = await gateway.arrangeApproved('sale');
    const before = describeOrder(gateway, await gateway.status(order));
    await change(order);
    const after = describeOrder(gateway, await gateway.status(order));
    if (after === before) throw new UnarrangedError(`taken, and the order is as it was: ${before}`);
    return `an order went from ${before} to ${after}`;
  };
  const { later, chargeback, callback, finish, gatewayFault } = target.control;
  if (finish !== undefined && !['pending', 'unknown', 'chain'].some((card) => card in target.gateway!.cards))
    await attempt('control.finish', async () => {
      throw new UnofferedError('card', 'it asks for a pending, unknown or chain card');
    });
  else if (finish !== undefined) await attempt('control.finish', async () => 'tried with the pending cards above');
  if (later !== undefined)
    await attempt('control.later', () => changed((one) => gateway.triggerControl('later', one, { state: 'DECLINED' })));
  if (chargeback !== undefined)
    await attempt('control.chargeback', () => changed((one) => gateway.triggerControl('chargeback', one)));
  if (gatewayFault !== undefined)
    await attempt('control.gatewayFault', async () => {
      const body = { orderMerchantId: gateway.paymentBody().merchantId };
      const { status } = await gateway.sendFailing(() => gateway.send('status', { body }));
      if (status === 200) throw new UnarrangedError('taken, and the next request is served');
      return `the next request is answered ${status}`;
    });
  if (callback !== undefined)
    await attempt('control.callback', async () => {
      // Nobody listens there: what comes is a run's affair, which registers an address of its own.
      const callbackUrl = `${target.callback?.public ?? 'http://127.0.0.1:9'}/assay-trial`;
      await performControl(target, 'callback', { requestorId: gateway.requestor.id, callbackUrl });
      return `taken; ${callbackUrl} is registered now, and a run registers its own`;
    });
};

/** Whether the target file says right how a payment is written and read. */
async function tryWire(gateway: GatewayClient, { attempt }: TrialKit): Promise<void> {
  let paid: ApiReply | undefined;
  let order: PlacedOrder | undefined;
  await attempt('gateway.wire.order', async () => {
    order = await gateway.arrangeApproved('sale', { amount: 1234 });
    paid = await gateway.status(order);
    return 'a sale of 12.34 with it is approved';
  });
  for (const [name, id] of [
    ['orderSystemId', order?.systemId],
    ['correlationId', order?.correlationId],
  ] as const)
    if (order !== undefined)
      await attempt(`gateway.wire.read.${name}`, async () => {
        if (id === undefined || id === null) throw new UnarrangedError('nothing stands there in the answer to a sale');
        return `a ${typeof id} stands there`;
      });
  if (paid === undefined) return;
  const shown = paid;
  await attempt('gateway.wire.read.transaction', async () => {
    const [sold, authorized] = (['sale', 'capture'] as const).map((kind) => gateway.sumTransactions(shown, kind));
    const found = sold!.count > 0 ? sold! : authorized!;
    if (found.count === 0)
      throw new UnarrangedError('no transaction of a sale is seen as one that went through (type, state, approved)');
    if (found.sum !== 1234) throw new UnarrangedError(`a sale of 12.34 is read as ${(found.sum / 100).toFixed(2)}`);
    return 'a sale of 12.34 is read as that';
  });
}

function readable(reply: ApiReply, what: string): ApiReply {
  if (reply.status !== 200) throw new UnarrangedError(`${what} was answered ${reply.status}`);
  return reply;
}

function describeOrder(gateway: GatewayClient, reply: ApiReply): string {
  const listed = reply.object.transactions == null ? [] : gateway.entries(reply);
  return [String(reply.at('/orderState')), ...listed.map(({ type }) => String(type))].join(' ');
}
