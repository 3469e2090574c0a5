import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { takeBack } from '#client';
import { contract, type Loaded } from '#contract';
import { Journal, type Line, type Redacted, Redactor, type RunLine, type Waiver } from '#evidence';
import { EMBEDDED, provideBrowser } from '#harness';
import { conclude, exitCode, PREVIOUS, pointLatest, previousOf, sign, writeReport } from '#report';
import { lies } from '#sandbox';
import { parseTarget, references, resolveSigning, resolveTarget, type Written } from '#target';
import { suggestion, Trouble } from '#trouble';
import type { Command, Given } from '../arguments.ts';
import { play, ROOT } from '../play.ts';
import { layProof } from '../proofs.ts';
import { selected } from '../select.ts';
import { signerFor } from '../signing.ts';
import { suiteHash } from '../suite.ts';
import { readWaivers } from '../waivers.ts';

/** How often the page of a run in progress is brought up to date, in milliseconds. */
const REFRESH = 15_000;

/** `assay run`: every check against a target, then the audit page. */
export const run: Command = {
  name: 'run',
  usage: 'run [--target FILE] [--rule ID|AREA] [--out DIR] [--lie NAME] [--seed N] [--shuffle N] [--workers N]',
  help: 'Checks every documented promise against a target (default: the embedded sandbox) and writes the audit page.',
  takes: [],
  flags: {
    target: { value: 'FILE', help: 'target file; default targets/embedded.yaml' },
    rule: { value: 'ID|AREA', many: true, help: 'only these rules or areas; may be repeated' },
    out: { value: 'DIR', help: 'run folder; default reports/<run id>' },
    lie: { value: 'NAME', many: true, help: 'let the embedded sandbox tell this lie' },
    seed: { value: 'N', help: 'seed of ids and of property tests; default drawn, printed and recorded' },
    shuffle: {
      value: 'N',
      help: 'start the checks in an order drawn from N, the same for the same N; default as written',
    },
    workers: { value: 'N', help: 'checks at the same time; default 2, or 1 on a target of your own' },
  },
  run: async (given) => {
    const known = contract();
    const written = parseTarget(resolve(given.flag('target') ?? EMBEDDED));
    const told = given.flags('lie');
    checkLies(told, written);
    const rules = selected(known, given.flags('rule'));
    const seed = readSeed(given);
    const shuffle = given.has('shuffle') ? readSeed(given, 'shuffle') : undefined;
    const waivers = readWaivers(known);
    const signer = signerFor(written);
    const hosts = await reach(written);
    const redactor = redactorOf(written);
    const id = `${new Date().toISOString().slice(0, 19).replace(/[-:]/g, '').replace('T', '-')}-${randomBytes(2).toString('hex')}`;
    const folder = resolve(given.flag('out') ?? join(ROOT, 'reports', id));
    if (existsSync(join(folder, 'evidence.ndjson')))
      throw new Trouble('usage', `${folder} already holds a run`, { fix: 'name another folder with --out' });
    mkdirSync(folder, { recursive: true });
    const journal = new Journal(folder);
    const first = runLine({ known, written, id, seed, hosts, given, told, waivers });
    journal.write(first as RunLine as Redacted<Line>);
    journal.close();
    writeReport(folder, { redactor, own: true });
    if (given.flag('out') === undefined) pointLatest(folder);
    provideBrowser((text) => console.log(`assay: ${text}`));
    const { name, kind } = first.target;
    console.log(
      `assay: ${rules.length === 0 ? `${known.rules.size} rules` : `${rules.length} of ${known.rules.size} rules`} against ${name} (${kind}), seed ${seed}${shuffle === undefined ? '' : `, shuffled by ${shuffle}`}`,
    );
    const refresh = setInterval(() => draft(folder, redactor), REFRESH);
    const state = first.target.kind === 'embedded' ? undefined : mkdtempSync(join(tmpdir(), 'assay-run-'));
    await play({
      folder,
      target: written.path,
      seed,
      shuffle,
      ids: rules.map(({ id }) => id),
      // Somebody else's service has one webhook configuration, one rate limit and often one address to call back.
      workers: given.flag('workers') ?? (state === undefined ? undefined : '1'),
      env: { ASSAY_LIE: told.join(','), ...(state === undefined ? {} : { ASSAY_STATE: state }) },
    });
    if (state !== undefined) await tidy(written, state);
    clearInterval(refresh);
    layProof(folder);
    layPrevious(folder, first);
    const result = writeReport(folder, { redactor, own: true });
    const fingerprint = sign(folder, id, signer);
    console.log(conclude(result, folder));
    console.log(`signed${signer ? '' : ' (unpinned, integrity only)'}: certificate ${fingerprint}`);
    return exitCode(result);
  },
};

/** Lays the run before beside this one, so that its page says what changed since. */
function layPrevious(folder: string, run: RunLine): void {
  const previous = previousOf(folder, run, join(ROOT, 'reports/baseline'));
  if (previous !== undefined) writeFileSync(join(folder, PREVIOUS), `${JSON.stringify(previous)}\n`);
}

/** A page of a run in progress; whatever stands in the way of it is said by the last one. */
function draft(folder: string, redactor: Redactor): void {
  try {
    writeReport(folder, { redactor });
  } catch (error) {
    console.error(`assay: no page for now: ${(error as Error).message}`);
  }
}

