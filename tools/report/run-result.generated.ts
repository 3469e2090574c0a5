/** Made from tools/report/run.schema.json by `npm run shapes`; change the schema instead. */

type Time = string;
type Api = 'gateway' | 'v1';
type Rule = {
  id: RuleId;
  api: Api;
  area: string;
  /**
   * Whom it binds; absent: the service.
   */
  side?: 'client';
  level: 'must' | 'should';
  text: string;
  /**
   * What it costs when it is broken; absent where the register does not say.
   */
  consequence?: {
    /**
     * The gravest first: money moves wrongly; somebody gets at what is not theirs; a payment is taken for what it is not; a client cannot go on; a fault is harder to find.
     */
    harm: 'money' | 'exposure' | 'outcome' | 'service' | 'support';
    text: string;
  };
  source: {
    document: string;
    section: string;
    sha256: string;
  }[];
  operation?: string;
  verdict: Verdict;
  /**
   * Rules whose findings stopped every check of this one: what they name comes first.
   */
  causedBy?: string[];
  reason?: Reason;
  /**
   * Ids of the checks that claim it.
   */
  checks: string[];
  /**
   * Ids of the exchanges of those checks, and of those that broke it elsewhere.
   */
  exchanges: string[];
  failures: Finding[];
  waiver?: {
    rule: string;
    reason: string;
    owner: string;
    until: string;
  };
  proof?: {
    lies: {
      name: string;
      caught: boolean;
      /**
       * Ids of the checks of its rule that turned red.
       */
      by: string[];
      /**
       * Other rules that such a check claims as well and turned red: one observation settles both.
       */
      beside?: string[];
      /**
       * Other rules that checks of those rules turned red, and why that is right; without a reason nothing accounts for it.
       */
      apart?: {
        rule: string;
        reason?: string;
      }[];
    }[];
    /**
     * How many checks claim the rule.
     */
    checks?: number;
    /**
     * Something that it rests on was changed since.
     */
    stale?: boolean;
    /**
     * Checks that claim the rule and turned red at no lie about it, by file and title.
     */
    idle?: string[];
    /**
     * How many lies the sandbox tells about the rule, when not all of them were told.
     */
    of?: number;
  };
};
type RuleId = string;
/**
 * unseen: its checks ran, and what it speaks of never came; broken: our checks could not tell; neither, nor skipped, is a pass.
 */
type Verdict = 'pass' | 'warn' | 'fail' | 'unseen' | 'skipped' | 'waived' | 'broken';

/**
 * The result of one run: every rule of the register with its verdict and what stands behind it. Drawn from the run folder's journal alone.
 */
