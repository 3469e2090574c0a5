import { relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TestDetails } from '@playwright/test';
import { API_NAMES, APIS, type Api } from '#apis';
import { projectContract, TARGET_NEEDS, type TargetNeed } from '#contract';
import { nameFile, ownFolder } from '#folders';
import { suggestWord, Trouble } from '#trouble';
import { annotateCheck } from './check-annotations.ts';
import { locksOfCheck } from './check-locks.ts';

const TESTS = fileURLToPath(new URL('../../tests/', import.meta.url));

/** What a check needs beyond the needs of its rules. */
export interface ExtraNeeds {
  readonly needs?: readonly TargetNeed[];
  /** Whether it judges what any other check at its service would change: then no other one asks that service meanwhile. */
  readonly isAlone?: boolean;
  /** Whether it lets days pass where the clock can be moved: then no other check runs meanwhile. */
  readonly movesClock?: boolean;
  /** Whether it does nothing for seconds of real time, which others need not wait for. */
  readonly isIdle?: boolean;
}

/** Tag of a check that does nothing for seconds: the runner's configuration knows it by that. */
const IDLE = '@idle';

/**
 * Claims rules for a check: `test('refuses …', rule('GW-CAP-03'), async ({ gateway }) => …)`.
 * @param claimed rule ids, and at the end optionally what else the check needs
 * @throws Trouble (usage) while tests are collected: unknown id (with the nearest), untestable or retired rule, file of another area,
 *   a rule of the house in a check of the workspace's own
 */
export function rule(...claimed: readonly (string | ExtraNeeds)[]): TestDetails {
  const { rules, areas, own } = projectContract();
  const { path, line } = caller();
  const place = { file: nameFile(path), line };
  const isOwn = isBelow(ownFolder('checks'), path);
  const ids = claimed.filter((one) => typeof one === 'string');
  const needs = new Set<TargetNeed>();
  for (const id of ids) {
    const known = rules.get(id);
    if (known === undefined)
      throw refusedClaim(`no rule is called ${id}`, {
        place,
        fix: suggestWord(id, isOwn ? own.rules : rules.keys()) || 'assay rules lists them',
      });
    if (isOwn && !own.rules.has(id))
      throw refusedClaim(`${id} is a rule of the house`, {
        place,
        reason: 'its verdict and its proof rest on the checks of the house',
        fix: 'write a rule of your own in rules/, and claim that',
      });
    if (known.untestable) throw refusedClaim(`rule ${id} is untestable`, { place, reason: known.untestable });
    if (known.retired) throw refusedClaim(`rule ${id} is retired`, { place, reason: known.retired });
    for (const need of known.needs) needs.add(need);
  }
  const first = rules.get(ids[0] ?? '');
  const home = first && areas.get(first.area)?.file;
  const here = relative(TESTS, path)
    .split(sep)
    .join('/')
    .replace(/\.spec\.ts$/, '');
  if (!here.startsWith('..') && home !== here && !here.startsWith(`${home}/`)) {
    throw refusedClaim(`a check of ${ids[0]} stands in tests/${here}.spec.ts`, {
      place,
      fix: `move it to tests/${home}.spec.ts`,
    });
  }
  for (const extra of claimed) {
    if (typeof extra === 'string') continue;
    for (const need of extra.needs ?? []) {
      if (!TARGET_NEEDS.includes(need))
        throw refusedClaim(`unknown need ${need}`, {
          place,
          fix: suggestWord(need, TARGET_NEEDS),
        });
      needs.add(need);
    }
  }
  const asks = (what: 'isAlone' | 'movesClock' | 'isIdle') =>
    claimed.some((one) => typeof one !== 'string' && one[what] === true);
  const lock = locksOfCheck({ rules: ids, needs, isAlone: asks('isAlone'), movesClock: asks('movesClock') });
  return {
    ...(lock.length === 0 ? {} : { lock }),
    tag: [...ids.map((id) => `@${id}` as const), ...(asks('isIdle') ? [IDLE] : [])],
    annotation: [
      ...ids.map((id) => annotateCheck('rule', id)),
      ...[...needs].map((need) => annotateCheck('need', need)),
      ...annotatePlace(place),
    ],
  };
}

/** Says of a law that a helper declares in which check file it stands: the runner would name the helper's. */
export function placeLaw(): TestDetails {
  const { path, line } = caller();
  return { annotation: annotatePlace({ file: nameFile(path), line }) };
}

function annotatePlace({ file, line }: { readonly file: string; readonly line: number }) {
  return [annotateCheck('file', file), annotateCheck('line', String(line))];
}

/** The runner hands on nothing of an error but its message: place, cause and fix are part of it. */
function refusedClaim(message: string, detail: ConstructorParameters<typeof Trouble>[2]): Trouble {
  return new Trouble('usage', new Trouble('usage', message, detail).toString().replace(/^assay: /, ''));
}

/** What a check is part of by its file (`tests/v1/…`: v1; `checks/…` of a workspace: own). */
export function suiteOf(file: string): string {
  return /(?:^|\/)tests\/(\w+)\//.exec(file)?.[1] ?? (file.startsWith('checks/') ? 'own' : '');
}

function isBelow(folder: string | undefined, file: string): boolean {
  return folder !== undefined && !/^\.\.|^$/.test(relative(folder, file));
}

/** The service that a check asks: that of its first rule, else that of its file. */
export function apiOfCheck({ rules, file }: { readonly rules: readonly string[]; readonly file: string }): Api {
  const known = projectContract().rules.get(rules[0] ?? '')?.api;
  const suite = suiteOf(file);
  if (known !== undefined) return known;
  return APIS.find(({ testFolders }) => (testFolders as readonly string[]).includes(suite))?.name ?? API_NAMES[0]!;
}

/** The check file and the line in it that called into the harness, itself or by a helper beside it. */
function caller(): { path: string; line: number } {
  const frames = readFrames().filter((one) => !(one.getFileName() ?? '/tools/harness/').includes('/tools/harness/'));
  const frame = frames.find((one) => /\.spec\.[mc]?[jt]s$/.test(one.getFileName()!)) ?? frames[0];
  if (frame === undefined) return { path: '', line: 0 };
  // A module has no name at its top, a CommonJS one has: `at Object.<anonymous> (/checks/a.spec.ts:2:1)`.
  const [, named, bare = '', line] = /at (?:.*? \((.*)|(.*)):(\d+):\d+\)?$/.exec(placeInSources(frame)) ?? [];
  const path = (named ?? bare).replace(/^.*?(file:\/\/)/, '$1').replace(/^async /, '');
  return { path: path.startsWith('file:') ? fileURLToPath(path) : path, line: Number(line ?? 0) };
}

/** The frames of the stack, as they are: to look up where all of them stand in the sources takes ten times as long as to look up one. */
function readFrames(): NodeJS.CallSite[] {
  const { prepareStackTrace } = Error;
  try {
    Error.prepareStackTrace = (_, frames) => frames;
    return new Error().stack as unknown as NodeJS.CallSite[];
  } finally {
    Error.prepareStackTrace = prepareStackTrace!;
  }
}

function placeInSources(frame: NodeJS.CallSite): string {
  return String(Error.prepareStackTrace?.(new Error(), [frame]) ?? `at ${frame}`);
}
