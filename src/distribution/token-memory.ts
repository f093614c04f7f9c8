/** Memory of a token between two steps. */
import type { DistributionRunState } from '../streams/distribution-run.ts';
import type { ScanSums } from '../streams/scan-sums.ts';
import type { Absences } from './absences.ts';
import type { PayeeLooks } from './allotting/look-at-payees.ts';
import type { Harvest } from './collecting/harvest-tax.ts';
import { NOT_LOOKED } from './collecting/look-at-holders.ts';
import type { HolderScan } from './collecting/scan-holders.ts';
import type { ScannedOwners } from './collecting/scanned-owners.ts';
import type { DistributedToken } from './distributed-token.ts';
import type { PayingMemory } from './paying/paying.ts';
import type { PaymentBook } from './paying/payment-book.ts';
import type { PaymentListings } from './run/payment-history.ts';
import type { Failures } from './sending/failures.ts';
import type { HistorySearches } from './sending/find-transaction.ts';
import type { SignedTransaction } from './sending/sender.ts';

/** Result of the last check that opened no run. */
interface OpeningMemory {
  /** When the creation was recorded; ISO 8601. */
  createdAt?: string;
  /** The run that was checked; milliseconds. */
  handled?: number;
  /** The newest transaction that named the mint then. */
  activity?: string;
  /** The newest one when a run was asked for; empty if there was none. */
  awaited?: string;
}

/** Facts about a token that are not in the log. Losing them costs time only. */
export type TokenMemory = ReturnType<typeof createTokenMemory>;

/** Result of a scan, its first and last slot, its sums, and the account lookups of those to be paid. */
interface ScannedHolders {
  readonly scanned: ScannedOwners;
  readonly slots: HolderScan['slots'];
  readonly sums: ScanSums;
  readonly looks: PayeeLooks;
}

export function createTokenMemory() {
  return {
    opening: {} as OpeningMemory,
    /** The newest signature of each link, by the till that it makes. */
    links: new Map<string, SignedTransaction>(),
    /** Answers of nodes that omitted something of the open run. */
    absences: new Map() as Absences,
    /** Links of the open run that failed on the chain, by the till that they make. */
    failures: new Map() as Failures,
    /** For the transactions of the open run. */
    searches: new Map() as HistorySearches,
    /** For the payments that the open run has settled. */
    listings: new Map() as PaymentListings,
    /** The run that all that follows belongs to; undefined while none is open. */
    runId: undefined as string | undefined,
    /** To derive its key and addresses takes longer than most steps. */
    token: undefined as DistributedToken | undefined,
    /** Until the tax is collected: it knows where tax is withheld. */
    scan: undefined as HolderScan | undefined,
    looks: NOT_LOOKED,
    owners: undefined as ScannedHolders | undefined,
    harvest: undefined as Harvest | undefined,
    book: undefined as { readonly ledger: string; readonly book: PaymentBook } | undefined,
    paying: undefined as PayingMemory | undefined,
    /** The last moment at which its sale was checked; the moments are counted. */
    saleLook: undefined as number | undefined,
  };
}

/**
 * Forgets what belongs to another run than the one that is open now: another process may have closed the run meanwhile, and
 * holders who were counted for it must not be paid by the next.
 */
export function rememberRun(memory: TokenMemory, runId: string | undefined): void {
  if (memory.runId === runId) return;
  const { opening, links } = memory;
  Object.assign(memory, createTokenMemory(), { opening, links, runId });
}

/** Recorded facts need no memory. */
export function forgetDone(
  memory: TokenMemory,
  run: Pick<DistributionRunState, 'collected' | 'allotted'>,
): void {
  if (run.collected !== undefined) memory.harvest = undefined;
  if (run.allotted !== undefined) memory.owners = undefined;
  // After collection only the owners are needed.
  if (run.allotted !== undefined || (run.collected !== undefined && memory.owners !== undefined))
    memory.scan = undefined;
}
