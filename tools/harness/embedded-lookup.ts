import type { Sandbox } from '#sandbox';

/** Value of `embedded:NAME` in a target file: an address, or a path into the credentials. */
export function embeddedLookup(sandbox: Sandbox): (name: string) => string | number | undefined {
  const addresses: Readonly<Record<string, string | undefined>> = {
    gateway: sandbox.gateway,
    elsewhere: sandbox.elsewhere,
    v1: sandbox.v1,
    control: sandbox.control,
  };
  return (name) => {
    if (name in addresses) return addresses[name];
    let value: unknown = sandbox.credentials;
    for (const key of name.split('.')) value = (value as Record<string, unknown> | undefined)?.[key];
    return typeof value === 'string' || typeof value === 'number' ? value : undefined;
  };
}
