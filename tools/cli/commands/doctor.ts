import { X509Certificate } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { API_NAMES } from '#apis';
import { findBrowser, provideBrowser } from '#browser';
import { type ExaminationFinding, examineTarget, forecastRun, type RunForecast } from '#client';
import { projectContract } from '#contract';
import { type Line, Redactor, readJournal } from '#evidence';
import { REPORTS_FOLDER } from '#folders';
import type { TargetTrial } from '#harness';
import type { RunSigner } from '#report';
import { readWorkspaceProfile, signerForTarget } from '#run';
import { startSandbox } from '#sandbox';
import {
  EMBEDDED_TARGET,
  listDanglingReferences,
  listReferences,
  parseTarget,
  resolveTarget,
  secretsOf,
  type Target,
  type WrittenTarget,
} from '#target';
import { EXIT_CODES } from '#trouble';
import type { CliCommand } from '../arguments.ts';

/** `assay doctor`: everything about a target that can be known without running the checks. */
export const doctorCommand: CliCommand = {
  name: 'doctor',
  help: 'Examines a target file: its form, its secrets, its addresses and credentials, and what a run would skip and cost.',
  positionals: [],
  flags: {
    target: { value: 'FILE', help: 'target file; default that of the profile, else the embedded sandbox' },
    profile: { value: 'NAME', help: 'profile of assay.config.yaml' },
    try: {
      help: 'also call each test card and each control action once; moves money, within manners.money, and measures what a run would take',
    },
    fix: { help: 'install a browser when there is none: Playwright’s, or Debian’s as root' },
    json: { help: 'what was found, as one object' },
  },
  async run(given) {
    const written = parseTarget(
      resolve(given.flag('target') ?? (await readWorkspaceProfile(given.flag('profile'))).target ?? EMBEDDED_TARGET),
    );
    const json = given.has('json');
    if (!json) console.log(`${written.root.name} (${written.root.kind}), ${written.file}\n`);
    const lost = listDanglingReferences(written);
    if (lost.length > 0) {
      for (const trouble of lost) console.error(trouble.toString());
      console.error(
        `assay: ${lost.length} of ${listReferences(written).length} references lead nowhere; nothing was called`,
      );
      return EXIT_CODES.usage;
    }
    const signer = await signerForTarget(written);
    const { embeddedLookup, tryTarget } = await import('#harness');
    const sandbox = written.root.kind === 'embedded' ? await startSandbox({ control: true }) : undefined;
    try {
      const target = resolveTarget(written, sandbox ? { embedded: embeddedLookup(sandbox) } : {});
      const say = speaker(target);
      if (!json) say(secrets(written));
      const found = await examineTarget(target, json ? undefined : say);
      const isDead = found.symptoms.some(({ mark }) => mark === 'dead');
      const trial = given.has('try') && !isDead ? await tryTarget(target, json ? undefined : say) : undefined;
      const symptoms = [...found.symptoms, ...(trial?.findings ?? [])];
      const unexamined = listUnexamined(written.root, symptoms);
      const browser = given.has('fix') ? provideBrowser((text) => console.error(`assay: ${text}`)) : findBrowser();
      if (!json) say(signature(signer));
      if (!json)
        say({
          mark: browser ? 'ok' : 'note',
          line: 'browser',
          text: browser ?? 'none found; set ASSAY_BROWSER, or --fix',
        });
      const outlook = forecastRun(projectContract(), target, {
        browser: browser !== undefined,
        pace: trial?.pace || found.pace,
        polls: trial?.polls,
        journal: latest(),
      });
      const overspent = overCap(outlook, target);
      if (overspent !== undefined) {
        symptoms.push(overspent);
        if (!json) say(overspent);
      }
      const whole = {
        ...found,
        symptoms,
        trial: trial && { ...trial, findings: undefined },
        unexamined,
        forecast: outlook,
      };
      // Text by text: in the whole, the name of a line that ends in token would hide its neighbour.
      const bare = (_key: string, value: unknown) => (typeof value === 'string' ? redact(target, value) : value);
      if (json) console.log(JSON.stringify(whole, bare, 2));
      else {
        const parts = [tell(outlook, target), ...(trial === undefined ? [] : [tellTrial(trial)])];
        if (unexamined.length > 0) parts.push(tellUnexamined(unexamined, given.has('try')));
        console.log(`\n${parts.join('\n')}\n\n${verdict(symptoms)}`);
      }
      return isDead
        ? EXIT_CODES.incomplete
        : symptoms.some(({ mark }) => mark === 'fail')
          ? EXIT_CODES.usage
          : EXIT_CODES.kept;
    } finally {
      await sandbox?.close();
    }
  },
};

const MARKS: Readonly<Record<ExaminationFinding['mark'], string>> = {
  ok: 'ok  ',
  note: 'note',
  fail: 'FAIL',
  dead: 'DEAD',
};

const WIDTH = 36;

function speaker(target: Target): (symptom: ExaminationFinding) => void {
  return ({ mark, line, text, fix }) => {
    console.log(redact(target, `${MARKS[mark]}  ${line.padEnd(WIDTH)}  ${text}`));
    if (fix !== undefined) console.log(redact(target, `${' '.repeat(WIDTH + 8)}fix: ${fix}`));
  };
}

function redact(target: Target, text: string): string {
  const redactor = new Redactor();
  redactor.register(secretsOf(target));
  return redactor.text(text);
}

function secrets(written: WrittenTarget): ExaminationFinding {
  const schemes = listReferences(written).map(({ scheme }) => scheme);
  const of = (scheme: string) => schemes.filter((one) => one === scheme).length;
  const parts = [
    [of('env'), 'from the environment'],
    [of('file'), 'from files'],
    [of('embedded'), 'from the embedded sandbox'],
  ] as const;
  const text = parts.filter(([count]) => count > 0).map(([count, where]) => `${count} ${where}`);
  return { mark: 'ok', line: 'references', text: text.length === 0 ? 'none' : `resolved: ${text.join(', ')}` };
}

