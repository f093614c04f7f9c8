/** The log of the reference driver: facts in order, appended only by whoever knows the last one. */

export interface FactLog<Fact> {
  read(): Promise<readonly Fact[]>;
  /** False, and nothing is written, unless exactly so many facts are there. */
  append(expected: number, fact: Fact): Promise<boolean>;
}

export function createFactLog<Fact>(facts: Fact[]): FactLog<Fact> {
  return {
    read: async () => [...facts],
    async append(expected, fact) {
      if (facts.length !== expected) return false;
      facts.push(fact);
      return true;
    },
  };
}
