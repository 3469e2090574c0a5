/**
 * @module folders
 * Where the suite lies and where its user works. In a clone both are the same; installed as a package, the suite lies in `node_modules`
 * and what it writes belongs to the project of its user. Anyone may import it; it imports nothing of the project.
 */
import { accessSync, constants, existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Name of the file that makes a folder a workspace. */
export const CONFIG_FILE = 'assay.config.yaml';

/** The suite: specs, checks, sandbox, target files. */
export const SUITE_FOLDER = fileURLToPath(new URL('../', import.meta.url));

/** Whether the suite is a package that another project depends on. */
export const IS_INSTALLED = SUITE_FOLDER.includes(`${sep}node_modules${sep}`);

/**
 * The workspace: reports, baseline, waivers. The folder of the nearest configuration, from where one stands upwards; without one, the
 * suite's own folder in a clone and else where one stands. Programs that are started on behalf of another are told.
 */
export const WORKSPACE_FOLDER = process.env['ASSAY_WORKSPACE'] ?? findWorkspace(process.cwd());

/** Run folders, `latest`, baseline and proof of the workspace. */
export const REPORTS_FOLDER = join(WORKSPACE_FOLDER, 'reports');

/**
 * What is kept by hash and can be thrown away at any time: beside the packages of a clone, so that each of its workspaces begins with what
 * the others left; in the workspace where the suite is a package, whose folder belongs to somebody else, or its clone cannot be written to.
 */
export const CACHE_FOLDER = join(keepsOwnCache() ? SUITE_FOLDER : WORKSPACE_FOLDER, 'node_modules/.cache/assay');

/** Whether the workspace is the clone of the suite itself. */
export const IS_CLONE = WORKSPACE_FOLDER === SUITE_FOLDER;

/** Accepted failures, changes and decisions of the workspace: `tests/` in a clone, beside the configuration elsewhere. */
export function workspaceFile(name: string): string {
  return join(WORKSPACE_FOLDER, ...(IS_CLONE ? ['tests'] : []), name);
}

/** Folder of the workspace's own rules or checks, beside its configuration; undefined where there is none. */
export function ownFolder(name: 'rules' | 'checks'): string | undefined {
  const folder = join(WORKSPACE_FOLDER, name);
  return existsSync(join(WORKSPACE_FOLDER, CONFIG_FILE)) && existsSync(folder) ? folder : undefined;
}

/** Every file of the workspace's own rules and checks: paths, sorted. */
export function ownFiles(): string[] {
  return (['rules', 'checks'] as const)
    .flatMap((name) => ownFolder(name) ?? [])
    .flatMap((folder) => readdirSync(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

/** Where the compiled suite of a clone lies, from its root. */
const COMPILED = /^node_modules\/\.cache\/assay\/suite\/\w+\//;

/** How a file is named to a reader: from the workspace, or from the suite where it is the suite's; a compiled check by its source. */
export function nameFile(path: string): string {
  const inSuite = withSlashes(relative(SUITE_FOLDER, path)).replace(COMPILED, '');
  if (/^(tests|tools)\b/.test(inSuite)) return inSuite.replace(/(?<=\.spec)\.js$/, '.ts');
  return withSlashes(relative(WORKSPACE_FOLDER, path));
}

const withSlashes = (path: string) => path.split(sep).join('/');

function keepsOwnCache(): boolean {
  if (IS_INSTALLED) return false;
  try {
    accessSync(join(SUITE_FOLDER, 'node_modules'), constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

function findWorkspace(from: string): string {
  for (let folder = from; ; folder = dirname(folder)) {
    if (existsSync(join(folder, CONFIG_FILE))) return folder;
    if (folder === dirname(folder)) return IS_INSTALLED ? from : SUITE_FOLDER;
  }
}

/**
 * The files below a folder, at any depth, in no order.
 * @param folder from the root
 * @returns their paths from the root, with slashes
 */
export function listFilesBelow(folder: string, root = SUITE_FOLDER): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join('/'));
}

/** Where the checks, the sandbox and all between them lie. */
const SUITE_PARTS = [
  'tests',
  ...['sandbox', 'harness', 'client', 'contract', 'target', 'oauth'].map((one) => `tools/${one}`),
];
const SUITE_FILES = [
  ...['apis.ts', 'browser.ts', 'folders.ts', 'json-pointer.ts', 'kept-files.mjs'].map((name) => `tools/${name}`),
  'targets/embedded.yaml',
];

/** Own tests, documents, and lists of what is decided about runs, upgrades and proofs. */
const BESIDE = /\.test(-support)?\.ts$|\.md$|^tests\/[^/]+\.yaml$/;

/** The checks, the sandbox and all between them, by their paths from the root of the project, sorted. Specs are no part of it. */
export function listSuiteFiles(): string[] {
  return [...SUITE_FILES, ...SUITE_PARTS.flatMap((folder) => listFilesBelow(folder))]
    .filter((path) => !BESIDE.test(path))
    .sort();
}

/** Which suite this is. */
export interface SuiteIdentity {
  /** Hash of promises, checks, sandbox and all between them, the workspace's own rules and checks included. */
  readonly sha256: string;
  /** Hash of the workspace's own rules and checks alone; absent where there are none. */
  readonly own?: string;
  /** SHA-256 of package-lock.json. */
  readonly lock: string;
  readonly commit?: string;
}

/** What a package says of the sources that it was built from, as a clone computes it. */
export interface BuiltFrom {
  readonly suite: SuiteIdentity;
  /** By rule id, what its proof rests on. */
  readonly seals: Readonly<Record<string, string>>;
}

/** Reads what the build noted beside the compiled suite; undefined in a clone, whose sources are asked themselves. */
export function readBuiltFrom(): BuiltFrom | undefined {
  const file = join(SUITE_FOLDER, 'built-from.json');
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as BuiltFrom) : undefined;
}
