import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Api } from '#contract';
import { ROOT } from './play.ts';

/** Where the checks and fixtures of each service stand. */
const FOLDERS: Readonly<Record<Api, readonly string[]>> = {
  gateway: ['tests/gateway', 'tests/oauth'],
  v1: ['tests/v1'],
};
const texts = new Map<Api, readonly { file: string; lines: readonly string[] }[]>();

/**
 * Where the checks of a service read a member of its answers by name: quoted, in a pointer, or, for names that are no everyday word, after
 * a dot.
 * @returns files and lines, from the root of the project
 */
export function readersOf(api: Api, name: string): readonly string[] {
  if (!texts.has(api)) texts.set(api, FOLDERS[api].flatMap(read));
  const plain = name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const dot = /_|[a-z][A-Z]/.test(name) ? `|\\.${plain}\\b` : '';
  const wanted = new RegExp(`['"\`/]${plain}['"\`/]${dot}`);
  return texts
    .get(api)!
    .flatMap(({ file, lines }) => lines.flatMap((line, i) => (wanted.test(line) ? [`${file}:${i + 1}`] : [])));
}

function read(folder: string): { file: string; lines: readonly string[] }[] {
  const at = join(ROOT, folder);
  if (!existsSync(at)) return [];
  return readdirSync(at, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .sort()
    .map((name) => ({ file: join(folder, name), lines: readFileSync(join(at, name), 'utf8').split('\n') }));
}
