import { createHash } from 'node:crypto';
import { API_NAMES, type Api } from '#apis';
import { type Contract, isTestable, projectContract, selectRules } from '#contract';
import { hashPromise } from '#report';
import { type Lie, listLies } from '#sandbox';
import { Trouble } from '#trouble';
import { readProvenBaseline } from './keep-proof.ts';

/** What a proof is about. */
export interface PickedLies {
  readonly lies: readonly Lie[];
  /** Rules in question. */
  readonly rules: readonly string[];
  /** Whether nothing was left out. */
  readonly complete: boolean;
}

/** Which lies are asked for, as the flags of `assay prove` say it. */
export interface LieQuery {
  /** One service. */
  readonly api?: string | undefined;
  /** Rules or areas. */
  readonly rules?: readonly string[];
  /** Names of lies. */
  readonly lies?: readonly string[];
  /** A number of lies. */
  readonly sample?: string | undefined;
  /** What is new since the baseline. */
  readonly changed?: boolean;
  /** A share of the work, `1/4`. */
  readonly shard?: string | undefined;
}

/**
 * The lies that --api, --rule, --lie, --sample, --changed and --shard ask for.
 * @throws Trouble (usage) for an unknown service or rule, or a number that is none; (unprovable) when there is no such lie
 */
export function pickLies(query: LieQuery): PickedLies {
  const known = projectContract();
  const api = query.api;
  if (api !== undefined && !API_NAMES.includes(api as Api))
    throw new Trouble('usage', `no service is called ${api}`, {
      fix: API_NAMES.map((name) => `--api ${name}`).join(' or '),
    });
  const named = query.rules ?? [];
  const ids = new Set(
    (named.length === 0 ? [...known.rules.values()] : selectRules(known, named))
      .filter((rule) => isTestable(rule) && (api === undefined || rule.api === api))
      .map(({ id }) => id),
  );
  const only = new Set(query.lies);
  const asked = listLies().filter(({ name, rule }) => ids.has(rule) && (only.size === 0 || only.has(name)));
  if (asked.length === 0)
    throw new Trouble('unprovable', 'the sandbox tells no lie about these rules', { fix: 'assay lies lists them' });
  const [size, share] = [query.sample, query.shard];
  const some = size !== undefined || query.changed === true;
  const picked = new Set([
    ...(size === undefined ? [] : sample(asked, size)),
    ...(query.changed === true ? changed(asked, known) : []),
  ]);
  const told = shard(some ? asked.filter((lie) => picked.has(lie)) : asked, share);
  const parted = some || only.size > 0 || share !== undefined;
  return {
    lies: told,
    rules: parted ? [...new Set(told.map(({ rule }) => rule))] : [...ids],
    complete: !parted && named.length === 0 && api === undefined,
  };
}

/** The first N lies by the hash of their names: the same ones as long as the list stays, and none preferred. */
function sample(told: readonly Lie[], text: string): Lie[] {
  const size = Number(text);
  if (!Number.isInteger(size) || size < 1)
    throw new Trouble('usage', `--sample ${text} is not a number of lies`, { fix: '--sample 40' });
  const key = ({ name }: Lie) => createHash('sha256').update(name).digest('hex');
  return [...told].sort((a, b) => key(a).localeCompare(key(b))).slice(0, size);
}

/** Lies that the baseline does not know, or whose rule promises something else than it did there; all where there is no baseline. */
function changed(told: readonly Lie[], { rules }: Contract): Lie[] {
  const before = readProvenBaseline();
  return told.filter(
    ({ name, rule }) =>
      before === undefined || !before.lies.has(name) || before.promises[rule] !== hashPromise(rules.get(rule)!),
  );
}

/** Every Nth lie, so that all shares together are all of them, and each has some of every area. */
function shard(told: readonly Lie[], text: string | undefined): readonly Lie[] {
  if (text === undefined) return told;
  const [one = 0, of = 0] = (/^(\d+)\/(\d+)$/.exec(text) ?? []).slice(1).map(Number);
  if (one < 1 || one > of)
    throw new Trouble('usage', `--shard ${text} is no share of the work`, { fix: '--shard 1/4 to --shard 4/4' });
  return told.filter((_, i) => i % of === one - 1);
}
