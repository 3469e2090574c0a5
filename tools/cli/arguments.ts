import { suggestWord, Trouble } from '#trouble';

/** A flag of a command: its value's name, or nothing when it takes none. */
export interface CommandFlag {
  readonly value?: string;
  readonly repeatable?: boolean;
  /** Takes two values, one after the other. */
  readonly pair?: boolean;
  readonly help: string;
}

/** One command of the program. */
export interface CliCommand {
  readonly name: string;
  /** How it is called, without the program's name. */
  readonly usage: string;
  readonly help: string;
  readonly flags: Readonly<Record<string, CommandFlag>>;
  /** Names of the positional arguments, the last one optional when it ends in `?`, any number of it when in `...`. */
  readonly positionals: readonly string[];
  /** @returns the exit code */
  run(given: GivenArguments): Promise<number>;
}

/** What was given to a command. */
export interface GivenArguments {
  readonly positional: readonly string[];
  /** Last value of a flag. */
  flag(name: string): string | undefined;
  /** All values of a flag. */
  flags(name: string): readonly string[];
  has(name: string): boolean;
  readonly argv: readonly string[];
}

/**
 * Reads the arguments of a command.
 * @throws Trouble (usage) for an unknown flag (with the nearest), a flag without its value, too many or too few arguments
 */
export function readArguments(command: CliCommand, argv: readonly string[]): GivenArguments {
  const known = { ...command.flags, help: { help: 'show this help' } } as Readonly<Record<string, CommandFlag>>;
  const values = new Map<string, string[]>();
  const positional: string[] = [];
  for (let i = 0; i < argv.length; i += 1) {
    const word = argv[i]!;
    if (!word.startsWith('--') || word === '--') {
      positional.push(word);
      continue;
    }
    const [name, inline] = word.slice(2).split(/=(.*)/s) as [string, string | undefined];
    const flag = known[name];
    if (flag === undefined) {
      const near = suggestWord(name, Object.keys(known));
      throw new Trouble('usage', `unknown flag --${name}`, {
        fix: near.replace('did you mean ', 'did you mean --') || `assay ${command.name} --help lists them`,
      });
    }
    if (flag.value === undefined) {
      if (inline !== undefined) throw new Trouble('usage', `--${name} takes no value`);
      values.set(name, ['']);
      continue;
    }
    if (values.has(name) && !flag.repeatable) throw new Trouble('usage', `--${name} is given twice`);
    const wanted = flag.pair ? 2 : 1;
    const given = inline === undefined ? argv.slice(i + 1, i + 1 + wanted) : [inline];
    if (given.length < wanted || (inline === undefined && given.some((value) => value.startsWith('--'))))
      throw new Trouble('usage', `--${name} needs ${flag.pair ? 'two values' : 'a value'}`, {
        fix: `--${name} ${flag.value}`,
      });
    if (inline === undefined) i += wanted;
    values.set(name, [...(values.get(name) ?? []), ...given]);
  }
  const least = command.positionals.filter((one) => !/\?$|\.\.\.$/.test(one)).length;
  const most = command.positionals.at(-1)?.endsWith('...') ? Number.POSITIVE_INFINITY : command.positionals.length;
  if (!values.has('help') && (positional.length < least || positional.length > most)) {
    throw new Trouble(
      'usage',
      positional.length < least
        ? `${command.name} needs ${command.positionals.join(' ')}`
        : `unexpected ${positional[command.positionals.length]}`,
      { fix: `assay ${command.usage}` },
    );
  }
  return {
    positional,
    argv,
    flag: (name) => values.get(name)?.at(-1),
    flags: (name) => values.get(name) ?? [],
    has: (name) => values.has(name),
  };
}

/** Help text of one command. */
export function commandHelp(command: CliCommand): string {
  const rows = Object.entries({ ...command.flags, help: { help: 'show this help' } } as Record<
    string,
    CommandFlag
  >).map(([name, flag]) => [`--${name}${flag.value ? ` ${flag.value}` : ''}`, flag.help] as const);
  const width = Math.max(...rows.map(([left]) => left.length));
  return [
    `assay ${command.usage}`,
    '',
    command.help,
    '',
    ...rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`),
  ].join('\n');
}
