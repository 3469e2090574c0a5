import { type ComparisonScope, noteDifference } from './scope.ts';
import { isFields, listOf, type SpecSource } from './source.ts';

/** Compares the addresses written at one place: the root, a path or an operation. */
export function compareServers(scope: ComparisonScope, at: readonly [string, string]): void {
  const [a, b] = [addresses(scope.old, at[0]), addresses(scope.new, at[1])];
  // Without its own addresses a place has those above it; which is no address lost.
  if (at[0] !== '' && (a.size === 0 || b.size === 0) && a.size + b.size === 0) return;
  for (const [url, pointer] of a)
    if (!b.has(url))
      noteDifference(
        scope,
        'server-removed',
        { subject: url, place: 'server' },
        'The service is no longer at {}.',
        [url, undefined],
        [pointer, undefined],
      );
  for (const [url, pointer] of b)
    if (!a.has(url))
      noteDifference(
        scope,
        'server-added',
        { subject: url, place: 'server' },
        'The service is also at {}.',
        [undefined, url],
        [undefined, pointer],
      );
}

function addresses(source: SpecSource, pointer: string): Map<string, string> {
  return new Map(
    listOf(source.at(`${pointer}/servers`)).flatMap((server, i) => {
      if (!isFields(server)) return [];
      const variables = isFields(server.variables) ? server.variables : {};
      const url = String(server.url).replace(/\{([^}]*)\}/g, (whole, name) => {
        const variable = variables[name];
        return isFields(variable) ? String(variable.default) : whole;
      });
      return [[url.replace(/(.)\/$/, '$1'), `${pointer}/servers/${i}`] as const];
    }),
  );
}
