import { type ApiReply, listUuids } from '#harness';

/**
 * Whether an entry that is among the first hundred of a list, though not the first, is on a page of one about its place there; others may
 * have moved it since.
 * @param ask for a page
 * @param where the entries stand in the answer
 */
export async function isOnSmallPage(
  ask: (page: { per_page: number; page: number }) => Promise<ApiReply>,
  where: string,
  uuid: string,
): Promise<boolean> {
  for (let times = 0; times < 3; times += 1) {
    const large = listUuids((await ask({ per_page: 100, page: 1 })).list(where));
    const place = large.indexOf(uuid) + 1;
    // Elsewhere it is for other checks to find.
    if (place < 2) return true;
    for (const page of [place, place + 1, place + 2, place - 1]) {
      const reply = await ask({ per_page: 1, page });
      if (reply.status === 200 && listUuids(reply.list(where)).includes(uuid)) return true;
    }
  }
  return false;
}
