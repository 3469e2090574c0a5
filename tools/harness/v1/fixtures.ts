import { habitsOf } from '../check-habits.ts';
import { seedOfCheck } from '../check-seed.ts';
import { LONG_MILLISECONDS, type ServiceFixtureTable } from '../fixture-types.ts';
import { CustomerDocuments } from './customer-documents.ts';
import { EventInbox } from './event-inbox.ts';
import { LockedWebhook, NewcomerUser } from './locked-webhook.ts';
import { V1Client } from './v1-client.ts';

/** What a check of the v1 service may ask for. */
export interface V1Fixtures {
  readonly v1: V1Client;
  /** Documents of the customer; what a check uploads is deleted after it. */
  readonly documents: CustomerDocuments;
  /** The main user's webhook configuration: there is one, nobody else changes it meanwhile, and it is put back. */
  readonly webhook: LockedWebhook;
  /** A user without a webhook configuration. */
  readonly newcomer: NewcomerUser;
  /** Where events arrive: the configuration points at the receiver and is active. */
  readonly inbox: EventInbox;
}

/** Makes the fixtures of the v1 service. */
export const V1_FIXTURES: ServiceFixtureTable<V1Fixtures> = {
  v1: async ({ home, client, clock, recorder }, use, info) =>
    use(
      new V1Client({
        target: home.target,
        client,
        time: clock,
        recorder,
        seed: seedOfCheck(info),
        habits: habitsOf(recorder.check),
      }),
    ),
  documents: async ({ v1, recorder }, use) => {
    const documents = new CustomerDocuments(v1, recorder, habitsOf(recorder.check));
    await use(documents);
    await documents.removeLeftovers();
  },
  // Others may have to be waited for, which is no time of the check.
  webhook: [
    async ({ home, v1, recorder }, use) => {
      const hide = (secret: string) => home.redactor.add(secret);
      const webhook = await LockedWebhook.open({ target: home.target, v1, recorder, hide });
      await use(webhook);
      await webhook.restore();
    },
    { timeout: LONG_MILLISECONDS },
  ],
  newcomer: [
    async ({ home, v1, recorder }, use) => {
      const hide = (secret: string) => home.redactor.add(secret);
      const newcomer = await NewcomerUser.open({ target: home.target, v1, recorder, hide });
      await use(newcomer);
      await newcomer.release();
    },
    { timeout: LONG_MILLISECONDS },
  ],
  inbox: async ({ home, clock, webhook, receiver, v1 }, use, info) => {
    if (clock.lever('deliveries') !== 'moves') info.setTimeout(LONG_MILLISECONDS);
    const inbox = new EventInbox({ target: home.target, time: clock, webhook, receiver, v1 });
    receiver.expectedEvent = 'transactionEvent';
    await inbox.configure();
    await use(inbox);
    receiver.answer = () => 202;
  },
};
