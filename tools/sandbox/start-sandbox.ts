import { createHmac, randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { Trouble } from '#trouble';
import { serveControlPlane } from './control-plane.ts';
import { issueCredentials, type SandboxCredentials } from './credentials.ts';
import { activateLies } from './decision.ts';
import { showGatewayCredentials } from './gateway/access/token-grants.ts';
import { gatewayService } from './gateway/service.ts';
import { v1Service } from './v1/service.ts';
import { drawVariation, PLAIN_CHOICES, type VariationId } from './variation.ts';
import { VirtualClock } from './virtual-clock.ts';
import { type WireMutation, WireMutator } from './wire-mutation.ts';
import type { SandboxService, SandboxWorld } from './world.ts';

/** How to start a sandbox; everything has a default. */
export interface SandboxParameters {
  /** Lies to tell from the start. */
  readonly lies?: readonly string[];
  /** The same seed gives the same ids and tokens; default: drawn anew. */
  readonly seed?: string;
  /** Address to bind; default 127.0.0.1. */
  readonly host?: string;
  /** Fixed ports; default: free ones. */
  readonly ports?: Partial<Record<'gateway' | 'elsewhere' | 'v1' | 'control', number>>;
  /** Whether to open the control plane; default false. */
  readonly control?: boolean;
  /** Where the documents leave the services free, to do as this variation does; default: the plain choices. */
  readonly variation?: VariationId | undefined;
}

/** A running sandbox. */
export interface Sandbox {
  /** Base address of the gateway, ending in `/api`. */
  readonly gateway: string;
  /** The gateway under its second host. */
  readonly elsewhere: string;
  /** Address of the v1 service, without `/api/v1`. */
  readonly v1: string;
  /** Address of the control plane, when it is open. */
  readonly control: string | undefined;
  readonly credentials: SandboxCredentials;
  /** Swaps the lies being told. */
  tellLies(names: readonly string[]): void;
  /** Changes what goes over the wire, after the services have written it; undefined: nothing any more. */
  mutate(mutation: WireMutation | undefined): void;
  /** Forgets all state. */
  reset(): void;
  /** Stops listening; open connections are cut. */
  close(): Promise<void>;
}

/** No route has a schema; saying so keeps the framework from loading its schema compilers, a third of the time to start. */
function noSchemas(): never {
  throw new Error('no route of the sandbox has a schema');
}

/**
 * Starts both services, and the control plane when asked for, in this process.
 * @throws Trouble (usage) for an unknown lie, Trouble (incomplete) when a port cannot be opened
 */
export async function startSandbox(parameters: SandboxParameters = {}): Promise<Sandbox> {
  const { seed = randomUUID(), host = '127.0.0.1', ports = {}, control = false, variation } = parameters;
  let told = activateLies(parameters.lies ?? []);
  let mutator: WireMutator | undefined;
  const clock = new VirtualClock();
  const serials = new Map<string, number>();
  const addresses = new Map<string, string>();
  let drawn = 0;
  const world: SandboxWorld = {
    clock,
    credentials: issueCredentials(seed),
    choices: variation === undefined ? PLAIN_CHOICES : drawVariation(variation),
    varied: variation !== undefined,
    get activeLies() {
      return told;
    },
    uuid() {
      drawn += 1;
      const hex = createHmac('sha256', seed).update(`uuid ${drawn}`).digest('hex');
      return hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-4$3-8$4-$5');
    },
    serial(name, from) {
      const next = (serials.get(name) ?? from - 1) + 1;
      serials.set(name, next);
      return next;
    },
    address: (service) => addresses.get(service) ?? '',
    rewriteMessage: (name, body) => mutator?.message(name, body) ?? [body],
  };
  const gateway = gatewayService(world);
  const v1 = v1Service(world);
  const reset = () => {
    clock.reset();
    gateway.reset();
    v1.reset();
  };
  const tell = (names: readonly string[]) => {
    told = activateLies(names);
  };

  const apps: FastifyInstance[] = [];
  const open = async (
    name: 'gateway' | 'elsewhere' | 'v1' | 'control',
    build: (app: FastifyInstance) => void,
    service?: SandboxService,
  ) => {
    const app = Fastify({
      logger: false,
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
      app.addHook('onSend', (request, reply, payload, done) => done(null, mutated(mutator, request, reply, payload)));
    build(app);
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
    addresses.set(
      name,
      `http://${host.includes(':') ? `[${host}]` : host === '0.0.0.0' ? '127.0.0.1' : host}:${port}${name === 'gateway' || name === 'elsewhere' ? '/api' : ''}`,
    );
  };
  await open('gateway', (app) => gateway.serve(app, 'main'), gateway);
  await open('elsewhere', (app) => gateway.serve(app, 'elsewhere'), gateway);
  await open('v1', (app) => v1.serve(app, 'main'), v1);
  if (control) await open('control', (app) => serveControlPlane(app, { clock, services: [gateway, v1], reset, tell }));

  return {
    gateway: world.address('gateway'),
    elsewhere: world.address('elsewhere'),
    v1: world.address('v1'),
    control: control ? world.address('control') : undefined,
    get credentials() {
      return showGatewayCredentials(told, world.credentials);
    },
    tellLies: tell,
    mutate(mutation) {
      mutator = mutation === undefined ? undefined : new WireMutator(mutation);
    },
    reset,
    async close() {
      clock.reset();
      await Promise.all(apps.map((app) => app.close()));
    },
  };
}

/** What is sent in place of an answer. */
function mutated(mutator: WireMutator | undefined, request: FastifyRequest, reply: FastifyReply, payload: unknown) {
  if (mutator === undefined || (payload !== undefined && typeof payload !== 'string' && !Buffer.isBuffer(payload)))
    return payload;
  const content = Buffer.isBuffer(request.body) ? request.body.toString() : '';
  const sent = {
    status: reply.statusCode,
    headers: reply.getHeaders() as Readonly<Record<string, string>>,
    body: payload === undefined ? '' : payload.toString(),
  };
  const [path = '', query = ''] = request.url.split('?');
  const now = mutator.answer({ method: request.method, path, content: `${query} ${content}` }, sent);
  if (now === sent) return payload;
  reply.code(now.status);
  for (const [name, value] of Object.entries(now.headers)) {
    if (value === undefined) reply.removeHeader(name);
    else if (value !== sent.headers[name]) reply.header(name, value);
  }
  return now.body;
}
