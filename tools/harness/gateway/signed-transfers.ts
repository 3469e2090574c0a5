import type { KeyObject } from 'node:crypto';
import { type ApiReply, NoAnswerError, PromiseFinding, UnarrangedError, UnofferedError } from '#client';
import {
  describeSigningDifference,
  type HeaderStyle,
  loadKey,
  localiseDifference,
  type ReportedSteps,
  type SigningRequest,
  type SigningSteps,
  type StepAlterations,
  signRequest,
  withoutParameter,
} from '#oauth';
import { cardPlaceholders, fillTemplate, type Target, type TargetCardBehaviour, writeStyledAmount } from '#target';
import { noteConclusion } from '../conclusions.ts';
import { maskDifference } from '../difference-mask.ts';
import { oncePerTarget } from '../once-per-target.ts';
import type { GatewayClient } from './gateway-client.ts';
import { FINAL_STATES } from './placed-order.ts';
import { requireSeenAddress } from './seen-address.ts';

/** What is different about a transfer; everything else is right. */
export interface TransferChange {
  /** Minor units. */
  readonly amount?: number;
  /** What the card does that the money goes to; default: it takes it. */
  readonly card?: TargetCardBehaviour;
  readonly merchantId?: string;
  /** What stands last in the path. */
  readonly requestor?: number | string;
  readonly consumerKey?: string;
  readonly key?: KeyObject;
  /** Other base address, which is called and signed for. */
  readonly address?: string;
  /** Query as in the URL, without the question mark. */
  readonly query?: string;
  /** Host header; the signature is for this authority as well. */
  readonly host?: string;
  /** The bytes that are hashed, made from the right ones. */
  readonly body?: (right: string) => string;
  /** The bytes that go out in their stead. */
  readonly sent?: (hashed: string) => string;
  /** Method as it enters the signature; the transfer is a POST all the same. */
  readonly method?: string;
  readonly style?: HeaderStyle;
  readonly alter?: StepAlterations;
  /** The Authorization header, made from the right one; undefined leaves it out. */
  readonly header?: (right: string) => string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A transfer as it was signed, and its answer. */
export interface SentTransfer {
  readonly request: SigningRequest;
  readonly steps: SigningSteps;
  readonly header: string;
  readonly reply: ApiReply;
  /** Sends the very same request once more. */
  readonly resend: () => Promise<ApiReply>;
}

/** A signature that is none: well-formed base64 of the right length, one character different. */
export const BROKEN_SIGNATURE: TransferChange = {
  alter: { signature: (right) => right.replace(/^(.{100})(.)/, (_, head, one) => head + (one === 'A' ? 'B' : 'A')) },
};

/** Transfers that are refused: the promise that they are, the status, and what is wrong with them. */
export const REFUSED_TRANSFERS: readonly { promise: string; status: number; change: TransferChange }[] = [
  { promise: 'OA-ERR-01', status: 400, change: { header: () => undefined } },
  { promise: 'OA-ERR-02', status: 400, change: { header: (right) => right.replace('OAuth ', 'Basic ') } },
  { promise: 'OA-ERR-03', status: 400, change: { alter: { parameters: withoutParameter('oauth_nonce') } } },
  { promise: 'OA-ERR-04', status: 401, change: { sent: (hashed) => `${hashed}\n` } },
  { promise: 'OA-ERR-05', status: 401, change: BROKEN_SIGNATURE },
];

/** Minor units. */
const AMOUNT = 100;
/** Codes of a 400 that is about the header. */
const HEADER = [-6, -7, -18, -19, -13];
/** The one of these that says what the gateway computed, and the signature does not match. */
const UNEQUAL = -13;

/** Milliseconds by which two clocks are not the same one. */
const APART = 60_000;

/** Whether a gateway holds timestamps against real time although its clock was moved, by target. */
const goesByRealTime = oncePerTarget<boolean>();

/** Sends signed card-to-card transfers: right ones, unless told what is different. */
export class SignedTransfers {
  readonly #gateway: GatewayClient;
  readonly #target: Target;
  readonly #here: NonNullable<Target['gateway']>;
  readonly #now: () => Promise<number>;
  readonly #nonce: () => string;
  #key: KeyObject | undefined;

  /** @param parts.now milliseconds on the target's clock; @param parts.nonce a new one each time */
  constructor(parts: { gateway: GatewayClient; target: Target; now: () => Promise<number>; nonce: () => string }) {
    this.#gateway = parts.gateway;
    this.#target = parts.target;
    this.#here = parts.target.gateway!;
    this.#now = parts.now;
    this.#nonce = parts.nonce;
  }

  /** The consumer key that the target file gives. */
  get consumerKey(): string {
    return this.#here.oauth!.consumerKey;
  }

