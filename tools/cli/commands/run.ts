import { Trouble } from '#trouble';
import type { CliCommand, GivenArguments } from '../arguments.ts';
import { readDuration } from '../read-duration.ts';
import { GATE_FLAGS, readGates } from '../read-gates.ts';
import { readSeed } from '../read-seed.ts';
import { readShard } from '../read-shard.ts';
import { readWorkers } from '../read-workers.ts';

/** `assay run`: every check against a target, then the audit page. */
export const runCommand: CliCommand = {
  name: 'run',
  help: 'Checks every documented promise against a target (default: the embedded sandbox) and writes the audit page.',
  positionals: [],
  flags: {
    profile: { value: 'NAME', help: 'profile of assay.config.yaml' },
    target: { value: 'FILE', help: 'target file; default that of the profile, else the embedded sandbox' },
    rule: { value: 'ID|AREA', repeatable: true, help: 'only these rules or areas; may be repeated' },
    out: { value: 'DIR', help: 'run folder; default reports/<run id>' },
    lie: { value: 'NAME', repeatable: true, help: 'let the embedded sandbox tell this lie' },
    seed: { value: 'N', help: 'seed of ids and of property tests; default drawn, printed and recorded' },
    shard: {
      value: 'I/N',
      help: 'only this part of the checks, for one of N machines; assay merge makes one run of all',
    },
    shuffle: {
      value: 'N',
      help: 'start the checks in an order drawn from N, the same for the same N; default as written',
    },
    within: {
      value: 'TIME',
      help: 'what can be checked in so long (90s, 30m, 2h), the most telling first; what is left out is skipped, and listed',
    },
    resume: { value: 'DIR', help: 'go on with an interrupted run in its folder, where it stopped' },
    setup: { help: 'install a browser first when the selection needs one and there is none' },
    runs: {
      value: 'N',
      help: 'a marathon: try each property on N drawn cases, going on where the last run with this --seed stopped, kept cases first',
    },
    workers: {
      value: 'N',
      help: 'checks at the same time; default 2, on a target of your own as many as manners.parallel and its rate limit allow',
    },
    ...GATE_FLAGS,
    annotate: { value: 'github', help: 'annotate findings, write summary and outputs as a step of a GitHub workflow' },
  },
  run: async (given) => {
    const { readWorkspaceProfile, readyRunner, runSuite } = await import('#run');
    const runner = readyRunner();
    try {
      const workspace = await readWorkspaceProfile(given.flag('profile'));
      const rules = given.flags('rule');
      const resume = readResume(given);
      return await runSuite({
        workspace,
        target: given.flag('target') ?? workspace.target,
        rules: rules.length > 0 ? rules : workspace.rules,
        out: given.flag('out'),
        resume,
        lies: given.flags('lie'),
        seed: readSeed(given),
        shuffle: given.has('shuffle') ? readSeed(given, 'shuffle') : undefined,
        shard: readShard(given),
        runs: readRuns(given),
        setup: given.has('setup'),
        within: readDuration(given, 'within', workspace.within),
        workers: readWorkers(given) ?? workspace.workers?.toString(),
        gates: { ...workspace.gates, ...readGates(given) },
        annotate: readAnnotate(given),
        argv: given.argv,
        runner,
      });
    } finally {
      runner?.dismiss();
    }
  },
};

/** What says what is run: a run that goes on has said it. */
const SETTLED = ['rule', 'out', 'lie', 'seed', 'shard', 'require', 'max-skipped', 'max-not-seen', 'only-verdicts'];

/** @throws Trouble (usage) for flags that would make another run of it */
function readResume(given: GivenArguments): string | undefined {
  const folder = given.flag('resume');
  const extra = SETTLED.find((flag) => given.has(flag));
  if (folder !== undefined && extra !== undefined)
    throw new Trouble('usage', `--resume ${folder} takes no --${extra}`, {
      reason: 'a run goes on with what it began with',
      fix: `leave --${extra} out, or start another run`,
    });
  return folder;
}

/**
 * How many cases each property is tried on. The seed has to be said: the next run goes on where this one stops.
 * @throws Trouble (usage) for what is no number, or one without a seed
 */
function readRuns(given: GivenArguments): number | undefined {
  const text = given.flag('runs');
  if (text === undefined) return undefined;
  if (!/^[1-9]\d{0,8}$/.test(text))
    throw new Trouble('usage', `--runs ${text} is not a number of cases`, { fix: '--runs 1000000' });
  if (!given.has('seed'))
    throw new Trouble('usage', '--runs needs --seed', {
      reason: 'the next run goes on where this one stops, with the cases of the same seed',
      fix: `--runs ${text} --seed 1`,
    });
  return Number(text);
}

/** @throws Trouble (usage) for a place that has no annotations */
function readAnnotate(given: GivenArguments): boolean {
  const place = given.flag('annotate');
  if (place !== undefined && place !== 'github')
    throw new Trouble('usage', `--annotate ${place} is unknown`, { fix: '--annotate github' });
  return place !== undefined;
}
