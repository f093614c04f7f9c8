/** A stand-in for EventStoreDB that counts what it is asked for, by category of stream. */
import { expect } from 'vitest';
import { afterTheFile } from './after-the-file.ts';
import { openEventStoreStandIn } from './event-store-stand-in/open-stand-in.ts';

/** They cost by the minute, not by the work. */
const BY_TIME = ['lease', 'checkpoint'];

type Counted = ReadonlyMap<string, number>;

export interface CountedStoreCalls {
  readonly url: string;
  /** Calls about streams of each category, and those about the whole log. */
  readonly reads: Counted;
  readonly appends: Counted;
  forget(): void;
}

export async function countedStoreCalls(): Promise<CountedStoreCalls> {
  const standIn = await openEventStoreStandIn({});
  afterTheFile(async () => standIn.stop());
  const reads = new Map<string, number>();
  const appends = new Map<string, number>();
  standIn.calls.told = (kind, stream) => {
    if (kind === 'subscription') return;
    const category = kind === 'log' ? '$all' : stream.slice(stream.indexOf('.') + 1).replace(/-.*$/s, '');
    if (BY_TIME.includes(category)) return;
    const counted = kind === 'append' ? appends : reads;
    const name = kind === 'absent' ? `${category} (absent)` : category;
    counted.set(name, (counted.get(name) ?? 0) + 1);
  };
  return {
    url: standIn.url,
    reads,
    appends,
    forget() {
      reads.clear();
      appends.clear();
    },
  };
}

export function sumOf(counted: Counted): number {
  return [...counted.values()].reduce((sum, count) => sum + count, 0);
}

/** Fails with what was asked for of each category. `of`: as many tokens, or runs. */
export function expectAtMost(what: string, most: number, counted: Counted, of = 1): void {
  const each = [...counted].toSorted(([, one], [, other]) => other - one);
  const shown = each.map(([name, count]) => `${name} ${(count / of).toFixed(1)}`).join(', ');
  expect(sumOf(counted) / of, `${what}: ${shown}`).toBeLessThanOrEqual(most);
}
