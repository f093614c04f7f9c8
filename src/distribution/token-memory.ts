/** State of a token that is retained in memory between two steps. */
import type { DistributionRunState } from '../streams/distribution-run.ts';
import type { ScanSums } from '../streams/scan-sums.ts';
import type { Absences } from './absences.ts';
import type { PayeeVerdicts } from './allotting/payee-verdicts.ts';
import { NO_ATTEMPTS } from './collecting/confirm-scan.ts';
import type { Harvest } from './collecting/harvest-tax.ts';
import type { HolderScan } from './collecting/holder-scan.ts';
import type { ScannedOwners } from './collecting/scanned-owners.ts';
import type { DistributedToken } from './distributed-token.ts';
import type { PayingMemory } from './paying/paying-memory.ts';
import type { PaymentBook } from './paying/payment-book.ts';
import type { PaymentListings } from './run/payment-history.ts';
import type { Failures } from './sending/failures.ts';
import type { HistorySearches } from './sending/find-transaction.ts';
import type { SignedTransaction } from './sending/sender.ts';

/** Result of the last check that opened no run. */
interface OpeningMemory {
  /** ISO 8601 time of the creation event. */
  createdAt?: string;
  /** Due time in milliseconds of the checked run. */
  handled?: number;
  /** The newest transaction that named the mint at that check. */
  activity?: string;
  /** The newest transaction at the time of a run request; empty if none existed. */
  awaited?: string;
}

/** Facts about a token that are not in the log. Losing them costs time only. */
export type TokenMemory = ReturnType<typeof createTokenMemory>;

/** A scan, its first and last slot, its sums, and the account lookups of its payees. */
interface ScannedHolders {
  readonly scanned: ScannedOwners;
  readonly slots: HolderScan['slots'];
  readonly sums: ScanSums;
  readonly verdicts: PayeeVerdicts;
}

export function createTokenMemory() {
  return {
    opening: {} as OpeningMemory,
    /** The newest signature of each link, by the till that the link creates. */
    links: new Map<string, SignedTransaction>(),
    /** Unconfirmed absences in the open run. */
    absences: new Map() as Absences,
    /** Links of the open run that failed on the chain, by the till that they create. */
    failures: new Map() as Failures,
    /** History searches for transactions of the open run. */
    searches: new Map() as HistorySearches,
    /** Listings of the accounts that made settled payments. */
    listings: new Map() as PaymentListings,
    /** The run to which the fields below belong; undefined if no run is open. */
    runId: undefined as string | undefined,
    /** Cached, because deriving the key and addresses takes longer than most steps. */
    token: undefined as DistributedToken | undefined,
    /** Retained until the tax is collected, because it lists the accounts with withheld tax. */
    scan: undefined as HolderScan | undefined,
    attempts: NO_ATTEMPTS,
    owners: undefined as ScannedHolders | undefined,
    harvest: undefined as Harvest | undefined,
    book: undefined as { readonly ledger: string; readonly book: PaymentBook } | undefined,
    paying: undefined as PayingMemory | undefined,
    /** Number of the last market check at which its sale was decided. */
    lastSaleCheck: undefined as number | undefined,
  };
}

/**
 * Discards the state of any run other than the open one. Another process may have closed that run, and the open run must not pay
 * the holders that were counted for it.
 */
export function resetForRun(memory: TokenMemory, runId: string | undefined): void {
  if (memory.runId === runId) return;
  const { opening, links } = memory;
  Object.assign(memory, createTokenMemory(), { opening, links, runId });
}

/** Releases facts that are recorded by now. */
export function dropFinishedWork(
  memory: TokenMemory,
  run: Pick<DistributionRunState, 'collected' | 'allotted'>,
): void {
  if (run.collected !== undefined) memory.harvest = undefined;
  if (run.allotted !== undefined) memory.owners = undefined;
  // After collection only the owners are needed.
  if (run.allotted !== undefined || (run.collected !== undefined && memory.owners !== undefined))
    memory.scan = undefined;
}
