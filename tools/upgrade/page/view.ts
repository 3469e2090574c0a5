import { type Html, html } from '#report';
import type { JudgedChange, Upgrade } from '../result.ts';
import type { ChangeLevel, FindingWeight } from '../types.ts';

/** What every section draws from. */
export interface UpgradeView {
  readonly upgrade: Upgrade;
  /** Lines of each description by the name it is called by. */
  readonly sources: ReadonlyMap<string, readonly string[]>;
  /** The command that makes this page again. */
  readonly command: string;
}

/** What each level means, in the order of loudness, with the class it is coloured by and a sign of its own. */
export const LEVEL_MEANINGS: Readonly<
  Record<ChangeLevel | 'waived', { kind: string; sign: string; name: string; meaning: string }>
> = {
  breaking: { kind: 'fail', sign: '✕', name: 'breaking', meaning: 'a client that works stops working' },
  unclear: { kind: 'broken', sign: '?', name: 'cannot tell', meaning: 'neither structure nor search settles it' },
  risky: { kind: 'warn', sign: '!', name: 'risky', meaning: 'breaks clients that are written narrowly' },
  waived: { kind: 'waived', sign: '~', name: 'waived', meaning: 'accepted by a person for now' },
  note: { kind: 'skipped', sign: '–', name: 'note', meaning: 'worth a look, breaks nobody' },
  safe: { kind: 'pass', sign: '✓', name: 'safe', meaning: 'widens what may be sent, narrows what comes' },
};

const WEIGHTS: Readonly<Record<FindingWeight, ChangeLevel>> = { work: 'breaking', unknown: 'unclear', note: 'risky' };

/** A level as a small labelled mark. */
export function levelMark(level: ChangeLevel | 'waived'): Html {
  const { kind, sign, name } = LEVEL_MEANINGS[level];
  return html`<span class="mark ${kind}"><i aria-hidden="true">${sign}</i>${name}</span>`;
}

/** What a finding does to the verdict, as a mark. */
export function weightMark(weight: FindingWeight): Html {
  const { kind, sign } = LEVEL_MEANINGS[WEIGHTS[weight]];
  const name = { work: 'needs work', unknown: 'cannot tell', note: 'note' }[weight];
  return html`<span class="mark ${kind}"><i aria-hidden="true">${sign}</i>${name}</span>`;
}

/** The level that counts: a change that is waived is neither breaking nor risky for now. */
export function shownLevel({ level, waiver }: JudgedChange): ChangeLevel | 'waived' {
  return waiver?.state === 'in force' ? 'waived' : level;
}

/** A link to a change on this page. */
export function changeLink(fingerprint: string): Html {
  return html`<a class="id" href="#${fingerprint}">${fingerprint}</a>`;
}

/** A place in a file. */
export function placeText({ file, line }: { file: string; line?: number }): string {
  return line === undefined ? file : `${file}:${line}`;
}

/** Fingerprints of the changes that touch each rule. */
export function changesOfRules({ upgrade }: Pick<UpgradeView, 'upgrade'>): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const { fingerprint, level, impact } of upgrade.changes)
    if (level !== 'safe' && level !== 'note')
      for (const { id } of impact.rules) found.set(id, [...(found.get(id) ?? []), fingerprint]);
  return found;
}

/** Links to the first few changes. */
export function linkChanges(fingerprints: readonly string[]): Html {
  return html`${[...new Set(fingerprints)].slice(0, 3).map((one) => html`${changeLink(one)} `)}`;
}
