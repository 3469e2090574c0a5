import { baseAddresses, type Target } from '#target';
import { CLIENT_SERVICES } from '../services.ts';
import { createTargetTime } from '../target-time.ts';
import { Transport } from '../transport.ts';
import { examineAddress } from './examine-address.ts';
import { examineReceiver } from './examine-receiver.ts';
import { examineSecondAddress } from './examine-second-address.ts';
import type { ExaminationFinding } from './types.ts';

/** What an examination found, in the order of the file. */
export interface TargetExamination {
  readonly symptoms: readonly ExaminationFinding[];
  /** Milliseconds of an answer, on average; 0 without any. */
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
  const paces: number[] = [];
  const patient = { target, transport, paces };
  try {
    for (const { api, address } of baseAddresses(target)) {
      const { probe, moreAddresses, examine, limitsRate } = CLIENT_SERVICES.find((service) => service.api === api)!;
      const answers = await examineAddress(patient, `${api}.address`, address, probe, tell);
      for (const [line, other] of moreAddresses(target)) await examineAddress(patient, line, other, probe, tell);
      if (!answers) continue;
      if (limitsRate) await examineSecondAddress(patient, address, probe, tell);
      await examine(patient, tell);
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
    } else if (!createTargetTime(target).isReadable)
      tell(
        'note',
        'control.now',
        'the clock can be moved, and nothing reads it: what needs the day or the hour is skipped',
        'name where the service tells its time',
      );
    await examineReceiver(patient, tell);
  } finally {
    await transport.close();
  }
  return { symptoms, pace: paces.reduce((sum, one) => sum + one, 0) / Math.max(1, paces.length) };
}
