import { mkdirSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { dump } from 'js-yaml';
import { API_NAMES, APIS } from '#apis';
import { projectContract, publishDescription } from '#contract';
import { EXIT_CODES, Trouble } from '#trouble';
import type { CliCommand } from '../arguments.ts';

/** `assay describe`: the specs as others read them. */
export const describeCommand: CliCommand = {
  name: 'describe',
  help: `Writes ${API_NAMES.map((name) => `${name}.yaml`).join(' and ')}: the specs as OpenAPI 3.1 for generators of clients, linters and mock servers. The register of promises is left out; the same bodies are accepted and refused.`,
  positionals: [],
  flags: {
    out: { value: 'DIR', required: true, help: 'where to; what is there under these names is replaced' },
  },
  async run(given) {
    const folder = given.required('out');
    const contract = projectContract();
    for (const { name, title } of APIS) {
      const root = publishDescription(contract.document(name) as object);
      const path = join(folder, `${name}.yaml`);
      const head = `# The ${title} as its documents describe it. Made by assay describe; changes belong into its specs.\n`;
      try {
        mkdirSync(folder, { recursive: true });
        writeFileSync(path, head + dump(root, { lineWidth: 120, noRefs: true }));
      } catch (error) {
        throw new Trouble('usage', `${path} cannot be written`, {
          reason: String((error as NodeJS.ErrnoException).code),
          fix: 'name a folder that you may write to',
        });
      }
      console.log(relative('', path) || path);
    }
    return EXIT_CODES.kept;
  },
};
