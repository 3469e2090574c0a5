/**
 * @module cli
 * argv to one of the rooms below; no logic of its own. Nobody imports it.
 */
import { EXIT_CODES, suggestWord, Trouble } from '#trouble';
import { type CliCommand, programVersion, readArguments } from './arguments.ts';

/** Commands are loaded when called, so that `assay --help` does not pay for a browser driver. */
const COMMANDS: Readonly<Record<string, { help: string; load: () => Promise<CliCommand> }>> = {
  run: {
    help: 'check a target and write the audit page',
    load: async () => (await import('./commands/run.ts')).runCommand,
  },
  init: {
    help: 'write a target file to start from',
    load: async () => (await import('./commands/init.ts')).initCommand,
  },
  doctor: {
    help: 'examine a target file and what it names',
    load: async () => (await import('./commands/doctor.ts')).doctorCommand,
  },
  sandbox: {
    help: 'start both services for your own use',
    load: async () => (await import('./commands/sandbox.ts')).sandboxCommand,
  },
  judge: {
    help: "judge a client's recorded traffic",
    load: async () => (await import('./commands/judge.ts')).judgeCommand,
  },
  proxy: {
    help: 'stand between a client and a sandbox, and judge the client',
    load: async () => (await import('./commands/proxy.ts')).proxyCommand,
  },
  sign: {
    help: 'sign a request of your own, step by step',
    load: async () => (await import('./commands/sign.ts')).signCommand,
  },
  prove: {
    help: 'show that every check can fail',
    load: async () => (await import('./commands/prove.ts')).proveCommand,
  },
  rules: { help: 'list what is promised', load: async () => (await import('./commands/rules.ts')).rulesCommand },
  ledger: {
    help: 'account for every clause of the documents',
    load: async () => (await import('./commands/ledger.ts')).ledgerCommand,
  },
  lies: {
    help: 'list the lies the sandbox can tell',
    load: async () => (await import('./commands/lies.ts')).liesCommand,
  },
  explain: {
    help: 'everything about one rule',
    load: async () => (await import('./commands/explain.ts')).explainCommand,
  },
  describe: {
    help: 'write both services as OpenAPI for others',
    load: async () => (await import('./commands/describe.ts')).describeCommand,
  },
  report: {
    help: 'write the audit page of a run folder anew',
    load: async () => (await import('./commands/report.ts')).reportCommand,
  },
  export: {
    help: 'exchanges of a run as HAR, Postman collection or curl',
    load: async () => (await import('./commands/export.ts')).exportCommand,
  },
  merge: {
    help: 'make one run of the parts that several machines played',
    load: async () => (await import('./commands/merge.ts')).mergeCommand,
  },
  publish: {
    help: 'copy runs into a folder of static pages with an index',
    load: async () => (await import('./commands/publish.ts')).publishCommand,
  },
  watch: {
    help: 'compare what is published upstream with what is pinned here',
    load: async () => (await import('./commands/watch.ts')).watchCommand,
  },
  compare: {
    help: 'what changed from one run to another',
    load: async () => (await import('./commands/compare.ts')).compareCommand,
  },
  upgrade: {
    help: 'what an upstream change touches, and whether it is safe',
    load: async () => (await import('./commands/upgrade.ts')).upgradeCommand,
  },
  accept: {
    help: 'make a run the baseline',
    load: async () => (await import('./commands/accept.ts')).acceptCommand,
  },
  verify: {
    help: 'check signature and content of a run folder',
    load: async () => (await import('./commands/verify.ts')).verifyCommand,
  },
};

function overview(): string {
  const width = Math.max(...Object.keys(COMMANDS).map((name) => name.length));
  return [
    'assay: proves, with evidence, whether a payment API keeps the promises in its documents.',
    '',
    ...Object.entries(COMMANDS).map(([name, { help }]) => `  assay ${name.padEnd(width)}  ${help}`),
    '',
    'assay COMMAND --help says more. Exit codes: 0 all promises kept, 1 a promise broken, 2 usage or configuration,',
    '3 the run itself failed or is incomplete, 4 a check cannot fail, 5 upgrade not safe.',
  ].join('\n');
}

/**
 * Runs the program.
 * @param argv arguments after the program's name
 * @returns the documented exit code
 */
export async function runProgram(argv: readonly string[]): Promise<number> {
  try {
    const [name, ...rest] = argv[0] === 'help' && argv[1] !== undefined ? [argv[1], '--help'] : argv;
    if (name === '--version') {
      console.log(programVersion());
      return EXIT_CODES.kept;
    }
    if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
      console.log(overview());
      return name === undefined ? EXIT_CODES.usage : EXIT_CODES.kept;
    }
    const entry = COMMANDS[name];
    if (entry === undefined) {
      throw new Trouble('usage', `unknown command ${name}`, {
        fix: suggestWord(name, Object.keys(COMMANDS)) || 'assay --help lists them',
      });
    }
    const command = await entry.load();
    const given = readArguments(command, rest);
    if (typeof given === 'string') {
      console.log(given);
      return EXIT_CODES.kept;
    }
    return await command.run(given);
  } catch (error) {
    if (error instanceof Trouble) {
      console.error(error.toString());
      return EXIT_CODES[error.outcome];
    }
    // The program's outermost part says what a machine has run out of, and prints anything else.
    throw error;
  }
}
