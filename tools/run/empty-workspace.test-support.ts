import { join } from 'node:path';
import { WAIVERS_FILE } from './waiver-file.ts';
import type { WorkspaceProfile } from './workspace-profile.ts';

/** A workspace that asks for nothing: no rules, gates or target of its own, no earlier run. @param folder where its reports would lie */
export function emptyWorkspace(folder: string): WorkspaceProfile {
  return {
    rules: [],
    target: undefined,
    workers: undefined,
    within: undefined,
    gates: {},
    waivers: WAIVERS_FILE,
    baseline: join(folder, 'baseline'),
    reports: join(folder, 'reports'),
  };
}
