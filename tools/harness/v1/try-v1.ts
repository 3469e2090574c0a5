import { performControl, UnarrangedError, UnofferedError } from '#client';
import type { ServiceTrial } from '../trial-kit.ts';
import { V1Client } from './v1-client.ts';

/** Sends a transfer, and performs each control action once. */
export const tryV1: ServiceTrial = async (kit) => {
  const { target, attempt } = kit;
  if (target.v1 === undefined) return;
  const v1 = new V1Client(kit);
  const { control } = target;
  await attempt('v1.wire.recipient', async () => {
    await v1.arrangeTransaction();
    return 'a transfer with it is taken';
  });
  const status = async (uuid: string) => (await v1.readTransaction(uuid)).object.status;
  for (const action of ['complete', 'fail'] as const)
    if (control[action] !== undefined)
      await attempt(`control.${action}`, async () => {
        const uuid = await v1.arrangeTransaction();
        const before = await status(uuid);
        await performControl(target, action, { uuid });
        const after = await status(uuid);
        if (before === undefined || after === undefined) return 'taken; the transaction shows no status';
        if (before === after) throw new UnarrangedError(`taken, and the transaction is ${String(after)} as before`);
        return `a transaction went from ${String(before)} to ${String(after)}`;
      });
  for (const action of ['accountEvent', 'virtualIbanEvent'] as const)
    if (control[action] !== undefined)
      await attempt(`control.${action}`, async () => {
        await performControl(target, action, { uuid: v1.account });
        return 'taken; whether a message follows was not looked at';
      });
  if (control.v1Fault !== undefined)
    await attempt('control.v1Fault', async () => {
      const statuses: number[] = [];
      for (const status of [400, 500] as const) {
        await v1.triggerFault(status);
        statuses.push((await v1.send('getAuth')).status);
      }
      if (statuses.every((status) => status < 400)) throw new UnarrangedError('taken, and the next request is served');
      return `the next request is answered ${statuses.join(', and ')}`;
    });
  if (control.forget !== undefined)
    await attempt('control.forget', async () => {
      const [token] = target.v1!.newcomers;
      if (token === undefined) throw new UnofferedError('credentials', 'it asks for v1.newcomer');
      await performControl(target, 'forget', { token });
      if ((await v1.findWebhook(token)) !== undefined)
        throw new UnarrangedError('taken, and the newcomer has a webhook configuration still');
      return 'the newcomer has no webhook configuration now';
    });
};
