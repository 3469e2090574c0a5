import type { DeedRules } from '../client-deed.ts';

/** What each deed is at the v1 service. */
export const V1_DEED_RULES: DeedRules = {
  'paid twice': ['V1-CMY-01', 'V1-CMY-02'],
  'left a message': ['V1-CWH-08'],
  'asked too fast': ['V1-CLM-01', 'V1-CLM-02'],
};