function signature(signer: RunSigner | undefined): ExaminationFinding {
  if (signer === undefined)
    return { mark: 'note', line: 'signing', text: 'none: each run is signed with a key of its own, integrity only' };
  const { subject, validTo, fingerprint256 } = new X509Certificate(signer.certificate);
  const text = `${subject.replace(/\n/g, ', ')}, until ${validTo}, ${fingerprint256.slice(0, 11)}…`;
  return Date.parse(validTo) < Date.now()
    ? { mark: 'fail', line: 'signing', text, fix: 'the certificate has expired: have a new one made' }
    : { mark: 'ok', line: 'signing', text };
}

/** A cap that a run reaches before its end: what comes after is skipped. */
function overCap({ money }: RunForecast, { manners }: Target): ExaminationFinding | undefined {
  const { calls, total } = manners.money;
  if (money.calls <= calls && money.total <= total) return undefined;
  return {
    mark: 'note',
    line: 'manners.money',
    text: `a run makes about ${money.calls} calls that move money (${money.total} in all), and the cap is ${calls} (${total}): what comes after it is skipped`,
    fix: 'raise the cap, or select fewer rules with --rule',
  };
}

function latest(): Iterable<Line> {
  const folder = ['baseline', 'latest']
    .map((name) => join(REPORTS_FOLDER, name))
    .find((path) => existsSync(join(path, 'evidence.ndjson')));
  try {
    return folder === undefined ? [] : readJournal(folder);
  } catch {
    return [];
  }
}

function tell(forecast: RunForecast, { manners, control }: Target): string {
  const { rules, runs, skipped, calls, money, minutes, counted, outcome } = forecast;
  const lines = [`A run would check ${runs} of ${rules} rules.`];
  if (skipped.length > 0) lines.push('Skipped would be, for want of (and the lines that enable it):');
  for (const { rules: count, need, text } of skipped)
    lines.push(
      `  ${String(count).padStart(4)}  ${need.padEnd(24)}${text.replace('the target offers ', '').replace(' in the target file would enable it', '')}`,
    );
  const time = minutes < 1 ? 'less than a minute' : `about ${Math.ceil(minutes)} minutes`;
  lines.push(
    `It would make about ${calls} calls, ${money.calls} of them moving money (about ${money.total} in all; the cap is ${manners.money.calls} calls and ${manners.money.total}),`,
    `and take ${time} with one worker${counted ? '' : ' (counted by a run of the embedded sandbox, as no other is at hand)'}: each call as long as an answer took here,`,
    control.advance !== undefined
      ? 'and time is moved on; what a browser takes is not in it.'
      : outcome === undefined
        ? 'and payments taken to end at once (--try looks); what a browser and messages take is not in it.'
        : `and ${outcome.toFixed(1)} s from a payment to its end, as was seen; what a browser and messages take is not in it.`,
  );
  return lines.join('\n');
}

function tellTrial({ calls, spent, seconds, pace, polls }: TargetTrial): string {
  const ends = polls === undefined ? '' : `, ${polls.toFixed(1)} polls until a payment had ended`;
  return `Trying it took ${calls} calls in ${Math.ceil(seconds)} s, ${spent.calls} of them moving money (${spent.total.toFixed(2)} paid): ${Math.round(pace)} ms an answer${ends}.`;
}

function tellUnexamined(lines: readonly string[], tried: boolean): string {
  const needsTrial = !tried && lines.some((line) => /^control\.|\.cards\./.test(line));
  const sections = new Map<string, string[]>();
  for (const line of lines) {
    const at = line.lastIndexOf('.');
    const above = line.slice(0, Math.max(0, at));
    sections.set(above, [...(sections.get(above) ?? []), line.slice(at + 1)]);
  }
  const rows = [...sections].map(([above, names]) => `  ${[above, names.join(', ')].filter(Boolean).join(': ')}`);
  return [`Not looked at${needsTrial ? ' (--try calls cards and control actions)' : ''}:`, ...rows].join('\n');
}

/** Sections whose members are lines of their own; of any other section of a service the whole is one. */
const TAKEN_APART = /^(control|\w+\.(requestors|cards|wire|ibans)|\w+\.wire\.read)$/;
/** Lines that say something of the suite, or that are met by whatever is asked. */
const NOTHING_TO_LOOK_AT = /^(name|kind|variation|iKnowThisMovesMoney|manners|connection|signing)$/;

/** Lines of a target file that nothing was found out about. */
function listUnexamined(root: object, symptoms: readonly ExaminationFinding[]): string[] {
  const walk = (node: object, above: string): string[] =>
    Object.entries(node).flatMap(([key, value]) => {
      const line = above === '' ? key : `${above}.${key}`;
      const isService = above === '' && (API_NAMES as readonly string[]).includes(key);
      if (isService || TAKEN_APART.test(line)) return walk(value as object, line);
      const isMet = symptoms.some(({ line: met }) => met === line || met.startsWith(`${line}.`));
      return isMet || NOTHING_TO_LOOK_AT.test(line) ? [] : [line];
    });
  return walk(root, '');
}

function verdict(symptoms: readonly ExaminationFinding[]): string {
  const of = (mark: ExaminationFinding['mark']) => symptoms.filter((one) => one.mark === mark).length;
  const wrong = of('fail') + of('dead');
  if (wrong === 0) return of('note') === 0 ? 'Nothing is wrong.' : `Nothing is wrong; ${of('note')} noted.`;
  return `${wrong} wrong, ${of('note')} noted.`;
}
