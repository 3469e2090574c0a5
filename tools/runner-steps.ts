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
    const key = frames.map(placeOf).join('\n');
    let places = known.get(key);
    if (places === undefined) {
      places = String(write(UNNAMED, frames)).slice(head);
      if (known.size < MOST) known.set(key, places);
    }
    return String(write(error, [])) + places;
  };
}

const UNNAMED = new Error();

/** Where a frame is in the code that runs, which tells it as well as its words do and takes a tenth of the time. */
function placeOf(frame: NodeJS.CallSite): string {
  const script = frame.getScriptNameOrSourceURL();
  return script === null ? String(frame) : `${script}:${frame.getPosition()}`;
}

/**
 * Keeps steps in the worker: each would be told to the runner's process when it begins and when it ends, what was expected of it included,
 * which keeps both busy; a reporter that looks at tests alone has no use for it.
 */
export function keepSteps(): void {
  const tell = process.send?.bind(process) as ((...message: unknown[]) => boolean) | undefined;
  if (tell === undefined) return;
  process.send = (...message: unknown[]) => isStep(message[0]) || tell(...message);
}

const isStep = (message: unknown): boolean =>
  ['stepBegin', 'stepEnd'].includes((message as { params?: { method?: string } } | undefined)?.params?.method ?? '');
