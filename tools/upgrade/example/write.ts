import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseDocument } from 'yaml';

const SPEC = new URL('../../../specs/v1.yaml', import.meta.url);
const SCHEMAS = ['components', 'schemas'];

/** What the next version of v1 might announce; one sentence of it has nothing behind it. */
const CHANGELOG = `# 1.1.0

- The field \`aml_status\` is gone from transactions.
- \`createTransaction\` now needs a \`purpose\` in its body.
- A transaction may have the new status \`held\`.
- \`listDocuments\` takes a new parameter \`archived\`.
`;

/**
 * Writes the worked example: the description of v1 as it stands, with a field removed, a new required field, a new transaction status and
 * a widened error code, and a changelog that says most of it.
 * @param folder made when missing
 * @throws Error when the description no longer has what is to be edited
 */
export function writeExample(folder: string): { spec: string; changelog: string } {
  const document = parseDocument(readFileSync(SPEC, 'utf8'));
  const edit = (path: readonly string[], change: (value: unknown) => unknown) => {
    if (!document.hasIn(path)) throw new Error(`the example needs ${path.join('/')} in specs/v1.yaml`);
    const before = document.getIn(path, false);
    const plain = (before as { toJSON?: () => unknown })?.toJSON?.() ?? before;
    const after = change(plain);
    if (after === undefined) document.deleteIn(path);
    else document.setIn(path, document.createNode(after, { flow: true }));
  };
  edit(['info', 'version'], () => '1.1.0');
  edit([...SCHEMAS, 'Transaction', 'properties', 'aml_status'], () => undefined);
  edit([...SCHEMAS, 'TransactionCreate', 'required'], (names) => [...(names as string[]), 'purpose']);
  document.setIn(
    [...SCHEMAS, 'TransactionCreate', 'properties', 'purpose'],
    document.createNode({ type: 'string', minLength: 1, maxLength: 35, description: 'What the transfer is for.' }),
  );
  edit([...SCHEMAS, 'Transaction', 'properties', 'status', 'x-open'], (names) => [...(names as string[]), 'held']);
  const message = ['components', 'responses', 'Unauthorized', 'content', 'application/json', 'schema', 'allOf', '1'];
  edit([...message, 'properties', 'message', 'const'], () => undefined);
  document.setIn([...message, 'properties', 'message', 'enum'], ['UNAUTHORIZED', 'TOKEN_EXPIRED']);
  mkdirSync(folder, { recursive: true });
  const written = { spec: join(folder, 'v1.yaml'), changelog: join(folder, 'changelog.md') };
  writeFileSync(written.spec, document.toString({ lineWidth: 0 }));
  writeFileSync(written.changelog, CHANGELOG);
  return written;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const { spec, changelog } = writeExample(process.argv[2] ?? 'example');
  console.log(`${spec}\n${changelog}`);
}
