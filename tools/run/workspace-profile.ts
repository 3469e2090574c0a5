import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, relative, resolve } from 'node:path';
import { readYaml } from '#contract';
import { CONFIG_FILE, REPORTS_FOLDER, SUITE_FOLDER, WORKSPACE_FOLDER } from '#folders';
import { explainSchemaErrors } from '#target';
import { suggestWord, Trouble } from '#trouble';
import { WAIVERS_FILE } from './waiver-file.ts';
import type { WrittenConfig } from './written-config.generated.ts';

/** What a workspace says of its runs: paths are absolute. */
export interface WorkspaceProfile {
  readonly target: string | undefined;
  /** Names of rules and areas; none: all. */
  readonly rules: readonly string[];
  readonly waivers: string;
  readonly baseline: string;
  readonly reports: string;
  readonly workers: number | undefined;
  /** As written: 90s, 30m, 2h. */
  readonly within: string | undefined;
  readonly gates: NonNullable<WrittenConfig['gates']>;
}

/**
 * Reads `assay.config.yaml` of the workspace; without one, everything is as it is in a clone.
 * @param name of a profile; absent: the one that the file names, else what stands beside the profiles
 * @throws Trouble (usage) with file and line: unreadable, not YAML, an unknown key or profile (with the nearest), a wrong value
 */
export function readWorkspaceProfile(name?: string): WorkspaceProfile {
  const path = join(WORKSPACE_FOLDER, CONFIG_FILE);
  const { profiles = {}, profile: usual, ...common } = existsSync(path) ? readConfig(path) : {};
  const wanted = name ?? usual;
  const own = wanted === undefined ? {} : profiles[wanted];
  if (own === undefined) {
    const file = relative(process.cwd(), path) || path;
    throw new Trouble('usage', `no profile is called ${wanted}`, {
      place: existsSync(path) ? readYaml(path, 'settings').place('/profiles') : { file },
      fix: suggestWord(wanted!, Object.keys(profiles)) || `profiles: ${Object.keys(profiles).join(', ') || 'none'}`,
    });
  }
  const said = { ...common, ...own };
  const at = (place: string) => resolve(WORKSPACE_FOLDER, place);
  return {
    target: said.target === undefined ? undefined : at(said.target),
    rules: said.rules ?? [],
    waivers: said.waivers === undefined ? WAIVERS_FILE : at(said.waivers),
    baseline: said.baseline === undefined ? join(REPORTS_FOLDER, 'baseline') : at(said.baseline),
    reports: said.reports === undefined ? REPORTS_FOLDER : at(said.reports),
    workers: said.workers,
    within: said.within,
    gates: { ...common.gates, ...own.gates },
  };
}

function readConfig(path: string): WrittenConfig {
  const { value } = readYaml(path, 'settings');
  const schema = JSON.parse(readFileSync(join(SUITE_FOLDER, 'targets/config.schema.json'), 'utf8')) as object;
  const { Ajv2020 } = createRequire(import.meta.url)('ajv/dist/2020.js') as typeof import('ajv/dist/2020.js');
  const valid = new Ajv2020({ allErrors: true, strict: false, verbose: true }).compile(schema);
  if (valid(value ?? {})) return (value ?? {}) as WrittenConfig;
  const file = relative(process.cwd(), path) || path;
  throw explainSchemaErrors(
    valid.errors!,
    { file, text: readFileSync(path, 'utf8') },
    `see the README on ${CONFIG_FILE}`,
  );
}
