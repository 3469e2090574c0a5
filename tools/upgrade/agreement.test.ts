import { expect, test } from '@playwright/test';
import type { SpecFile } from '#contract';
import { equalCases, goldenCases } from './golden.ts';
import { BodySearcher } from './replay/search.ts';

const spec = (file: string, root: Record<string, unknown>): SpecFile => ({
  api: 'v1',
  file,
  text: '',
  sha256: file,
  root,
});

/** Bodies on which the two part. */
function parts({ old, new: now }: { old: Record<string, unknown>; new: Record<string, unknown> }) {
  const searcher = new BodySearcher({ api: 'v1', old: spec('old', old), new: spec('new', now) });
  return searcher.all({ seed: 1, bodies: 200 });
}

test('search finds nothing against the classifier: no body parts what is called safe, noted or equal', () => {
  test.slow();
  const quiet = goldenCases().filter(({ expected }) =>
    Object.values(expected).every((level) => level === 'safe' || level === 'note'),
  );
  expect(quiet.length).toBeGreaterThan(50);
  const against = [...quiet, ...equalCases()].flatMap((one) =>
    parts(one).flatMap(({ counterexample }) => (counterexample ? [`${one.name}: ${counterexample.body}`] : [])),
  );
  expect(against).toEqual([]);
});

test('search finds a body for every change that is called breaking and that a body can show', () => {
  test.slow();
  const loud = goldenCases().filter(({ expected }) => Object.values(expected).includes('breaking'));
  const searched = loud.map((one) => ({ name: one.name, found: parts(one) })).filter(({ found }) => found.length > 0);
  const missed = searched.filter(({ found }) => found.every(({ counterexample }) => counterexample === undefined));
  // What no body can show: how a text is encoded, what a field is for, which field tells alternatives apart.
  const invisible = /encoding|media type within|only written|told apart/;
  expect(missed.map(({ name }) => name).filter((name) => !invisible.test(name))).toEqual([]);
  expect(searched.length - missed.length).toBeGreaterThan(100);
});
