import { createHash } from 'node:crypto';
import { relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TestDetails } from '@playwright/test';
import { API_NAMES, APIS, type Api } from '#apis';
import { projectContract, TARGET_NEEDS, type TargetNeed } from '#contract';
import { suggestWord, Trouble } from '#trouble';
import { annotateCheck } from './check-annotations.ts';

const TESTS = fileURLToPath(new URL('../../tests/', import.meta.url));

/** What a check needs beyond the needs of its rules. */
export interface ExtraNeeds {
  readonly needs?: readonly TargetNeed[];
}

/**
 * Claims rules for a check: `test('refuses …', rule('GW-CAP-03'), async ({ gateway }) => …)`.
 * @param claimed rule ids, and at the end optionally what else the check needs
 * @throws Trouble (usage) while tests are collected: unknown id (with the nearest), untestable or retired rule, file of another area
 */
export function rule(...claimed: readonly (string | ExtraNeeds)[]): TestDetails {
  const { rules, areas } = projectContract();
  const { file, line } = caller();
  const ids = claimed.filter((one) => typeof one === 'string');
  const needs = new Set<TargetNeed>();
  for (const id of ids) {
    const known = rules.get(id);
    const place = { file: relative(process.cwd(), file), line };
    if (known === undefined)
      throw new Trouble('usage', `no rule is called ${id}`, { place, fix: suggestWord(id, rules.keys()) });
    if (known.untestable) throw new Trouble('usage', `rule ${id} is untestable`, { place, reason: known.untestable });
    if (known.retired) throw new Trouble('usage', `rule ${id} is retired`, { place, reason: known.retired });
    for (const need of known.needs) needs.add(need);
  }
  const first = rules.get(ids[0] ?? '');
  const home = first && areas.get(first.area)?.file;
  const here = relative(TESTS, file)
    .split(sep)
    .join('/')
    .replace(/\.spec\.ts$/, '');
  if (!here.startsWith('..') && home !== here) {
    throw new Trouble('usage', `a check of ${ids[0]} stands in tests/${here}.spec.ts`, {
      place: { file, line },
      fix: `move it to tests/${home}.spec.ts`,
    });
  }
  for (const extra of claimed) {
    if (typeof extra === 'string') continue;
    for (const need of extra.needs ?? []) {
      if (!TARGET_NEEDS.includes(need))
        throw new Trouble('usage', `unknown need ${need}`, {
          place: { file, line },
          fix: suggestWord(need, TARGET_NEEDS),
        });
      needs.add(need);
    }
  }
  return {
    tag: ids.map((id) => `@${id}`),
    annotation: [
      ...ids.map((id) => annotateCheck('rule', id)),
      ...[...needs].map((need) => annotateCheck('need', need)),
      annotateCheck('file', relative(process.cwd(), file).split(sep).join('/')),
      annotateCheck('line', String(line)),
    ],
  };
}

/** Stable id of a check: eight hex digits of file and title. */
export function checkId(file: string, title: string): string {
  return createHash('sha256').update(`${file}\n${title}`).digest('hex').slice(0, 8);
}

/** What a check is part of by its file (`tests/v1/…`: v1). */
export function suiteOf(file: string): string {
  return /(?:^|\/)tests\/(\w+)\//.exec(file)?.[1] ?? '';
}

/** The service that a check in this file asks. */
export function apiOfFile(file: string): Api {
  const suite = suiteOf(file);
  return APIS.find(({ testFolders }) => (testFolders as readonly string[]).includes(suite))?.name ?? API_NAMES[0]!;
}

/** File and line outside the harness that called into it. */
function caller(): { file: string; line: number } {
  const frames = (new Error().stack ?? '').split('\n').slice(1);
  const frame = frames.find((one) => !one.includes('/tools/harness/') && /:\d+:\d+\)?$/.test(one)) ?? '';
  const match = /(?:\(|at )(?:async )?(.*?):(\d+):\d+\)?$/.exec(frame.trim());
  const path = match?.[1]?.replace(/^.*?(file:\/\/)/, '$1') ?? '';
  return { file: path.startsWith('file:') ? fileURLToPath(path) : path, line: Number(match?.[2] ?? 0) };
}
