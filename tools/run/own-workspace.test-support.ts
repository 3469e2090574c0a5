import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { SUITE_FOLDER } from '#folders';

/** The program as a user of the suite calls it. */
export const PROGRAM = join(SUITE_FOLDER, 'tools/cli/assay.mjs');

/** A project with rules and checks of its own, which depends on the suite by its path. */
export class OwnWorkspace {
  readonly folder = mkdtempSync(join(tmpdir(), 'assay-own-'));

  /** @param files text of each, by path from the project's folder */
  constructor(files: Readonly<Record<string, string>>) {
    const modules = join(this.folder, 'node_modules/@assay-conformance');
    mkdirSync(modules, { recursive: true });
    symlinkSync(SUITE_FOLDER, join(modules, 'assay'));
    for (const [path, text] of Object.entries({
      'package.json': '{ "type": "module" }',
      'assay.config.yaml': 'profiles: {}\n',
      ...files,
    }))
      this.put(path, text);
  }

  put(path: string, text: string): void {
    const file = join(this.folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
