import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { listFilesBelow, listSuiteFiles, SUITE_FOLDER } from '#folders';

/** One file of the suite, as far as a proof depends on it. */
export interface SuiteSource {
  /** From the root of the project. */
  readonly path: string;
  /** What it says without comments and layout; of a file that is no code, all of it. */
  readonly code: string;
  /** Files of the suite that it loads. */
  readonly loads: readonly string[];
}

const PLAIN = {
  format: 'esm',
  charset: 'utf8',
  legalComments: 'none',
  tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: true } },
} as const;

/** The text of {@link listSuiteFiles}, by path, sorted. Places of the specs are read from the contract. */
export function readSuiteTexts(): ReadonlyMap<string, string> {
  return new Map(listSuiteFiles().map((path) => [path, readFileSync(join(SUITE_FOLDER, path), 'utf8')]));
}

/** What else the seals of a suite come from: how they are made, and with which packages and doors. */
export function readSealingTexts(): readonly string[] {
  const own = listFilesBelow('tools/proof').filter((path) => !/\.test(-support)?\.ts$/.test(path));
  return ['package.json', 'package-lock.json', ...own.sort()].map((path) =>
    readFileSync(join(SUITE_FOLDER, path), 'utf8'),
  );
}

/** Reads what the texts of {@link readSuiteTexts} say, by path, sorted. */
export async function readSuiteSources(texts = readSuiteTexts()): Promise<ReadonlyMap<string, SuiteSource>> {
  const { transform } = await import('esbuild');
  const doors = JSON.parse(readFileSync(join(SUITE_FOLDER, 'package.json'), 'utf8')).imports as Readonly<
    Record<string, string>
  >;
  const sources = await Promise.all(
    [...texts].map(async ([path, text]): Promise<SuiteSource> => {
      if (!path.endsWith('.ts')) return { path, code: text, loads: [] };
      // Comments go with the white space alone; written anew after that, each statement has lines of its own.
      const bare = await transform(text, { ...PLAIN, loader: 'ts', minifyWhitespace: true });
      const { code } = await transform(bare.code, { ...PLAIN, loader: 'js' });
      const loads = [...code.matchAll(/\b(?:from|import)\s*\(?\s*"([^"]+)"/g)].flatMap(([, name]) => {
        const file = name!.startsWith('.') ? join(dirname(path), name!).split(sep).join('/') : doors[name!]?.slice(2);
        return file !== undefined && existsSync(join(SUITE_FOLDER, file)) ? [file] : [];
      });
      return { path, code, loads };
    }),
  );
  return new Map(sources.map((one) => [one.path, one]));
}

/** The statements of a file, one below the other, as its code was written anew: each begins in the first column. */
export function splitStatements(code: string): string[] {
  return code.split(/\n(?=[^\s)}\]])/);
}
