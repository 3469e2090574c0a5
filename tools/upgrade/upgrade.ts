import type { SpecFile } from '#contract';
import { type Line, readJournal } from '#evidence';
import { compareRuns, readBaseline } from '#report';
import { Trouble } from '#trouble';
import { readChangelog } from './changelog.ts';
import { decideUpgrade } from './decide.ts';
import type { DocumentDecision } from './documents/decisions.ts';
import { documentFindings } from './documents/document-findings.ts';
import { compareDocuments } from './documents/documents.ts';
import { changelogFindings, removalFindings, versionFindings, waiverFindings } from './findings.ts';
import { type ChecksOf, registeredId } from './impact.ts';
import { judgeChanges } from './judge.ts';
import { callsOf } from './read/calls.ts';
import type { UpgradeRegister } from './read/register.ts';
import { readSides } from './read/sides.ts';
import { type ReadersOf, removalDateFindings } from './removals.ts';
import { type ReplayedRun, replayRun } from './replay/replay.ts';
import type { ChangeWaiver, ComparedSpec, JudgedChange, Upgrade, UpgradeFinding } from './result.ts';
import { readRetirements } from './retirements.ts';
import { bodyFindings, explainsRefusal, replayFindings, retirementFindings, runFindings } from './traffic.ts';
import type { ChangeLevel, SpecChange } from './types.ts';

/** What to compare and by which day to judge it. */
export interface UpgradeRequest {
  /** An OpenAPI file each, or a folder that holds gateway.yaml, v1.yaml or both. */
  readonly from: string;
  readonly to: string;
  readonly changelog?: string | undefined;
  /** An earlier run folder or baseline, to compare the run with. */
  readonly baseline?: string | undefined;
  readonly run?: string | undefined;
  readonly documents?: readonly [old: string, now: string] | undefined;
  readonly waivers?: readonly ChangeWaiver[];
  /** What was decided about changed clauses. */
  readonly decisions?: readonly DocumentDecision[];
  /** Rules beside those that the descriptions bring along. */
  readonly own?: UpgradeRegister;
  /** YYYY-MM-DD. */
  readonly today: string;
  readonly seed: number;
  readonly checksOf?: ChecksOf;
  readonly readersOf?: ReadersOf;
}

/** Finds the changes from one description to another. */
export type ClassifySpecs = (old: SpecFile, now: SpecFile) => readonly SpecChange[];

const LOUDNESS: readonly ChangeLevel[] = ['breaking', 'unclear', 'risky', 'note', 'safe'];

/**
 * Compares descriptions, documents and runs, and says whether it is safe to adopt the new ones.
 * @throws Trouble (usage) naming file and line of what cannot be read; (incomplete) for a folder that is no run or a damaged journal
 */
