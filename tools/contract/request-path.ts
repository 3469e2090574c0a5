import type { DocumentedOperation } from './types.ts';

/** Regular expression over the request paths of an operation and of no other, whatever stands before them in the address. */
export function requestPathPattern(operations: Iterable<DocumentedOperation>, operation: DocumentedOperation): string {
  const all = [...operations];
  const fixed = all
    .filter((one) => one !== operation && one.api === operation.api && one.method === operation.method)
    .filter((one) => new RegExp(`${templatePattern(operation.path)}$`).test(one.path))
    .map(({ path }) => `(?!.*${templatePattern(path)}$)`);
  const goesOn = all.some(({ api, path }) => api === operation.api && path.startsWith(`${operation.path}/`));
  // Where a document does not show a whole path, what it leaves out comes behind what it shows.
  return `^${fixed.join('')}.*${templatePattern(operation.path)}${goesOn ? '' : '(?:/[^/]+)?'}$`;
}

function templatePattern(path: string): string {
  return path
    .split(/(\{[^}]*\})/)
    .map((part) => (part.startsWith('{') ? '[^/]+' : part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')))
    .join('');
}
