import type { Api, Contract, DocumentedOperation } from '#contract';

/** The operation that an address stands for. */
export interface RecognisedOperation {
  readonly operation: DocumentedOperation;
  /** Values of the path parameters, decoded. */
  readonly path: Readonly<Record<string, string>>;
  /** Whether the method is the documented one. */
  readonly isMethodRight: boolean;
}

interface Place {
  readonly operation: DocumentedOperation;
  readonly pattern: RegExp;
  readonly names: readonly string[];
}

const tables = new WeakMap<Contract, readonly Place[]>();

/**
 * The documented operation that a request is for, whatever the base address: by the end of its path, and by its method where one path
 * has several. Literal segments go before parameters.
 * @returns undefined for an address that no document speaks of
 */
export function recogniseOperation(contract: Contract, method: string, url: string): RecognisedOperation | undefined {
  const pathname = readPathname(url);
  const hits = placesOf(contract).flatMap(({ operation, pattern, names }) => {
    const found = pattern.exec(pathname);
    if (found === null) return [];
    const path = Object.fromEntries(names.map((name, i) => [name, decode(found[i + 1]!)]));
    return [{ operation, path, isMethodRight: operation.method === method.toUpperCase() }];
  });
  const literal = hits.filter(({ path }) => Object.keys(path).length === Object.keys(hits[0]!.path).length);
  return literal.find(({ isMethodRight }) => isMethodRight) ?? literal[0];
}

/** The service whose base address an address seems to lie below. */
export function guessApi(contract: Contract, url: string): Api | undefined {
  const first = placesOf(contract).find(({ operation }) => readPathname(url).includes(`/${segmentsOf(operation)[0]}/`));
  return first?.operation.api;
}

function placesOf(contract: Contract): readonly Place[] {
  const known = tables.get(contract);
  if (known !== undefined) return known;
  const places = [...contract.operations.values()].map((operation): Place => {
    const names = [...operation.path.matchAll(/\{([^}]+)\}/g)].map(([, name]) => name!);
    const source = operation.path.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{[^}]+\}/g, '([^/]+)');
    return { operation, pattern: new RegExp(`${source}$`), names };
  });
  places.sort((a, b) => a.names.length - b.names.length);
  tables.set(contract, places);
  return places;
}

function segmentsOf(operation: DocumentedOperation): string[] {
  return operation.path.split('/').filter(Boolean);
}

function readPathname(url: string): string {
  return url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '').replace(/[?#].*$/s, '');
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
