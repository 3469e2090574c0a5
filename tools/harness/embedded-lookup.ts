import type { Sandbox } from '#sandbox';

/** Value of `embedded:NAME` in a target file: an address, or a path into the credentials. */
export function embeddedLookup({ addresses, credentials }: Sandbox): (name: string) => string | number | undefined {
  return (name) => {
    if (name in addresses) return addresses[name as keyof typeof addresses];
    let value: unknown = credentials;
    for (const key of name.split('.')) value = (value as Record<string, unknown> | undefined)?.[key];
    return typeof value === 'string' || typeof value === 'number' ? value : undefined;
  };
}
