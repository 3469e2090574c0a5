import { type FoundDifference, gatherChanges } from './classify/findings.ts';
import { compareOperations, describedOperations } from './classify/operations.ts';
import { compareRegister } from './classify/register.ts';
import { schemaComparison } from './classify/schema.ts';
import { type ComparisonScope, noteDifference } from './classify/scope.ts';
import { compareSchemes, openedBy } from './classify/security.ts';
import { compareServers } from './classify/servers.ts';
import { openSource } from './classify/source.ts';
import type { Description } from './read/description.ts';
import type { SpecChange } from './types.ts';

/**
 * Tells every difference between two OpenAPI 3 descriptions that a client could meet, each with what it means for a client:
 * narrowing breaks what a client sends, widening breaks what it receives, the other way round in webhooks and callbacks.
 * A difference in a shared component is one change with all its places of use.
 * @returns changes, most grave first; none for descriptions that say the same
 * @throws Trouble (usage) naming file and line: no OpenAPI 3, a reference that leads nowhere or out of the file, no schema where one must be
 */
export function classifyChanges(oldSpec: Description, newSpec: Description): SpecChange[] {
  const [old, now] = [openSource(oldSpec), openSource(newSpec)];
  const findings: FoundDifference[] = [];
  const scope: ComparisonScope = {
    old,
    new: now,
    compare: schemaComparison(old, now),
    event: false,
    within: new Set(),
    add: (finding) => void findings.push(finding),
  };
  const versions = [old.root.info?.version, now.root.info?.version].map(String) as [string, string];
  if (versions[0] !== versions[1]) {
    const text = `The description was version ${versions[0]} and is ${versions[1]}.`;
    noteDifference(scope, 'version-changed', { subject: 'version', place: 'version' }, text, versions, [
      '/info/version',
      '/info/version',
    ]);
  }
  compareServers(scope, ['', '']);
  compareOperations(scope, 'operation', ['/paths', '/paths']);
  compareOperations(scope, 'webhook', ['/webhooks', '/webhooks']);
  compareSchemes(scope, openedBy(old, describedOperations(old, '/paths', false)));
  compareRegister(scope);
  return gatherChanges(oldSpec, newSpec, findings);
}
