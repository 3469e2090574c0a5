import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Contract } from '#contract';
import { nameFile, ownFiles } from '#folders';

/**
 * Seals the rules of a workspace: each with its promise, its lies, what the sandbox does for it, the checks that name it, and what lies
 * beside these; and with the suite, of which any change counts.
 * @param house seals of the suite's own rules
 */
export function sealOwnRules(
  contract: Contract,
  house: ReadonlyMap<string, string>,
): [id: string, content: unknown[]][] {
  const { own, rules } = contract;
  if (own.rules.size === 0) return [];
  const suite = [...house].filter(([id]) => !own.rules.has(id)).map(([id, seal]) => `${id} ${seal}`);
  const ground = createHash('sha256').update(suite.sort().join('\n')).digest('hex');
  const files = ownFiles()
    .map((path) => ({ name: nameFile(path), text: readFileSync(path, 'utf8') }))
    .filter(({ name }) => name.startsWith('checks/'));
  const isSpec = ({ name }: { name: string }) => /\.spec\.[cm]?[jt]s$/.test(name);
  return [...own.rules].map((id) => [
    id,
    [
      ground,
      rules.get(id),
      own.lies.filter(({ rule }) => rule === id),
      own.sandbox,
      files.filter((file) => !isSpec(file) || file.text.includes(id)),
    ],
  ]);
}
