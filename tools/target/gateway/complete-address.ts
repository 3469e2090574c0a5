/** The address with `/api` at its end, unless the service answers without. */
export async function completeGatewayAddress(address: string): Promise<string> {
  if (address.endsWith('/api')) return address;
  for (const base of [`${address}/api`, address]) {
    try {
      const { status } = await fetch(`${base}/payments/_Overview`, {
        method: 'HEAD',
        redirect: 'manual',
        signal: AbortSignal.timeout(5000),
      });
      if (status === 200) return base;
    } catch {
      break;
    }
  }
  return `${address}/api`;
}
