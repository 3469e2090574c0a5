import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { APIS } from '#apis';
import { CACHE_FOLDER, listFilesBelow, SUITE_FOLDER } from '#folders';
import { Trouble } from '#trouble';
import { describeRunner } from './check-runner.ts';

/** A check that claims a rule. */
export interface ClaimingCheck {
  readonly title: string;
  /** Test file and line, from the root of the project. */
  readonly place: string;
}

/** What Playwright lists, as far as it is read here. */
interface ListedSuite {
  readonly suites?: readonly ListedSuite[];
  readonly specs?: readonly {
    readonly title: string;
    readonly tests: readonly {
      readonly annotations: readonly { readonly type: string; readonly description?: string }[];
    }[];
  }[];
}

type Claims = Readonly<Record<string, readonly ClaimingCheck[]>>;

/** What the claims of all checks come from. */
const SOURCES = ['tests', 'specs', 'tools/harness'];
const CACHE = join(CACHE_FOLDER, 'claims');
let known: Claims | undefined;

/**
 * Checks that claim a rule, as the runner lists them; kept by the hash of the files that say so.
 * @throws Trouble (usage) when the checks cannot be listed, with what the runner said
 */
export function checksClaiming(id: string): readonly ClaimingCheck[] {
  known ??= readClaims();
  return known[id] ?? [];
}

function readClaims(): Claims {
  const file = join(CACHE, `${hashSources()}.json`);
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Claims;
  } catch {
    const claims = listClaims();
    try {
      mkdirSync(CACHE, { recursive: true });
      writeFileSync(file, JSON.stringify(claims));
    } catch {
      // Read-only places have no cache.
    }
    return claims;
  }
}

function hashSources(): string {
  const hash = createHash('sha256').update(JSON.stringify(APIS));
  for (const path of SOURCES.flatMap((one) => listFilesBelow(one))
    .filter((one) => /\.([jt]s|ya?ml)$/.test(one) && !/\.(test(-support)?|d)\.ts$/.test(one))
    .sort())
    hash.update(`${path}\n`).update(readFileSync(join(SUITE_FOLDER, path)));
  return hash.digest('hex');
}

function listClaims(): Claims {
  const runner = describeRunner();
  const { ASSAY_RUN: _run, ASSAY_PROOF: _proof, ...env } = process.env;
  let text: string;
  try {
    text = execFileSync(process.execPath, [...runner.arguments, '--list', '--reporter=json'], {
      cwd: SUITE_FOLDER,
      env: { ...env, ...runner.env, PLAYWRIGHT_JSON_OUTPUT_NAME: '' },
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  } catch (error) {
    const { stdout = '', message } = error as Error & { stdout?: string };
    throw new Trouble('usage', 'the checks cannot be listed', {
      reason: /"message":\s*"((?:[^"\\]|\\.)*)"/.exec(stdout)?.[1]?.split('\\n')[0] ?? message.split('\n')[0]!,
      fix: 'npx playwright test --project=checks --list says more',
    });
  }
  const claims: Record<string, ClaimingCheck[]> = {};
  for (const { title, tests } of specsOf(JSON.parse(text) as ListedSuite)) {
    const annotations = tests.flatMap((one) => one.annotations);
    const [file, line] = ['file', 'line'].map((type) => annotations.find((one) => one.type === type)?.description);
    for (const { type, description } of annotations)
      if (type === 'rule' && description !== undefined) {
        claims[description] ??= [];
        claims[description].push({ title, place: `${file}:${line}` });
      }
  }
  return claims;
}

function specsOf(suite: ListedSuite): NonNullable<ListedSuite['specs']>[number][] {
  return [...(suite.specs ?? []), ...(suite.suites ?? []).flatMap(specsOf)];
}
