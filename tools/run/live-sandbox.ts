import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseDocument, visit } from 'yaml';
import { SUITE_FOLDER } from '#folders';
import { embeddedLookup } from '#harness';
import { startSandbox } from '#sandbox';
import { EMBEDDED_TARGET, parseTarget, resolveTarget } from '#target';
import { startOtherTraffic } from './other-traffic.ts';
import { openSlowFront, type SlowFront } from './slow-front.ts';

/** Target files by how much is known of a sandbox. */
const FILES = { minimal: join(SUITE_FOLDER, 'targets/minimal.yaml'), full: EMBEDDED_TARGET } as const;
/** Milliseconds between two requests of colleagues, at least. */
const PAUSE = 500;

/** A sandbox as others have theirs. */
export interface LiveSandbox {
  /** Text of its target file, a sandbox's like any other. */
  readonly target: string;
  /** What the target file refers to. */
  readonly env: Readonly<Record<string, string>>;
  /** Requests of colleagues that were answered. */
  readonly foreign: () => number;
  close(): Promise<void>;
}

/**
 * Opens a sandbox that is far away and in use by colleagues: it answers after a quarter of `longest` to `longest` milliseconds.
 * @param known `minimal`: next to nothing is known of it, it has no control address and no way for callbacks; `full`: all that a target
 *   file can say
 */
export async function openLiveSandbox(
  seed: number,
  longest: number,
  known: keyof typeof FILES = 'minimal',
): Promise<LiveSandbox> {
  const sandbox = await startSandbox({ seed: String(seed), control: known === 'full' });
  const lookup = embeddedLookup(sandbox);
  const resolved = resolveTarget(parseTarget(FILES[known]), { embedded: lookup });
  const fronts: SlowFront[] = [];
  const env: Record<string, string> = {};
  const delay = () => longest * (0.25 + 0.75 * Math.random());
  const file = parseDocument(readFileSync(FILES[known], 'utf8'));
  file.set('name', `live-like sandbox, answers after ${longest / 4} to ${longest} ms`);
  file.set('kind', 'sandbox');
  if (known === 'full') file.setIn(['control', 'advance', 'moves'], ['records', 'deliveries', 'limits']);
  const names = new Map<string, { readonly name: string; readonly path: string }>();
  const opened = new Map<string, string>();
  visit(file, {
    Scalar(_key, node) {
      const [, name, path = ''] = /^embedded:([^/]+)(\/.*)?$/.exec(String(node.value)) ?? [];
      if (name === undefined) return;
      const variable = `ASSAY_LIVE_${(name + path).replace(/\W/g, '_').toUpperCase()}`;
      names.set(variable, { name, path });
      node.value = `env:${variable}`;
    },
  });
  for (const [variable, { name, path }] of names) {
    const value = String(lookup(name));
    if (/^https?:/.test(value) && !opened.has(name)) {
      const front = await openSlowFront(value, delay);
      fronts.push(front);
      opened.set(name, front.address);
    }
    env[variable] = (opened.get(name) ?? value) + path;
  }
  const traffic = startOtherTraffic(resolved, () => PAUSE * (1 + Math.random()));
  return {
    target: file.toString({ lineWidth: 0 }),
    env,
    foreign: () => traffic.answered,
    async close() {
      await traffic.stop();
      for (const front of fronts) await front.close();
      await sandbox.close();
    },
  };
}
