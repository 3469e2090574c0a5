import { closeSync, mkdtempSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { API_NAMES } from '#apis';
import { partLies, projectContract } from '#contract';
import { TrafficCollector } from '#judge';
import { createSandboxLog, readVariation, writeClientRun } from '#run';
import {
  describeUsage,
  drawVariation,
  listChoices,
  listDifferences,
  listSessionLies,
  type SandboxUsage,
  SERVICE_LISTENERS,
  type SessionLie,
  startSandbox,
  type Variation,
} from '#sandbox';
import { EXIT_CODES, Trouble } from '#trouble';
import { type CliCommand, type GivenArguments, readPort } from '../arguments.ts';
import { ownAddress } from '../own-address.ts';
import { untilStopped } from '../until-stopped.ts';

/** `assay sandbox`: every service for a developer's own use. */
export const sandboxCommand: CliCommand = {
  name: 'sandbox',
  help: `Starts the embedded ${API_NAMES.join(' and ')} services and prints what a client needs to know.`,
  positionals: [],
  flags: {
    ...Object.fromEntries(
      SERVICE_LISTENERS.map(({ name, title }) => [
        name,
        { value: 'PORT', help: `port of ${title}; default a free one` },
      ]),
    ),
    control: {
      value: 'PORT',
      help: 'opens the control plane (time, later states, lies) on this port, with a page and a log of what was exchanged; 0 for a free one',
    },
    host: { value: 'ADDRESS', help: 'address to bind; default 127.0.0.1, which nobody else can reach' },
    lie: { value: 'NAME', repeatable: true, help: 'tell this lie; may be repeated' },
    variation: {
      value: 'SEED/NUMBER',
      help: 'do as this variation where the documents leave it free; assay prove --variations names them',
    },
    choose: {
      value: 'CHOICE=WAY',
      repeatable: true,
      help: 'do so in one point that the documents leave free; may be repeated',
    },
    choices: { help: 'print what can be chosen, the plain way first, and end' },
    seed: { value: 'WORD', help: 'the same word gives the same ids and tokens; default assay' },
    lies: {
      value: 'gentle|all|NAME',
      repeatable: true,
      help: 'with --judge: tell another of these in each session of its tests, which a call of the control plane begins; may be repeated',
    },
    judge: { help: 'keep what an application sends; ending the sandbox judges it and writes the audit page' },
    out: { value: 'DIR', help: 'run folder of --judge; default reports/clients/<run id>' },
    tls: { help: 'speak TLS, with a certificate by an authority made for this run, which is written to a file' },
    env: { help: 'print variables for a shell to source instead, and let go of the output' },
    json: { help: 'print addresses, credentials and cards as JSON' },
  },
  async run(given) {
    if (given.has('choices')) {
      for (const { name, ways } of listChoices()) console.log(`${name.padEnd(30)}${ways.join(' | ')}`);
      return EXIT_CODES.kept;
    }
    const host = given.flag('host') ?? '127.0.0.1';
    const ports = Object.fromEntries(
      [...SERVICE_LISTENERS.map(({ name }) => name), 'control'].flatMap((name) =>
        given.has(name) ? [[name, readPort(given, name)!]] : [],
      ),
    );
    const named = given.flag('variation');
    const variation = named === undefined ? undefined : await readVariation(named);
    const collector = given.has('judge') ? new TrafficCollector(projectContract()) : undefined;
    const folder = mkdtempSync(join(tmpdir(), 'assay-'));
    const saveFile = (name: string, text: string) => {
      const file = join(folder, name);
      writeFileSync(file, text, { mode: 0o600 });
      return file;
    };
    const sessionLies = given.flags('lies');
    if (sessionLies.length > 0 && collector === undefined)
      throw new Trouble('usage', '--lies without --judge', {
        reason: 'what is told session by session shows in what the application does about it',
        fix: 'add --judge, or tell one lie throughout with --lie NAME',
      });
    const plan = listSessionLies(sessionLies);
    const hasControl = given.has('control') || plan.length > 0;
    const log = given.has('control') ? createSandboxLog() : undefined;
    const running = await startSandbox({
      variation,
      choose: given.flags('choose'),
      host,
      ports,
      control: hasControl,
      sessionLies,
      observeSession: (session) => collector?.begin(session),
      ...partLies(projectContract().own, given.flags('lie')),
      seed: given.flag('seed') ?? 'assay',
      tls: given.has('tls'),
      saveFile,
      log,
      observe:
        log === undefined && collector === undefined
          ? undefined
          : (exchange) => {
              log?.observe(exchange);
              collector?.add(exchange);
            },
    });
    const { addresses, controlCalls } = running;
    const usage = describeUsage(running, saveFile);
    const { credentials, authority } = usage;
    const samples = Object.fromEntries(usage.samples.map(({ name, entries }) => [name, entries]));
    const varied = variation === undefined ? undefined : drawVariation(variation);
    if (given.has('json'))
      console.log(
        JSON.stringify({ addresses, credentials, ...samples, authority, controlCalls, variation: varied }, null, 2),
      );
    else if (given.has('env')) printEnvironment(usage.environment);
    else print(addresses, usage, varied);
    if (!/^(127\.|::1$|localhost$)/.test(host))
      console.error(`assay: listening on ${host}: others on the network can reach it${elsewhere(addresses, host)}`);
    await untilStopped();
    await running.close();
    rmSync(folder, { recursive: true, force: true });
    return collector === undefined ? EXIT_CODES.kept : judgeApplication(collector, usage, plan, given);
  },
};

/**
 * Judges what an application sent from start to end.
 * @returns the exit code of the verdict
 * @throws Trouble (incomplete) when nothing was sent
 */
async function judgeApplication(
  collector: TrafficCollector,
  { publicKeys }: SandboxUsage,
  plan: readonly SessionLie[],
  given: GivenArguments,
): Promise<number> {
  if (collector.size === 0)
    throw new Trouble('incomplete', 'nothing was sent to the sandbox', {
      fix: 'give the application the addresses that the sandbox prints, and end it after the tests',
    });
  const lies = given.flags('lie');
  return writeClientRun({
    contract: projectContract(),
    traffic: collector.traffic({ isWhole: true, publicKeys: publicKeys() }),
    source: { name: 'application at the sandbox', kind: 'embedded', file: 'assay sandbox --judge' },
    rules: [],
    out: given.flag('out'),
    // What lies break is no finding about a service.
    judgesService: lies.length === 0 && plan.length === 0,
    lies,
    plan,
    argv: ['sandbox', ...given.argv],
  });
}

/** Where it is reached from another machine, when it listens everywhere. */
function elsewhere(addresses: Readonly<Record<string, string>>, host: string): string {
  const own = /^(?:0\.0\.0\.0|::)$/.test(host) ? ownAddress() : undefined;
  if (own === undefined) return '';
  const there = Object.entries(addresses).map(([name, address]) => `${name} ${address.replace('127.0.0.1', own)}`);
  return `, at ${there.join(', ')}`;
}

/** Variables as a shell reads them, with the id of this process; whoever reads them to the end gets on. */
function printEnvironment(environment: Readonly<Record<string, string>>): void {
  const lines = Object.entries({ ...environment, ASSAY_SANDBOX_PID: String(process.pid) }).map(
    ([name, value]) => `export ${name}='${value.replaceAll("'", "'\\''")}'\n`,
  );
  writeSync(process.stdout.fd, lines.join(''));
  closeSync(process.stdout.fd);
}

function print(
  addresses: Readonly<Record<string, string>>,
  { credentials, samples, tryLines, authority }: SandboxUsage,
  variation: Variation | undefined,
): void {
  const row = (left: string, right: string) => console.log(`  ${left.padEnd(26)}${right}`);
  if (variation !== undefined) {
    console.log(`Variation ${variation.seed}/${variation.number}: otherwise than the plain sandbox`);
    for (const one of listDifferences(variation)) row(...(one.split(': ') as [string, string]));
    console.log('');
  }
  console.log('Base addresses');
  for (const [name, address] of Object.entries(addresses)) row(name, address);
  if (authority !== undefined) row('authority to trust', authority);
  for (const [api, entries] of Object.entries(credentials)) {
    console.log(`\nCredentials, ${api} (they work here only)`);
    for (const [name, value] of Object.entries(entries)) {
      row(
        name,
        typeof value === 'object' && value !== null
          ? Object.entries(value)
              .map(([key, one]) => `${key} ${String(one)}`)
              .join('  ')
          : String(value),
      );
    }
  }
  for (const { title, rows } of samples) {
    console.log(`\n${title}`);
    for (const [left, right] of rows) row(left, right);
  }
  console.log('\nTry');
  for (const line of tryLines) console.log(`  ${line}`);
  if ('control' in addresses) console.log(`\nAll of this, and what is exchanged, as a page: ${addresses.control}/`);
  else console.log('\nWith --control 0 there is a page of all this, and of what is exchanged.');
  console.log('\nCtrl-C stops it; everything is forgotten then.');
}
