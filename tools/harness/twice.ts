/** Sends a request that is to be refused, and once more, for it may be let through when it comes again. */
export async function twice(send: () => Promise<unknown>): Promise<void> {
  for (let time = 0; time < 2; time += 1) await send();
}
