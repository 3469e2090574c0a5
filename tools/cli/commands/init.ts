import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { API_NAMES, APIS, type Api, byApi } from '#apis';
import { IS_CLONE, WORKSPACE_FOLDER } from '#folders';
import { completeAddresses, DRAFT_VARIABLES, draftTarget } from '#target';
import { EXIT_CODES, Trouble } from '#trouble';
import type { CliCommand, GivenArguments } from '../arguments.ts';
import { ownAddress } from '../own-address.ts';
import { FIRST_TARGET, suitePathFrom, writeWorkspace } from '../workspace-files.ts';

/** Environment variable that names the address of a service. */
const variableOf = (api: Api) => `${api.toUpperCase()}_URL`;

/** `assay init`: a commented target file with everything in it that can be found out; in a project of the user's, all it takes to run. */
export const initCommand: CliCommand = {
  name: 'init',
  help: `Sets up the project that one stands in: configuration, target file, a workflow; in a clone of the suite, or with --out, a commented target file alone. Addresses come from the flags, from ${API_NAMES.map(variableOf).join(' and ')}, or are asked for on a terminal.`,
  positionals: [],
  flags: {
    out: { value: 'FILE', help: 'only the target file, there; default in a clone: printed' },
    ...byApi(({ title }) => ({ value: 'URL', help: `address of the ${title}` })),
    force: { help: 'replace a file that is there' },
  },
  async run(given) {
    const out = given.flag('out');
    const isWorkspace = out === undefined && !IS_CLONE;
    const path = isWorkspace ? join(WORKSPACE_FOLDER, FIRST_TARGET) : resolve(out ?? 'target.yaml');
    if (out !== undefined && existsSync(path) && !given.has('force'))
      throw new Trouble('usage', `${out} is there already`, { fix: 'name another file, or replace it with --force' });
    const asked = await askAddresses(given);
    const found = new Set<string>(DRAFT_VARIABLES.filter((name) => (process.env[name] ?? '') !== ''));
    const addresses = await completeAddresses(asked);
    const text = draftTarget({
      addresses,
      schema: suitePathFrom(dirname(path), 'targets/target.schema.json'),
      env: found,
      key: privateKey(dirname(path)),
      own: ownAddress(),
    });
    if (isWorkspace) return setUpWorkspace(text, given.has('force'), Object.values(addresses));
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

/** Writes the files of a workspace, and says what comes next. */
function setUpWorkspace(target: string, force: boolean, addresses: readonly (string | undefined)[]): number {
  const hasAddress = addresses.some((one) => one !== undefined);
  const variables = [...new Set([...target.matchAll(/^[^#\n]*\benv:(\w+)/gm)].map(([, name]) => name!))];
  const written = writeWorkspace({ folder: WORKSPACE_FOLDER, target, hasAddress, variables, force });
  console.log(
    written.length === 0
      ? 'assay: everything is there already'
      : `assay: wrote ${written.join(', ')} in ${WORKSPACE_FOLDER}`,
  );
  if (!hasAddress)
    console.log(`assay: no address was given, so runs are against the embedded sandbox; fill in ${FIRST_TARGET}`);
  console.log('assay: next, assay doctor, then assay run');
  return EXIT_CODES.kept;
}

/** Addresses as given, or asked for where somebody can answer. */
async function askAddresses(given: GivenArguments): Promise<Record<Api, string | undefined>> {
  const named = byApi(({ name }) => given.flag(name) ?? process.env[variableOf(name)]);
  if (Object.values(named).some((one) => one !== undefined) || !process.stdin.isTTY)
    return byApi(({ name }) => checked(named[name], `--${name}`));
  const asker = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answers: Partial<Record<Api, string | undefined>> = {};
    for (const { name, shortTitle } of APIS) {
      const answer = await asker.question(`Address of the ${shortTitle} (empty: none): `);
      answers[name] = checked(answer.trim() || undefined, `--${name}`);
    }
    return byApi(({ name }) => answers[name]);
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
