/** What each operation answered, and how often. */
import type { Operation } from './operations.ts';

export interface Tally {
  /** `code` is that of a problem. */
  count(operation: string, status: number, code: string | undefined): void;
  readonly total: number;
  statusesOf(operation: string): ReadonlySet<number>;
  /** How many answers had the status. */
  countOf(status: number): number;
  /** Of the statuses that the operation describes, and that can come about here, which part has been seen. */
  shareSeen(operation: Operation, possible: (status: number) => boolean): number;
  /** One line for each operation, for people. */
  report(): string;
}

interface Counted {
  readonly operation: string;
  readonly status: number;
  readonly code: string | undefined;
  count: number;
}

export function createTally(): Tally {
  const counted = new Map<string, Counted>();
  const sumOf = (some: readonly Counted[]) => some.reduce((sum, { count }) => sum + count, 0);
  const ofOperation = (operation: string) =>
    [...counted.values()].filter((each) => each.operation === operation);
  const statusesOf = (operation: string) => new Set(ofOperation(operation).map(({ status }) => status));

  function shown(operation: string): string {
    const some = ofOperation(operation).sort((one, other) => one.status - other.status);
    return some.map(({ status, code, count }) => `${code ?? status}:${count}`).join(' ');
  }

  const countOf = (status: number) => sumOf([...counted.values()].filter((each) => each.status === status));
  return {
    count(operation, status, code) {
      const key = `${operation} ${status} ${code}`;
      const entry = counted.get(key) ?? { operation, status, code, count: 0 };
      entry.count += 1;
      counted.set(key, entry);
    },
    get total() {
      return sumOf([...counted.values()]);
    },
    statusesOf,
    countOf,
    shareSeen({ id, statuses }, possible) {
      const wanted = statuses.filter(possible);
      return wanted.filter((status) => statusesOf(id).has(status)).length / wanted.length;
    },
    report() {
      const statuses = [...new Set([...counted.values()].map(({ status }) => status))].sort();
      const operations = [...new Set([...counted.values()].map(({ operation }) => operation))].sort();
      return [
        statuses.map((status) => `${status}:${countOf(status)}`).join(' '),
        ...operations.map((operation) => `${operation}  ${shown(operation)}`),
      ].join('\n');
    },
  };
}
