import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';
import { API_NAMES, APIS, RULE_PREFIXES } from '#apis';

const ROOT = fileURLToPath(new URL('../', import.meta.url));

/** What every room may import: files beside the rooms that import nothing but one another. */
const GROUND = ['trouble', 'json-pointer', 'apis', 'folders', 'browser', 'built-suite', 'kept-files', 'runner-steps'];

/** What the uppermost rooms may import. */
const ABOVE_ALL = [
  'contract',
  'oauth',
  'evidence',
  'target',
  'client',
  'judge',
  'proxy',
  'sandbox',
  'harness',
  'report',
  'upgrade',
  'proof',
  'run',
];

/** Which rooms a room may import, through their doors. */
const OPEN: Readonly<Record<string, readonly string[]>> = {
  contract: [],
  oauth: [],
  evidence: ['contract'],
  target: ['contract'],
  client: ['oauth', 'evidence', 'contract', 'target'],
  judge: ['oauth', 'evidence', 'contract'],
  proxy: ['evidence'],
  sandbox: ['contract', 'evidence'],
  alternates: [],
  harness: ['contract', 'evidence', 'client', 'target', 'sandbox', 'oauth'],
  report: ['contract', 'evidence'],
  upgrade: ['contract', 'evidence', 'report'],
  proof: ['contract', 'evidence', 'sandbox', 'report'],
  run: ['contract', 'evidence', 'target', 'client', 'judge', 'sandbox', 'harness', 'report', 'proof', 'upgrade'],
  bench: ABOVE_ALL,
  cli: ABOVE_ALL,
  // Attacks the whole house, with the corpus of the evidence; nobody imports it.
  attack: ['contract', 'evidence', 'target', 'client', 'harness', 'report', 'run', 'spellings'],
  // Compiles and packs the house; nobody imports it.
  package: ['contract', 'proof', 'run'],
  // What a user's own checks are written with.
  checks: ['harness'],
  tests: ['harness', 'oauth'],
};

/** Rooms that only lend their types to a room: nothing of them is there at run time. */
const TYPES_ONLY: Readonly<Record<string, readonly string[]>> = {
  sandbox: ['contract', 'evidence'],
  proxy: ['evidence'],
};

interface Import {
  readonly file: string;
  readonly room: string;
  readonly specifier: string;
  readonly types: boolean;
  /** Loaded when its code is reached, not when the file is. */
  readonly lazy: boolean;
}

function sources(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(ts|mjs)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
}

function imports(path: string): Import[] {
  const file = relative(ROOT, path).split(sep).join('/');
  const parts = file.split('/');
  const room = parts[0] === 'tests' ? 'tests' : parts.length === 2 ? 'top' : parts[1]!;
  const text = readFileSync(path, 'utf8');
  const found = text.matchAll(
    /(?:^|\n)\s*(?:import|export)\s+(type\s+)?(?:[^'";]*?\sfrom\s+)?['"]([^'"]+)['"]|import\(\s*['"]([^'"]+)['"]/g,
  );
  return [...found].map((match) => ({
    file,
    room,
    specifier: match[2] ?? match[3]!,
    types: match[1] !== undefined,
    lazy: match[3] !== undefined,
  }));
}

/** Holds sources as text: what they import is of the house they are laid into. */
const QUOTING = join(ROOT, 'tools/cli/third-service.test-support.ts');

const ALL = ['tools', 'tests'].flatMap((folder) =>
  sources(join(ROOT, folder))
    .filter((path) => path !== QUOTING)
    .flatMap(imports),
);
const OUR_TEST = /\.test(-support)?\.ts$/;

test('every room imports only the rooms below it', () => {
  const wrong = ALL.filter(({ room, specifier, file }) => {
    const other = /^#([\w-]+)$/.exec(specifier)?.[1];
    if (other === undefined || GROUND.includes(other) || other === room || OUR_TEST.test(file)) return false;
    return !(OPEN[room] ?? []).includes(other);
  });
  expect(wrong).toEqual([]);
});

