import type { Target } from '#target';
import { examineGateway } from '../gateway/examine-gateway.ts';
import { createTargetTime } from '../target-time.ts';
import { Transport } from '../transport.ts';
import { examineV1 } from '../v1/examine-v1.ts';
import { examineAddress } from './examine-address.ts';
import { examineReceiver } from './examine-receiver.ts';
import type { ExaminationFinding } from './types.ts';

/** What an examination found, in the order of the file. */
export interface TargetExamination {
  readonly symptoms: readonly ExaminationFinding[];
  /** Milliseconds of a usual round trip. */
  readonly pace: number;
}

/**
 * Looks at everything a run will rely on: addresses, credentials, signing, receiver, clock. Creates nothing and moves no money.
 * @param heard called with each symptom as it is found
 */
export async function examineTarget(
  target: Target,
  heard: (symptom: ExaminationFinding) => void = () => {},
): Promise<TargetExamination> {
  const symptoms: ExaminationFinding[] = [];
  const tell = (mark: ExaminationFinding['mark'], line: string, text: string, fix?: string) => {
    const symptom = { mark, line, text, ...(fix === undefined ? {} : { fix }) };
    symptoms.push(symptom);
    heard(symptom);
  };
  const transport = new Transport(target);
  const patient = { target, transport };
  const paces: number[] = [];
  try {
    const { gateway, v1 } = target;
    if (gateway !== undefined) {
      const probe = { method: 'HEAD', path: '/payments/_Overview' };
      const pace = await examineAddress(patient, 'gateway.address', gateway.address, probe, tell);
      const elsewhere = gateway.requestors.elsewhere?.address;
      if (elsewhere !== undefined)
        await examineAddress(patient, 'gateway.requestors.elsewhere.address', elsewhere, probe, tell);
      if (pace !== undefined) {
        paces.push(pace);
        await examineGateway(patient, tell);
      }
    }
    if (v1 !== undefined) {
      const pace = await examineAddress(
        patient,
        'v1.address',
        v1.address,
        { method: 'GET', path: '/api/v1/auth' },
        tell,
      );
      if (pace !== undefined) {
        paces.push(pace);
        await examineV1(patient, tell);
      }
    }
    if (target.control.now !== undefined) {
      try {
        tell(
          'ok',
          'control.now',
          `the service's time is ${new Date(await createTargetTime(target).now()).toISOString()}`,
        );
      } catch (error) {
        tell('fail', 'control.now', (error as Error).message, 'check the address, and control.now.read');
      }
    }
    await examineReceiver(patient, tell);
  } finally {
    await transport.close();
  }
  return { symptoms, pace: paces.length === 0 ? 0 : Math.max(...paces) };
}
