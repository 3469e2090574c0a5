import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { witness } from '#client';
import type { LoadedContract, Rule } from '#contract';
import {
  type CheckLine,
  Journal,
  type Line,
  Recorder,
  type Redacted,
  Redactor,
  type RunLine,
  type SessionLine,
  type TargetSecrets,
} from '#evidence';
import { REPORTS_FOLDER } from '#folders';
import {
  type ClientVerdict,
  judgeSessions,
  judgeTraffic,
  LACK_WORDS,
  listEncounters,
  locateSessions,
  type Traffic,
  type TrafficSession,
} from '#judge';
import { exitCode, renderConclusion, signerFromEnvironment, writeReport } from '#report';
import type { WrittenTarget } from '#target';
import { openRunFolder } from './open-run-folder.ts';
import { describeEngine, drawRunId, listReadings } from './run-line.ts';
import { closeRun, describeClosing } from './stamp-run.ts';
import { authorityForTarget, signerForTarget } from './target-signer.ts';

/** What is judged, and where it is written. */
export interface ClientRunOptions {
  readonly contract: LoadedContract;
  readonly traffic: Traffic;
  /** Where the traffic comes from, in a word or two, and of what kind the services are. */
  readonly source: Pick<RunLine['target'], 'name' | 'kind' | 'file'>;
  /** Names of rules or areas of the client's side; none: all. */
  readonly rules: readonly string[];
  /** Run folder; absent: a new one below `clients` of the reports. */
  readonly out: string | undefined;
  /** Whether the answers are held against what the services promise. */
  readonly judgesService: boolean;
  /** Lies that were told. */
  readonly lies?: readonly string[];
  /** What was to be told session by session, told or not. */
  readonly plan?: readonly TrafficSession['lie'][];
  /** Secrets that no header of the traffic shows. */
  readonly secrets?: TargetSecrets;
  /** Target file that says who signs, and who stamps the time of it; absent: who signs stands in the environment. */
  readonly written?: WrittenTarget;
  readonly argv: readonly string[];
}

/** Id of the check that all traffic belongs to. */
const TRAFFIC = hashId('traffic');

/**
 * Judges traffic, and writes, closes and signs the same kind of run folder as a run against a service.
 * @returns the exit code of the verdict
 * @throws Trouble (usage) for a folder that holds a run, or a rule that is none; (incomplete) when a secret would have been written
 */
export async function writeClientRun(options: ClientRunOptions): Promise<number> {
  const { contract, traffic, judgesService } = options;
  const verdicts = judgeTraffic(contract, traffic, options.rules);
  const startedAt = new Date(traffic.exchanges[0]?.at || Date.now()).toISOString();
  const id = drawRunId();
  const folder = openRunFolder(options.out ?? join(REPORTS_FOLDER, 'clients', id));
  const redactor = createTrafficRedactor(traffic, options.secrets);
  const traced = judgesService ? tracedRules(contract, traffic) : [];
  const journal = new Journal(folder);
  const write = (line: Line) => journal.write(line as Redacted<Line>);
  write(createRunLine(options, id, startedAt, traced));
  const recorder = new Recorder(TRAFFIC, redactor, journal);
  const ids = traffic.exchanges.map((exchange) =>
    judgesService ? witness(recorder, contract, exchange) : recorder.exchange({ ...exchange, violations: [] }),
  );
  const common = { line: 1, project: 'client', startedAt, duration: 0 };
  recorder.finish({
    ...common,
    title: 'what the client sent and was sent',
    file: options.source.file,
    rules: traced.map(({ id: rule }) => rule),
    outcome: 'pass',
    failures: [],
  });
  for (const { met, ...one } of listEncounters(contract, traffic)) {
    const [first] = met;
    write({ kind: 'encounter', ...one, times: met.length, ...(first === undefined ? {} : { exchange: ids[first]! }) });
  }
  for (const line of sessionLines(options, verdicts, ids, redactor)) write(line);
  const sessionAt = locateSessions(contract, traffic);
  for (const verdict of verdicts) write(checkLine(contract, verdict, ids, common, sessionAt));
  const counts = { checks: verdicts.length + 1, exchanges: ids.length };
  write({ kind: 'end', finishedAt: new Date().toISOString(), status: 'complete', counts });
  journal.close();
  const result = writeReport(folder, { redactor, ownsFolder: true });
  const { written } = options;
  const signer = written === undefined ? signerFromEnvironment() : signerForTarget(written);
  const authority = written && authorityForTarget(written);
  const closed = await closeRun(folder, id, signer, authority);
  console.log(renderConclusion(result, folder));
  console.log(describeClosing(closed, signer !== undefined));
  return exitCode(result);
}

