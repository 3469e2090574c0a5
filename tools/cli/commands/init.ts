import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { DRAFT_VARIABLES, draftTarget } from '#target';
import { EXIT_CODES, Trouble } from '#trouble';
import type { CliCommand } from '../arguments.ts';

/** `assay init`: a commented target file with everything in it that can be found out. */
export const initCommand: CliCommand = {
  name: 'init',
  help: 'Writes a commented target file. Addresses come from the flags, from GATEWAY_URL and V1_URL, or are asked for on a terminal.',
  positionals: [],
  flags: {
    out: { value: 'FILE', help: 'where to; default: printed' },
    gateway: { value: 'URL', help: 'address of the card payment gateway' },
    v1: { value: 'URL', help: 'address of the account, transfer and webhook service' },
    force: { help: 'replace a file that is there' },
  },
  async run(given) {
    const out = given.flag('out');
    const path = resolve(out ?? 'target.yaml');
    if (out !== undefined && existsSync(path) && !given.has('force'))
      throw new Trouble('usage', `${out} is there already`, { fix: 'name another file, or replace it with --force' });
    const asked = await addresses(
      given.flag('gateway') ?? process.env.GATEWAY_URL,
      given.flag('v1') ?? process.env.V1_URL,
    );
    const found = new Set<string>(DRAFT_VARIABLES.filter((name) => (process.env[name] ?? '') !== ''));
    const authority = process.env.NODE_EXTRA_CA_CERTS;
    const text = draftTarget({
      gateway: asked.gateway && (await gatewayBase(asked.gateway)),
      v1: asked.v1 && v1Base(asked.v1),
      env: found,
      key: privateKey(dirname(path)),
      own: ownAddress(),
      authority: authority === undefined ? undefined : relative(dirname(path), resolve(authority)),
    });
    if (out === undefined) console.log(text);
    else {
      try {
        writeFileSync(path, text);
      } catch (error) {
        throw new Trouble('usage', `${out} cannot be written`, {
          reason: String((error as NodeJS.ErrnoException).code),
        });
      }
    }
    const say = out === undefined ? console.error : console.log;
    say(
      `assay: ${out === undefined ? 'drafted' : `wrote ${out}`}; found ${[...found].join(', ') || 'none of its environment variables'}`,
    );
    const todo = text.split('\n').filter((line) => line.includes('TO DO')).length;
    if (todo > 0) say(`assay: ${todo} ${todo === 1 ? 'line is' : 'lines are'} marked TO DO`);
    if (out !== undefined) say(`assay: next, assay doctor --target ${out}`);
    return EXIT_CODES.kept;
  },
};

/** Addresses as given, or asked for where somebody can answer. */
async function addresses(gateway: string | undefined, v1: string | undefined) {
  if (gateway !== undefined || v1 !== undefined || !process.stdin.isTTY)
    return { gateway: checked(gateway, '--gateway'), v1: checked(v1, '--v1') };
  const asker = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const ask = async (what: string, flag: string) =>
      checked((await asker.question(`Address of the ${what} (empty: none): `)).trim() || undefined, flag);
    return { gateway: await ask('card payment gateway', '--gateway'), v1: await ask('v1 service', '--v1') };
  } finally {
    asker.close();
  }
}

function checked(address: string | undefined, flag: string): string | undefined {
  if (address === undefined) return undefined;
  const whole = address.includes('://') ? address : `https://${address}`;
  if (!URL.canParse(whole) || !/^https?:$/.test(new URL(whole).protocol))
    throw new Trouble('usage', `${address} is no http(s) address`, { fix: `${flag} https://sandbox.example` });
  const { origin, pathname } = new URL(whole);
  return `${origin}${pathname.replace(/\/+$/, '')}`;
}

/** The address with `/api` at its end, unless the service answers without. */
async function gatewayBase(address: string): Promise<string> {
  if (address.endsWith('/api')) return address;
  for (const base of [`${address}/api`, address]) {
    try {
      const { status } = await fetch(`${base}/payments/_Overview`, {
        method: 'HEAD',
        redirect: 'manual',
        signal: AbortSignal.timeout(5000),
      });
      if (status === 200) return base;
    } catch {
      break;
    }
  }
  return `${address}/api`;
}

function v1Base(address: string): string {
  return address.replace(/\/api\/v1$/, '');
}

/** A private key that lies beside the target file, or in secrets/ there. */
function privateKey(folder: string): string | undefined {
  for (const place of ['', 'secrets']) {
    const inside = join(folder, place);
    if (!existsSync(inside)) continue;
    const name = readdirSync(inside).find(
      (one) =>
        /\.(pem|key)$/.test(one) && /PRIVATE KEY-----/.test(readFileSync(join(inside, one), 'latin1').slice(0, 200)),
    );
    if (name !== undefined) return join(place, name);
  }
  return undefined;
}

function ownAddress(): string | undefined {
  return Object.values(networkInterfaces())
    .flatMap((all) => all ?? [])
    .find(({ family, internal }) => family === 'IPv4' && !internal)?.address;
}
