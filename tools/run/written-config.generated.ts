/** Made from targets/config.schema.json by `npm run shapes`; change the schema instead. */

/**
 * target file, from this folder; without it, the embedded sandbox
 */
type Target = string;
/**
 * rules or areas to check; without it, all
 */
type Rules = string[];
/**
 * file of accepted failures; default waivers.yaml
 */
type Waivers = string;
/**
 * folder of the accepted run; default reports/baseline
 */
type Baseline = string;
/**
 * folder for run folders; default reports
 */
type Reports = string;
/**
 * checks at the same time
 */
type Workers = number;
/**
 * what the checks may take: 90s, 30m, 2h; the most telling ones first
 */
type Within = string;

/**
 * What `assay run` does in this project. Keys beside `profiles` hold for every profile; a profile says what is different.
 */
interface AssayWorkspace {
  $schema?: string;
  /**
   * the profile to use when none is named with --profile
   */
  profile?: string;
  /**
   * named settings, such as test and staging
   */
  profiles?: {
    [k: string]: Profile;
  };
  target?: Target;
  rules?: Rules;
  waivers?: Waivers;
  baseline?: Baseline;
  reports?: Reports;
  workers?: Workers;
  within?: Within;
  gates?: Gates;
}
interface Profile {
  target?: Target;
  rules?: Rules;
  waivers?: Waivers;
  baseline?: Baseline;
  reports?: Reports;
  workers?: Workers;
  within?: Within;
  gates?: Gates;
}
/**
 * what must be judged for a run to count as kept
 */
interface Gates {
  /**
   * rules or areas that must be judged
   */
  require?: string[];
  /**
   * how many selected rules may be skipped
   */
  maxSkipped?: number;
  /**
   * how many selected rules may speak of what never came
   */
  maxNotSeen?: number;
  /**
   * the only verdicts a selected rule may end with
   */
  onlyVerdicts?: ('pass' | 'warn' | 'fail' | 'unseen' | 'skipped' | 'waived' | 'broken')[];
}

type DeepReadonly<T> = T extends object ? { readonly [K in keyof T]: DeepReadonly<T[K]> } : T;

/** What targets/config.schema.json describes. */
export type WrittenConfig = DeepReadonly<AssayWorkspace>;