export function judgeUpgrade(asked: UpgradeRequest, classify: ClassifySpecs): Upgrade {
  const { today, seed, waivers = [], decisions = [], checksOf = () => [], readersOf = () => [] } = asked;
  if (asked.baseline !== undefined && asked.run === undefined)
    throw new Trouble('usage', '--baseline needs a run to compare with it', { fix: 'add --run DIR' });
  const { pairs, alone } = readSides(asked.from, asked.to);
  const lines: readonly Line[] | undefined = asked.run === undefined ? undefined : readJournal(asked.run);
  const judged = pairs.map((pair) => ({
    pair,
    ...judgeChanges(pair, classify(pair.old, pair.new), { lines, checksOf, readersOf, waivers, today, seed }),
  }));
  const specs = pairs.flatMap((pair) => [pair.old, pair.new]);
  const known = {
    paths: new Map(specs.flatMap(({ root }) => callsOf(root).map(({ id, path }) => [id, path]))),
    roots: new Map(specs.map(({ file, root }) => [file, root])),
  };
  const all = judged.flatMap(({ changes, follower }) => changes.map((change) => ({ change, follower })));
  const bare = all.map(({ change }) => change);
  const changelog = asked.changelog === undefined ? undefined : readChangelog(asked.changelog, bare, known);
  const replayed = lines === undefined ? undefined : replayRun(pairs, lines, asked.run!);
  const changes = all
    .map(({ change, follower }): JudgedChange => {
      const unfit = replayed && unfitBy(change, replayed);
      return {
        ...change,
        ...(changelog ? { announced: linesFor(changelog, change) } : {}),
        ...(unfit ? { unfit, impact: follower.withRecorded(change.impact, unfit) } : {}),
      };
    })
    .sort((a, b) => loudness(a) - loudness(b));
  const retirements = lines === undefined ? undefined : readRetirements(lines);
  const beside = asked.own === undefined ? [] : [asked.own];
  const registers = {
    old: [...judged.map(({ follower }) => follower.registers[0]!), ...beside],
    new: [...judged.map(({ follower }) => follower.registers[1]!), ...beside],
  };
  const checksAt = (rules: readonly string[]) => [
    ...new Set(judged.flatMap(({ follower }) => follower.checks(rules).map(({ place }) => place))),
  ];
  const judgedBefore = asked.run ?? asked.baseline;
  const verdicts = asked.documents && judgedBefore !== undefined ? readBaseline(judgedBefore).rules : {};
  const documents =
    asked.documents &&
    compareDocuments(...asked.documents, {
      registers,
      checksOf: checksAt,
      verdictOf: (rule) => verdicts[rule],
      decisions,
    });
  const runs =
    asked.run === undefined || asked.baseline === undefined
      ? undefined
      : compareRuns(readBaseline(asked.baseline), readBaseline(asked.run));
  const searches = judged.flatMap((one) => one.searches);
  const findings: UpgradeFinding[] = [
    ...(replayed ? replayFindings(replayed, changes) : []),
    ...bodyFindings(searches, changes),
    ...alone.map(
      ({ file, side }): UpgradeFinding => ({
        kind: 'described-once',
        weight: 'unknown',
        text: `${file} is only given with --${side}: that service was not compared`,
        advice: 'Give its description on both sides.',
        place: { file },
      }),
    ),
    ...judged.flatMap(({ pair, unsearched }): UpgradeFinding[] =>
      unsearched === undefined
        ? []
        : [
            {
              kind: 'not-searched',
              weight: 'note',
              text: `${pair.new.file} was not searched for counterexamples as a whole: ${unsearched}`,
              advice: 'Correct the schema, or judge by structure alone.',
              place: { file: pair.new.file },
            },
          ],
    ),
    ...(lines === undefined ? [] : runState(lines, pairs)),
    ...(runs ? runFindings(runs) : []),
    ...judged.flatMap(({ pair, changes: own }) => versionFindings(pair, own)),
    ...waiverFindings(waivers, changes, today),
    ...judged.flatMap(({ pair, follower }) => removalFindings(pair, follower, today)),
    ...judged.flatMap(({ pair, changes: own }) => removalDateFindings(pair, own, today)),
    ...(retirements ? retirementFindings(retirements, today) : []),
    ...(changelog ? changelogFindings(changelog, changes) : []),
    ...(documents ? documentFindings(documents, today) : []),
  ];
  return {
    format: 'assay.upgrade/1',
    ...decideUpgrade(changes, findings),
    today,
    seed,
    specs: pairs.map(({ api, old, new: now }): ComparedSpec => ({ api, from: identity(old), to: identity(now) })),
    counts: count(changes),
    changes,
    findings,
    ...(lines === undefined
      ? {}
      : {
          unexercised: changes
            .filter((one) => one.impact.exchanges?.length === 0 && registeredId(one) === undefined)
            .map((one) => one.fingerprint),
        }),
    searches,
    ...(documents ? { documents } : {}),
    ...(runs ? { runs } : {}),
    ...(replayed ? { replay: replayed } : {}),
    ...(changelog ? { changelog } : {}),
    ...(retirements ? { retirements } : {}),
  };
}

function runState(lines: readonly Line[], pairs: readonly { old: SpecFile; new: SpecFile }[]): UpgradeFinding[] {
  const run = lines.find((line) => line.kind === 'run')!;
  const end = lines.find((line) => line.kind === 'end');
  const hashes = pairs.flatMap((pair) => [pair.old.sha256, pair.new.sha256]);
  const found: UpgradeFinding[] = [];
  if (end?.status !== 'complete')
    found.push({
      kind: 'incomplete-run',
      weight: 'unknown',
      text: `The run ${run.id} is incomplete: what is missing may be what changed`,
      advice: 'Run again and name the new folder.',
    });
  if (run.specs.length > 0 && !run.specs.some(({ sha256 }) => hashes.includes(sha256)))
    found.push({
      kind: 'other-specs',
      weight: 'note',
      text: `The run ${run.id} was judged by other descriptions than these two`,
      advice: 'What changed is followed to its exchanges by name; run again with the old descriptions to be exact.',
    });
  return found;
}

function unfitBy(change: JudgedChange, { refusals }: ReplayedRun): string[] {
  return [...new Set(refusals.filter((one) => explainsRefusal(change, one)).flatMap(({ exchanges }) => exchanges))];
}

function linesFor(
  { sentences }: { sentences: readonly { line: number; matches: readonly { fingerprint: string }[] }[] },
  change: SpecChange,
) {
  return sentences
    .filter(({ matches }) => matches.some(({ fingerprint }) => fingerprint === change.fingerprint))
    .map(({ line }) => line);
}

function identity({ file, sha256, root }: SpecFile): ComparedSpec['from'] {
  return { file, sha256, version: String((root.info as { version?: unknown } | undefined)?.version ?? '') };
}

/** The gravest first; of these what the service does before what the register says of it. */
function loudness(change: JudgedChange): number {
  return 2 * LOUDNESS.indexOf(change.level) + (registeredId(change) === undefined ? 0 : 1);
}

function count(changes: readonly JudgedChange[]): Upgrade['counts'] {
  const of = (level: ChangeLevel) => changes.filter((one) => one.level === level).length;
  return {
    total: changes.length,
    breaking: of('breaking'),
    unclear: of('unclear'),
    risky: of('risky'),
    note: of('note'),
    safe: of('safe'),
    waived: changes.filter(({ waiver }) => waiver?.state === 'in force').length,
  };
}
