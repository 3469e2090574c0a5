/**
 * Builds what is published: the tree compiled to JavaScript, below `dist/`, with everything it reads beside it, so that each file lies
 * where its source does. `npm run build` calls it, and so do `npm pack` and `npm publish`.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { projectContract } from '#contract';
import { type BuiltFrom, listFilesBelow, SUITE_FOLDER } from '#folders';
import { sealRules } from '#proof';
import { describeSuite } from '#run';

const OUT = join(SUITE_FOLDER, 'dist');

/** What lies beside the code and is read at run time. */
const READ =
  /^(specs\/.*\.yaml|targets\/.*|tests\/.*\.(yaml|json|pem)|tools\/.*\.(css|schema\.json)|reports\/baseline\/(baseline|proof)\.json)$/;
const FOLDERS = ['specs', 'targets', 'tests', 'tools', 'reports/baseline'];

interface PackageFile {
  readonly name: string;
  readonly version: string;
  readonly imports: Readonly<Record<string, string>>;
}

/** Where each of the house's own imports lies in the compiled tree; those that only its own tests use are not there. */
function compiledImports({ imports }: PackageFile): Record<string, string> {
  const compiled = Object.entries(imports).map(([name, path]) => [name, path.replace(/\.ts$/, '.js')] as const);
  return Object.fromEntries(compiled.filter(([, path]) => existsSync(join(OUT, path))));
}

function compile(): void {
  const compiler = fileURLToPath(import.meta.resolve('typescript/package.json'));
  // Whether the types are right is for `npm run types`, which every release is behind: it takes longer than the rest.
  const argv = [join(dirname(compiler), 'bin/tsc'), '-p', 'tsconfig.build.json', '--noCheck'];
  const { status } = spawnSync(process.execPath, argv, { cwd: SUITE_FOLDER, stdio: 'inherit' });
  if (status !== 0) throw new Error('the sources do not compile');
}

/** Leaves of the declarations those that a user's own checks can be led to, three in four less: a package is unpacked as fast as it has few files. */
function dropDeclarations(imports: PackageFile['imports']): void {
  const reached = new Set<string>();
  const reach = (source: string) => {
    const path = source.replace(/\.(m?)[jt]s$/, '.d.$1ts');
    if (reached.has(path)) return;
    reached.add(path);
    for (const [, name = ''] of readFileSync(join(OUT, path), 'utf8').matchAll(
      /\b(?:from |import ?\(?)['"]([^'"]+)/g,
    )) {
      const next = name.startsWith('.') ? join(dirname(path), name) : imports[name];
      if (next !== undefined) reach(join(next));
    }
  };
  reach('tools/checks/index.ts');
  for (const file of listFilesBelow('', OUT).filter((one) => /\.d\.m?ts$/.test(one) && !reached.has(one)))
    rmSync(join(OUT, file));
}

/** Lets a source map name the source beside the compiled file, so that a check has the same place and id as in a clone. */
function pointMapBeside(file: string): void {
  const map = JSON.parse(readFileSync(join(OUT, file), 'utf8')) as { sources: string[] };
  writeFileSync(join(OUT, file), JSON.stringify({ ...map, sources: map.sources.map((source) => basename(source)) }));
}

rmSync(OUT, { recursive: true, force: true });
compile();
const { name, version, imports } = JSON.parse(readFileSync(join(SUITE_FOLDER, 'package.json'), 'utf8')) as PackageFile;
dropDeclarations(imports);
for (const file of listFilesBelow('', OUT).filter((one) => one.endsWith('.map'))) pointMapBeside(file);
for (const file of FOLDERS.flatMap((folder) => listFilesBelow(folder)).filter(
  (one) => READ.test(one) && !one.startsWith('targets/secrets/'),
)) {
  mkdirSync(dirname(join(OUT, file)), { recursive: true });
  cpSync(join(SUITE_FOLDER, file), join(OUT, file));
}
const inside = { name, version, type: 'module', imports: compiledImports({ name, version, imports }) };
writeFileSync(join(OUT, 'package.json'), `${JSON.stringify(inside, null, 2)}\n`);
const built: BuiltFrom = { suite: describeSuite(), seals: Object.fromEntries(await sealRules(projectContract())) };
writeFileSync(join(OUT, 'built-from.json'), `${JSON.stringify(built, null, 2)}\n`);
