import { createHash } from 'node:crypto';
import { API_NAMES, type Api } from '#apis';
import { isTestable, projectContract, selectRules } from '#contract';
import { Trouble } from '#trouble';
import { readKeptProof } from './keep-proof.ts';
import { type KnownLie, listKnownLies } from './known-lies.ts';
import { takeShare } from './take-share.ts';

/** What a proof is about. */
export interface PickedLies {
  readonly lies: readonly KnownLie[];
  /** Rules in question. */
  readonly rules: readonly string[];
  /** Whether nothing was left out. */
  readonly complete: boolean;
  /** What all shares together are about; the same as above where the work is not shared. */
  readonly whole: Omit<PickedLies, 'whole'>;
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
  /** Those that no kept proof caught as their rules are now. */
  readonly changed?: boolean;
  /** A share of the work, `1/4`. */
  readonly shard?: string | undefined;
}

/**
 * The lies that --api, --rule, --lie, --sample, --changed and --shard ask for.
 * @throws Trouble (usage) for an unknown service or rule, or a number that is none; (unprovable) when there is no such lie
 */
export async function pickLies(query: LieQuery): Promise<PickedLies> {
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
  const asked = listKnownLies(known).filter(({ name, rule }) => ids.has(rule) && (only.size === 0 || only.has(name)));
  if (asked.length === 0)
    throw new Trouble('unprovable', 'the sandbox tells no lie about these rules', { fix: 'assay lies lists them' });
  const [size, share] = [query.sample, query.shard];
  const some = size !== undefined || query.changed === true;
  const picked = new Set([
    ...(size === undefined ? [] : sample(asked, size)),
    ...(query.changed === true ? await unproven(asked) : []),
  ]);
  const all = some ? asked.filter((lie) => picked.has(lie)) : asked;
  const parted = some || only.size > 0;
  const whole = {
    lies: all,
    rules: parted ? rulesOf(all) : [...ids],
    complete: !parted && named.length === 0 && api === undefined,
  };
  if (share === undefined) return { ...whole, whole };
  const lies = takeShare(all, share);
  return { lies, rules: rulesOf(lies), complete: false, whole };
}

function rulesOf(lies: readonly KnownLie[]): string[] {
  return [...new Set(lies.map(({ rule }) => rule))];
}

/** The first N lies by the hash of their names: the same ones as long as the list stays, and none preferred. */
function sample(told: readonly KnownLie[], text: string): KnownLie[] {
  const size = Number(text);
  if (!Number.isInteger(size) || size < 1)
    throw new Trouble('usage', `--sample ${text} is not a number of lies`, { fix: '--sample 40' });
  const key = ({ name }: KnownLie) => createHash('sha256').update(name).digest('hex');
  return [...told].sort((a, b) => key(a).localeCompare(key(b))).slice(0, size);
}

/**
 * Lies that were not caught: never told, missed, or not told since something was changed that the proof of their rule rests on; and all of
 * a rule that a check claims which none of them turned red.
 */
async function unproven(told: readonly KnownLie[]): Promise<KnownLie[]> {
  const { rules } = await readKeptProof();
  return told.filter(({ name, rule }) => {
    const { lies = [], idle = [], stale = false } = rules[rule] ?? {};
    return stale || idle.length > 0 || !lies.some((lie) => lie.name === name && lie.caught);
  });
}
