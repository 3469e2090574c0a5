import { Socket } from 'node:net';

/** Milliseconds for a graceful end after the parent's; then the whole group goes. */
const PATIENCE = 10_000;

/**
 * Ends this process, and the group that it leads, soon after the process that started it has ended, however that ended. Nothing happens
 * where the environment names no leash.
 */
export function followParent(env: Readonly<Record<string, string | undefined>> = process.env): void {
  if (env.ASSAY_LEASH === undefined) return;
  const leash = new Socket({ fd: Number(env.ASSAY_LEASH), readable: true, writable: false });
  leash.on('error', () => {});
  leash.once('close', () => {
    process.kill(process.pid, 'SIGINT');
    setTimeout(
      () => process.kill(process.platform === 'win32' ? process.pid : -process.pid, 'SIGKILL'),
      PATIENCE,
    ).unref();
  });
  leash.resume();
  leash.unref();
}
