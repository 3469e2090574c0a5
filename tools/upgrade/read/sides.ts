import { existsSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { API_NAMES, APIS, UNNAMED_API } from '#apis';
import type { Api, SpecFile } from '#contract';
import { Trouble } from '#trouble';
import { checkVersion, readDescription } from './description.ts';

const SPECS = APIS.map(({ spec }) => spec);

/** One service, described before and after. */
export interface SpecPair {
  readonly api: Api;
  readonly old: SpecFile;
  readonly new: SpecFile;
}

/** What was given to compare: services described on both sides, and those on one side only. */
export interface SpecSides {
  readonly pairs: readonly SpecPair[];
  readonly alone: readonly { readonly api: Api; readonly file: string; readonly side: 'from' | 'to' }[];
}

/**
 * Reads both sides: an OpenAPI file each, or a folder that holds `gateway.yaml` and `v1.yaml` or one of them.
 * @throws Trouble (usage) naming file and line: missing, not YAML or JSON, not OpenAPI 3; a folder without either; nothing in common
 */
export function readSides(from: string, to: string): SpecSides {
  const old = readSide(from, '--from');
  const now = readSide(to, '--to');
  const only = (list: readonly SpecFile[]) => (list.length === 1 ? list[0] : undefined);
  const single = [only(old), only(now)];
  // Two files of any name are two descriptions of one service.
  if (single[0] && single[1] && !isFolder(from) && !isFolder(to)) {
    const { api } = API_NAMES.includes(nameOf(single[0])!) ? single[0] : single[1];
    return { pairs: [{ api, old: single[0], new: single[1] }], alone: [] };
  }
  const pairs = old.flatMap((one) => {
    const other = now.find(({ api }) => api === one.api);
    return other ? [{ api: one.api, old: one, new: other }] : [];
  });
  if (pairs.length === 0)
    throw new Trouble('usage', 'the two sides describe different services', {
      place: { file: to },
      reason: `--from has ${names(old)}, --to has ${names(now)}`,
      fix: 'compare a file with a file, or folders that hold files of the same name',
    });
  const lacks = (list: readonly SpecFile[], side: 'from' | 'to') =>
    list.filter(({ api }) => !pairs.some((pair) => pair.api === api)).map(({ api, file }) => ({ api, file, side }));
  return { pairs, alone: [...lacks(old, 'from'), ...lacks(now, 'to')] };
}

function readSide(path: string, flag: string): SpecFile[] {
  if (!existsSync(path))
    throw new Trouble('usage', `${flag} cannot be read`, {
      place: { file: path },
      reason: 'there is no such file or folder',
      fix: `name an OpenAPI file, or a folder that holds ${SPECS.join(' or ')}`,
    });
  if (!isFolder(path)) return [read(guess(path), path)];
  const found = APIS.filter(({ spec }) => existsSync(join(path, spec)));
  if (found.length === 0)
    throw new Trouble('usage', `${flag} names a folder without descriptions`, {
      place: { file: path },
      reason: `it holds neither ${SPECS.join(' nor ')}`,
      fix: `name the file itself, or call it ${SPECS.join(' or ')}`,
    });
  return found.map(({ name, spec }) => read(name, join(path, spec)));
}

function read(api: Api, path: string): SpecFile {
  const spec = { api, ...readDescription(path) };
  checkVersion(spec);
  return spec;
}

const isFolder = (path: string) => statSync(path).isDirectory();
const names = (list: readonly SpecFile[]) => list.map(({ file }) => file).join(' and ');
const nameOf = ({ file }: SpecFile) => API_NAMES.find((api) => basename(file).startsWith(api));
const guess = (path: string): Api => API_NAMES.find((api) => basename(path).startsWith(api)) ?? UNNAMED_API;