/** One rule of the client's side, as a check that claims it. */
function checkLine(
  contract: LoadedContract,
  { rule, outcome, breaches, lacking }: ClientVerdict,
  ids: readonly string[],
  common: Pick<CheckLine, 'line' | 'project' | 'startedAt' | 'duration'>,
  sessionAt: (index: number) => TrafficSession | undefined,
): CheckLine {
  const file = `tools/judge/${contract.clientAreas.get(rule.area)!.file}.ts`;
  const line = {
    kind: 'check',
    id: hashId(rule.id),
    title: rule.text,
    file,
    rules: [rule.id],
    exchanges: 0,
    ...common,
  } as const;
  if (outcome === 'not seen') {
    const text = lacking === undefined ? 'Nothing in the traffic was about it.' : LACK_WORDS[lacking];
    return { ...line, outcome: 'skipped', reason: { code: 'unseen', text }, failures: [] };
  }
  const failures = breaches.map(({ index, actual }) => {
    const lie = sessionAt(index)?.lie.name;
    const seen = lie === undefined ? actual : `${actual}, while it was told ${lie}`;
    return {
      message: `The client broke it: ${seen}.`,
      clauses: { should: 'the client should have kept to it', did: `it did not: ${seen}` },
      expected: rule.text,
      actual: seen,
      exchange: ids[index]!,
      rule: rule.id,
    };
  });
  return { ...line, outcome: outcome === 'kept' ? 'pass' : 'fail', failures };
}

/** Each session with what the client did in it, and what was to be told and never was. */
function sessionLines(
  { contract, traffic, plan = [] }: ClientRunOptions,
  verdicts: readonly ClientVerdict[],
  ids: readonly string[],
  redactor: Redactor,
): SessionLine[] {
  const results = judgeSessions(contract, traffic, verdicts);
  const told = results.map(({ session, exchanges, deeds, others }): SessionLine => {
    const { lie, isMet } = session;
    return {
      kind: 'session',
      name: redactor.text(session.name),
      ...describeLie(lie),
      ...(isMet === undefined ? {} : { met: isMet }),
      exchanges,
      deeds: deeds.map(({ index, ...deed }) => ({
        ...deed,
        ...(index === undefined ? {} : { exchange: ids[index]! }),
      })),
      others,
    };
  });
  const untold = plan.filter(({ name }) => !results.some(({ session }) => session.lie.name === name));
  return [
    ...told,
    ...untold.map(
      (lie): SessionLine => ({ kind: 'session', ...describeLie(lie), exchanges: 0, deeds: [], others: [] }),
    ),
  ];
}

function describeLie({ name, does, isGentle }: TrafficSession['lie']): Pick<SessionLine, 'lie' | 'does' | 'gentle'> {
  return { lie: name, does, gentle: isGentle };
}

function createRunLine(
  { contract, traffic, source, rules, lies = [], argv }: ClientRunOptions,
  id: string,
  startedAt: string,
  traced: readonly Rule[],
): RunLine {
  const apis = new Set(traffic.exchanges.map(({ api }) => api));
  const hosts = Object.fromEntries(
    [...apis].map((api) => [
      api,
      originOf(traffic.exchanges.find((one) => one.api === api && one.direction === 'out')),
    ]),
  );
  const judged = [...contract.clientRules.values(), ...traced];
  return {
    kind: 'run',
    id,
    startedAt,
    subject: 'client',
    target: { ...source, sha256: hashTraffic(traffic), hosts },
    ...describeEngine(),
    specs: contract.specs,
    seed: 0,
    argv: [...argv],
    ...(rules.length === 0 ? {} : { selection: rules.join(', ') }),
    ...(lies.length === 0 ? {} : { lie: lies.join(', ') }),
    register: {
      areas: [...contract.clientAreas.values(), ...contract.areas.values()],
      rules: judged,
      holes: [...contract.holes.values()],
      readings: listReadings(contract.readings, new Set(judged.map(({ id: rule }) => rule))),
      operations: [...contract.operations.values()].map(({ id: operation, api, method, path, answers }) => ({
        id: operation,
        api,
        method,
        path,
        answers: [...answers.keys()],
      })),
    },
    waivers: [],
  };
}

/** Promises of the services that traffic alone can show: those at a place of an answer or event. */
function tracedRules(contract: LoadedContract, { exchanges }: Traffic): Rule[] {
  const apis = new Set(exchanges.map(({ api }) => api));
  return [...contract.rules.values()].filter(
    ({ traced, api, retired }) => traced && retired === undefined && apis.has(api),
  );
}

/** Knows every token that the traffic shows before the first exchange is written: it may stand in an address as well. */
function createTrafficRedactor({ exchanges }: Traffic, secrets: TargetSecrets | undefined): Redactor {
  const redactor = new Redactor();
  for (const { request } of exchanges)
    for (const [name, value] of request.headers) {
      const token = /^authorization$/i.test(name) ? /^\s*bearer\s*(\S{8,})\s*$/i.exec(value)?.[1] : undefined;
      if (token !== undefined) redactor.add(token);
    }
  if (secrets !== undefined) redactor.register(secrets);
  return redactor;
}

function originOf(exchange: Traffic['exchanges'][number] | undefined): string {
  const { url = '' } = exchange?.request ?? {};
  return URL.canParse(url) ? new URL(url).origin : '';
}

/** Over what was seen less what is secret: methods, paths and statuses in their order. */
function hashTraffic({ exchanges }: Traffic): string {
  const hash = createHash('sha256');
  for (const { direction, operation, response } of exchanges)
    hash.update(`${direction} ${operation} ${response?.status}\n`);
  return hash.digest('hex');
}

function hashId(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 8);
}
