/** Reads all token accounts of a mint as finalized, page by page, and again what changed in between. */
import type { Chain } from '../../ports/chain.ts';
import { createOwnerCollector, type OwnerCollector } from './scanned-owners.ts';

export interface HolderScan {
  readonly collector: OwnerCollector;
  /** The first and the last slot that it shows; both are 0 before the first page. */
  readonly slots: readonly [bigint, bigint];
  readonly stage: 'accounts' | 'changes' | 'done' | 'inconsistent';
  /** Of the page that comes next. */
  readonly after: string | undefined;
  /** Where the present pass over the changes began. */
  readonly changedSince: bigint;
  readonly passes: number;
}

/** Passes over the changes until one fits into a single slot; a token that is traded faster is scanned later. */
const MOST_PASSES = 6;

export function beginScan(): HolderScan {
  return {
    collector: createOwnerCollector(),
    slots: [0n, 0n],
    stage: 'accounts',
    after: undefined,
    changedSince: 0n,
    passes: 0,
  };
}

/** Reads the next page. */
export async function scanOn(
  chain: Pick<Chain, 'tokenAccounts'>,
  mint: string,
  scan: HolderScan,
): Promise<HolderScan> {
  const { collector, stage, after } = scan;
  const page = await chain.tokenAccounts(mint, {
    ...(after === undefined ? {} : { after }),
    ...(stage === 'changes' ? { changedSinceSlot: scan.changedSince } : {}),
  });
  const isFirst = after === undefined;
  if (stage === 'accounts') {
    collector.add(page);
    const first = isFirst || page.slot < scan.slots[0] ? page.slot : scan.slots[0];
    const last = page.slot > scan.slots[1] ? page.slot : scan.slots[1];
    const slots = [first, last] as const;
    if (page.next !== undefined) return { ...scan, slots, after: page.next };
    // One page of one slot is consistent as it is.
    if (isFirst) return { ...scan, slots, stage: 'done', after: undefined };
    return { ...scan, slots, stage: 'changes', after: undefined, changedSince: first };
  }
  collector.add(page);
  const slots = [isFirst ? page.slot : scan.slots[0], page.slot] as const;
  if (page.next !== undefined) return { ...scan, slots, after: page.next };
  if (isFirst) return { ...scan, slots: [page.slot, page.slot], stage: 'done', after: undefined };
  const passes = scan.passes + 1;
  if (passes === MOST_PASSES) return { ...scan, stage: 'inconsistent', after: undefined };
  return { ...scan, slots, passes, after: undefined, changedSince: slots[0] };
}
