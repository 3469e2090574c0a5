import type { Page, TestInfo } from '@playwright/test';
import { findBrowser } from '#browser';
import { newNonce } from '#oauth';
import { describeLack } from '#target';
import { readCheckAnnotations } from '../check-annotations.ts';
import { habitsOf } from '../check-habits.ts';
import { seedOfCheck } from '../check-seed.ts';
import { type CommonFixtures, LONG_MILLISECONDS, type ServiceFixtureTable, type WorkerHome } from '../fixture-types.ts';
import { readSettings } from '../settings.ts';
import { BearerRequests } from './bearer-requests.ts';
import { CallbackInbox } from './callback-inbox.ts';
import { CardHistoryReader } from './card-history-reader.ts';
import { CardRegistrations } from './card-registrations.ts';
import { CustomerBrowser } from './customer-browser.ts';
import { GatewayClient } from './gateway-client.ts';
import { HostedForm } from './hosted-form.ts';
import { IssuerPage } from './issuer-page.ts';
import { MerchantLookups } from './merchant-lookups.ts';
import { MerchantThreeDS } from './merchant-three-ds.ts';
import { SignedTransfers } from './signed-transfers.ts';
import { standingCallback } from './standing-callback.ts';
import { TransactionReports } from './transaction-reports.ts';

/** What a check of the gateway may ask for. */
export interface GatewayFixtures {
  readonly gateway: GatewayClient;
  /** Lookups and balances of the gateway. */
  readonly lookups: MerchantLookups;
  /** Reader of card history answers. */
  readonly history: CardHistoryReader;
  /** A right request for every bearer operation. */
  readonly requests: BearerRequests;
  /** The same for checks that change each so that it is refused whatever it is about: they share the orders. */
  readonly refusals: BearerRequests;
  /** Signed card-to-card transfers. */
  readonly transfers: SignedTransfers;
  /** The caller's side of 3-D Secure. */
  readonly threeDS: MerchantThreeDS;
  /** A customer with a browser. */
  readonly customer: CustomerBrowser;
  /** The issuer's page, as the customer meets it. */
  readonly issuer: IssuerPage;
  /** The gateway's payment form. */
  readonly hostedForm: HostedForm;
  /** The same as another customer sees it, in a browser of their own. What is paid on it is started by the first. */
  readonly otherForm: HostedForm;
  /** Where the gateway's callbacks arrive. */
  readonly callbacks: CallbackInbox;
  /** Registration of cards for later payments. */
  readonly recurring: CardRegistrations;
  /** Transaction reports. */
  readonly reports: TransactionReports;
}

/** Makes the fixtures of the gateway. */
export const GATEWAY_FIXTURES: ServiceFixtureTable<GatewayFixtures> = {
  gateway: async ({ home, client, clock, recorder }, use, info) => {
    const { target } = home;
    const habits = habitsOf(recorder.check);
    const callbackUrl = habits.has('namesCallbackUrl') ? await standingCallback(target) : undefined;
    const seed = seedOfCheck(info);
    await use(new GatewayClient({ target, client, time: clock, recorder, seed, habits, callbackUrl }));
  },
  lookups: async ({ gateway, clock, home }, use) => use(new MerchantLookups(gateway, clock, home.target)),
  history: async ({ home }, use, info) => {
    info.skip(
      home.target.gateway?.wire.read.history === undefined,
      'the target file does not say where a card history answer holds what (gateway.wire.read.history)',
    );
    await use(new CardHistoryReader(home.target));
  },
  requests: async ({ gateway, threeDS, recurring, reports, target, recorder }, use) =>
    use(new BearerRequests({ gateway, threeDS, recurring, reports, target, recorder, areRefused: false })),
  refusals: async ({ gateway, threeDS, recurring, reports, target, recorder }, use) =>
    use(new BearerRequests({ gateway, threeDS, recurring, reports, target, recorder, areRefused: true })),
  transfers: async ({ gateway, home, clock }, use) =>
    use(new SignedTransfers({ gateway, target: home.target, now: clock.nowAtLeast, nonce: newNonce })),
  threeDS: async ({ home, gateway, receiver, recorder }, use) =>
    use(new MerchantThreeDS({ gateway, receiver, recorder, target: home.target })),
  customer: async ({ home, receiver, recorder, browserWindow }, use, info) => {
    // Whether or not the check says that it needs one.
    info.skip(findBrowser() === undefined, describeLack('browser').text);
    const customer = openCustomer('first', await browserWindow.openPage(), { home, receiver, recorder }, info);
    await use(customer);
    customer.stopRecording();
    await browserWindow.leave();
  },
  issuer: async ({ home, customer }, use) => use(new IssuerPage(customer, home.target)),
  hostedForm: async ({ home, gateway, customer, receiver }, use, info) => {
    info.skip(!home.target.offers.has('form'), describeLack('form').text);
    await use(new HostedForm({ gateway, customer, receiver, target: home.target }));
  },
  // The first customer's leaving closes this one's window as well.
  otherForm: async ({ home, gateway, customer: _, browserWindow, receiver, recorder }, use, info) => {
    const page = await browserWindow.openPageBeside();
    const customer = openCustomer('other', page, { home, receiver, recorder }, info);
    await use(new HostedForm({ gateway, customer, receiver, target: home.target }));
    customer.stopRecording();
  },
  callbacks: [
    async ({ home, gateway, receiver, recorder, clock }, use) => {
      // What comes there is about orders that were to be told of there.
      gateway.nameNoCallbackUrl();
      const path = `/callback-${recorder.check}`;
      const callbacks = await CallbackInbox.open({ target: home.target, time: clock, gateway, receiver, path });
      await use(callbacks);
      callbacks.close();
    },
    { timeout: LONG_MILLISECONDS },
  ],
  recurring: async ({ home, gateway, recorder }, use) =>
    use(new CardRegistrations(gateway, recorder, home.target, habitsOf(recorder.check))),
  reports: async ({ home, gateway, clock }, use) => use(new TransactionReports(gateway, clock, home.target)),
};

/** A customer who sees a page; hurried where a lie is told. */
function openCustomer(
  name: string,
  page: Page,
  { home, receiver, recorder }: Pick<CommonFixtures, 'receiver' | 'recorder'> & { home: WorkerHome },
  info: TestInfo,
): CustomerBrowser {
  const hurried = readCheckAnnotations(info).lie !== undefined;
  const { pictures } = readSettings();
  return CustomerBrowser.open({ name, page, receiver, recorder, target: home.target, hurried, pictures });
}
