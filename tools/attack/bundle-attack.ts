import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { signRun, verifyRun } from '#report';
import { Trouble } from '#trouble';
import type { AttackTry } from './attack-tally.ts';

const MIB = 1024 * 1024;
const GIB = 1024 * MIB;

type Change = (folder: string) => void;

/** Changes that a signature must not survive, by every file of a run folder; `signed` ones are sealed anew by somebody else. */
export function bundleTries(sealed: string, fingerprint: string): AttackTry[] {
  const names = readdirSync(sealed).sort();
  const changes: [string, Change][] = names.flatMap((name): [string, Change][] => [
    ...[0, 0.1, 0.25, 0.5, 0.75, 0.9].map((share): [string, Change] => [
      `${name} with a bit changed at ${share * 100} %`,
      (folder) => {
        const bytes = readFileSync(join(folder, name));
        bytes[Math.floor((bytes.length - 1) * share)]! ^= 1;
        writeFileSync(join(folder, name), bytes);
      },
    ]),
    [`${name} without its last byte`, (folder) => truncateSync(join(folder, name), sizeOf(folder, name) - 1)],
    [`${name} empty`, (folder) => truncateSync(join(folder, name), 0)],
    [`${name} with a line more`, (folder) => appendFileSync(join(folder, name), '\n')],
    [`${name} missing`, (folder) => rmSync(join(folder, name))],
    [`${name} of three gigabytes`, (folder) => truncateSync(join(folder, name), 3 * GIB)],
    [
      `${name} signed anew with a bit changed`,
      (folder) =>
        sealAnew(folder, () => {
          const bytes = readFileSync(join(folder, name));
          bytes[Math.floor(bytes.length / 2)]! ^= 1;
          writeFileSync(join(folder, name), bytes);
        }),
    ],
  ]);
  const added = [
    'notes.txt',
    'SHA256SUMS-p7s',
    'SHA256SUMS.old',
    '.hidden',
    'a b',
    'x\u001b[31m',
    '-rf',
    'SHA256SUMS.p7s.bak',
  ];
  for (const name of added)
    changes.push([`a file ${JSON.stringify(name)} added`, (folder) => writeFileSync(join(folder, name), 'x')]);
  changes.push(
    [
      'a pipe in the place of the journal',
      (folder) => {
        rmSync(join(folder, 'evidence.ndjson'));
        spawnSync('mkfifo', [join(folder, 'evidence.ndjson')]);
      },
    ],
    [
      'a link to a device in the place of the page',
      (folder) => {
        rmSync(join(folder, 'index.html'));
        symlinkSync('/dev/zero', join(folder, 'index.html'));
      },
    ],
    [
      'a folder in the place of the sums',
      (folder) => {
        rmSync(join(folder, 'SHA256SUMS'));
        mkdirSync(join(folder, 'SHA256SUMS'));
      },
    ],
    [
      'two files exchanged',
      (folder) => {
        const [one, other] = ['junit.xml', 'summary.md'].map((name) => join(folder, name)) as [string, string];
        const first = readFileSync(one);
        copyFileSync(other, one);
        writeFileSync(other, first);
      },
    ],
    ['sums with a line twice', (folder) => changeSums(folder, (lines) => [lines[0]!, ...lines])],
    ['sums in another order', (folder) => changeSums(folder, (lines) => [...lines].reverse())],
    ['sums in capitals', (folder) => changeSums(folder, (lines) => lines.map((line) => line.toUpperCase()))],
    ['sums that name a file above', (folder) => changeSums(folder, (lines) => [...lines, `${'0'.repeat(64)}  ../x`])],
    ['a million sums', (folder) => changeSums(folder, (lines) => Array(1_000_000).fill(lines[0]!))],
    [
      'sums without an end of line',
      (folder) => truncateSync(join(folder, 'SHA256SUMS'), sizeOf(folder, 'SHA256SUMS') - 1),
    ],
    ['a link added', (folder) => symlinkSync('/etc/hostname', join(folder, 'link'))],
    [
      'a thousand files added',
      (folder) => {
        for (let i = 0; i < 1000; i += 1) writeFileSync(join(folder, `f${i}`), '');
      },
    ],
    [
      'three gigabytes added',
      (folder) => {
        writeFileSync(join(folder, 'large'), '');
        truncateSync(join(folder, 'large'), 3 * GIB);
      },
    ],
    [
      'a long line, signed anew',
      (folder) =>
        sealAnew(folder, () => appendFileSync(join(folder, 'evidence.ndjson'), `"${'='.repeat(32 * MIB)}"\n`)),
    ],
    [
      'a million lines, signed anew',
      (folder) =>
        sealAnew(folder, () => appendFileSync(join(folder, 'evidence.ndjson'), '{"kind":"x"}\n'.repeat(1_000_000))),
    ],
    [
      'backslashes, signed anew',
      (folder) => sealAnew(folder, () => appendFileSync(join(folder, 'evidence.ndjson'), `"=${'\\\\'.repeat(MIB)}"\n`)),
    ],
    [
      'a picture that is a text, signed anew',
      (folder) => sealAnew(folder, () => writeFileSync(join(folder, 'picture-0.png'), '4929939187355598\n')),
    ],
    [
      'a text that the journal calls a picture, signed anew',
      (folder) =>
        sealAnew(folder, () => {
          const png = Buffer.from('4929939187355598').toString('base64');
          const line = { kind: 'picture', check: 'c0000001', exchange: 'c0000001.1', page: 'x', sha256: '0', png };
          appendFileSync(join(folder, 'evidence.ndjson'), `${JSON.stringify(line)}\n`);
        }),
    ],
    [
      'deep brackets, signed anew',
      (folder) => sealAnew(folder, () => appendFileSync(join(folder, 'evidence.ndjson'), `${'['.repeat(MIB)}\n`)),
    ],
  );
  return changes.map(([name, change]) => ({ name, run: () => verifyChanged(sealed, fingerprint, change) }));
}

/** Writes other lines into the sums; the signature over them stays what it was. */
function changeSums(folder: string, change: (lines: string[]) => string[]): void {
  const file = join(folder, 'SHA256SUMS');
  writeFileSync(file, `${change(readFileSync(file, 'utf8').trimEnd().split('\n')).join('\n')}\n`);
}

function sizeOf(folder: string, name: string): number {
  return statSync(join(folder, name)).size;
}

/** Makes the change and signs the folder with a key of nobody's. */
function sealAnew(folder: string, change: () => void): void {
  change();
  const { id } = JSON.parse(readFileSync(join(folder, 'evidence.ndjson'), 'utf8').split('\n')[0]!) as { id: string };
  signRun(folder, id);
}

/** @returns what got through: a changed folder that verifies, or an error that is none of ours */
function verifyChanged(sealed: string, fingerprint: string, change: Change): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'assay-bundle-'));
  try {
    cpSync(sealed, folder, { recursive: true });
    try {
      change(folder);
    } catch {
      // Nobody could sign this: it stays unsigned, or with a signature over something else.
    }
    return verifyRun(folder, { fingerprint }).findings.length > 0 ? undefined : 'verified';
  } catch (error) {
    return error instanceof Trouble ? undefined : `raised ${String(error).split('\n')[0]}`;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
