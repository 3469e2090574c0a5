import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { SUITE_FOLDER } from '#folders';

const SPEC = /\.spec\.[jt]s$/;

/**
 * Files of checks in which one of the rules is named, or in what they load among the checks: no other check can claim it.
 * @param ids of rules
 * @returns their paths from the root of the project, without what the name of a file ends with
 */
export function filesNaming(ids: readonly string[]): string[] {
  const named = new RegExp(`\\b(?:${ids.join('|')})(?![0-9])`);
  const texts = new Map<string, string>();
  const textOf = (file: string): string => {
    const known = texts.get(file);
    if (known !== undefined) return known;
    texts.set(file, '');
    const text = readFileSync(file, 'utf8');
    const loaded = [...text.matchAll(/\bfrom ['"](\.[^'"]+)['"]/g)].map((match) => join(dirname(file), match[1]!));
    const whole = [text, ...loaded.filter((one) => existsSync(one)).map(textOf)].join('\n');
    texts.set(file, whole);
    return whole;
  };
  const specs = readdirSync(join(SUITE_FOLDER, 'tests'), { recursive: true, encoding: 'utf8' }).filter((one) =>
    SPEC.test(one),
  );
  return specs
    .filter((one) => named.test(textOf(join(SUITE_FOLDER, 'tests', one))))
    .map((one) => `tests/${one.replaceAll('\\', '/').replace(SPEC, '.spec.')}`);
}
