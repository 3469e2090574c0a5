import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { loadContract, SPEC_FILES } from '#contract';
import { Trouble } from '#trouble';

const V1 = readFileSync(SPEC_FILES.v1, 'utf8');

interface Broken {
  readonly what: string;
  /** The v1 spec with one thing broken in it. */
  readonly text: string;
  /** Text that stands on the line which must be named. */
  readonly line?: string;
  readonly says: RegExp;
}

/** The spec with one passage replaced; the passage must be there. */
function replaced(from: string | RegExp, to: string): string {
  const text = V1.replace(from, to);
  if (text === V1) throw new Error(`the spec no longer has ${from}`);
  return text;
}

const BROKEN: readonly Broken[] = [
  { what: 'an empty file', text: '', says: /the spec is empty/ },
  { what: 'a list instead of a mapping', text: '- 1\n', says: /not a mapping/ },
  { what: 'bad YAML', text: replaced('tags: [Authentication]', 'tags: [Authentication'), says: /not valid YAML/ },
  {
    what: 'a rule that is registered twice',
    text: replaced('- id: V1-GEN-02', '- id: V1-GEN-01 # again'),
    line: '# again',
    says: /rule V1-GEN-01 is registered twice/,
  },
  {
    what: 'a hole that is registered twice',
    text: replaced('- id: V1-HOLE-02', '- id: V1-HOLE-01'),
    says: /hole V1-HOLE-01 is registered twice/,
  },
  {
    what: 'a malformed id',
    text: replaced('- id: V1-GEN-02', '- id: V1-GEN-2'),
    line: '- id: V1-GEN-2\n',
    says: /malformed rule id V1-GEN-2[\s\S]*write it like/,
  },
  {
    what: 'an unknown area',
    text: replaced('- id: V1-GEN-02', '- id: V1-GNE-02'),
    line: '- id: V1-GNE-02',
    says: /V1-GNE-02 has an unknown area[\s\S]*did you mean V1-GEN/,
  },
  {
    what: 'an unknown level',
    text: replaced('level: must', 'level: shall'),
    line: 'level: shall',
    says: /has level shall/,
  },
  {
    what: 'an unknown need',
    text: replaced('needs: [v1.unprivileged]', 'needs: [v1.unpriviledged]'),
    line: 'needs: [v1.unpriviledged]',
    says: /unknown need v1.unpriviledged[\s\S]*did you mean v1.unprivileged/,
  },
  {
    what: 'an unknown key in a rule',
    text: replaced('    text: Every operation is served', '    txet: Every operation is served'),
    line: 'txet: Every',
    says: /unknown key txet[\s\S]*did you mean text/,
  },
  {
    what: 'a source without its hash',
    text: replaced(/(- id: V1-GEN-02[\s\S]*?source: \{ section: '').*? \}/, '$1 }'),
    says: /needs the SHA-256 of its clause/,
  },
  {
    what: 'a source in no known document',
    text: replaced(/(- id: V1-GEN-02[\s\S]*?source: \{ )/, '$1document: v2, '),
    line: 'document: v2',
    says: /unknown document v2/,
  },
  {
    what: 'an unresolved reference to a response',
    text: replaced("$ref: '#/components/responses/NotFound'", "$ref: '#/components/responses/NotFond'"),
    line: 'responses/NotFond',
    says: /unresolved reference #\/components\/responses\/NotFond/,
  },
  {
    what: 'an unresolved reference in a schema',
    text: replaced(
      "items: { $ref: '#/components/schemas/Transaction' }",
      "items: { $ref: '#/components/schemas/Transactoin' }",
    ),
    line: 'schemas/Transactoin',
    says: /unresolved reference #\/components\/schemas\/Transactoin/,
  },
  {
    what: 'a type that is none',
    text: replaced('schema: { type: string, format: date }', 'schema: { type: strin, format: date }'),
    line: 'type: strin,',
    says: /strin is no type; did you mean string/,
  },
  {
    what: 'a keyword that is none',
    text: replaced('maxLength: 140', 'maxLenght: 140'),
    line: 'maxLenght: 140',
    says: /unknown keyword maxLenght[\s\S]*did you mean maxLength/,
  },
  {
    what: 'a keyword with a value of the wrong form',
    text: replaced('maxLength: 140', 'maxLength: many'),
    line: 'maxLength: many',
    says: /maxLength of a schema: must be a whole number/,
  },
  {
    what: 'an operation id given twice',
    text: replaced('operationId: createTransaction', 'operationId: listTransactions'),
    says: /operation listTransactions is described twice/,
  },
  {
    what: 'an operation without its id',
    text: replaced('      operationId: getAuth\n', ''),
    says: /an operation needs its operationId/,
  },
  {
    what: 'an attribution to a rule that there is not',
    text: replaced('x-attributions: { media: V1-GEN-03', 'x-attributions: { media: V1-GEN-33'),
    line: 'x-attributions:',
    says: /no rule is called V1-GEN-33/,
  },
  {
    what: 'a reading with a single text for its readings',
    text: replaced(/( {2}- id: V1-READ-01[\s\S]*?readings: )\[.*\]/, '$1one'),
    line: 'readings: one',
    says: /readings must be a list/,
  },
  {
    what: 'a hole that observes in an unknown way',
    text: replaced('observe: fields', 'observe: feelings'),
    line: 'observe: feelings',
    says: /unknown observation feelings/,
  },
];

for (const { what, text, line, says } of BROKEN) {
  test(`${what} ends in one message that names file and line`, ({}, info) => {
    const file = info.outputPath('v1.yaml');
    writeFileSync(file, text);
    let caught: unknown;
    try {
      loadContract({ v1: file });
    } catch (error) {
      caught = error;
    }
    expect(caught).toBeInstanceOf(Trouble);
    const trouble = caught as Trouble;
    expect(trouble.outcome).toBe('usage');
    expect(trouble.toString()).toMatch(says);
    expect(trouble.toString()).toMatch(/^assay: \S*v1\.yaml:\d+: /);
    if (line !== undefined) expect(text.split('\n')[trouble.place!.line! - 1]).toContain(line.trim());
  });
}
