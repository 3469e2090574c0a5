import { UnofferedError } from '../failures.ts';
import { sendProbe } from './probe.ts';
import type { AddFinding, ExaminedTarget } from './types.ts';

const LINE = 'connection.secondAddress';

/**
 * Whether the service can be reached by the second address of this machine.
 * @param probe path below the address that needs no rights
 */
export async function examineSecondAddress(
  patient: ExaminedTarget,
  address: string,
  probe: { readonly method: string; readonly path: string },
  tell: AddFinding,
): Promise<void> {
  const { secondAddress } = patient.target.connection;
  if (secondAddress === undefined) return;
  const { host } = new URL(address);
  try {
    const heard = await sendProbe(patient, probe.method, `${address}${probe.path}`, { isSecondCaller: true });
    if (heard.status === 0)
      tell('fail', LINE, `${host} from ${secondAddress}: ${heard.text}`, 'name an address that reaches the service');
    else tell('ok', LINE, `${host} answers ${secondAddress} in ${Math.round(heard.milliseconds)} ms`);
  } catch (error) {
    if (!(error instanceof UnofferedError)) throw error;
    tell('fail', LINE, `${secondAddress} is no address of this machine`, 'name one that it has, or leave the line out');
  }
}
