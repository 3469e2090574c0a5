import type { ActiveLies } from '../../decision.ts';
import { decideMixUp, type Rush } from '../../rush.ts';
import type { ApiUser } from './api-users.ts';
import { turnAway } from './user-access.ts';

/** Something of the first user that goes on. */
const OF_THE_FIRST = 'request of the first user';

/** How long the first user's requests go on in which others are taken for that user: by who they are. */
const mixUps = {
  nobody: decideMixUp('V1-AUT-02', 'v1-missing-token-accepted-beside-a-valid-one'),
  unknown: decideMixUp('V1-AUT-03', 'v1-wrong-token-accepted-beside-a-valid-one'),
  another: decideMixUp('V1-AUT-04', 'v1-rights-of-a-user-who-asks-at-once-taken'),
};

/** Something of others that goes on. */
const OF_OTHERS = 'request of somebody else';

/** How long requests of others go on in which the first user is turned away with them. */
const turnsAwayWithOthers = decideMixUp('V1-AUT-06', 'v1-valid-token-refused-beside-others-that-are');

/** Who sends an Authorization header. */
function callerOf(authorization: string | undefined, users: readonly ApiUser[]): keyof typeof mixUps | 'first' {
  if (authorization === undefined) return 'nobody';
  const user = users.find(({ token }) => authorization === `Bearer ${token}`);
  if (user === undefined) return 'unknown';
  return user === users[0] ? 'first' : 'another';
}

/**
 * Who is taken for the caller, whoever it is, for what goes on at the same time.
 * @returns undefined: whoever the caller is
 * @throws Refusal 401 for a caller who is turned away with others
 */
export function findCallerAtOnce(
  activeLies: ActiveLies,
  rush: Rush,
  authorization: string | undefined,
  users: readonly [ApiUser, ...ApiUser[]],
): ApiUser | undefined {
  if (activeLies.size === 0) return undefined;
  const caller = callerOf(authorization, users);
  if (caller === 'first') {
    if (turnsAwayWithOthers(activeLies) > 0 && rush.isUnderWay(OF_OTHERS))
      throw turnAway(401, 'The API token is not valid.');
    return undefined;
  }
  rush.begin(activeLies, OF_OTHERS, turnsAwayWithOthers);
  if (mixUps[caller](activeLies) === 0) return undefined;
  return rush.isUnderWay(OF_THE_FIRST) ? users[0] : undefined;
}

/** Has a request of the first user go on for as long as others are mixed up in it. @returns milliseconds for its answer to wait */
export function goOn(
  activeLies: ActiveLies,
  rush: Rush,
  authorization: string | undefined,
  users: readonly ApiUser[],
): number {
  if (activeLies.size === 0 || callerOf(authorization, users) !== 'first') return 0;
  return rush.begin(activeLies, OF_THE_FIRST, ...Object.values(mixUps)).lasts;
}
