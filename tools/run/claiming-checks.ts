import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { APIS } from '#apis';
import { projectContract } from '#contract';
import { CACHE_FOLDER, listFilesBelow, nameFile, ownFiles, ownFolder, SUITE_FOLDER, WORKSPACE_FOLDER } from '#folders';
import { keepFile } from '#kept-files';
import { Trouble } from '#trouble';
import type { RunnerProject } from './check-runner.ts';
import { type ListedCheck, listChecks } from './listed-checks.ts';

/** A check that claims a rule. */
export interface ClaimingCheck {
  readonly title: string;
  /** Test file and line, from the root of the project or of the workspace. */
  readonly place: string;
}

/** What the claims of all checks come from. */
const SOURCES = ['tests', 'specs', 'tools/harness'];
const CACHE = join(CACHE_FOLDER, 'claims');
const known = new Map<RunnerProject, readonly ListedCheck[]>();

/**
 * Checks that claim a rule, as the runner lists them; kept by the hash of the files that say so. A rule of the workspace's own is claimed by
 * its own checks, any other by the suite's.
 * @throws Trouble (usage) when a check cannot be loaded, with file and line; when an own check claims no rule
 */
export function checksClaiming(id: string): readonly ClaimingCheck[] {
  return listProject(projectContract().own.rules.has(id) ? 'own' : 'checks')
    .filter(({ rules }) => rules.includes(id))
    .map(({ title, file, line }) => ({ title, place: `${file}:${line}` }));
}

/**
 * The checks of the suite or the workspace's own, kept as those of {@link checksClaiming} are.
 * @throws Trouble (usage) as {@link checksClaiming} does
 */
export function listProject(project: RunnerProject): readonly ListedCheck[] {
  const checks = known.get(project) ?? (project === 'own' ? listOwnChecks() : keptList('checks'));
  known.set(project, checks);
  return checks;
}

/**
 * The workspace's own checks; none where there are none. Whoever runs them asks before, so that a wrong one is a word to its author and
 * no broken run.
 * @throws Trouble (usage) as {@link checksClaiming} does
 */
export function listOwnChecks(): readonly ListedCheck[] {
  if (ownFolder('checks') === undefined) return [];
  const checks = keptList('own');
  for (const { title, file, line, rules } of checks)
    if (rules.length === 0)
      throw new Trouble('usage', `the check "${title}" claims no rule`, {
        place: { file, line },
        reason: 'what it finds would stand nowhere',
        fix: "test('…', rule('SHOP-CRD-01'), async ({ … }) => { … })",
      });
  return checks;
}

function keptList(project: RunnerProject): readonly ListedCheck[] {
  const file = join(CACHE, `${project}-${hashSources(project)}.json`);
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as ListedCheck[];
  } catch {
    const checks = listChecks(project);
    keepFile(file, JSON.stringify(checks));
    return checks;
  }
}

function hashSources(project: RunnerProject): string {
  const hash = createHash('sha256').update(JSON.stringify(APIS));
  const paths = SOURCES.flatMap((one) => listFilesBelow(one)).filter(
    (one) => /\.([jt]s|ya?ml)$/.test(one) && !/\.(test(-support)?|d)\.ts$/.test(one),
  );
  for (const path of paths.sort()) hash.update(`${path}\n`).update(readFileSync(join(SUITE_FOLDER, path)));
  // Own checks load what else lies in their workspace, whose package says whether they are modules.
  if (project === 'own') hash.update(`${WORKSPACE_FOLDER}\n`);
  const beside =
    project === 'own' ? [...ownFiles(), ...[join(WORKSPACE_FOLDER, 'package.json')].filter(existsSync)] : [];
  for (const path of beside) hash.update(`${nameFile(path)}\n`).update(readFileSync(path));
  return hash.digest('hex');
}