test('what every room may import imports no room', () => {
  const wrong = ALL.filter(
    ({ file, specifier }) =>
      GROUND.some((one) => /^tools\/[\w-]+\.m?[jt]s$/.test(file) && file.startsWith(`tools/${one}.`)) &&
      /^[#.]/.test(specifier) &&
      !GROUND.includes(specifier.slice(1)),
  );
  expect(wrong).toEqual([]);
});

test('no import goes past a door', () => {
  const wrong = ALL.filter(({ file, room, specifier }) => {
    if (specifier.startsWith('#')) return !/^#[\w-]+$/.test(specifier);
    if (!specifier.startsWith('.')) return false;
    const reached = relative(ROOT, resolve(ROOT, dirname(file), specifier)).split(sep);
    const there = reached[0] === 'tests' ? 'tests' : reached.length === 2 ? 'top' : reached[1];
    return there !== room;
  });
  expect(wrong).toEqual([]);
});

test('rooms that lend types lend nothing else', () => {
  const wrong = ALL.filter(
    ({ file, room, specifier, types }) =>
      (TYPES_ONLY[room] ?? []).includes(specifier.slice(1)) && !types && !OUR_TEST.test(file),
  );
  expect(wrong).toEqual([]);
});

/** What importing these files loads, each file or package with the way to it. */
function loadedBy(...files: readonly string[]): ReadonlyMap<string, string> {
  const doors = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).imports as Record<string, string>;
  const loaded = new Map(files.map((file) => [file, file]));
  for (const [file, by] of loaded)
    for (const one of ALL.filter((each) => each.file === file && !each.types && !each.lazy)) {
      const { specifier } = one;
      const reached = specifier.startsWith('.') ? relative(ROOT, resolve(ROOT, dirname(file), specifier)) : specifier;
      const next = (doors[reached] ?? reached).replace(/^\.\//, '').split(sep).join('/');
      if (!loaded.has(next)) loaded.set(next, `${by} > ${next}`);
    }
  return loaded;
}

test('no command loads the runner before it plays', () => {
  const commands = ALL.map(({ file }) => file).filter((file) => file.startsWith('tools/cli/commands/'));
  const loaded = loadedBy(...commands);
  expect(loaded.size).toBeGreaterThan(100);
  expect(loaded.get('@playwright/test')).toBeUndefined();
});

test('no command that reads files alone loads a server or a signer', () => {
  for (const name of ['upgrade', 'describe', 'ledger', 'compare']) {
    const loaded = loadedBy(`tools/cli/commands/${name}.ts`);
    expect(loaded.size).toBeGreaterThan(20);
    for (const heavy of ['fastify', 'undici', 'node-forge', 'tools/sandbox/index.ts', 'tools/target/index.ts'])
      expect(loaded.get(heavy), name).toBeUndefined();
  }
});

test('no folder is called utils, helpers, common or shared', () => {
  const folders = ['tools', 'tests', 'specs', 'targets'].flatMap((top) =>
    readdirSync(join(ROOT, top), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name),
  );
  expect(folders.filter((name) => /^(utils?|helpers?|common|shared)$/.test(name))).toEqual([]);
});

test('the table knows every room and no other', () => {
  const rooms = readdirSync(join(ROOT, 'tools'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && readdirSync(join(ROOT, 'tools', entry.name)).length > 0)
    .map(({ name }) => name);
  expect(rooms.filter((name) => !(name in OPEN))).toEqual([]);
});

/** Rooms in which each service has a folder of its own; in the others nothing speaks of one service. */
const SERVICE_ROOMS = ['target', 'client', 'judge', 'sandbox', 'harness', 'alternates'];

/** Files that name a service though they belong to none, each with the reason. */
const NAMING: Readonly<Record<string, string>> = {
  'tools/apis.ts': 'the table of services itself',
  'tools/bench/checked-exchange.ts': 'measures a call of one service',
  'tools/bench/response-validation.ts': 'measures an answer of one service',
  'tools/bench/sample-status.ts': 'an answer of one service, to be measured',
  'tools/bench/sandbox-throughput.ts': 'measures a call of one service',
  'tools/bench/whole-run.ts': 'measures the run of one rule',
  'tools/bench/work-growth.ts': 'records answers of one service, and has own rules about the other',
  'tools/cli/commands/sign.ts': 'signs what one service takes, and says whose answer it explains',
  'tools/evidence/corpus/places.ts': 'a corpus of our own tests',
  'tools/evidence/corpus/survival.ts': 'a corpus of our own tests',
  'tools/attack/answer-attack.ts': 'a hostile target with the members of both services',
  'tools/attack/page-attack.ts': 'a hostile target with hosted pages',
  'tools/attack/attack-suite.ts': 'a run of one short area, to have a bundle',
  'tools/report/run-result.generated.ts': 'made from the schema of run.json',
  'tools/report/sample-companions.ts': 'a sample for own tests and measurements',
  'tools/report/sample-large.ts': 'a sample for own tests and measurements',
  'tools/report/sample-run.ts': 'a sample for own tests and measurements',
  'tools/sandbox/control-plane.ts': 'the call that moves a clock is shown with one service',
  'tools/target/placeholders.ts': 'says what a service is called in a request',
  'tools/target/written-target.generated.ts': 'made from the schema of target files, a section a service',
  'tools/upgrade/example/write.ts': 'writes the worked example, the next version of one service',
  'tools/upgrade/sarif.ts': 'the version of a fingerprint is called like a service',
};

/** Files that put the services together: doors, and one list a room. */
const ASSEMBLING = /^tools\/\w+\/(?:services|index)\.ts$/;
const IN_SERVICE = new RegExp(`^tools/\\w+/(${API_NAMES.join('|')})/`);

/** Names of services as words or parts of identifiers, and what ids of rules begin with. */
const SERVICE_WORDS = new RegExp(
  [
    ...API_NAMES.flatMap((name) => [
      `\\b${name}(?=[A-Z_]|\\b(?!\\.\\d))`,
      `${name.replace(/^./, (first) => first.toUpperCase())}(?![a-z0-9])`,
      `(?<![A-Z0-9])${name.toUpperCase()}(?![A-Z0-9])`,
    ]),
    `\\b(?:${RULE_PREFIXES.join('|')})-`,
  ].join('|'),
);

/** Source without its comments. */
function codeOf(path: string): string {
  return readFileSync(path, 'utf8').replace(
    /\/\*[\s\S]*?\*\/|\/\/[^\n]*|('(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`)/g,
    (_whole, text?: string) => text ?? '',
  );
}

/** Every file of ours in tools/ that is no test, its path from the root. */
const OURS = readdirSync(join(ROOT, 'tools'), { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && /\.(ts|mjs|js)$/.test(entry.name) && !OUR_TEST.test(entry.name))
  .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)).split(sep).join('/'));

test('no file outside its folders names a service', () => {
  const naming = OURS.filter(
    (file) => !IN_SERVICE.test(file) && !ASSEMBLING.test(file) && SERVICE_WORDS.test(codeOf(join(ROOT, file))),
  );
  expect(naming.sort()).toEqual(Object.keys(NAMING).sort());
});

test('every service has its folder in each room that needs one, its spec and its tests', () => {
  const missing = APIS.flatMap(({ name, spec, testFolders }) => [
    ...SERVICE_ROOMS.map((room) => `tools/${room}/${name}`),
    `specs/${spec}`,
    ...testFolders.map((folder) => `tests/${folder}`),
  ]).filter((path) => !existsSync(join(ROOT, path)));
  expect(missing).toEqual([]);
});

test('the folder of a service is reached through the list of its room, and never from that of another', () => {
  const wrong = ALL.filter(({ file, specifier }) => {
    if (!specifier.startsWith('.') || OUR_TEST.test(file)) return false;
    const reached = relative(ROOT, resolve(ROOT, dirname(file), specifier))
      .split(sep)
      .join('/');
    const there = IN_SERVICE.exec(reached)?.[1];
    return there !== undefined && there !== IN_SERVICE.exec(file)?.[1] && !ASSEMBLING.test(file);
  });
  expect(wrong).toEqual([]);
});

test('no files import each other in a circle, not even types', () => {
  const edges = new Map<string, string[]>();
  for (const { file, specifier, lazy } of ALL) {
    if (lazy || !specifier.startsWith('.') || OUR_TEST.test(file)) continue;
    const reached = relative(ROOT, resolve(ROOT, dirname(file), specifier))
      .split(sep)
      .join('/');
    edges.set(file, [...(edges.get(file) ?? []), reached]);
  }
  const circles: string[][] = [];
  const done = new Set<string>();
  const walk = (file: string, path: readonly string[]): void => {
    if (path.includes(file)) circles.push([...path.slice(path.indexOf(file)), file]);
    if (path.includes(file) || done.has(file)) return;
    for (const next of edges.get(file) ?? []) walk(next, [...path, file]);
    done.add(file);
  };
  for (const file of edges.keys()) walk(file, []);
  expect(circles).toEqual([]);
});

test('tools/README.md names every room, and no file that is not there', () => {
  const text = readFileSync(join(ROOT, 'tools/README.md'), 'utf8');
  expect(Object.keys(OPEN).filter((room) => !new RegExp(`\\| \`${room}/?\` \\|`).test(text))).toEqual([]);
  const named = [...text.matchAll(/`((?:[a-z0-9-]+\/)+[a-z0-9.-]+\.(?:ts|yaml|txt|json))`/g)].map((match) => match[1]!);
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter((file) => !existsSync(join(ROOT, file)) && !existsSync(join(ROOT, 'tools', file)))).toEqual([]);
});
