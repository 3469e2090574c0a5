import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseDocument, visit } from 'yaml';
import { SUITE_FOLDER } from '#folders';
import { embeddedLookup } from '#harness';
import { startSandbox } from '#sandbox';
import { parseTarget, resolveTarget } from '#target';
import { startOtherTraffic } from './other-traffic.ts';
import { openSlowFront, type SlowFront } from './slow-front.ts';

const MINIMAL = join(SUITE_FOLDER, 'targets/minimal.yaml');
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
 * Opens a sandbox that is far away, in use by colleagues, and of which the least is known: no control address, no callbacks, answers
 * after a quarter of `longest` to `longest` milliseconds.
 */
export async function openLiveSandbox(seed: number, longest: number): Promise<LiveSandbox> {
  const sandbox = await startSandbox({ seed: String(seed) });
  const lookup = embeddedLookup(sandbox);
  const resolved = resolveTarget(parseTarget(MINIMAL), { embedded: lookup });
  const fronts: SlowFront[] = [];
  const env: Record<string, string> = {};
  const delay = () => longest * (0.25 + 0.75 * Math.random());
  const file = parseDocument(readFileSync(MINIMAL, 'utf8'));
  file.set('name', `live-like sandbox, answers after ${longest / 4} to ${longest} ms`);
  file.set('kind', 'sandbox');
  const names = new Map<string, string>();
  visit(file, {
    Scalar(_key, node) {
      const name = /^embedded:(.+)$/.exec(String(node.value))?.[1];
      if (name === undefined) return;
      const variable = `ASSAY_LIVE_${name.replace(/\W/g, '_').toUpperCase()}`;
      names.set(variable, name);
      node.value = `env:${variable}`;
    },
  });
  for (const [variable, name] of names) {
    const value = String(lookup(name));
    if (!/^https?:/.test(value)) env[variable] = value;
    else {
      const front = await openSlowFront(value, delay);
      fronts.push(front);
      env[variable] = front.address;
    }
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
