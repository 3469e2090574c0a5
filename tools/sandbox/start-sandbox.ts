import { createHmac, randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Api } from '#apis';
import { Trouble } from '#trouble';
import { chooseWays } from './choose-ways.ts';
import type { ControlCall } from './control-calls.ts';
import { serveControlPlane } from './control-plane.ts';
import { createCredentialSource, shapeUuid } from './credential-source.ts';
import { activateLies } from './decision.ts';
import type { ExchangeLog } from './logged-exchange.ts';
import { type ExchangeObserver, observeRequests } from './observed-exchange.ts';
import { type SandboxAddresses, type SandboxCredentials, SERVICE_LIST, type ServiceChoices } from './services.ts';
import { chooseSessionLies, type SessionLie } from './session-lie.ts';
import { type BegunSession, SessionTeller } from './session-teller.ts';
import { describeUsage } from './usage.ts';
import { drawVariation, listDifferences, PLAIN_CHOICES, type VariationId } from './variation.ts';
import { VirtualClock } from './virtual-clock.ts';
import { mutateAnswer, type WireMutation, WireMutator } from './wire-mutation.ts';
import type { SandboxWorld } from './world.ts';

/** How to start a sandbox; everything has a default. */
export interface SandboxParameters {
  /** Lies to tell from the start. */
  readonly lies?: readonly string[];
  /** The same seed gives the same ids and tokens; default: drawn anew. */
  readonly seed?: string;
  /** Address to bind; default 127.0.0.1. */
  readonly host?: string;
  /** Fixed ports by the names of {@link SERVICE_LISTENERS}, and `control`; default: free ones. */
  readonly ports?: Readonly<Record<string, number>>;
  /** Whether to open the control plane; default false. */
  readonly control?: boolean;
  /** Changes of what goes over the wire that are made throughout, before any other; default none. */
  readonly wire?: readonly WireMutation[];
  /** Where the documents leave the services free, to do as this variation does; default: the plain choices. */
  readonly variation?: VariationId | undefined;
  /** Ways to take instead, each `service.choice=way` or `choice=way`; default none. */
  readonly choose?: readonly string[];
  /** Is handed every exchange as it was, requests and messages alike; default: nobody. */
  readonly observe?: ExchangeObserver | undefined;
  /** What is told session by session, as `--lies` takes it; default nothing. */
  readonly sessionLies?: readonly string[];
  /** Is handed every session when it begins. */
  readonly observeSession?: ((session: BegunSession) => void) | undefined;
  /** What the control plane shows of what was exchanged; default: nothing. */
  readonly log?: ExchangeLog | undefined;
  /** Whether the services speak TLS, with a certificate by an authority of their own; the control plane never does. Default false. */
  readonly tls?: boolean;
  /** Puts a file there that a developer needs, and gives its path; without it the control plane's page names none. */
  readonly saveFile?: (name: string, text: string) => string;
}

/** A running sandbox. */
export interface Sandbox {
  /** Where it answers. */
  readonly addresses: SandboxAddresses;
  readonly credentials: SandboxCredentials;
  /** PEM, of the authority to trust where the services speak TLS. */
  readonly authority: string | undefined;
  /** Calls of the control plane; none when it is closed. */
  readonly controlCalls: readonly ControlCall[];
  /** Swaps the lies being told. */
  tellLies(names: readonly string[]): void;
  /** Changes what goes over the wire, after the services have written it; undefined: nothing any more. */
  mutate(mutation: WireMutation | undefined): void;
  /** Whether the mutation has changed anything that went out. */
  readonly hasMutated: boolean;
  /** Begins another session, where a plan says what is told in it. */
  beginSession(name: string): BegunSession | undefined;
  /** Forgets all state. */
  reset(): void;
  /** Stops listening; open connections are cut. */
  close(): Promise<void>;
}

/** Name of the control plane's address. */
const CONTROL = 'control';

/** Where the services listen, in their order. */
export const SERVICE_LISTENERS = SERVICE_LIST.flatMap(([, { listeners }]) => listeners);

/** What `gentle`, `all` and single names stand for that a session can be told. @throws Trouble (usage) for a name that nothing has */
export function listSessionLies(names: readonly string[]): SessionLie[] {
  return chooseSessionLies(
    names,
    SERVICE_LIST.map(([api, { sessionMeans }]) => [api, sessionMeans] as const),
  );
}

/** No route has a schema; saying so keeps the framework from loading its schema compilers, a third of the time to start. */
function noSchemas(): never {
  throw new Error('no route of the sandbox has a schema');
}

/**
 * Starts every service, and the control plane when asked for, in this process.
 * @throws Trouble (usage) for an unknown lie, choice or way, Trouble (incomplete) when a port cannot be opened
 */
