/** What a process remembers of a token between two steps. */
import type { DistributionRunState } from '../streams/distribution-run.ts';
import type { ScanSums } from '../streams/scan-sums.ts';
import type { Absences } from './absences.ts';
import type { PayeeLooks } from './allotting/look-at-payees.ts';
import type { Harvest } from './collecting/harvest-tax.ts';
import { type LookMemory, NOT_LOOKED } from './collecting/look-at-holders.ts';
import type { HolderScan } from './collecting/scan-holders.ts';
import type { ScannedOwners } from './collecting/scanned-owners.ts';
import type { DistributedToken } from './distributed-token.ts';
import type { SignedLinks } from './links/till-progress.ts';
import type { PayingMemory } from './paying/paying.ts';
import type { PaymentBook } from './paying/payment-book.ts';
import type { PaymentListings } from './run/payment-history.ts';
import type { Failures } from './sending/failures.ts';
import type { HistorySearches } from './sending/find-transaction.ts';

/** What the last check of the token found that opened no run. */
export interface OpeningMemory {
  /** When the creation was recorded; ISO 8601. */
  createdAt?: string;
  /** The run that was checked; milliseconds. */
  handled?: number;
  /** The newest transaction that named the mint then. */
  activity?: string;
  /** The newest one when a run was asked for; empty if there was none. */
  awaited?: string;
}

/** What this process knows of a token beside the log. Forgetting it costs time, and nothing else. */
export interface TokenMemory extends LookMemory {
  readonly opening: OpeningMemory;
  readonly links: SignedLinks;
  /** What nodes did not show of the open run at the latest looks. */
  readonly absences: Absences;
  /** Links of the open run that failed on the chain. */
  readonly failures: Failures;
  /** For the transactions of the open run. */
  readonly searches: HistorySearches;
  /** For the payments that the open run has settled. */
  readonly listings: PaymentListings;
  /** The run that all that follows belongs to; undefined while none is open. */
  runId: string | undefined;
  /** To derive its key and addresses takes longer than most steps. */
  token: DistributedToken | undefined;
  /** Until the tax is collected: it knows where tax is withheld. */
  scan: HolderScan | undefined;
  /** What the scan found, its first and last slot, what it adds up to, and what was seen of the accounts of those who would be paid. */
  owners:
    | {
        readonly scanned: ScannedOwners;
        readonly slots: HolderScan['slots'];
        readonly sums: ScanSums;
        readonly looks: PayeeLooks;
      }
    | undefined;
  harvest: Harvest | undefined;
  book: { readonly ledger: string; readonly book: PaymentBook } | undefined;
  paying: PayingMemory | undefined;
  /** The last moment at which its sale was checked; the moments are counted. */
  saleLook: number | undefined;
}

export function createTokenMemory(): TokenMemory {
  return {
    opening: {},
    links: new Map(),
    absences: new Map(),
    failures: new Map(),
    searches: new Map(),
    listings: new Map(),
    runId: undefined,
    token: undefined,
    scan: undefined,
    looks: NOT_LOOKED,
    owners: undefined,
    harvest: undefined,
    book: undefined,
    paying: undefined,
    saleLook: undefined,
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

/** What has been recorded needs to be remembered no more. */
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
