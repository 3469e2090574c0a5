import { createRequire } from 'node:module';
import type { RunLine } from '#evidence';
import { pointerTokens } from '#json-pointer';
import type { HoleResult, RunResult } from './types.ts';

/**
 * OpenAPI Overlay 1.0 of what was learned in the holes: at each hole's place an `x-learned` entry, for a person to accept.
 * @returns the overlay, or undefined when nothing was learned: an overlay needs at least one action
 */
export function renderOverlay(run: RunResult, register: RunLine['register']): string | undefined {
  const learned = run.holes.filter((hole) => hole.learned.length > 0);
  if (learned.length === 0) return undefined;
  const document = {
    overlay: '1.0.0',
    info: { title: `Learned from ${run.target.name} (${run.target.kind})`, version: run.id },
    actions: learned.map((hole) => action(hole, run, register)),
  };
  const { stringify } = createRequire(import.meta.url)('yaml') as typeof import('yaml');
  return stringify(document, { lineWidth: 0, compat: 'yaml-1.1' });
}

function action(hole: HoleResult, run: RunResult, register: RunLine['register']) {
  const spec = run.specs.find(({ api }) => api === hole.api);
  return {
    target: place(hole, register),
    description: `${hole.id}: ${hole.unknown}${spec ? ` Applies to ${spec.file}.` : ''}`,
    update: {
      'x-learned': {
        [hole.id]: hole.learned.map(({ where, what, times, exchange }) => ({ where, what, times, exchange })),
      },
    },
  };
}

/** The hole's own place as JSONPath; a hole among shared components is named at its operation, which only one spec has. */
function place({ id, at }: HoleResult, register: RunLine['register']): string {
  const hole = register.holes.find((one) => one.id === id);
  const sight = hole?.where.find(({ operation }) => operation !== undefined && operation !== '*');
  const operation = register.operations.find((one) => one.id === sight?.operation);
  const own = pointerTokens(at);
  const path =
    own[0] === 'paths' || own[0] === 'webhooks' || operation === undefined
      ? own
      : ['paths', operation.path, operation.method.toLowerCase()];
  return `$${path.map((token) => (/^\d+$/.test(token) ? `[${token}]` : `['${token.replace(/\\/g, '\\\\').replace(/'/g, "\\'")}']`)).join('')}`;
}
