import { type ApiReply, parseJsonText, requireEntries, requireTargetLine, type TargetTime, UnseenError } from '#client';
import type { Target, TargetCard, TargetCardBehaviour, TargetLogin, TargetRequestor } from '#target';
import { callAbreast } from '../call-abreast.ts';
import { pollTarget } from '../poll-target.ts';
import type { GatewayClient } from './gateway-client.ts';
import { buildHistoryRequest } from './history-request.ts';
import type { PlacedOrder } from './placed-order.ts';

/** How many balances of a merchant a check looks at. */
const MOST = 3;
/** Times that balances have to move with what is tried and with nothing else, and tries for that. */
const TIMES = 4;
const TRIES = 10;
/** Seconds on the target's clock from which a try is long, and as many for those: each takes test cards nearer to their expiry. */
const LONG = 86_400;
const LONG_TIMES = 2;
const LONG_TRIES = 5;
/** Times, without one that is not calm, where they move only later: more often does what others do fall into so much time. */
const LATER_TIMES = 8;
const LONG_LATER_TIMES = 3;

/** Minor units that are taken out to see whether they stay in processing. */
const RESERVED = [437, 419, 401];

/** Polls of real time that a booking is waited for where it only helps to see more. */
const FEW_POLLS = 3;

/** Targets whose balances were seen to move whatever is done. */
const restless = new WeakSet<Target>();

/** Real and live amounts of balances, by their names. */
type Balances = Readonly<Record<string, readonly [real: unknown, live: unknown]>>;

const differs = (before: Balances, after: Balances): boolean => JSON.stringify(after) !== JSON.stringify(before);

/** By how much all amounts together differ. */
function distance(before: Balances, after: Balances): number {
  const moved = Object.entries(after).flatMap(([name, figures]) =>
    figures.map((one, i) => Math.abs(Number(one) - Number(before[name]?.[i]))),
  );
  return moved.filter(Number.isFinite).reduce((sum, one) => sum + one, 0);
}

/** How a merchant's balances are asked for; of the target's main one it goes without saying. */
const openFor = (merchant: TargetLogin | undefined) =>
  merchant === undefined ? {} : { path: { username: merchant.login }, token: merchant.token };

/** The gateway's lookups and balances: what moves no money. */
export class MerchantLookups {
  readonly #gateway: GatewayClient;
  readonly #time: TargetTime;
  readonly #target: Target;
  readonly #here: NonNullable<Target['gateway']>;
  /** Seconds after which a payment has come to rest, its booking included: as long as an order is polled. */
  readonly #settled: number;
  /** Seconds after which it is looked once more whether something was booked: one poll where time has to be waited for. */
  readonly #later: number;
  readonly #merchant: TargetLogin | undefined;
  /** Names of the balances that are compared: a check asks for them once. */
  #names: readonly string[] | undefined;

  /** @param merchant whose balances are read; undefined: those of the target's main one */
  constructor(gateway: GatewayClient, time: TargetTime, target: Target, merchant?: TargetLogin) {
    this.#merchant = merchant;
    this.#gateway = gateway;
    this.#time = time;
    this.#target = target;
    this.#here = target.gateway!;
    this.#settled = target.manners.pollGap * target.manners.pollLimit;
    this.#later = time.steered ? this.#settled : target.manners.pollGap;
  }

