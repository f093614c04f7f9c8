/** Condition variable: callers wait for a predicate that is evaluated again on `notify`. */

/** `arrived` is called for each caller that must wait. */
export function createCondition(arrived: () => void = () => {}) {
  const checks = new Set<() => void>();
  return {
    get size() {
      return checks.size;
    },
    notify() {
      for (const check of [...checks]) check();
    },
    /** Resolves with true once the predicate is true, with false on timeout. */
    async until(predicate: () => boolean, milliseconds: number): Promise<boolean> {
      if (predicate()) return true;
      return new Promise((resolve) => {
        const timer = setTimeout(() => settle(false), milliseconds);
        function settle(result: boolean): void {
          clearTimeout(timer);
          checks.delete(check);
          resolve(result);
        }
        function check(): void {
          if (predicate()) settle(true);
        }
        checks.add(check);
        arrived();
      });
    },
  };
}
