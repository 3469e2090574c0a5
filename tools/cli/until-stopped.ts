/** Waits until the program is told to stop: by a signal, or by npx having been shot, which hands nothing on. */
export function untilStopped(): Promise<void> {
  return new Promise((done) => {
    process.once('SIGINT', () => done());
    process.once('SIGTERM', () => done());
    if (process.env.npm_command !== undefined) {
      const parent = process.ppid;
      setInterval(() => process.ppid !== parent && done(), 500).unref();
    }
  });
}
