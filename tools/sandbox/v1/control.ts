import type { FastifyInstance } from 'fastify';
import { presentTransaction } from './transactions/account-book.ts';
import type { TransferDraft } from './transactions/transaction.ts';
import type { V1State } from './v1-call.ts';
import type { V1World } from './v1-world.ts';
import { V1Refusal } from './wire/v1-refusal.ts';

interface Insertion extends Partial<TransferDraft> {
  readonly account_uuid?: string;
  /** ISO date or date with time; default now. */
  readonly date?: string;
  /** How many, each `step` seconds after the one before; default 1. */
  readonly count?: number;
  readonly step?: number;
}

/** Steers the v1 service: history, states, events, failures, and what was delivered. */
export function serveV1Control(app: FastifyInstance, world: V1World, v1State: V1State): void {
  const [user] = v1State.users;
  const refuse = (message: string) => ({ statusCode: 400, message });

  const entering = {
    config: { does: 'enters payments into an account', takes: '{"date":"2026-01-31","count":3,"amount":12.5}' },
  };
  app.post<{ Body: Insertion | null }>('/v1/transactions', entering, (request, reply) => {
    const { account_uuid = world.credentials.account, date, count = 1, step = 1, ...given } = request.body ?? {};
    const account = user.accounts.get(String(account_uuid).toLowerCase());
    const from = date === undefined ? world.clock.now() : Date.parse(date);
    if (account === undefined) return reply.code(400).send(refuse('account_uuid names no account'));
    if (Number.isNaN(from)) return reply.code(400).send(refuse('date must be an ISO date'));
    if (!Number.isInteger(count) || count < 1 || count > 10_000 || !Number.isFinite(step))
      return reply.code(400).send(refuse('count must be 1 to 10000, step a number'));
    const entered = Array.from({ length: count }, (_, i) =>
      v1State.accountBook.enter(
        account,
        { ...incomingPayment(account.party, i), ...given },
        undefined,
        from + i * step * 1000,
      ),
    );
    return reply.code(201).send({ transactions: entered.map(presentTransaction) });
  });

  app.post<{ Params: { uuid: string }; Body: { status?: string } | null }>(
    '/v1/transactions/:uuid/status',
    { config: { does: 'moves a transaction to another status, with its event', takes: '{"status":"completed"}' } },
    (request, reply) => {
      const status = request.body?.status;
      if (typeof status !== 'string' || status === '') return reply.code(400).send(refuse('status must be a text'));
      try {
        const transaction = v1State.accountBook.find(request.params.uuid);
        transaction.status = status;
        transaction.changed = world.clock.now();
        v1State.webhookSender.announce(user, 'changed', transaction);
        return presentTransaction(transaction);
      } catch (error) {
        if (error instanceof V1Refusal)
          return reply.code(404).send({ statusCode: 404, message: 'no such transaction' });
        throw error;
      }
    },
  );

  const raising = {
    config: { does: 'raises an event of an account or a virtual IBAN', takes: '{"family":"account"}' },
  };
  app.post<{ Body: { family?: string; data?: unknown } | null }>('/v1/events', raising, (request, reply) => {
    const { family, data = { uuid: world.credentials.account, status: 'active' } } = request.body ?? {};
    if (family !== 'account' && family !== 'virtual_iban')
      return reply.code(400).send(refuse('family must be account or virtual_iban'));
    v1State.webhookSender.raiseEvent(user, family, data);
    return { raised: family };
  });

  const listing = { config: { does: 'lists the webhook messages, and what became of each attempt' } };
  app.get('/v1/deliveries', listing, () => ({ deliveries: v1State.webhookSender.deliveries() }));

  const failing = { config: { does: 'fails the next requests', takes: '{"status":500,"count":2}' } };
  app.post<{ Body: { status?: number; count?: number } | null }>('/v1/failures', failing, (request, reply) => {
    const { status = 500, count = 1 } = request.body ?? {};
    if (![400, 429, 500].includes(status) || !Number.isInteger(count) || count < 0)
      return reply.code(400).send(refuse('status must be 400, 429 or 500, count a whole number'));
    v1State.failures.status = status;
    v1State.failures.left = count;
    return { status, count };
  });

  const forgetting = { config: { does: 'forgets the webhook configuration of an API user', takes: '{"token":"…"}' } };
  app.post<{ Body: { token?: string } | null }>('/v1/webhooks/forget', forgetting, (request, reply) => {
    const owner = v1State.users.find(({ token }) => token === request.body?.token);
    if (owner === undefined) return reply.code(400).send(refuse('token stands for no API user'));
    v1State.webhooks.forget(owner);
    return { forgotten: true };
  });

  app.post('/v1/rate/reset', { config: { does: 'forgets the requests of the last minute' } }, () => {
    v1State.rateLimiter.reset();
    return { reset: true };
  });
}

/** A payment that came in for the holder of an account. */
export function incomingPayment(holder: TransferDraft['payer'], index: number): TransferDraft {
  return {
    amount: 10 + ((index * 7) % 13),
    payment_type: 'SEPA',
    payment_details: `Payment ${index + 1}`,
    payment_code: null,
    end_to_end_ident: null,
    direction: 'CREDIT',
    transaction_type: 'payment',
    status: 'pending',
    payer: {
      name: 'Example Payer',
      iban: 'FR1420041010050500013M02606',
      country_code: 'FR',
      ultimate: { name: 'Someone' },
    },
    recipient: holder,
  };
}