interface AssayRun {
  format: 'assay.run/1';
  /**
   * Id of the run, the name of its folder.
   */
  id: string;
  /**
   * broken: a must is broken; incomplete: the run cannot tell; kept: everything judged is kept.
   */
  verdict: 'kept' | 'broken' | 'incomplete';
  /**
   * Whether the journal is whole, at least one rule was judged, and every gate was passed.
   */
  complete: boolean;
  incompleteReason?: string;
  startedAt: Time;
  finishedAt?: Time;
  /**
   * Who was judged; absent: the service.
   */
  subject?: 'client';
  target: {
    name: string;
    kind: 'embedded' | 'mock' | 'sandbox' | 'production';
    file: string;
    sha256: string;
    hosts: {
      gateway?: string;
      v1?: string;
    };
  };
  suite: {
    version: string;
    commit?: string;
    lock?: string;
    sha256?: string;
    /**
     * SHA-256 of the workspace's own rules and checks, which the one of the suite includes; absent where there were none.
     */
    own?: string;
  };
  runtime: {
    node: string;
    openssl: string;
    platform: string;
  };
  specs: {
    api: Api;
    file: string;
    version: string;
    sha256: string;
  }[];
  seed: number;
  argv: string[];
  /**
   * What the run was limited to.
   */
  selection?: string;
  /**
   * When the run was taken up again after an interruption.
   */
  resumed?: {
    at: string;
    /**
     * Checks that had ended by then.
     */
    checks: number;
  }[];
  /**
   * What the embedded sandbox was told to lie about.
   */
  lie?: string;
  counts: {
    rules: {
      total: number;
      pass: number;
      warn: number;
      fail: number;
      unseen: number;
      skipped: number;
      waived: number;
      broken: number;
      retired: number;
    };
    checks: {
      total: number;
      pass: number;
      fail: number;
      skipped: number;
      broken: number;
    };
    exchanges: {
      total: number;
      out: number;
      in: number;
      browser: number;
      unanswered: number;
      violating: number;
    };
    /**
     * Skipped rules by reason code.
     */
    skipped: {
      [k: string]: number;
    };
    holes: {
      total: number;
      learned: number;
    };
    effects: {
      total: number;
      restored: number;
    };
    redactions: number;
  };
  /**
   * Sums that must come out.
   */
  sums: {
    claim: string;
    parts: {
      label: string;
      count: number;
    }[];
    total: number;
    holds: boolean;
  }[];
  /**
   * Every rule in force, in the order of the register.
   */
  rules: Rule[];
  retired: {
    id: RuleId;
    text: string;
    retired: string;
  }[];
  checks: Check[];
  areas: {
    id: string;
    api: Api;
    title: string;
    file: string;
  }[];
  coverage: {
    operation: string;
    api: Api;
    method: string;
    path: string;
    documented: number[];
    seen: {
      [k: string]: number;
    };
    unanswered: number;
  }[];
  transitions: {
    from: string;
    to: string;
    via: string;
    times: number;
    exchange: string;
  }[];
  /**
   * States that the documents name; absent for older journals.
   */
  states?: {
    api: Api;
    name: string;
    isFinal: boolean;
  }[];
  holes: {
    id: string;
    api: Api;
    unknown: string;
    at: string;
    learned: {
      where: string;
      what: string;
      times: number;
      exchange: string;
    }[];
  }[];
  /**
   * How the clauses of each document are accounted for; absent for older journals.
   */
  clauses?: {
    document: string;
    clauses: number;
    rule: number;
    untestable: number;
    hole: number;
    context: number;
    unclaimed: number;
  }[];
  readings: {
    id: string;
    api: Api;
    question: string;
    readings: string[];
    taken: string;
    why: string;
    notices: string[];
  }[];
  waivers: {
    rule: string;
    reason: string;
    owner: string;
    until: string;
    state: 'in force' | 'expired' | 'stale' | 'not judged' | 'unknown rule';
  }[];
  /**
   * What the run was asked to reach at least, and whether it did.
   */
  gates?: {
    gate: 'require' | 'max-skipped' | 'max-not-seen' | 'only-verdicts';
    passed: boolean;
    text: string;
  }[];
  /**
   * What a client can meet, and how often it did; only in the result of a client's traffic.
   */
  encounters?: {
    api: Api;
    group: 'state' | 'step' | 'error' | 'flow';
    name: string;
    times: number;
    /**
     * The first in which it was met.
     */
    exchange?: string;
    /**
     * What would bring it about.
     */
    bring: string;
  }[];
  /**
   * Sessions of a client's own tests, what the sandbox told in each and what the client did; only where it was told to lie by sessions.
   */
  sessions?: {
    /**
     * Absent where it was never told.
     */
    name?: string;
    /**
     * What was told.
     */
    lie: string;
    /**
     * What happens then.
     */
    does: string;
    /**
     * Whether the documents permit it.
     */
    gentle: boolean;
    /**
     * Whether it showed in anything that was sent; absent where that cannot be told.
     */
    met?: boolean;
    exchanges: number;
    deeds: {
      /**
       * What a client may do to itself and others, in a few words.
       */
      deed: string;
      harm: 'money' | 'exposure' | 'outcome' | 'service' | 'support';
      /**
       * fail and warn: this one did, against a must or a should; pass: it could have and did not; unseen: nothing was about it.
       */
      verdict: 'fail' | 'warn' | 'pass' | 'unseen';
      /**
       * Rules that it broke by that.
       */
      rules: string[];
      /**
       * The first that shows it.
       */
      exchange?: string;
    }[];
    /**
     * Rules that it broke otherwise.
     */
    others: string[];
  }[];
  /**
   * What customers saw of hosted pages, fields and numerals covered; absent where no picture was kept.
   */
  pictures?: {
    check: string;
    /**
     * The exchange that led to the page.
     */
    exchange: string;
    /**
     * Which page it is, in words.
     */
    page: string;
    /**
     * Name of the PNG in the run folder.
     */
    file: string;
    width: number;
    height: number;
    sha256: string;
  }[];
  effects: {
    /**
     * Kind of object, in a word of the service: `document`, `webhook`.
     */
    what: string;
    id: string;
    check: string;
    restored: boolean;
  }[];
  /**
   * Per service: the tightest rate limit seen and the least that remained.
   */
  budgets: {
    api: Api;
    limit: number;
    least: number;
    requests: number;
  }[];
  /**
   * What a reviewer decided about the run.
   */
  signOff?: {
    name: string;
    /**
     * YYYY-MM-DD.
     */
    date: string;
    decision: 'accepted' | 'accepted with conditions' | 'rejected';
    note?: string;
  };
  /**
   * What does not fit, such as claims of unknown rules.
   */
  oddities: string[];
  /**
   * The proof of the suite that judged, rule by rule.
   */
  proof?: {
    suite: string;
    finishedAt: string;
    /**
     * Whether every check was asked about every lie, not those of its rule alone.
     */
    full: boolean;
    rules: {
      testable: number;
      proven: number;
      /**
       * Proven once, but not since something that the proof rests on was changed.
       */
      before: number;
    };
    lies: {
      known: number;
      told: number;
      caught: number;
    };
    /**
     * Checks that claim a rule, on average.
     */
    checksPerRule: number;
    /**
     * Share of red rules that are the lied one, 0 to 1.
     */
    precision: number;
    /**
     * Other rules that turned red: by one observation with the rule, by declaration, and with nothing to account for it.
     */
    collateral: {
      beside: number;
      declared: number;
      undeclared: number;
    };
  };
  /**
   * What changed since the run that lies beside the journal.
   */
  since?: {
    from: string;
    to: string;
    fromStartedAt: string;
    fromVerdict: string;
    sameSpecs: boolean;
    verdicts: {
      rule: string;
      from: string;
      to: string;
      worse: boolean;
    }[];
    drift: {
      where: string;
      appeared: string[];
      vanished: string[];
    }[];
    shapes: {
      where: string;
      appeared: string[];
      vanished: string[];
    }[];
    timing: {
      operation: string;
      /**
       * @minItems 2
       * @maxItems 2
       */
      from: [number, number];
      /**
       * @minItems 2
       * @maxItems 2
       */
      to: [number, number];
      slower: boolean;
    }[];
  };
}
interface Reason {
  code: string;
  text: string;
}
interface Finding {
  message: string;
  /**
   * What was expected and what happened, for a reader who does not know the code; absent in results of earlier versions.
   */
  sentence?: string;
  expected?: string;
  actual?: string;
  /**
   * JSON Pointer into the body, `header: name` or `status`.
   */
  where?: string;
  checks: string[];
  exchanges: string[];
}
interface Check {
  id: string;
  title: string;
  file: string;
  line: number;
  project: string;
  rules: string[];
  outcome: 'pass' | 'fail' | 'skipped' | 'broken';
  reason?: Reason;
  failures: {
    message: string;
    /**
     * What the sentence of a finding is made of: after what, what should have come, what came.
     */
    clauses?: {
      after?: string[];
      should?: string;
      did?: string;
    };
    expected?: string;
    actual?: string;
    exchange?: string;
    rule?: string;
  }[];
  /**
   * Rules the check claims about which this run of it concluded nothing, or only in part.
   */
  unjudged?: {
    rule: string;
    code: string;
    text: string;
  }[];
  startedAt: Time;
  duration: number;
  properties?: {
    name: string;
    seed: number;
    runs: number;
    /**
     * Milliseconds.
     */
    duration?: number;
    /**
     * One case of many, worked through step by step where that says something.
     */
    example?: {
      case: string;
      steps?: {
        name: string;
        value: string;
      }[];
    };
    path?: string;
    case?: string;
  }[];
  verdict: Verdict;
  exchanges: string[];
}

type DeepReadonly<T> = T extends object ? { readonly [K in keyof T]: DeepReadonly<T[K]> } : T;

/** What tools/report/run.schema.json describes. */
export type RunResult = DeepReadonly<AssayRun>;
