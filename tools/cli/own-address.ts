import { networkInterfaces } from 'node:os';

/** An address of this machine that others can reach; undefined when there is none. */
export function ownAddress(): string | undefined {
  return Object.values(networkInterfaces())
    .flatMap((all) => all ?? [])
    .find(({ family, internal }) => family === 'IPv4' && !internal)?.address;
}
