/**
 * Reads all token accounts of a mint as finalized: page by page, and again what changed in between; or in one answer of one
 * slot. The mint is read right before the part that shows everything as of one slot, and behind it.
 */
import { type Chain, ChainUnavailable } from '../../kernel/ports/chain.ts';
import type { MintReading } from './judge-scan.ts';
import { afterPage, NO_PAGES, type PageWalk } from './page-walk.ts';
import { readMintAt } from './read-mint.ts';
import { createOwnerCollector, type OwnerCollector } from './scanned-owners.ts';

export interface HolderScan {
  readonly collector: OwnerCollector;
  /** The first and the last slot that it shows; both are 0 before the first page. */
  readonly slots: readonly [bigint, bigint];
  /** `read`: everything is in the collector, and the mint has not been read behind it. */
  readonly stage: 'accounts' | 'changes' | 'read' | 'done' | 'inconsistent';
  readonly inOneAnswer: boolean;
  /** Cursor of the page that comes next. */
  readonly after: string | undefined;
  /** The newest slot of any page. */
  readonly newest: bigint;
  /** Where the present pass over the changes began. */
  readonly changedSince: bigint;
  readonly passes: number;
  readonly pages: number;
  readonly walk: PageWalk;
  /** The mint before the present pass, and behind the last one. */
  readonly mintBefore: MintReading | undefined;
  readonly mintAfter: MintReading | undefined;
}

/** Passes over the changes until one fits into a single slot; a token that is traded faster is read in one answer. */
const MOST_PASSES = 6;

export function beginScan(mint: string, { inOneAnswer = false } = {}): HolderScan {
  return {
    collector: createOwnerCollector(mint),
    slots: [0n, 0n],
    stage: 'accounts',
    inOneAnswer,
    after: undefined,
    newest: 0n,
    changedSince: 0n,
    passes: 0,
    pages: 0,
    walk: NO_PAGES,
    mintBefore: undefined,
    mintAfter: undefined,
  };
}

/** Whether everything was shown by one answer: of several, some may be of later slots than they say. */
export function isOfOneSlot({ inOneAnswer, pages }: Pick<HolderScan, 'inOneAnswer' | 'pages'>): boolean {
  return inOneAnswer || pages === 1;
}

/** Reads the next page, or the mint behind the last one. `leastSlot`: nothing older is taken for the mint before the scan. */
export async function scanOn(
  chain: Pick<Chain, 'tokenAccounts' | 'accountsAt'>,
  mint: string,
  scan: HolderScan,
  leastSlot?: bigint,
): Promise<HolderScan> {
  const { collector, stage, after, inOneAnswer } = scan;
  if (stage === 'read')
    return { ...scan, stage: 'done', mintAfter: await readMintAt(chain, mint, scan.slots[1]) };
  const isFirst = after === undefined;
  const mintNow = isFirst ? await readMintAt(chain, mint, leastSlot) : undefined;
  const page = await chain.tokenAccounts(mint, {
    ...(isFirst ? {} : { after }),
    ...(mintNow === undefined ? {} : { atLeastSlot: mintNow.slot }),
    ...(inOneAnswer ? { inOneAnswer } : {}),
    ...(stage === 'changes' ? { changedSinceSlot: scan.changedSince } : {}),
  });
  if (mintNow !== undefined && page.slot < mintNow.slot)
    throw new ChainUnavailable(
      `the chain node shows accounts of slot ${page.slot} after the mint of slot ${mintNow.slot}`,
    );
  collector.add(page);
  const newest = page.slot > scan.newest ? page.slot : scan.newest;
  const first = isFirst || page.slot < scan.slots[0] ? page.slot : scan.slots[0];
  const last = isFirst || page.slot > scan.slots[1] ? page.slot : scan.slots[1];
  const read = {
    ...scan,
    mintBefore: mintNow ?? scan.mintBefore,
    newest,
    slots: [first, last] as const,
    pages: scan.pages + 1,
    walk: afterPage(scan.walk, page, collector.accounts),
  };
  if (page.next !== undefined) return { ...read, after: page.next };
  const whole = { ...read, after: undefined };
  if (inOneAnswer) return { ...whole, stage: 'read' };
  // Pages of one slot show everything as of it, unless an earlier pass has shown something newer.
  const isComplete = first === last && last >= newest;
  if (stage === 'accounts')
    return isComplete ? { ...whole, stage: 'read' } : { ...whole, stage: 'changes', changedSince: first };
  const passes = scan.passes + 1;
  if (isComplete) return { ...whole, passes, stage: 'read' };
  if (passes === MOST_PASSES) return { ...whole, passes, stage: 'inconsistent' };
  return { ...whole, passes, changedSince: first };
}
