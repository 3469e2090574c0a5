import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { projectContract } from '#contract';
import {
  countProof,
  type FinishedShare,
  type HonestCheck,
  joinHonest,
  keepMutants,
  keepProof,
  type LieResult,
  listDishonest,
  listIdleClaims,
  listKnownLies,
  type MutantResult,
  matchDeclarations,
  mergeShares,
  type ProofResult,
  readCollateral,
  sealRules,
  type WorkShare,
} from '#proof';
import { Trouble } from '#trouble';
import type { ProvenLies } from './prove-lies.ts';
import { suiteHash } from './suite-hash.ts';

/** What `assay prove --shard --out` leaves behind of lies: the proof, and what merging it wants. */
export interface ProofShareFile extends ProofResult {
  readonly share: WorkShare;
  readonly honestChecks: readonly HonestCheck[];
  /** Rules that all shares together are about, and whether nothing else could be asked. */
  readonly whole: { readonly rules: readonly string[]; readonly complete: boolean };
}

/** The same of mutants. */
export interface MutantShareFile {
  readonly format: 'assay.mutants/2';
  readonly share: WorkShare;
  readonly results: readonly MutantResult[];
}

/** One proof made of its shares. */
export type MergedProof =
  | ({ readonly of: 'lies' } & ProvenLies)
  | { readonly of: 'mutants'; readonly results: readonly MutantResult[] };

/**
 * Makes one proof of what the shares of it left, and keeps it as one that was made in one go.
 * @param html another file for its page
 * @throws Trouble (usage) for files that are not the shares of one proof of this very suite, each once; (incomplete) for one that lacks some
 */
export async function mergeProofs(files: readonly string[], html: string | undefined): Promise<MergedProof> {
  const shares = files.map(readShareFile);
  const [first] = shares;
  const stranger = shares.find(({ content }) => content.format !== first?.content.format);
  if (stranger !== undefined)
    throw new Trouble('usage', `${stranger.file} is of another kind than ${first!.file}`, {
      reason: 'one is of lies, the other of mutants',
      fix: 'merge them apart',
    });
  const suite = suiteHash();
  const foreign = shares.find(({ content }) => content.share.suite !== suite);
  if (foreign !== undefined)
    throw new Trouble('usage', `${foreign.file} was proved by another suite than this one`, {
      reason: 'what is kept of a proof holds for the suite that made it',
      fix: 'merge where the very sources lie that the shards were run with',
    });
  if (first?.content.format === 'assay.mutants/2') return mergeMutants(shares as ShareOf<MutantShareFile>[], html);
  return mergeLies(shares as ShareOf<ProofShareFile>[], html);
}

interface ShareOf<Content> {
  readonly file: string;
  readonly content: Content;
}

async function mergeMutants(shares: readonly ShareOf<MutantShareFile>[], html: string | undefined) {
  const finished = shares.map(({ file, content }) => ({ file, share: content.share, pieces: content.results }));
  const results = mergeShares<MutantResult>(finished, ({ id }) => id);
  keepMutants(results, { suite: suiteHash(), seals: await sealRules(projectContract()) }, html);
  return { of: 'mutants', results } as const;
}

async function mergeLies(shares: readonly ShareOf<ProofShareFile>[], html: string | undefined): Promise<MergedProof> {
  const finished = shares.map(
    ({ file, content }): FinishedShare<LieResult> => ({ file, share: content.share, pieces: content.lies }),
  );
  const results = mergeShares(finished, ({ name }) => name);
  const [one] = shares.map(({ content }) => content);
  const { specs, full, whole } = one!;
  const other = shares.find(({ content }) => !isDeepStrictEqual([content.specs, content.whole], [specs, whole]));
  if (other !== undefined)
    throw new Trouble('usage', `${other.file} is a shard of another proof`, {
      reason: 'its contract or its rules are not those of the others',
      fix: 'name the shards of one proof',
    });
  // A check of several rules is asked by each share that has a lie about one of them.
  const honestChecks = joinHonest(shares.flatMap(({ content }) => content.honestChecks));
  const names = new Set(results.map(({ name }) => name));
  const declared = readCollateral(projectContract());
  const { undeclared, unused } = matchDeclarations(results, declared);
  const finishedAt = shares
    .map(({ content }) => content.finishedAt)
    .sort()
    .at(-1)!;
  const proof: ProofResult = {
    format: 'assay.proof/1',
    finishedAt,
    specs,
    full,
    rules: whole.rules,
    lies: results,
    undeclared,
    idle: listIdleClaims(
      listKnownLies().filter(({ name }) => names.has(name)),
      results,
      honestChecks,
    ),
    dishonest: listDishonest(honestChecks),
  };
  const seals = await sealRules(projectContract());
  keepProof({ results, honestChecks, declared, finishedAt, full, suite: suiteHash(), seals }, html);
  const numbers = countProof(proof, honestChecks);
  return { of: 'lies', proof, numbers, unused: full && whole.complete ? unused : [], honestChecks };
}

function readShareFile(file: string): ShareOf<ProofShareFile | MutantShareFile> {
  let content: Partial<ProofShareFile | MutantShareFile>;
  try {
    content = JSON.parse(readFileSync(file, 'utf8')) as typeof content;
  } catch (error) {
    throw new Trouble('usage', `${file} cannot be read`, {
      reason: (error as Error).message,
      fix: 'name what assay prove --shard I/N --out FILE wrote',
    });
  }
  const isProof = content?.format === 'assay.proof/1' || content?.format === 'assay.mutants/2';
  if (!isProof || content.share === undefined)
    throw new Trouble('usage', `${file} is no shard of a proof`, {
      fix: 'assay prove --shard 1/4 --seed 1 --out FILE leaves one',
    });
  return { file, content: content as ProofShareFile | MutantShareFile };
}
