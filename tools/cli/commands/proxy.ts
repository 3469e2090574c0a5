import { API_NAMES, APIS } from '#apis';
import { projectContract } from '#contract';
import { TrafficCollector } from '#judge';
import { type ProxyRoute, startProxy } from '#proxy';
import { reachTarget, writeClientRun } from '#run';
import { parseTarget, resolveTarget, secretsOf } from '#target';
import { Trouble } from '#trouble';
import { type CliCommand, type GivenArguments, readPort } from '../arguments.ts';
import { untilStopped } from '../until-stopped.ts';
import { readPublicKeys } from './judge.ts';

/** Route of what services send to a receiver. */
const RECEIVER = 'receiver';

/** `assay proxy`: stands between an application and a live sandbox, changes nothing, and judges the application when it is stopped. */
export const proxyCommand: CliCommand = {
  name: 'proxy',
  help: 'Hands everything on between an application and a target, and judges the application when it is stopped.',
  positionals: [],
  flags: {
    target: { value: 'FILE', required: true, help: 'target file with the addresses to hand on to' },
    ...Object.fromEntries(
      APIS.map(({ name, title }) => [name, { value: 'PORT', help: `port for the ${title}; default a free one` }]),
    ),
    receiver: { value: 'URL', help: 'receiver of the application, that callbacks and deliveries are handed on to' },
    'receiver-port': { value: 'PORT', help: 'port where they come in; default a free one' },
    host: { value: 'ADDRESS', help: 'address to bind; default 127.0.0.1, which nobody else can reach' },
    key: {
      value: 'CONSUMER_KEY=FILE',
      repeatable: true,
      help: 'public key (PEM) that transfers of a consumer key are signed for',
    },
    whole: { help: 'what did not come by the end is held to be missing' },
    out: { value: 'DIR', help: 'run folder; default reports/clients/<run id>' },
  },
  async run(given) {
    const written = parseTarget(given.required('target'));
    if (written.root.kind === 'embedded')
      throw new Trouble('usage', 'the embedded sandbox needs no proxy', { fix: 'assay sandbox --judge' });
    const publicKeys = readPublicKeys(given);
    const hosts = await reachTarget(written);
    const target = resolveTarget(written);
    const contract = projectContract();
    const collector = new TrafficCollector(contract);
    const { ca, certificate: cert, key, passphrase } = target.connection;
    const tls = Object.fromEntries(
      Object.entries({ ca, cert, key, passphrase }).filter(([, value]) => value !== undefined),
    );
    const host = given.flag('host') ?? '127.0.0.1';
    const proxy = await startProxy({
      routes: readRoutes(given, hosts),
      host,
      tls,
      observe: (one) => collector.add(one),
    });
    for (const [name, address] of Object.entries(proxy.addresses)) console.log(`${name.padEnd(12)}${address}`);
    console.log('\nStop it (Ctrl-C) when the application has done what it does; then it is judged.');
    await untilStopped();
    await proxy.close();
    if (collector.size === 0)
      throw new Trouble('incomplete', 'nothing went through the proxy', { fix: 'give the application its addresses' });
    return writeClientRun({
      contract,
      traffic: collector.traffic({ isWhole: given.has('whole'), publicKeys, lacks: ['browser'] }),
      source: { name: `application before ${target.name}`, kind: target.kind, file: written.file },
      rules: [],
      out: given.flag('out'),
      judgesService: true,
      written,
      secrets: secretsOf(target),
      argv: ['proxy', ...given.argv],
    });
  },
};

function readRoutes(given: GivenArguments, hosts: Readonly<Record<string, string | undefined>>): ProxyRoute[] {
  const routes = API_NAMES.flatMap((api): ProxyRoute[] => {
    const upstream = hosts[api];
    return upstream === undefined ? [] : [{ name: api, api, message: 'request', upstream, port: readPort(given, api) }];
  });
  const receiver = given.flag('receiver');
  if (receiver === undefined) return routes;
  if (!URL.canParse(receiver))
    throw new Trouble('usage', `--receiver ${receiver} is no address`, { fix: '--receiver http://127.0.0.1:3000' });
  const port = readPort(given, 'receiver-port');
  return [...routes, { name: RECEIVER, api: API_NAMES.at(-1)!, message: 'delivery', upstream: receiver, port }];
}
