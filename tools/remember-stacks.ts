/** Stacks that are kept at most; the worker of a whole run meets fewer. */
const MOST = 20_000;

/**
 * Lets the same stack be written once. With every step, be it a matcher, a hook or a call to the browser, the runner asks where it was made,
 * and looks up the place of each frame in the sources, which takes longer than most steps.
 */
export function rememberStacks(): void {
  const write = Error.prepareStackTrace;
  if (write === undefined) return;
  const head = String(write(UNNAMED, [])).length;
  const known = new Map<string, string>();
  Error.prepareStackTrace = (error, frames) => {
    const raw = frames.join('\n');
    let places = known.get(raw);
    if (places === undefined) {
      places = String(write(UNNAMED, frames)).slice(head);
      if (known.size < MOST) known.set(raw, places);
    }
    return String(write(error, [])) + places;
  };
}

const UNNAMED = new Error();
