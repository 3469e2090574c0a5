import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { CACHE_FOLDER } from '#folders';

/** Programs of other hands that do what a part of the house does, by exact version. They are no dependencies: together they weigh 96 MB. */
const RIVALS = {
  'openapi-response-validator': '12.1.3',
  'openapi-backend': '5.21.2',
  '@stoplight/prism-cli': '5.14.2',
} as const;

/**
 * Takes the rivals from the registry into the cache, once for a list of versions, without running any script of theirs.
 * @returns the folder whose `node_modules` holds them, or why there are none
 */
export async function provideRivals(): Promise<{ readonly folder: string } | { readonly reason: string }> {
  const versions = Object.entries(RIVALS).map(([name, version]) => `${name}@${version}`);
  const folder = join(
    CACHE_FOLDER,
    `rivals-${createHash('sha256').update(versions.join()).digest('hex').slice(0, 12)}`,
  );
  if (existsSync(folder)) return { folder };
  const fresh = `${folder}.${process.pid}`;
  try {
    mkdirSync(fresh, { recursive: true });
    writeFileSync(join(fresh, 'package.json'), '{"private":true}\n');
    const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--save-exact'];
    await promisify(execFile)('npm', ['install', ...flags, ...versions], { cwd: fresh, timeout: 300_000 });
    renameSync(fresh, folder);
    return { folder };
  } catch (error) {
    rmSync(fresh, { recursive: true, force: true });
    return { reason: `the registry did not give them: ${(error as Error).message.split('\n')[0]}` };
  }
}

/** Loads a module of a rival. @param folder as {@link provideRivals} gave it */
export function loadRival<Module>(folder: string, name: string): Module {
  return createRequire(join(folder, 'package.json'))(name) as Module;
}
