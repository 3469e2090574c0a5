import { writeFileSync } from 'node:fs';
import { type ExchangeLine, findLeaks, readJournal } from '#evidence';
import { renderCurl, renderHar, renderPostman } from '#report';
import { EXIT_CODES, Trouble } from '#trouble';
import { type CliCommand, type GivenArguments, programVersion } from '../arguments.ts';

const FORMS = ['har', 'postman', 'curl'] as const;

/** `assay export`: exchanges of a run in the form of other tools, redacted, to look at them there or to send to support. */
export const exportCommand: CliCommand = {
  name: 'export',
  help: 'Writes exchanges of a run folder as HAR, Postman collection or curl, redacted.',
  positionals: ['DIR'],
  flags: {
    har: { help: 'as HAR 1.2' },
    postman: { help: 'as a Postman collection 2.1' },
    curl: { help: 'as command lines' },
    exchange: { value: 'ID', repeatable: true, help: 'only these exchanges; default all' },
    out: { value: 'FILE', help: 'file to write; default the terminal' },
  },
  async run(given) {
    const form = readForm(given);
    const folder = given.positional[0]!;
    const wanted = given.flags('exchange');
    const all = readJournal(folder).filter((line): line is ExchangeLine => line.kind === 'exchange');
    const unknown = wanted.find((id) => !all.some((one) => one.id === id));
    if (unknown !== undefined)
      throw new Trouble('usage', `no exchange is called ${unknown}`, {
        place: { file: folder },
        fix: 'the page shows the id of each exchange',
      });
    const exchanges = wanted.length === 0 ? all : all.filter(({ id }) => wanted.includes(id));
    const text = render(form, exchanges, folder);
    const [leak] = findLeaks(folder, text);
    if (leak !== undefined)
      throw new Trouble('incomplete', 'the export is withheld: a secret would have been written', {
        place: { file: folder },
        reason: leak.kind,
        fix: 'report what kind of text came through',
      });
    const out = given.flag('out');
    if (out === undefined) process.stdout.write(text);
    else writeFileSync(out, text);
    return EXIT_CODES.kept;
  },
};

function readForm(given: GivenArguments): (typeof FORMS)[number] {
  const named = FORMS.filter((form) => given.has(form));
  if (named.length === 1) return named[0]!;
  throw new Trouble('usage', named.length === 0 ? 'export needs a form' : 'export takes one form at a time', {
    fix: 'one of --har, --postman and --curl',
  });
}

function render(form: (typeof FORMS)[number], exchanges: readonly ExchangeLine[], folder: string): string {
  if (form === 'har') return renderHar(exchanges, programVersion());
  if (form === 'postman') return renderPostman(exchanges, `Assay: ${folder}`);
  return exchanges.map(renderCurl).join('\n');
}
