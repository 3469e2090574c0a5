import { compareBaseStrings } from './compare-base-strings.ts';
import { compareBaseUris } from './compare-base-uris.ts';
import { compareBodies } from './compare-bodies.ts';
import { compareParameterStrings, type StepMismatch } from './compare-parameter-strings.ts';
import { DIFFERENCE_CAUSES, type DifferenceCause } from './difference-causes.ts';
import { percentEncode } from './percent-encode.ts';
import type { SigningRequest, SigningSteps, StepName } from './types.ts';

/** What the other side says about its own computation; the first three are the `context` of a -13. All of it is optional. */
export interface ReportedSteps {
  readonly baseUrl?: string | undefined;
  readonly paramString?: string | undefined;
  readonly signatureBaseString?: string | undefined;
  readonly bodyHash?: string | undefined;
  /** -13 or -19 as answered: with it there is always a difference to report. */
  readonly errorCode?: number | undefined;
}

/** The first step in which two sides part. `expected` and `actual` may hold a body hash: redact before writing them down. */
export interface SigningDifference {
  readonly step: StepName;
  readonly cause: DifferenceCause;
  /** Further mistakes that are needed to explain the same step in full. */
  readonly also: readonly DifferenceCause[];
  readonly why: string;
  readonly expected: string;
  readonly actual: string | undefined;
}

/**
 * Says in which step a signature went wrong first, and why: body hash, parameters, base URI, base string, signature, in the order
 * in which they are made (RFC 5849 section 3.4).
 * @param request gives the body, with which a changed body hash can be traced to what changed it
 * @returns undefined when nothing that is shown differs and no error code says otherwise
 */
export function localiseDifference(
  ours: SigningSteps,
  theirs: ReportedSteps,
  request?: Pick<SigningRequest, 'body'>,
): SigningDifference | undefined {
  const shown = completed(ours, theirs);
  const parting =
    ofBody(ours, shown, request) ??
    ofParameters(ours, shown) ??
    ofBaseUri(ours, shown) ??
    ofBaseString(ours, shown) ??
    ofRest(ours, theirs);
  return (
    parting && { ...parting, why: [parting.cause, ...parting.also].map((cause) => DIFFERENCE_CAUSES[cause]).join(' ') }
  );
}

type Found = Omit<StepMismatch, 'actual'> & { readonly actual: string | undefined };

function ofBody(
  ours: SigningSteps,
  theirs: ReportedSteps,
  request: Pick<SigningRequest, 'body'> | undefined,
): Found | undefined {
  const hash = theirs.bodyHash ?? (theirs.paramString === undefined ? undefined : hashIn(theirs.paramString));
  if ((hash === undefined || hash === ours.bodyHash) && theirs.errorCode !== -19) return undefined;
  const cause = hash === undefined || !request ? 'body-changed' : compareBodies(hash, request.body);
  return { step: 'bodyHash', cause, also: [], expected: ours.bodyHash, actual: hash };
}

function ofParameters(ours: SigningSteps, { paramString }: ReportedSteps): Found | undefined {
  return paramString === undefined || paramString === ours.parameterString
    ? undefined
    : compareParameterStrings(ours, paramString);
}

function ofBaseUri(ours: SigningSteps, { baseUrl }: ReportedSteps): Found | undefined {
  if (baseUrl === undefined || baseUrl === ours.baseUri) return undefined;
  const [cause, ...also] = compareBaseUris(ours.baseUri, baseUrl);
  return { step: 'baseUri', cause, also, expected: ours.baseUri, actual: baseUrl };
}

function ofBaseString(ours: SigningSteps, { signatureBaseString: theirs }: ReportedSteps): Found | undefined {
  return theirs === undefined || theirs === ours.baseString ? undefined : compareBaseStrings(ours.baseString, theirs);
}

function ofRest(ours: SigningSteps, theirs: ReportedSteps): Found | undefined {
  if (theirs.errorCode !== -13) return undefined;
  const silent = [theirs.baseUrl, theirs.paramString, theirs.signatureBaseString].every((part) => part === undefined);
  const cause = silent ? 'nothing-shown' : 'key-or-signature';
  return { step: 'signature', cause, also: [], expected: ours.signature, actual: undefined };
}

/** Fills in what the base string tells about parts that are not shown by themselves. */
function completed(ours: SigningSteps, theirs: ReportedSteps): ReportedSteps {
  const parts = theirs.signatureBaseString?.split('&');
  if (parts?.length !== 3) return theirs;
  return {
    ...theirs,
    baseUrl: theirs.baseUrl ?? taken(parts[1]!, ours.baseUri),
    paramString: theirs.paramString ?? taken(parts[2]!, ours.parameterString),
  };
}

function taken(part: string, ours: string): string {
  const once = decoded(part);
  // Encoded twice as a whole, the part itself is right and the base string is not.
  return once === percentEncode(ours) ? ours : once;
}

function hashIn(paramString: string): string | undefined {
  const found = /(?:^|&)oauth_body_hash=([^&]*)/.exec(paramString)?.[1];
  // However it was encoded, twice or with a plus sign lost: that is for the parameters to say.
  return found === undefined ? undefined : decoded(decoded(found)).replaceAll(' ', '+');
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
