import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { APIS } from '#apis';
import type { Api } from '#contract';
import { SUITE_FOLDER } from '#folders';

const texts = new Map<Api, readonly { file: string; lines: readonly string[] }[]>();

/**
 * Where the checks of a service read a member of its answers by name: quoted, in a pointer, or, for names that are no everyday word, after
 * a dot.
 * @returns files and lines, from the root of the project
 */
export function linesReading(api: Api, name: string): readonly string[] {
  if (!texts.has(api))
    texts.set(
      api,
      APIS.filter(({ name }) => name === api).flatMap(({ testFolders }) => testFolders.flatMap(readFolder)),
    );
  const plain = name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const dot = /_|[a-z][A-Z]/.test(name) ? `|\\.${plain}\\b` : '';
  const wanted = new RegExp(`['"\`/]${plain}['"\`/]${dot}`);
  return texts
    .get(api)!
    .flatMap(({ file, lines }) => lines.flatMap((line, i) => (wanted.test(line) ? [`${file}:${i + 1}`] : [])));
}

function readFolder(folder: string): { file: string; lines: readonly string[] }[] {
  const at = join(SUITE_FOLDER, 'tests', folder);
  if (!existsSync(at)) return [];
  return readdirSync(at, { recursive: true, encoding: 'utf8' })
    .filter((file) => /(?<!\.d)\.[jt]s$/.test(file))
    .sort()
    .map((file) => ({ file: join('tests', folder, file), lines: readFileSync(join(at, file), 'utf8').split('\n') }));
}