  /** The URL that is called. */
  get url(): string {
    return `${this.#here.address}/payments/transfer/${this.#here.oauth!.requestor}`;
  }

  /** Signs and sends a transfer. Whether it is taken is not judged. */
  send(change: TransferChange = {}): Promise<SentTransfer> {
    return this.#send(change, 'transfer');
  }

  /**
   * Sends a right transfer and follows it as long as an order is polled.
   * @param amount minor units
   * @returns the last state that status showed
   * @throws Unoffered when nobody can ask about it; Unarranged when it is refused
   */
  async carryOut(amount: number, card?: TargetCardBehaviour): Promise<string> {
    const { oauth, requestors, wire } = this.#here;
    const { allowlisted } = requestors;
    const signing = Object.values(requestors).find(({ id }) => id === oauth!.requestor);
    const requestor = signing ?? (allowlisted?.consumerKey === undefined ? undefined : allowlisted);
    if (requestor === undefined)
      throw new UnofferedError('capability', 'of no requestor that signs transfers is the token known');
    const { id, token, allowed, consumerKey } = requestor;
    if (allowed !== undefined) await requireSeenAddress(this.#gateway, requestor, 'x-forwarded-for');
    const headers = allowed === undefined ? {} : { 'x-forwarded-for': allowed };
    const { merchantId: orderMerchantId } = this.#gateway.paymentBody();
    const { reply } = await this.send({
      requestor: id,
      amount,
      ...(card !== undefined && { card }),
      merchantId: orderMerchantId,
      headers,
      ...(consumerKey !== undefined && { consumerKey }),
    });
    if (reply.status !== 200) throw new UnarrangedError(`a transfer was answered ${reply.status}`);
    // What a transfer is answered with is not shown.
    const orderSystemId = reply.at(wire.read.orderSystemId);
    const body = orderSystemId === undefined ? { orderMerchantId } : { orderSystemId };
    const read = async () => {
      const shown = await this.#gateway.send('status', { path: { requestorId: id }, token, headers, body });
      return shown.status === 200 ? String(shown.at('/orderState')) : '';
    };
    return this.#gateway.poll(await read(), read, (state) => FINAL_STATES.includes(state));
  }

  /** An Authorization header that is right for a POST of a body to any address, as if that took signatures. */
  async authorize(url: string, body: string): Promise<string> {
    const signingTime = await this.findSigningTime();
    return this.#sign({ method: 'POST', url, body }, await signingTime()).header;
  }

  /**
   * Sends a transfer that has to pass authentication; whether it is then approved does not matter.
   * @throws Finding when it is refused, with the step in which gateway and signer part; Unarranged when the payload is not taken
   */
  async sendAccepted(change: TransferChange = {}): Promise<SentTransfer> {
    return this.#requireAccepted(await this.send(change), change);
  }

  async #requireAccepted(sent: SentTransfer, change: TransferChange): Promise<SentTransfer> {
    const { status } = sent.reply;
    if (status === 200) {
      noteConclusion();
      return sent;
    }
    if (status !== 401 && status !== 403 && !HEADER.includes(codeOf(sent.reply))) {
      // Not about the signature, so it seems: what happens to a transfer about which nothing is special?
      const plain = Object.keys(change).length === 0 ? sent : await this.send();
      if (plain.reply.status !== 200)
        throw new UnarrangedError(`a transfer as gateway.wire.transfer has it was answered ${plain.reply.status}`);
    }
    throw new PromiseFinding('a transfer signed as described to pass authentication', refusal(sent));
  }