export async function startSandbox(parameters: SandboxParameters = {}): Promise<Sandbox> {
  // Loaded when something is started: the list of lies is asked for far more often.
  const { default: Fastify } = await import('fastify');
  const { seed = randomUUID(), host = '127.0.0.1', ports = {}, control = false, variation } = parameters;
  const { choose = [], observe, log, tls = false, saveFile = (name) => `(${name})` } = parameters;
  let lasts = parameters.lies ?? [];
  let told = activateLies(lasts);
  const lasting = (parameters.wire ?? []).map((mutation) => new WireMutator(mutation));
  let mutator: WireMutator | undefined;
  const mutators = () => [...lasting, ...sessions.mutators, ...(mutator === undefined ? [] : [mutator])];
  const serials = new Map<string, number>();
  const addresses: Record<string, string> = {};
  const source = createCredentialSource(seed);
  const choices = chooseWays(variation === undefined ? PLAIN_CHOICES : drawVariation(variation), choose);
  let drawn = 0;
  const uuid = () => {
    drawn += 1;
    return shapeUuid(createHmac('sha256', seed).update(`uuid ${drawn}`).digest('hex'));
  };
  const serial = (name: string, from: number) => {
    const next = (serials.get(name) ?? from - 1) + 1;
    serials.set(name, next);
    return next;
  };
  const services = SERVICE_LIST.map(([name, offer]) => {
    const world: SandboxWorld<ServiceChoices[Api], object> = {
      clock: new VirtualClock(),
      credentials: offer.issueCredentials(source),
      choices: choices[name],
      varied: JSON.stringify(choices[name]) !== JSON.stringify(PLAIN_CHOICES[name]),
      get activeLies() {
        return told;
      },
      uuid,
      serial,
      rewriteMessage: (message, written) =>
        mutators().reduce((sent, one) => sent.flatMap((each) => one.message(message, each)), [written]),
      observe,
    };
    return { name, offer, world, service: offer.create(world as never) };
  });
  const reset = () => {
    for (const { world, service } of services) {
      world.clock.reset();
      service.reset();
    }
  };
  const sessions = new SessionTeller(listSessionLies(parameters.sessionLies ?? []), services);
  const tell = (names: readonly string[]) => {
    lasts = names;
    told = activateLies([...names, ...sessions.lies]);
  };
  const watch = (begun: BegunSession | undefined) => {
    tell(lasts);
    if (begun !== undefined) parameters.observeSession?.(begun);
    return begun;
  };
  watch(sessions.open());
  const beginSession = (name: string) => watch(sessions.begin(name));

  // Loaded when asked for: a sandbox of plain HTTP starts in half the time that the certificates take.
  const identity = tls ? (await import('./tls-authority.ts')).issueTlsIdentity(host) : undefined;
  const apps: FastifyInstance[] = [];
  const open = async (
    name: string,
    basePath: string,
    build: (app: FastifyInstance) => void,
    { name: api, service, world }: Partial<(typeof services)[number]> = {},
  ) => {
    const secured = service === undefined ? undefined : identity;
    const app: FastifyInstance = Fastify({
      logger: false,
      ...(secured && { https: { key: secured.key, cert: secured.certificate } }),
      bodyLimit: 16 * 1024 * 1024,
      forceCloseConnections: true,
      requestTimeout: 30_000,
      exposeHeadRoutes: false,
      schemaController: { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } },
      frameworkErrors: (_error, request, reply: FastifyReply) => {
        if (service?.answerUnroutable === undefined) reply.code(400).send();
        else service.answerUnroutable(request, reply);
      },
    });
    if (service !== undefined)
      app.addHook('onSend', (request, reply, payload, done) => {
        const active = mutators();
        if (active.length === 0) done(null, payload);
        else mutateAnswer(active, request, reply, payload).then((sent) => done(null, sent), done);
      });
    build(app);
    if (api !== undefined && world !== undefined && observe !== undefined)
      observeRequests(app, api, observe, world.clock);
    try {
      await app.listen({ host, port: ports[name] ?? 0 });
    } catch (error) {
      await Promise.all(apps.map((one) => one.close()));
      throw new Trouble('incomplete', `the sandbox cannot listen on ${host}:${ports[name] ?? 0}`, {
        reason: (error as Error).message,
        fix: 'name a free port, or none',
      });
    }
    apps.push(app);
    const { port } = app.server.address() as AddressInfo;
    addresses[name] =
      `${secured ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host === '0.0.0.0' ? '127.0.0.1' : host}:${port}${basePath}`;
  };
  for (const one of services)
    for (const { name, basePath } of one.offer.listeners)
      await open(name, basePath, (app) => one.service.serve(app, name), one);
  const showCredentials = () =>
    Object.fromEntries(
      services.map(({ name, offer, world: { credentials } }) => [
        name,
        offer.showCredentials?.(told, credentials) ?? credentials,
      ]),
    ) as SandboxCredentials;
  const usable = () => ({
    addresses: addresses as SandboxAddresses,
    credentials: showCredentials(),
    authority: identity?.authority,
  });
  const content = () => ({
    addresses,
    ...describeUsage(usable(), saveFile),
    otherwise: listDifferences(choices),
    lies: [...told],
  });
  let controlCalls: readonly ControlCall[] = [];
  if (control)
    await open(CONTROL, '', (app) => {
      const running = services.map(({ service }) => service);
      const clocks = new Map(services.map(({ name, world }) => [name, world.clock] as const));
      controlCalls = serveControlPlane(app, { clocks, services: running, reset, tell, beginSession, content, log });
    });

  return {
    addresses: addresses as SandboxAddresses,
    get credentials() {
      return showCredentials();
    },
    authority: identity?.authority,
    controlCalls,
    tellLies: tell,
    beginSession,
    mutate(mutation) {
      mutator = mutation === undefined ? undefined : new WireMutator(mutation);
    },
    get hasMutated() {
      return mutator?.hasChanged === true;
    },
    reset,
    async close() {
      for (const { world } of services) world.clock.reset();
      await Promise.all(apps.map((app) => app.close()));
    },
  };
}
