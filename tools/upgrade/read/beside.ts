import { dirname, isAbsolute, join, relative, sep } from 'node:path';
import { appendPointer } from '#json-pointer';

type Fields = Record<string, unknown>;

/** Where, in a description, the files beside it are put that it refers to; extensions are looked into by reference only. */
export const BESIDE_KEY = 'x-beside';

/** Reads a file beside the description; @returns what it says */
type ReadBeside = (name: string, path: string) => unknown;

/**
 * Makes every reference one within the file: to an `$anchor` by its pointer, to another file by a pointer into {@link BESIDE_KEY}, where
 * that file is put. Only files in the folder of the description are taken in; other references stay, for whoever follows them to refuse.
 * @param root never changed; given back as it is when there is nothing to do
 * @param path of the description; without it no file is read
 */
export function gatherBeside(root: Fields, path: string | undefined, read: ReadBeside): Fields {
  if (!leavesOrAnchors(root)) return root;
  const folder = path === undefined ? undefined : dirname(path);
  const files = new Map<string, unknown>();
  const anchors = new Map<string, ReadonlyMap<string, string>>();
  const open: string[] = [];
  const anchorsOf = (name: string, value: unknown) => {
    const known = anchors.get(name) ?? findAnchors(value, name === '' ? '' : appendPointer(`/${BESIDE_KEY}`, name));
    anchors.set(name, known);
    return known;
  };
  /** Name of the file that a reference leads to, seen from the file it stands in; undefined when it is not to be taken in. */
  const nameOf = (file: string, from: string): string | undefined => {
    if (folder === undefined || /^[a-z][a-z0-9+.-]*:|^\//i.test(file) || /%(?![0-9a-f]{2})/i.test(file))
      return undefined;
    const at = relative(folder, join(folder, dirname(from), decodeURI(file)));
    return at.startsWith('..') || isAbsolute(at) ? undefined : at.split(sep).join('/');
  };
  const rewrite = (ref: string, from: string, own: unknown): string => {
    const [file, fragment = ''] = ref.split(/#(.*)/s) as [string, string?];
    const name = file === '' ? from : nameOf(file, from);
    if (name === undefined || (file === '' && from === '' && (fragment === '' || fragment.startsWith('/')))) return ref;
    // A file may refer to the description itself.
    const target = folder !== undefined && path !== undefined && name === relative(folder, path) ? '' : name;
    if (target !== '' && !files.has(target)) {
      files.set(target, read(target, join(folder!, target)));
      open.push(target);
    }
    const base = target === '' ? '' : appendPointer(`/${BESIDE_KEY}`, target);
    if (fragment === '' || fragment.startsWith('/')) return `#${base}${fragment}`;
    const anchored = anchorsOf(target, target === from ? own : target === '' ? root : files.get(target)).get(fragment);
    return anchored === undefined ? ref : `#${anchored}`;
  };
  const made = rewritten(root, '', rewrite);
  const taken: Fields = {};
  for (let name = open.pop(); name !== undefined; name = open.pop())
    taken[name] = rewritten(files.get(name), name, rewrite);
  if (files.size === 0) return made as Fields;
  return { ...(made as Fields), [BESIDE_KEY]: taken };
}

/** Whether any reference is not a pointer into its own file. */
function leavesOrAnchors(node: unknown): boolean {
  if (typeof node !== 'object' || node === null) return false;
  for (const key of Object.keys(node)) {
    const value = (node as Fields)[key];
    if (key === '$ref' && typeof value === 'string' ? !/^#(?:\/|$)/.test(value) : leavesOrAnchors(value)) return true;
  }
  return false;
}

/** A copy in which references are rewritten; what needs no rewriting is shared with the original. */
function rewritten(root: unknown, from: string, rewrite: (ref: string, from: string, own: unknown) => string): unknown {
  const done = new Map<object, unknown>();
  const walk = (node: unknown): unknown => {
    if (typeof node !== 'object' || node === null) return node;
    if (done.has(node)) return done.get(node);
    let made: unknown = node;
    for (const [key, value] of Object.entries(node)) {
      const next = key === '$ref' && typeof value === 'string' ? rewrite(value, from, root) : walk(value);
      if (next === value) continue;
      if (made === node) made = Array.isArray(node) ? [...node] : { ...node };
      (made as Fields)[key] = next;
    }
    done.set(node, made);
    return made;
  };
  return walk(root);
}

/** Pointers by `$anchor` (JSON Schema 2020-12 core, section 8.2.2). */
function findAnchors(root: unknown, base: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const seen = new Set<unknown>();
  const walk = (node: unknown, pointer: string) => {
    if (typeof node !== 'object' || node === null || seen.has(node)) return;
    seen.add(node);
    const { $anchor, $dynamicAnchor } = node as Fields;
    for (const name of [$anchor, $dynamicAnchor])
      if (typeof name === 'string' && !found.has(name)) found.set(name, pointer);
    for (const [key, value] of Object.entries(node)) walk(value, appendPointer(pointer, key));
  };
  walk(root, base);
  return found;
}