  /**
   * The same lookups, with the balances that a requestor's payments can be booked on: of the target's second merchant for its second
   * requestor, else of the main one.
   */
  ofRequestor(name: 'main' | 'second' | 'multicurrency'): MerchantLookups {
    const { secondMerchant } = this.#here;
    return name === 'second' ? new MerchantLookups(this.#gateway, this.#time, this.#target, secondMerchant) : this;
  }

  /** The card of a behaviour, as the target file names it. */
  card(behaviour: TargetCardBehaviour): TargetCard {
    return this.#here.cards[behaviour]!;
  }

  /** A card whose issuer is in the service's database. */
  get listedBehaviour(): TargetCardBehaviour {
    return this.#here.cards.listed === undefined ? 'approved' : 'listed';
  }

  /** One behaviour for each other number among the cards of the target file. */
  get otherBehaviours(): readonly TargetCardBehaviour[] {
    const numbers = new Set([this.card(this.listedBehaviour).number]);
    const all = Object.keys(this.#here.cards) as TargetCardBehaviour[];
    return all.filter((one) => {
      const { number } = this.card(one);
      return !numbers.has(number) && numbers.add(number);
    });
  }

  /** Looks up the issuer of a test card. */
  cardInfo(behaviour: TargetCardBehaviour): Promise<ApiReply> {
    return this.#gateway.send('getCardInfo', { body: { cardNumber: this.card(behaviour).number } });
  }

  /**
   * Looks up a card's history (document, CardHistoryRequest).
   * @param changes members to change; undefined leaves one out
   * @param requestor who asks, by default the target's main one
   */
  cardHistory(
    behaviour: TargetCardBehaviour,
    by: 'FULL_CARD_NUMBER' | 'FIRST_6_LAST_4' = 'FULL_CARD_NUMBER',
    changes: Readonly<Record<string, unknown>> = {},
    { id, token }: TargetRequestor = this.#gateway.requestor,
  ): Promise<ApiReply> {
    const { merchantId } = this.#gateway.paymentBody();
    const body = buildHistoryRequest(this.#here.wire.history, this.card(behaviour), by, merchantId);
    return this.#gateway.send('getCardHistory', { path: { requestorId: id }, token, body: { ...body, ...changes } });
  }

  /**
   * Looks up the target's exchange rate.
   * @param changes members to change; undefined leaves one out
   * @param requestor who asks, by default the target's main one
   */
  exchangeRate(
    changes: Readonly<Record<string, unknown>> = {},
    { id, token }: TargetRequestor = this.#gateway.requestor,
  ): Promise<ApiReply> {
    const { name, from, to } = requireTargetLine(this.#here.wire.provider, 'gateway.wire.provider');
    return this.#gateway.send('getExchangeRate', {
      path: { requestorId: id },
      token,
      body: { exchangeProvider: name, exchangeCurrencyCodeFrom: from, exchangeCurrencyCodeTo: to, ...changes },
    });
  }

  /** Reads one balance as its merchant, by default the one whose balances are read; by default the balance that the target file names. */
  async balance(name?: string, merchant = this.#merchant): Promise<ApiReply> {
    const body = { balanceName: name ?? (await this.#first()) };
    return this.#gateway.send('balanceByMerchant', { ...openFor(merchant), body });
  }

  /** Reads one balance as a manager. */
  async managerBalance(name?: string): Promise<ApiReply> {
    const { login, token } = this.#here.manager!;
    return this.#gateway.send('balanceByManager', {
      path: { username: login },
      token,
      body: { balanceName: name ?? (await this.#first()) },
    });
  }

  /** Reads all balances of a merchant, by default of the one whose balances are read. */
  allBalances(merchant = this.#merchant): Promise<ApiReply> {
    return this.#gateway.send('balanceByMerchantAll', openFor(merchant));
  }

  /**
   * Names of up to three of the merchant's balances: those that the target file lists of its main one, else the one it names and those that
   * the service lists. Whether that list is as it should be is for its own check to say.
   * @throws UnseenError when there is no name
   */
  async balanceNames(): Promise<readonly string[]> {
    const { balance, balances } = this.#merchant === undefined ? this.#here : {};
    if (balances !== undefined) return balances.slice(0, MOST);
    const names = (await this.#listed()).map((entry) => entry?.balanceName);
    const known = new Set([
      ...(balance === undefined ? [] : [balance]),
      ...names.filter((one) => typeof one === 'string'),
    ]);
    return requireEntries([...known].slice(0, MOST), 'balances of the merchant that have a name');
  }

  /** Real and live amounts of the merchant's balances, each read by itself, to be compared later. */
  async balances(): Promise<Balances> {
    const found: Record<string, readonly [unknown, unknown]> = {};
    for (const [name, { object }] of await this.#readEach()) found[name] = [object.realBalance, object.liveBalance];
    const amounts = Object.values(found).flat();
    requireEntries(
      amounts.filter((amount) => amount !== undefined && amount !== null),
      'amounts on the balances of the merchant',
    );
    return found;
  }

  /** Whether something leaves the balances as they are when it is done twice, for it may move them every other time; {@link MerchantLookups.#moves}. */
  async leavesBalances(action: () => Promise<unknown>): Promise<boolean> {
    const twice = async () => {
      await action();
      await action();
    };
    return !(await this.#moves(twice, differs));
  }

  /**
   * Whether reading the balances leaves them as they are, by {@link MerchantLookups.#moves}. That nothing moves them without a reading is
   * seen by a reading, too: it moves them far less than many. What a reading brings about shows at once; what others did may show only then.
   * @param read reads each view a few times
   */
  async readingLeavesBalances(read: () => Promise<unknown>): Promise<boolean> {
    const isCalm = (before: Balances, after: Balances, later: Balances) =>
      3 * distance(after, later) < distance(before, after);
    return !(await this.#moves(read, differs, isCalm, 0));
  }

  /** Whether something makes a real balance grow, by {@link MerchantLookups.#moves}. */
  growsBalance(action: () => Promise<unknown>): Promise<boolean> {
    return this.#moves(action, (before, after) =>
      Object.entries(after).some(([name, [real]]) => Number(real) > Number(before[name]?.[0])),
    );
  }

  /**
   * Whether a payment makes no real balance grow by more than was paid, by {@link MerchantLookups.#moves}. Which unit a balance is shown
   * in is not said: one that has a fraction is in major units.
   * @param pay gives what was paid, in minor units: an order, or a part of one
   * @throws UnseenError when no balance shows a fraction
   */
  async growsAtMost(pay: () => Promise<Pick<PlacedOrder, 'amount'>>): Promise<boolean> {
    let most = 0;
    // As text a whole figure may show its cents as well.
    const hasFraction = (figures: readonly unknown[] | undefined) =>
      figures?.some((one) => Number.isFinite(Number(one)) && /\.\d/.test(String(one))) === true;
    const grows = (before: Balances, after: Balances) =>
      requireEntries(
        Object.entries(after).filter(([name]) => hasFraction(before[name])),
        'balances in major units',
      ).some(([name, [real]]) => Number(real) - Number(before[name]?.[0]) > most / 100 + 0.005);
    const notePaid = async () => {
      most = (await pay()).amount;
    };
    return !(await this.#moves(notePaid, grows));
  }

  /**
   * Whether something moves the balances so that it counts, at once or when it is booked later. What was paid before may be booked only now,
   * which is waited for when they move for the first time; and others may use the merchant meanwhile: so it has to come with every try, and
   * each time not in as much time without one. Where a try takes days, two of them have to do, and few are made. What moves them later must
   * do so whenever it is tried, and nothing else ever: where others use the merchant all that while, it cannot be told.
   * @throws UnseenError when the balances move whatever is done
   */
  async #moves(
    action: () => Promise<unknown>,
    counts: (before: Balances, after: Balances) => boolean,
    // What is taken back by itself was done by nobody else.
    isCalm = (before: Balances, after: Balances, later: Balances) => !differs(after, later) || !counts(before, later),
    later = this.#later,
  ): Promise<boolean> {
    let rest = 0;
    for (let calm = 0, tries = 0; tries < TRIES; tries += 1) {
      const began = this.#time.passed;
      const before = await this.balances();
      await action();
      if (rest > 0) await this.#time.sleep(rest);
      let after = await this.balances();
      if (!counts(before, after)) {
        if (rest > 0 || later === 0 || restless.has(this.#target)) return false;
        rest = later;
        await this.#time.sleep(rest);
        after = await this.balances();
        if (!counts(before, after)) return false;
      }
      if (restless.has(this.#target)) break;
      if (tries === 0) {
        await this.#time.sleep(rest || this.#settled);
        continue;
      }
      const passed = this.#time.passed - began;
      const isLong = passed >= LONG;
      await this.#time.sleep(Math.ceil(passed));
      if (isCalm(before, after, await this.balances())) calm += 1;
      else if (rest > 0) return false;
      const [times, longTimes] = rest > 0 ? [LATER_TIMES, LONG_LATER_TIMES] : [TIMES, LONG_TIMES];
      if (calm === (isLong ? longTimes : times)) return true;
      if (isLong && tries + 1 === LONG_TRIES) break;
    }
    if (rest > 0) return false;
    // Where time has to be waited for, one check finds that out for all.
    if (!this.#time.steered) restless.add(this.#target);
    throw new UnseenError('there was no time in which the balances stayed as they are but for what was tried');
  }

  /**
   * Whether what an operation reserved stays in processing when it is over: each time, and as long as is polled, just that amount. What
   * others have under way comes and goes, and is not the same amount thrice.
   * @param act takes out an amount in minor units, to the end
   */
  async staysReserved(act: (amount: number) => Promise<unknown>): Promise<boolean> {
    for (const amount of RESERVED) {
      const before = await this.#inProcessing();
      await act(amount);
      const stays = (now: Readonly<Record<string, number>>) =>
        Object.entries(now).some(([name, figure]) =>
          // Which unit a balance is shown in is not said.
          [amount, amount / 100].some((one) => Math.abs(figure - (before[name] ?? Number.NaN) - one) < 0.005),
        );
      const read = () => this.#inProcessing();
      const pace = { manners: this.#target.manners, time: this.#time };
      if (!stays(await pollTarget(await read(), read, (now) => !stays(now), pace))) return false;
    }
    return true;
  }

  /** Reads each balance that is looked at, as many at the same time as the target's manners allow: nothing else is asked of its service. */
  async #readEach(): Promise<readonly (readonly [name: string, reply: ApiReply])[]> {
    this.#names ??= await this.balanceNames();
    const reads = this.#names.map((name) => async () => [name, await this.balance(name)] as const);
    return callAbreast(reads, this.#target.manners.parallel);
  }

  /** Amounts in processing on the merchant's balances, by name; NaN where one is not shown. */
  async #inProcessing(): Promise<Readonly<Record<string, number>>> {
    const figures: Record<string, number> = {};
    for (const [name, { object }] of await this.#readEach())
      figures[name] = Number(object.totalProcessingAmount ?? Number.NaN);
    requireEntries(
      Object.values(figures).filter((one) => !Number.isNaN(one)),
      'amounts in processing on the balances of the merchant',
    );
    return figures;
  }

  /** Pays, and waits until a balance moves: as long as an order is polled, or a few polls where time has to be waited for. */
  async awaitBooking(pay: () => Promise<unknown>): Promise<void> {
    const before = await this.balances();
    await pay();
    const read = () => this.balances();
    const pace = { manners: this.#target.manners, time: this.#time, realPolls: FEW_POLLS };
    await pollTarget(await read(), read, (after) => differs(before, after), pace);
  }

  /** Which fields of a balance the list of all shows otherwise than the balance by itself, by {@link MerchantLookups.#readAlike}. */
  async listedOtherwise(name: string, fields: readonly string[], merchant?: TargetLogin): Promise<readonly string[]> {
    return this.#readAlike(async () => {
      const before = (await this.balance(name, merchant)).object;
      const listed = (await this.allBalances(merchant)).list('/merchantBalances') as Readonly<
        Record<string, unknown>
      >[];
      const entries = listed.filter((one) => one.balanceName === name);
      const { object } = await this.balance(name, merchant);
      const same = (one: unknown, other: unknown) => one === other || (one !== '' && Number(one) === Number(other));
      const differ = fields.filter((field) => !entries.some((entry) => same(entry[field], object[field])));
      const view = differ.filter((field) => (object[field] ?? undefined) !== undefined);
      const isUnused = fields.every((field) => same(before[field], object[field]));
      return { view, isAlike: view.length === 0, isUnused };
    });
  }

  /**
   * One figure of a balance as its manager and as its merchant see it, by itself and in the list of all, by
   * {@link MerchantLookups.#readAlike}.
   * @returns the figures; undefined where a view does not show its own
   */
  async bothViews(
    name: string,
    theirs: string,
    ours: string,
  ): Promise<Readonly<Record<'manager' | 'merchant' | 'listed', number | undefined>>> {
    const figure = (value: unknown) => (value === undefined || value === null ? undefined : Number(value));
    return this.#readAlike(async () => {
      const before = figure((await this.balance(name)).object[ours]);
      const manager = figure((await this.managerBalance(name)).object[theirs]);
      const listed = figure((await this.#listed()).find((entry) => entry?.balanceName === name)?.[ours]);
      const merchant = figure((await this.balance(name)).object[ours]);
      const isAlike = manager === merchant && (listed === undefined || listed === manager);
      return { view: { manager, merchant, listed }, isAlike, isUnused: Object.is(before, merchant) };
    });
  }

  /**
   * Reads views of one balance again while they differ: others may use it between two readings, and one view may be behind another.
   * @returns what was read last: views that are alike, or differ whenever nobody used the balance meanwhile
   * @throws UnseenError when it is always used meanwhile
   */
  async #readAlike<View>(read: () => Promise<{ view: View; isAlike: boolean; isUnused: boolean }>): Promise<View> {
    for (let calm = 0, tries = 0; tries < TRIES; tries += 1) {
      const { view, isAlike, isUnused } = await read();
      if (isUnused) calm += 1;
      if (isAlike || calm === 3) return view;
      await this.#gateway.sleepPollGap();
    }
    throw new UnseenError('there was no time in which a balance stayed as it is while it was read');
  }

  /** The additional hold that only a manager sees; undefined where it cannot be seen. */
  async bufferHold(name: string): Promise<number | undefined> {
    if (this.#here.manager === undefined) return undefined;
    const { amountBufferHold: shown } = (await this.managerBalance(name)).object;
    return shown === undefined || shown === null || Number.isNaN(Number(shown)) ? undefined : Number(shown);
  }

  /** Entries of the list of all balances, as far as it is one. */
  async #listed(): Promise<readonly (Readonly<Record<string, unknown>> | null | undefined)[]> {
    const body = parseJsonText((await this.allBalances()).text) as { merchantBalances?: unknown } | null | undefined;
    return Array.isArray(body?.merchantBalances) ? body.merchantBalances : [];
  }

  async #first(): Promise<string> {
    return this.#here.balance ?? (await this.balanceNames())[0] ?? '';
  }
}
