/** Those who wait until something is so; whoever changes something has them look again. */

export interface Waiters {
  /** How many wait. */
  readonly size: number;
  lookAgain(): void;
  /** Resolves with true as soon as it is so, with false when the time is over. */
  until(isSo: () => boolean, milliseconds: number): Promise<boolean>;
}

/** `arrived` is called for each who has to wait. */
export function createWaiters(arrived: () => void = () => {}): Waiters {
  const checks = new Set<() => void>();
  return {
    get size() {
      return checks.size;
    },
    lookAgain() {
      for (const check of [...checks]) check();
    },
    async until(isSo, milliseconds) {
      if (isSo()) return true;
      return new Promise((resolve) => {
        const timer = setTimeout(() => settle(false), milliseconds);
        function settle(result: boolean): void {
          clearTimeout(timer);
          checks.delete(check);
          resolve(result);
        }
        function check(): void {
          if (isSo()) settle(true);
        }
        checks.add(check);
        arrived();
      });
    },
  };
}
