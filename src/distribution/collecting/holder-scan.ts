/**
 * Reads all token accounts of a mint as finalized: in pages, with changed accounts read again, or in one response of one slot.
 * Reads the mint immediately before the pass that shows everything at one slot, and after it.
 */

import { afterKey, NO_KEYS, type PageCycle } from '../../chain/page-cycle.ts';
import {
  type Chain,
  ChainAnswerInvalid,
  ChainUnavailable,
  type TokenAccountPage,
} from '../../kernel/ports/chain.ts';
import { taxedMintIn } from '../sending/current-tax.ts';
import type { MintReading } from './judge-scan.ts';
import { createOwnerCollector } from './scanned-owners.ts';

export type HolderScan = Readonly<ReturnType<typeof newScan>>;

/** Maximum passes over changed accounts until one fits into a single slot; busier tokens are read in one response. */
const MAX_PASSES = 6;

export function newScan(mint: string, { inOneAnswer = false } = {}) {
  return {
    collector: createOwnerCollector(mint),
    /** First and last slot of the pages; both are 0 before the first page. */
    slots: [0n, 0n] as readonly [bigint, bigint],
    /** True once all accounts are collected, and only the mint must be read. */
    isRead: false,
    inOneAnswer,
    /** Cursor of the next page. */
    after: undefined as string | undefined,
    /** Highest slot of any page. */
    newest: 0n,
    /** Slot since which the current pass reads changes; undefined in the first one, which reads all accounts. */
    changedSince: undefined as bigint | undefined,
    passes: 0,
    pages: 0,
    walk: NO_PAGES,
    /** The mint before the current pass, and after the last one, which ends the scan. */
    mintBefore: undefined as MintReading | undefined,
    mintAfter: undefined as MintReading | undefined,
  };
}

/** True if one response showed everything; of several responses, some may be from later slots than they state. */
export function isOfOneSlot({ inOneAnswer, pages }: Pick<HolderScan, 'inOneAnswer' | 'pages'>): boolean {
  return inOneAnswer || pages === 1;
}

/**
 * Reads the next page, or the mint after the last one. Undefined if trades landed between the pages of too many passes.
 * `minSlot`: minimum slot of the mint before the scan.
 */
export async function continueScan(
  chain: Pick<Chain, 'tokenAccounts' | 'accountsAt'>,
  mint: string,
  scan: HolderScan,
  minSlot?: bigint,
): Promise<HolderScan | undefined> {
  const { collector, changedSince, after, inOneAnswer } = scan;
  if (scan.isRead) return { ...scan, mintAfter: await readMintAt(chain, mint, scan.slots[1]) };
  const isFirst = after === undefined;
  const mintNow = isFirst ? await readMintAt(chain, mint, minSlot) : undefined;
  const page = await chain.tokenAccounts(mint, {
    ...(isFirst ? {} : { after }),
    ...(mintNow === undefined ? {} : { atLeastSlot: mintNow.slot }),
    ...(inOneAnswer ? { inOneAnswer } : {}),
    ...(changedSince === undefined ? {} : { changedSinceSlot: changedSince }),
  });
  if (mintNow !== undefined && page.slot < mintNow.slot)
    throw new ChainUnavailable(
      `the chain node returned accounts of slot ${page.slot}, older than the mint of slot ${mintNow.slot}`,
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
  // If all pages are of one slot, they show everything at that slot, unless an earlier pass has shown something newer.
  if (inOneAnswer || (first === last && last >= newest)) return { ...whole, isRead: true };
  const passes = changedSince === undefined ? 0 : scan.passes + 1;
  return passes === MAX_PASSES ? undefined : { ...whole, passes, changedSince: first };
}

/** Progress through the pages of one pass. */
interface PageWalk {
  readonly keys: PageCycle;
  readonly listed: number;
  /** Consecutive pages without an account. */
  readonly empty: number;
}

const NO_PAGES: PageWalk = { keys: NO_KEYS, listed: 0, empty: 0 };

const MAX_EMPTY = 1_000;
/**
 * Number of entries that a scan may list beyond twice the distinct accounts. An account that changes between two
 * pages may be on both.
 */
const MAX_AGAIN = 10_000;

/** Throws `ChainAnswerInvalid` if the pages do not end. `accounts`: number of distinct accounts in all passes. */
function afterPage(
  walk: PageWalk,
  { accounts: shown, next }: Pick<TokenAccountPage, 'accounts' | 'next'>,
  accounts: number,
): PageWalk {
  if (next === undefined) return NO_PAGES;
  const listed = walk.listed + shown.length;
  const empty = shown.length === 0 ? walk.empty + 1 : 0;
  const keys = afterKey(walk.keys, next);
  if (keys === undefined) throw endless('the key of a page repeats an earlier key');
  if (empty > MAX_EMPTY) throw endless(`${empty} pages in a row were empty`);
  if (listed > 2 * accounts + MAX_AGAIN)
    throw endless(`${listed} accounts were listed, of which ${accounts} are distinct`);
  return { keys, listed, empty };
}

function endless(why: string): ChainAnswerInvalid {
  return new ChainAnswerInvalid(`the list of token accounts does not end: ${why}`);
}

/** The node has no account at the mint's address; the creation may not be final yet. */
export class MintMissing extends ChainUnavailable {}

/** Rejects with `ChainUnavailable` if the node is behind that slot, and with `ChainAnswerInvalid` unless it is a taxed mint. */
export async function readMintAt(
  chain: Pick<Chain, 'accountsAt'>,
  mint: string,
  atLeastSlot?: bigint,
): Promise<MintReading> {
  const { slot, accounts } = await chain.accountsAt(
    [mint],
    'finalized',
    atLeastSlot === undefined ? {} : { atLeastSlot },
  );
  if (atLeastSlot !== undefined && slot < atLeastSlot)
    throw new ChainUnavailable(
      `the chain node returned the mint of slot ${slot}, but slot ${atLeastSlot} was requested`,
    );
  if (accounts[0] === undefined)
    throw new MintMissing(`the chain node does not show the mint ${mint} as finalized at slot ${slot}`);
  const { supply, withheld } = taxedMintIn(accounts[0], mint);
  return { slot, supply, withheld };
}