/** What must not be in any file: the secrets of a target file. Those of the embedded sandbox are known to its workers only. */
function redactorOf(written: Written): Redactor {
  const redactor = new Redactor();
  const { key, passphrase } = resolveSigning(written) ?? {};
  for (const secret of [key, passphrase]) if (secret !== undefined) redactor.add(secret);
  if (written.root.kind === 'embedded') return redactor;
  const target = resolveTarget(written);
  for (const secret of target.secrets) redactor.add(secret);
  for (const { number } of Object.values(target.gateway?.cards ?? {})) redactor.addCard(number);
  return redactor;
}

/** Takes back what the checks left at the target, when they were killed before they could. */
async function tidy(written: Written, state: string): Promise<void> {
  for (const { what, id, reason } of await takeBack(resolveTarget(written), state))
    console.error(
      `assay: ${reason === undefined ? 'taken back' : 'left behind'}: ${what} ${id}${reason === undefined ? '' : ` (${reason})`}`,
    );
  rmSync(state, { recursive: true, force: true });
}

function checkLies(told: readonly string[], written: Written): void {
  const names = lies().map(({ name }) => name);
  for (const name of told) {
    if (!names.includes(name))
      throw new Trouble('usage', `no lie is called ${name}`, {
        fix: suggestion(name, names) || 'assay lies lists them',
      });
  }
  if (told.length > 0 && written.root.kind !== 'embedded')
    throw new Trouble('usage', 'only the embedded sandbox can be told to lie', { fix: 'leave --target or --lie out' });
}

/** The seed of a run, or another number to draw from: given, or drawn. @throws Trouble (usage) when it is no whole number */
export function readSeed(given: Given, flag: 'seed' | 'shuffle' = 'seed'): number {
  const text = given.flag(flag);
  if (text === undefined) return randomBytes(4).readUInt32BE(0) >>> 1;
  if (!/^\d{1,10}$/.test(text))
    throw new Trouble('usage', `--${flag} ${text} is not a whole number`, { fix: `--${flag} 1` });
  return Number(text);
}

/**
 * Resolves what the run will need and knocks at each address, so that a wrong file or a dead host ends before the first check.
 * @throws Trouble (usage) for an unresolved reference, Trouble (incomplete) for an address nobody answers at
 */
async function reach(written: Written): Promise<RunLine['target']['hosts']> {
  if (written.root.kind === 'embedded') return { gateway: 'embedded', v1: 'embedded' };
  if (references(written).some(({ scheme }) => scheme === 'embedded')) resolveTarget(written);
  const target = resolveTarget(written);
  const hosts: Record<string, string> = {};
  for (const api of ['gateway', 'v1'] as const) {
    const address = target[api]?.address;
    if (address === undefined) continue;
    const url = new URL(address);
    hosts[api] = `${url.protocol}//${url.host}${url.pathname.replace(/\/$/, '')}`;
    if (target.connection.proxy === undefined) await knock(url, target.manners.timeout * 1000, written);
  }
  return hosts;
}

function knock(url: URL, timeout: number, written: Written): Promise<void> {
  const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80));
  return new Promise((done, fail) => {
    const refuse = (reason: string) =>
      fail(
        new Trouble('incomplete', `nobody answers at ${url.host}`, {
          place: { file: written.file },
          reason,
          fix: 'check the address in the target file, and that the service is up',
        }),
      );
    const socket = connect({ host: url.hostname.replace(/^\[|\]$/g, ''), port }, () => {
      socket.destroy();
      done();
    });
    socket.setTimeout(timeout, () => {
      socket.destroy();
      refuse(`no connection within ${timeout / 1000} s`);
    });
    socket.once('error', (error: NodeJS.ErrnoException & { errors?: Error[] }) =>
      refuse(error.message || error.errors?.[0]?.message || String(error.code)),
    );
  });
}

/** The first line of a run's journal. */
export function runLine(parts: {
  known: Loaded;
  written: Written;
  id: string;
  seed: number;
  hosts: RunLine['target']['hosts'];
  given: Given;
  told: readonly string[];
  waivers?: readonly Waiver[];
}): RunLine {
  const { known, written, id, seed, hosts, given, told, waivers = [] } = parts;
  const named = given.flags('rule');
  const commit = head();
  return {
    kind: 'run',
    id,
    startedAt: new Date().toISOString(),
    target: { name: written.root.name, kind: written.root.kind, file: written.file, sha256: written.sha256, hosts },
    suite: {
      version: JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).version,
      ...(commit ? { commit } : {}),
      lock: createHash('sha256')
        .update(readFileSync(join(ROOT, 'package-lock.json')))
        .digest('hex'),
      sha256: suiteHash(),
    },
    runtime: {
      node: process.version,
      openssl: process.versions.openssl ?? '',
      platform: `${process.platform} ${process.arch}`,
    },
    specs: known.specs,
    seed,
    argv: ['run', ...given.argv],
    ...(named.length === 0 ? {} : { selection: named.join(', ') }),
    ...(told.length === 0 ? {} : { lie: told.join(', ') }),
    register: {
      areas: [...known.areas.values()],
      rules: [...known.rules.values()],
      holes: [...known.holes.values()],
      readings: known.readings,
      operations: [...known.operations.values()].map(({ id, api, method, path, answers }) => ({
        id,
        api,
        method,
        path,
        answers: [...answers.keys()],
      })),
    },
    waivers,
  };
}

/** The commit this suite stands at, read from .git without a program. */
function head(): string | undefined {
  try {
    const text = readFileSync(join(ROOT, '.git/HEAD'), 'utf8').trim();
    if (!text.startsWith('ref: ')) return text;
    return readFileSync(join(ROOT, '.git', text.slice(5)), 'utf8').trim();
  } catch {
    return undefined;
  }
}
