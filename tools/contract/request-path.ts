import type { DocumentedOperation } from './types.ts';

/** Regular expression over the request paths of an operation and of no other, whatever stands before them in the address. */
export function requestPathPattern(operations: Iterable<DocumentedOperation>, operation: DocumentedOperation): string {
  const fixed = [...operations]
    .filter((one) => one !== operation && one.api === operation.api && one.method === operation.method)
    .filter((one) => new RegExp(`${templatePattern(operation.path)}$`).test(one.path))
    .map(({ path }) => `(?!.*${templatePattern(path)}$)`);
  return `^${fixed.join('')}.*${templatePattern(operation.path)}$`;
}

function templatePattern(path: string): string {
  return path
    .split(/(\{[^}]*\})/)
    .map((part) => (part.startsWith('{') ? '[^/]+' : part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')))
    .join('');
}
