import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { listSuiteFiles, SUITE_FOLDER } from '#folders';

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

/** Reads {@link listSuiteFiles}, by path. Places of the specs are read from the contract. */
export async function readSuiteSources(): Promise<ReadonlyMap<string, SuiteSource>> {
  const { transform } = await import('esbuild');
  const doors = JSON.parse(readFileSync(join(SUITE_FOLDER, 'package.json'), 'utf8')).imports as Readonly<
    Record<string, string>
  >;
  const sources = await Promise.all(
    listSuiteFiles().map(async (path): Promise<SuiteSource> => {
      const text = readFileSync(join(SUITE_FOLDER, path), 'utf8');
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
