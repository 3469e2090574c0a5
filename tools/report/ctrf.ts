import { listTestCases, type TestCase } from './test-cases.ts';
import type { RunResult } from './types.ts';

const STATUS = {
  pass: 'passed',
  warn: 'passed',
  fail: 'failed',
  unseen: 'other',
  skipped: 'skipped',
  waived: 'skipped',
  broken: 'other',
} as const;

/** Common Test Report Format: one test per check; the rules and the verdict ride along as tags and raw status. */
export function renderCtrf(run: RunResult): string {
  const start = Date.parse(run.startedAt);
  const stop = Math.max(
    start,
    ...[run.finishedAt ?? [], run.checks.map(({ startedAt }) => startedAt)].flat().map((at) => Date.parse(at)),
  );
  const tests = listTestCases(run).map(test);
  const of = (status: string) => tests.filter((one) => one.status === status).length;
  const report = {
    reportFormat: 'CTRF',
    specVersion: '0.0.0',
    timestamp: run.finishedAt ?? run.startedAt,
    generatedBy: `assay ${run.suite.version}`,
    results: {
      tool: { name: 'assay', version: run.suite.version },
      summary: {
        tests: tests.length,
        passed: of('passed'),
        failed: of('failed'),
        skipped: of('skipped'),
        pending: 0,
        other: of('other'),
        suites: new Set(run.checks.map(({ file }) => file)).size,
        start,
        stop,
      },
      tests,
      environment: {
        appName: run.target.name,
        testEnvironment: run.target.kind,
        ...(run.suite.commit !== undefined && { commit: run.suite.commit }),
      },
      extra: { run: run.id, verdict: run.verdict, complete: run.complete, rules: run.counts.rules },
    },
  };
  return `${JSON.stringify(report, undefined, 2)}\n`;
}

function test({ id, title, file, line, rules, verdict, reason, sentences, duration, startedAt, exchanges }: TestCase) {
  const start = Date.parse(startedAt);
  const message = reason ? `${reason.code}: ${reason.text}` : sentences.join('\n');
  return {
    name: title || id,
    status: STATUS[verdict],
    duration: Math.round(duration),
    start,
    stop: start + Math.round(duration),
    suite: [file || 'unknown'],
    ...(message !== '' && { message }),
    rawStatus: verdict,
    tags: [...rules],
    filePath: file,
    line,
    extra: { check: id, exchanges: exchanges.length },
  };
}
