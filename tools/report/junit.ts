import { listTestCases, type TestCase } from './test-cases.ts';
import type { RunResult } from './types.ts';

/** JUnit XML: one suite per project, one case per check, rule ids as properties; warnings pass, waived failures are skipped. */
export function renderJunit(run: RunResult): string {
  const tests = listTestCases(run);
  const projects = [...new Set(tests.map(({ project }) => project))].sort();
  const all = tally(tests);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="assay" ${all}>`,
    ...projects.flatMap((project) => {
      const own = tests.filter((check) => check.project === project);
      return [
        `  <testsuite name="${xml(project)}" ${tally(own)} timestamp="${xml(run.startedAt.replace(/\.\d+Z$|Z$/, ''))}">`,
        `    <properties><property name="target" value="${xml(run.target.name)}"/><property name="run" value="${xml(run.id)}"/></properties>`,
        ...own.map(testcase),
        '  </testsuite>',
      ];
    }),
    '</testsuites>',
    '',
  ].join('\n');
}

function tally(checks: readonly TestCase[]): string {
  const of = (...verdicts: string[]) => checks.filter(({ verdict }) => verdicts.includes(verdict)).length;
  const seconds = checks.reduce((sum, { duration }) => sum + duration, 0) / 1000;
  return `tests="${checks.length}" failures="${of('fail')}" errors="${of('broken')}" skipped="${of('skipped', 'unseen', 'waived')}" time="${seconds.toFixed(3)}"`;
}

function testcase({ id, title, file, rules, verdict, reason, failures, sentences, duration }: TestCase): string {
  const properties = [['check', id], ...rules.map((rule) => ['rule', rule])].map(
    ([name, value]) => `<property name="${name}" value="${xml(value!)}"/>`,
  );
  const said = failures.map(({ rule, expected, actual, exchange }, i) =>
    [
      rule === undefined ? sentences[i] : `${rule}: ${sentences[i]}`,
      expected !== undefined && `expected: ${expected}`,
      actual !== undefined && `actual: ${actual}`,
      exchange !== undefined && `exchange: ${exchange}`,
    ]
      .filter((line) => line !== false)
      .join('\n'),
  );
  const text = said.join('\n\n');
  const why = reason ? `${reason.code === 'unseen' ? 'not seen' : reason.code}: ${reason.text}` : '';
  const body = {
    pass: '',
    warn: `<system-out>${xml(`warning\n${text}`)}</system-out>`,
    fail: `<failure message="${xml(said[0]?.split('\n')[0] ?? 'an answer violates the contract')}">${xml(text)}</failure>`,
    broken: `<error message="${xml(why)}"/>`,
    unseen: `<skipped message="${xml(why)}"/>`,
    skipped: `<skipped message="${xml(why)}"/>`,
    waived: `<skipped message="${xml(`waived: ${said[0]?.split('\n')[0] ?? ''}`)}"/>`,
  }[verdict];
  return `    <testcase name="${xml(title)}" classname="${xml(file)}" file="${xml(file)}" time="${(duration / 1000).toFixed(3)}"><properties>${properties.join('')}</properties>${body}</testcase>`;
}

// Whatever XML 1.0 cannot hold even when escaped, lone surrogates included.
const FORBIDDEN = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

function xml(text: string): string {
  return text.replace(FORBIDDEN, '\ufffd').replace(/[&<>"\t\n\r]/g, (char) => `&#${char.charCodeAt(0)};`);
}