  /**
   * Sends a right transfer whose Host header is another authority than the one called, such as its name in capitals. Its signature has to
   * hold where the gateway goes by that header; where it goes by an address of its own, or refuses the host, nothing follows.
   * @returns whether something followed
   */
  async sendAcceptedToHost(host: string): Promise<boolean> {
    // Not held against the contract: whoever stands in front of the gateway may refuse such a host in his own words.
    const probe = await this.#send({ ...BROKEN_SIGNATURE, host }, undefined).catch((error: unknown) => {
      if (error instanceof NoAnswerError) return undefined;
      throw error;
    });
    const { baseUrl } = probe === undefined ? {} : readRefusalContext(probe.reply);
    const authority = `${new URL(this.#here.address).protocol}//${host}`;
    const follows =
      baseUrl !== undefined && URL.canParse(baseUrl) && new URL(baseUrl).origin === new URL(authority).origin;
    if (!follows) return false;
    const sent = await this.send({ host });
    // The credentials are bound to a host: this one may be refused to them, with whatever signature.
    if (sent.reply.status !== 200 && codeOf(sent.reply) !== UNEQUAL) return false;
    await this.#requireAccepted(sent, { host });
    return true;
  }

  /**
   * Finds out, once per target, which time signatures have to name. A lever that moves records may leave alone what a gateway holds a
   * timestamp against: where the two times are apart, a transfer tells. Every sending asks for it; a check that arms something for the next
   * transfer has it found out before.
   * @returns reads milliseconds since 1970
   */
  async findSigningTime(): Promise<() => Promise<number>> {
    const now = await this.#now();
    if (this.#target.kind === 'embedded' || Math.abs(now - Date.now()) < APART) return this.#now;
    const findOut = async () => {
      const moved = await this.#sendAt(now, {}, 'transfer');
      if (moved.reply.status === 200) return false;
      return (await this.#sendAt(Date.now(), {}, 'transfer')).reply.status === 200;
    };
    return (await goesByRealTime(this.#target, findOut)) ? async () => Date.now() : this.#now;
  }

  async #send(change: TransferChange, operation: 'transfer' | undefined): Promise<SentTransfer> {
    const signingTime = await this.findSigningTime();
    return this.#sendAt(await signingTime(), change, operation);
  }

  async #sendAt(now: number, change: TransferChange, operation: 'transfer' | undefined): Promise<SentTransfer> {
    const { oauth, address } = this.#here;
    const query = change.query === undefined ? '' : `?${change.query}`;
    const url = `${change.address ?? address}/payments/transfer/${change.requestor ?? oauth!.requestor}${query}`;
    const body = (change.body ?? String)(this.#body(change));
    const signedFor = change.host === undefined ? url : url.replace(/(?<=^https?:\/\/)[^/]*/i, change.host);
    const request = { method: change.method ?? 'POST', url: signedFor, body };
    const { header, steps } = this.#sign(request, now, change);
    const authorization = change.header === undefined ? header : change.header(header);
    const options = {
      token: null,
      ...(authorization === undefined ? {} : { authorization }),
      body: (change.sent ?? String)(body),
      headers: { ...(change.host === undefined ? {} : { host: change.host }), ...change.headers },
      money: change.amount ?? AMOUNT,
    };
    const resend = () => this.#gateway.sendRaw('POST', url, options, operation);
    return { request, steps, header, reply: await resend(), resend };
  }

  #sign(request: SigningRequest, now: number, change: TransferChange = {}) {
    const { oauth } = this.#here;
    this.#key ??= loadKey(oauth!.privateKey, oauth!.passphrase);
    return signRequest(
      request,
      { consumerKey: change.consumerKey ?? oauth!.consumerKey, key: change.key ?? this.#key },
      { clock: () => now, nonce: this.#nonce, style: change.style, alter: change.alter },
    );
  }

  #body({
    amount = AMOUNT,
    card = 'approved',
    merchantId = this.#gateway.paymentBody().merchantId,
  }: TransferChange): string {
    const { wire, cards, oauth, requestors } = this.#here;
    const mine = Object.values(requestors).find(({ id }) => id === oauth!.requestor) ?? requestors.main;
    return JSON.stringify(
      fillTemplate(wire.transfer ?? {}, {
        ...cardPlaceholders(cards[card]),
        amount: writeStyledAmount(amount, wire.amount),
        amountMinor: amount,
        amountDecimal: (amount / 100).toFixed(2),
        currency: mine.currency,
        orderMerchantId: merchantId,
        requestorId: oauth!.requestor,
      }),
    );
  }
}

/** What a -13 says of the gateway's own computation; members that are absent or no text are left out. */
export function readRefusalContext(
  reply: ApiReply,
): Pick<ReportedSteps, 'baseUrl' | 'paramString' | 'signatureBaseString'> {
  const context = reply.status === 401 ? reply.object.context : undefined;
  if (typeof context !== 'object' || context === null) return {};
  return Object.fromEntries(
    Object.entries(context).filter(
      ([name, value]) => ['baseUrl', 'paramString', 'signatureBaseString'].includes(name) && typeof value === 'string',
    ),
  );
}

function codeOf(reply: ApiReply): number {
  return reply.status >= 400 && reply.status < 500 ? Number(reply.object.errorCode) : Number.NaN;
}

/** A refusal in words, with the first step that differs and why. */
function refusal({ request, steps, reply }: SentTransfer): string {
  const errorCode = codeOf(reply);
  const difference = localiseDifference(steps, { ...readRefusalContext(reply), errorCode }, request);
  const code = Number.isNaN(errorCode) ? '' : `, errorCode ${errorCode}`;
  return `status ${reply.status}${code}${difference === undefined ? '' : `\n${describeSigningDifference(maskDifference(difference))}`}`;
}
