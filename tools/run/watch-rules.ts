import { type ChildProcess, spawn } from 'node:child_process';
import { watch } from 'node:fs';
import { join } from 'node:path';
import { loadContract } from '#contract';
import { SUITE_FOLDER } from '#folders';
import { type RuleSeals, sealRules } from '#proof';
import { Trouble } from '#trouble';

/** What the proof of a rule can rest on. */
const FOLDERS = ['specs', 'tests', 'tools', 'targets'];
/** An editor saves in several steps: milliseconds without another one. */
const SETTLED = 60;
/** More rules than this are touched by an edit of what all rules share; proving them is not the work of a moment. */
const MOST = 12;

/**
 * Proves the rules that each edit of the suite touches: their checks honest, and under each of their lies. An edit meanwhile begins anew,
 * with the rules of both.
 * @returns when a signal asks for it
 */
export async function watchRules(): Promise<void> {
  let seals = await sealRules(loadContract());
  let open = new Set<string>();
  let proof: ChildProcess | undefined;
  let settling: NodeJS.Timeout | undefined;
  const prove = () => {
    const before = proof;
    const ids = [...open].sort();
    console.log(`\nassay: ${ids.join(', ')}`);
    const argv = ['prove', ...ids.flatMap((id) => ['--rule', id]), '--workers', '1'];
    const own = spawn(process.execPath, [join(SUITE_FOLDER, 'tools/cli/assay.mjs'), ...argv], { stdio: 'inherit' });
    proof = own;
    before?.kill('SIGTERM');
    own.once('close', (code) => {
      if (proof !== own) return;
      proof = undefined;
      // What is red is tried again with the next edit, whatever that touches.
      if (code === 0) open = new Set();
      console.log(code === 0 ? 'assay: proven' : `assay: red (${code}); the next edit tries it again`);
    });
  };
  const see = async () => {
    let now: RuleSeals;
    try {
      now = await sealRules(loadContract());
    } catch (error) {
      // A file that is half written, or wrong: the next edit may mend it.
      console.log(error instanceof Trouble ? error.toString() : (error as Error).message.split('\n')[0]);
      return;
    }
    const touched = [...now].flatMap(([id, seal]) => (seals.get(id) === seal ? [] : [id]));
    seals = now;
    if (touched.length > MOST) {
      console.log(`assay: ${touched.length} rules rest on this; npx assay prove --changed proves them`);
      return;
    }
    for (const id of touched) open.add(id);
    if (touched.length > 0) prove();
  };
  const watchers = FOLDERS.map((folder) =>
    watch(join(SUITE_FOLDER, folder), { recursive: true }, () => {
      clearTimeout(settling);
      settling = setTimeout(see, SETTLED);
    }),
  );
  console.log(`assay: watching ${FOLDERS.join(', ')}; Ctrl-C ends it`);
  await new Promise<void>((done) => {
    for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => done());
  });
  clearTimeout(settling);
  for (const one of watchers) one.close();
  proof?.kill('SIGTERM');
}
