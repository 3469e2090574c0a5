import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';

const ROOT = fileURLToPath(new URL('../', import.meta.url));

/** What every room may import: files beside the rooms that import nothing themselves. */
const GROUND = ['trouble', 'json-pointer', 'apis'];

/** Which rooms a room may import, through their doors. */
const OPEN: Readonly<Record<string, readonly string[]>> = {
  contract: [],
  oauth: [],
  evidence: ['contract'],
  target: ['contract'],
  client: ['oauth', 'evidence', 'contract', 'target'],
  sandbox: ['contract'],
  alternates: [],
  harness: ['contract', 'evidence', 'client', 'target', 'sandbox', 'oauth'],
  report: ['contract', 'evidence'],
  upgrade: ['contract', 'evidence', 'report'],
  proof: ['contract', 'evidence', 'sandbox', 'report'],
  run: ['contract', 'evidence', 'target', 'client', 'sandbox', 'harness', 'report', 'proof', 'upgrade'],
  bench: [
    'contract',
    'oauth',
    'evidence',
    'target',
    'client',
    'sandbox',
    'harness',
    'report',
    'upgrade',
    'proof',
    'run',
  ],
  cli: ['contract', 'oauth', 'evidence', 'target', 'client', 'sandbox', 'harness', 'report', 'upgrade', 'proof', 'run'],
  tests: ['harness', 'oauth'],
};

/** Rooms that only lend their types to a room: nothing of them is there at run time. */
const TYPES_ONLY: Readonly<Record<string, readonly string[]>> = { sandbox: ['contract'] };

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

const ALL = ['tools', 'tests'].flatMap((folder) => sources(join(ROOT, folder)).flatMap(imports));
const OUR_TEST = /\.test(-support)?\.ts$/;

test('every room imports only the rooms below it', () => {
  const wrong = ALL.filter(({ room, specifier, file }) => {
    const other = /^#([\w-]+)$/.exec(specifier)?.[1];
    if (other === undefined || GROUND.includes(other) || other === room || OUR_TEST.test(file)) return false;
    return !(OPEN[room] ?? []).includes(other);
  });
  expect(wrong).toEqual([]);
});

test('what every room may import imports nothing of the project', () => {
  const wrong = ALL.filter(
    ({ file, specifier }) => GROUND.some((one) => file === `tools/${one}.ts`) && /^[#.]/.test(specifier),
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

test('no command loads the runner before it plays', () => {
  const doors = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).imports as Record<string, string>;
  const loaded = new Map<string, string>();
  const open = ALL.map(({ file }) => file).filter((file) => file.startsWith('tools/cli/commands/'));
  for (const file of new Set(open)) loaded.set(file, file);
  for (const [file, by] of loaded)
    for (const one of ALL.filter((each) => each.file === file && !each.types && !each.lazy)) {
      const { specifier } = one;
      const reached = specifier.startsWith('.') ? relative(ROOT, resolve(ROOT, dirname(file), specifier)) : specifier;
      const next = (doors[reached] ?? reached).replace(/^\.\//, '').split(sep).join('/');
      if (!loaded.has(next)) loaded.set(next, `${by} > ${next}`);
    }
  expect(loaded.size).toBeGreaterThan(100);
  expect(loaded.get('@playwright/test')).toBeUndefined();
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
