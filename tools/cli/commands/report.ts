import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import {
  exitCode,
  findSiblingRuns,
  renderChatMessage,
  renderConclusion,
  SIGN_OFF_DECISIONS,
  type SignOff,
  signerFromEnvironment,
  writeHistory,
  writeReport,
  writeSignOff,
} from '#report';
import { authorityForTarget, closeRun, describeClosing, printPage, signerForTarget } from '#run';
import { parseTarget } from '#target';
import { EXIT_CODES, Trouble } from '#trouble';
import type { CliCommand, GivenArguments } from '../arguments.ts';

/** `assay report`: everything in a run folder, regenerated from its journal. */
export const reportCommand: CliCommand = {
  name: 'report',
  help: 'Writes the audit page and its companions anew from the journal of a run folder. Further folders are other runs: the page draws the trend over all of them. With --chat it says what is new, and exits 0.',
  positionals: ['DIR', 'OTHER...'],
  flags: {
    history: { help: 'draw the trend over all finished runs of the same target beside DIR' },
    sign: { help: 'sign what is there, as a run does at its end' },
    chat: {
      help: 'print the body of a chat webhook with new failures and expired waivers; nothing when there are none',
    },
    link: { value: 'URL', help: 'with --chat: where the page stands' },
    'sign-off': { value: 'NAME', help: 'note who decided about the run, today; takes --decision and --sign' },
    decision: { value: 'WORD', help: `what was decided: ${SIGN_OFF_DECISIONS.join(', ')}` },
    note: { value: 'TEXT', help: 'a word on the decision' },
    pdf: { help: 'print the page to DIR.pdf, by an installed browser' },
    summary: { help: 'with --pdf: only its first page, to DIR-summary.pdf' },
    target: { value: 'FILE', help: 'target file whose signing lines name the key; default: the environment' },
  },
  async run(given) {
    const [folder, ...named] = given.positional.map((one) => resolve(one)) as [string, ...string[]];
    const file = given.flag('target');
    if (file !== undefined && !given.has('sign'))
      throw new Trouble('usage', '--target says who signs', { fix: 'add --sign' });
    const signer = given.has('sign')
      ? file === undefined
        ? signerFromEnvironment()
        : await signerForTarget(parseTarget(resolve(file)))
      : undefined;
    if (given.has('summary') && !given.has('pdf'))
      throw new Trouble('usage', '--summary says what to print', { fix: 'add --pdf' });
    const signOff = readSignOffFlags(given);
    const others = given.has('history') ? [...findSiblingRuns(folder), ...named] : named;
    if (others.length > 0) writeHistory(folder, others);
    let run = writeReport(folder);
    if (given.has('chat')) {
      const message = renderChatMessage(run, given.flag('link'));
      if (message !== undefined) console.log(message);
      return EXIT_CODES.kept;
    }
    if (signOff !== undefined) {
      writeSignOff(folder, run.id, signOff);
      run = writeReport(folder);
    }
    console.log(renderConclusion(run, folder));
    if (given.has('sign')) {
      const authority = file === undefined ? undefined : await authorityForTarget(parseTarget(resolve(file)));
      console.log(await describeClosing(await closeRun(folder, run.id, signer, authority), signer !== undefined));
    }
    if (!given.has('sign') && others.length > 0 && existsSync(join(folder, 'SHA256SUMS')))
      console.error('assay: the trend is not covered by the signature that is there; sign anew with --sign');
    if (given.has('pdf')) {
      const file = `${folder}${given.has('summary') ? '-summary' : ''}.pdf`;
      await printPage(folder, file, given.has('summary'));
      console.log(file);
    }
    return exitCode(run);
  },
};

/** What a reviewer decided. @throws Trouble (usage) for half of it, or a decision that is none */
function readSignOffFlags(given: GivenArguments): SignOff | undefined {
  const [name, word, note] = [given.flag('sign-off'), given.flag('decision'), given.flag('note')];
  if (name === undefined && word === undefined && note === undefined) return undefined;
  const decision = SIGN_OFF_DECISIONS.find((one) => one === word);
  if (name === undefined || decision === undefined || !given.has('sign'))
    throw new Trouble('usage', 'a sign-off needs a name, a decision and a signature', {
      fix: `--sign-off NAME --decision WORD --sign; WORD is ${SIGN_OFF_DECISIONS.join(', ')}`,
    });
  return { name, date: new Date().toISOString().slice(0, 10), decision, ...(note === undefined ? {} : { note }) };
}
