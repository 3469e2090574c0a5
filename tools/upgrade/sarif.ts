import { sep } from 'node:path';
import { shownLevel } from './page/view.ts';
import type { JudgedChange, Upgrade, UpgradeFinding } from './result.ts';
import type { ChangeLevel } from './types.ts';

const LEVELS: Readonly<Record<ChangeLevel, string>> = {
  breaking: 'error',
  unclear: 'warning',
  risky: 'warning',
  note: 'note',
  safe: 'none',
};
const WEIGHTS = { work: 'error', unknown: 'warning', note: 'note' } as const;

/** The answer in SARIF 2.1.0: a rule for each kind of change and finding, a result for each change and finding, with file and line. */
export function renderSarif(upgrade: Upgrade): string {
  const { changes, findings, specs } = upgrade;
  const kinds = [...new Set([...changes.map(({ id }) => id), ...findings.map(({ kind }) => kind)])].sort();
  const why = new Map<string, string>([
    ...changes.map((one) => [one.id, one.why] as const),
    ...findings.map((one) => [one.kind, one.advice] as const),
  ]);
  const fallback = specs[0]?.to.file ?? 'unknown';
  const result = (kind: string, more: object) => ({ ruleId: kind, ruleIndex: kinds.indexOf(kind), ...more });
  const log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'assay upgrade',
            rules: kinds.map((id) => ({
              id,
              name: id.replace(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase()),
              shortDescription: { text: sentence(id) },
              fullDescription: { text: why.get(id) ?? sentence(id) },
            })),
          },
        },
        results: [
          ...changes.map((one) => result(one.id, ofChange(one, fallback))),
          ...findings.map((one) => result(one.kind, ofFinding(one, fallback))),
        ],
      },
    ],
  };
  return `${JSON.stringify(log, undefined, 1)}\n`;
}

function ofChange(change: JudgedChange, fallback: string): object {
  const { waiver, fingerprint, text, why, old, level } = change;
  const spot = change.new ?? old ?? { file: fallback, line: 1 };
  const waived = shownLevel(change) === 'waived';
  return {
    level: LEVELS[level],
    ...(level === 'safe' ? { kind: 'informational' } : {}),
    message: { text: `${text} ${why}` },
    locations: [location(spot)],
    ...(old && change.new ? { relatedLocations: [{ id: 1, ...location(old), message: { text: 'before' } }] } : {}),
    partialFingerprints: { 'assayChange/v1': fingerprint },
    ...(waived
      ? {
          suppressions: [
            {
              kind: 'external',
              status: 'accepted',
              justification: `${waiver!.reason} (${waiver!.owner}, until ${waiver!.until})`,
            },
          ],
        }
      : {}),
  };
}

function ofFinding({ weight, text, advice, place }: UpgradeFinding, fallback: string): object {
  return {
    level: WEIGHTS[weight],
    message: { text: `${text}. ${advice}` },
    locations: [location(place ?? { file: fallback, line: 1 })],
  };
}

function location({ file, line = 1 }: { readonly file: string; readonly line?: number }): object {
  const uri = file.split(sep).map(encodeURIComponent).join('/');
  return { physicalLocation: { artifactLocation: { uri }, region: { startLine: line } } };
}

function sentence(id: string): string {
  const words = id.replaceAll('-', ' ');
  return `${words[0]!.toUpperCase()}${words.slice(1)}.`;
}
