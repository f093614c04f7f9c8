/** What an audit found wrong: both sides of a rule that does not hold, and where to look. */

export interface Finding {
  /** The rule, in a sentence. */
  readonly what: string;
  readonly expected: string;
  readonly found: string;
  readonly account?: string;
  readonly signature?: string;
}

export type Place = Pick<Finding, 'account' | 'signature'>;

/** Collects findings; each check says what it compared. */
export interface Findings {
  readonly list: readonly Finding[];
  equal(what: string, expected: bigint | string, found: bigint | string, place?: Place): void;
  atLeast(what: string, least: bigint, found: bigint, place?: Place): void;
  add(finding: Finding): void;
}

export function createFindings(): Findings {
  const list: Finding[] = [];
  return {
    list,
    add: (finding) => void list.push(finding),
    equal(what, expected, found, place = {}) {
      if (expected !== found) list.push({ what, expected: `${expected}`, found: `${found}`, ...place });
    },
    atLeast(what, least, found, place = {}) {
      if (found < least) list.push({ what, expected: `at least ${least}`, found: `${found}`, ...place });
    },
  };
}
