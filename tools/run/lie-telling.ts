import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type CheckLine, checkId, type Line, type RunLine } from '#evidence';
import {
  type HonestCheck,
  joinHonest,
  judgeLies,
  type KnownLie,
  type LieResult,
  type PlannedPlays,
  planRest,
  toldLies,
} from '#proof';
import { playRehearsal } from './play-checks.ts';
import type { WaitingRunner } from './waiting-runner.ts';

/** The least that a check is known by. */
type NamedCheck = Pick<CheckLine, 'file' | 'title' | 'rules'>;

/**
 * So many lies are told by one worker, unless asked otherwise: another would load itself for as long as it then had work. Nor is anything
 * kept of them before the end.
 */
const FEW_LIES = 12;

/** What is told, to whom and by whom. */
export interface TellingGround {
  readonly lies: readonly KnownLie[];
  /** The checks that can hear a lie about a rule. */
  readonly hearing: (rule: string) => readonly NamedCheck[];
  /** Whether each lie is told to every check of its service, whatever a plan says. */
  readonly full: boolean;
  /** The line that each part of the telling begins with. */
  readonly first: RunLine;
  readonly target: string;
  readonly workers: string | undefined;
  /** Folder for what the workers are to read. */
  readonly scratch: string;
  /** Keeps what came of the rules that are done; absent: nothing is kept before the end. */
  readonly keep: ((results: readonly LieResult[], honest: readonly HonestCheck[]) => void) | undefined;
}

/** Lies that are told to checks, in one turn or in several, and what came of them so far. */
export class LieTelling {
  readonly #ground: TellingGround;
  /** By the name of a lie: ids of the checks that it was told to. */
  readonly #told = new Map<string, Set<string>>();
  #lines: readonly Line[] = [];
  /** How many lies are kept. */
  #kept = 0;

  constructor(ground: TellingGround) {
    this.#ground = ground;
  }

  /** What the lies came to so far. */
  get results(): LieResult[] {
    return judgeLies(this.#ground.lies, this.#lines);
  }

  /** The checks that were run without a lie, each once. */
  get honestChecks(): CheckLine[] {
    return honestAmong(this.#lines);
  }

  /** Ids of the checks that can hear a lie about a rule. */
  readonly hearers = (rule: string): string[] => this.#ground.hearing(rule).map(idOf);

  /** What a plan left open, see {@link planRest}. */
  get rest(): PlannedPlays {
    return this.#restOf(this.results, this.honestChecks);
  }

  /**
   * Tells what is planned, and runs each check without a lie as well.
   * @param rules of the checks that are run
   * @param seed what the checks draw from
   * @param runner the runner's process where it was started before
   * @throws Trouble (incomplete) when not every check was run
   */
  async tell(plan: PlannedPlays, rules: readonly string[], seed: number, runner?: WaitingRunner): Promise<void> {
    const { lies, full, first, target, workers, scratch, keep } = this.#ground;
    for (const [name, checks] of plan) this.#told.set(name, new Set([...(this.#told.get(name) ?? []), ...checks]));
    const told = lies.filter(({ name }) => plan.has(name));
    const planFile = join(scratch, 'plan.json');
    // To all checks of a service each is told without a list of them.
    const steps = full ? told : told.map((lie) => ({ ...lie, checks: [...plan.get(lie.name)!] }));
    writeFileSync(planFile, JSON.stringify(steps));
    const lines = await playRehearsal(first, 'the proof', {
      target,
      seed,
      workers: workers ?? (told.length <= FEW_LIES ? '1' : undefined),
      ids: rules,
      runner,
      env: { ASSAY_PROOF: planFile, ...(full ? { ASSAY_FULL: '1' } : {}) },
      ...(keep !== undefined && lies.length > FEW_LIES
        ? {
            follow: (more: readonly Line[]) => this.#keepDone([...this.#lines, ...more], keep),
            fix: 'npx assay prove --changed tells the rest: what was told is kept',
          }
        : {}),
    });
    this.#lines = [...this.#lines, ...lines];
  }

  /** Keeps the rules of which every lie was heard and no check has more to hear. */
  #keepDone(lines: readonly Line[], keep: NonNullable<TellingGround['keep']>): void {
    const { lies, hearing } = this.#ground;
    const honest = honestAmong(lines);
    const asked = ({ name, rule }: KnownLie) => hearing(rule).filter((check) => this.#told.get(name)?.has(idOf(check)));
    const heard = toldLies(lies, lines, asked);
    const results = judgeLies(heard, lines);
    const names = new Set(heard.map(({ name }) => name));
    const rest = this.#restOf(results, honest);
    const open = new Set(lies.filter(({ name }) => !names.has(name) || rest.has(name)).map(({ rule }) => rule));
    const done = results.filter(({ rule }) => !open.has(rule));
    if (done.length > this.#kept) keep(done, honest);
    this.#kept = done.length;
  }

  #restOf(results: readonly LieResult[], honest: readonly HonestCheck[]): PlannedPlays {
    return planRest(this.#ground.lies, this.#told, results, honest, this.hearers);
  }
}

function honestAmong(lines: readonly Line[]): CheckLine[] {
  return joinHonest(lines.filter((line) => line.kind === 'check').filter(({ lie }) => lie === undefined));
}

function idOf({ file, title }: NamedCheck): string {
  return checkId(file, title);
}
