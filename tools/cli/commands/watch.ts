import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, extname, join, resolve } from 'node:path';
import { REPORTS_FOLDER, SUITE_FOLDER } from '#folders';
import { EXIT_CODES, Trouble } from '#trouble';
import { fingerprintText, readDescription, UPGRADE_EXIT_CODES, type Upgrade, writeUpgrade } from '#upgrade';
import { judgeGivenUpgrade, listReasons } from '../answer-upgrade.ts';
import type { CliCommand, GivenArguments } from '../arguments.ts';
import { fetchPublished } from '../fetch-published.ts';

/** `assay watch`: what is published upstream against what is pinned here. */
export const watchCommand: CliCommand = {
  name: 'watch',
  help: 'Fetches a published description (OpenAPI) or document (Markdown), compares it with the copy that is pinned here, and ends as assay upgrade does: 0 safe, 5 needs work, 2 cannot tell; 3 when nothing usable came. The pinned file tells which it is: .md is a document.',
  positionals: [],
  flags: {
    url: { value: 'URL', required: true, help: 'where it is published' },
    pinned: { value: 'FILE', required: true, help: 'the copy in use; call it like the service it is about' },
    pin: { help: 'take what is published now as the copy in use, after the comparison; needed the first time' },
    run: { value: 'DIR', help: 'run folder: which exchanges met what changed' },
    decisions: { value: 'FILE', help: 'what was decided about changed clauses; default document-decisions.yaml' },
    out: { value: 'DIR', help: 'where page, JSON, Markdown, SARIF and what was fetched go; default reports/watch' },
    today: { value: 'YYYY-MM-DD', help: 'the day by which dates are judged; default today' },
    within: { value: 'SECONDS', help: 'how long fetching may take; default 60' },
  },
  async run(given) {
    const pinned = resolve(given.required('pinned'));
    const isDocument = extname(pinned) === '.md';
    if (!existsSync(pinned) && !given.has('pin'))
      throw new Trouble('usage', 'nothing is pinned there yet', {
        place: { file: given.required('pinned') },
        fix: 'add --pin to take what is published now',
      });
    const url = given.required('url');
    const text = await fetchPublished(url, { seconds: secondsOf(given) });
    const out = resolve(given.flag('out') ?? join(REPORTS_FOLDER, 'watch'));
    const fetched = join(out, 'published', basename(pinned));
    mkdirSync(dirname(fetched), { recursive: true });
    writeFileSync(fetched, text);
    demandKind(url, fetched, text, isDocument);
    if (!existsSync(pinned)) {
      pin(fetched, pinned);
      console.log(`pinned ${given.required('pinned')}: ${text.length} characters from ${url}`);
      return EXIT_CODES.kept;
    }
    const isSame = readFileSync(pinned, 'utf8') === text;
    const found = compare(given, isDocument, pinned, fetched);
    writeUpgrade(found, out, `npx assay watch --url ${url} --pinned ${given.required('pinned')}`);
    const change = changeOf(found);
    writeFileSync(
      join(out, 'watch.json'),
      `${JSON.stringify({ format: 'assay.watch/1', url, change: change ?? null, verdict: found.verdict }, null, 1)}\n`,
    );
    console.log(words(found, isSame, change, out));
    if (given.has('pin')) pin(fetched, pinned);
    return UPGRADE_EXIT_CODES[found.verdict];
  },
};

/** Descriptions are compared with each other; documents beside the suite's own descriptions, whose rules come from their clauses. */
function compare(given: GivenArguments, isDocument: boolean, pinned: string, fetched: string): Upgrade {
  const specs = join(SUITE_FOLDER, 'specs');
  return judgeGivenUpgrade(
    given,
    isDocument ? { from: specs, to: specs, documents: [pinned, fetched] } : { from: pinned, to: fetched },
  );
}

/** Refuses an answer that is no description or no document: a page of a proxy, an error in words, a login. */
function demandKind(url: string, file: string, text: string, isDocument: boolean): void {
  const refuse = (reason: string) =>
    new Trouble('incomplete', `what ${url} answers is no ${isDocument ? 'document' : 'description'}`, {
      reason,
      fix: 'open the address in a browser; name the address of the file itself',
    });
  if (text.trim() === '') throw refuse('it is empty');
  if (/^\s*<(?:!doctype|html)/i.test(text)) throw refuse('it is a web page');
  if (isDocument) {
    if (!/^#{1,6} /m.test(text)) throw refuse('it has no heading in Markdown');
    return;
  }
  try {
    const { root } = readDescription(file);
    if (typeof root.openapi !== 'string') throw refuse('it has no openapi version');
  } catch (error) {
    if (!(error instanceof Trouble) || error.outcome === 'incomplete') throw error;
    throw refuse(error.reason ?? error.message);
  }
}

/** Letters that stay as long as the change does: by them an issue is found that was opened for it. */
function changeOf({ changes, documents }: Upgrade): string | undefined {
  const parts = [
    ...changes.map(({ fingerprint }) => fingerprint),
    ...(documents?.changes ?? []).map(({ clause }) => clause),
  ];
  return parts.length === 0 ? undefined : fingerprintText([...new Set(parts)].sort().join(' '));
}

function words(found: Upgrade, isSame: boolean, change: string | undefined, out: string): string {
  return [
    ...listReasons(found),
    change === undefined
      ? `nothing changed${isSame ? '' : ' that says anything else; the bytes differ'}`
      : `change ${change}`,
    join(out, 'index.html'),
  ].join('\n');
}

function pin(fetched: string, pinned: string): void {
  mkdirSync(dirname(pinned), { recursive: true });
  copyFileSync(fetched, pinned);
}

function secondsOf(given: GivenArguments): number {
  const text = given.flag('within') ?? '60';
  if (!/^[1-9]\d{0,3}$/.test(text))
    throw new Trouble('usage', `--within ${text} is not a number of seconds`, { fix: '--within 60' });
  return Number(text);
}
