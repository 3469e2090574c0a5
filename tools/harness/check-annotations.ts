import type { TargetNeed } from '#contract';
import type { CheckLine } from '#evidence';

/** What a check says about itself, as Playwright carries it. */
type Annotated = {
  readonly title: string;
  readonly annotations: readonly { readonly type: string; readonly description?: string | undefined }[];
};

/** What the annotations of a check say. */
export interface CheckAnnotations {
  /** The check's own title, without the lie that a proof tells beside it. */
  readonly title: string;
  readonly rules: readonly string[];
  readonly needs: readonly TargetNeed[];
  /** Test file from the root of the project, and line; absent for a test that claims no rule. */
  readonly file?: string;
  readonly line?: number;
  /** The lie that is told while it runs. */
  readonly lie?: string;
  /** Why it was skipped. */
  readonly skip?: string;
  readonly properties: NonNullable<CheckLine['properties']>;
}

/** What a check that failed in a run says of itself; Playwright takes it for one that was meant to, and goes on with its worker. */
export const CHECK_FAILED = 'the journal has what failed';

/** Everything that {@link readCheckAnnotations} reads, by kind. */
type AnnotationKind = 'rule' | 'need' | 'file' | 'line' | 'lie' | 'title' | 'property' | 'skip';

/** One annotation that {@link readCheckAnnotations} understands. */
export function annotateCheck(type: AnnotationKind, description: string): { type: string; description: string } {
  return { type, description };
}

/** Reads the annotations of a test: the one place that knows how a check's facts ride through Playwright. */
export function readCheckAnnotations({ title, annotations }: Annotated): CheckAnnotations {
  const all = (kind: AnnotationKind) =>
    annotations.filter(({ type }) => type === kind).map(({ description }) => description ?? '');
  const [own = title] = all('title');
  const [file] = all('file');
  const [line] = all('line');
  const [lie] = all('lie');
  const [skip] = all('skip');
  return {
    title: own,
    rules: all('rule'),
    needs: all('need') as TargetNeed[],
    ...(file === undefined ? {} : { file }),
    ...(line === undefined ? {} : { line: Number(line) }),
    ...(lie === undefined ? {} : { lie }),
    ...(skip === undefined ? {} : { skip }),
    properties: all('property').map((text) => JSON.parse(text) as CheckAnnotations['properties'][number]),
  };
}

/** Tried properties without secrets, whatever was drawn. */
export function redactProperties(
  properties: CheckAnnotations['properties'],
  redact: (text: string) => string,
): CheckAnnotations['properties'] {
  return properties.map(({ case: shrunk, example, ...one }) => ({
    ...one,
    ...(shrunk === undefined ? {} : { case: redact(shrunk) }),
    ...(example === undefined
      ? {}
      : {
          example: {
            case: redact(example.case),
            ...(example.steps && {
              steps: example.steps.map(({ name, value }) => ({ name, value: redact(value) })),
            }),
          },
        }),
  }));
}

/** A check as it stands in a proof while a lie is told: Playwright wants every title once, so the lie is part of that one alone. */
export function annotateLie(
  title: string,
  lie: string,
): { title: string; annotations: { type: string; description: string }[] } {
  return { title: `${title} [${lie}]`, annotations: [annotateCheck('lie', lie), annotateCheck('title', title)] };
}
