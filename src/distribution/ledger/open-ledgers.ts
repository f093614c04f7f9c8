/** Cache of open ledgers, and rejections for unreadable ledgers. */
import { LRUCache } from 'lru-cache';
import pLimit from 'p-limit';
import type { BlobStore } from '../../kernel/ports/blob-store.ts';
import { ContentDamaged } from '../../kernel/ports/errors.ts';
import type { Rejection } from '../../kernel/runtime/rejection.ts';
import type { CarriedOver } from '../../streams/distribution.ts';
import { ledgerCorruptRejection, ledgerUnavailableRejection } from '../../streams/rejections.ts';
import { LedgerInvalid, LedgerMissing } from './read-range.ts';
import { openRunLedger, type RunFiles, type RunLedger } from './run-ledger.ts';
import { findTopHolders, type TopHolders } from './top-holders.ts';

const CACHE_BYTES = 32 * 1024 * 1024;
/** Memory of a reader in bytes, regardless of the file's size. */
const MIN_BYTES = 4_096;

/** Maximum ledgers whose top holders are cached. */
const MAX_RANKED = 1_000;
/** Ledgers ranked concurrently; ranking a million records takes seconds. */
const RANKED_AT_ONCE = 2;

export type Ledgers = ReturnType<typeof createLedgers>;

export function createLedgers(blobs: Pick<BlobStore, 'read'>) {
  const cache = new LRUCache<string, RunLedger>({
    maxSize: CACHE_BYTES,
    sizeCalculation: ({ weight }) => MIN_BYTES + weight,
  });
  const opening = new Map<string, Promise<RunLedger>>();
  const ranked = new LRUCache<string, Promise<TopHolders>>({ max: MAX_RANKED });
  const atOnce = pLimit(RANKED_AT_ONCE);
  return {
    /** Rejects with `LedgerInvalid` if a file is missing or damaged; failures are not cached. */
    open(files: RunFiles) {
      const key = `${files.ledger}/${files.settlement ?? ''}`;
      const known = cache.get(key);
      if (known !== undefined) return Promise.resolve(known);
      const underWay =
        opening.get(key) ??
        openRunLedger(blobs, files)
          .then((ledger) => {
            cache.set(key, ledger);
            return ledger;
          })
          .finally(() => opening.delete(key));
      opening.set(key, underWay);
      return underWay;
    },
    /** Top holders of a closed run, which are cached. Rejects like `open`. */
    topHolders(files: RunFiles): Promise<TopHolders> {
      const known = ranked.get(files.ledger);
      if (known !== undefined) return known;
      const finding = atOnce(async () => findTopHolders(await this.open(files)));
      ranked.set(files.ledger, finding);
      finding.catch(() => ranked.delete(files.ledger));
      return finding;
    },
  };
}

/** Ledger of the previous run; undefined in the first run. Rejects like `open`. */
export async function previousLedger(
  ledgers: Ledgers,
  { ledger, settlement }: Pick<CarriedOver, 'ledger' | 'settlement'>,
): Promise<RunLedger | undefined> {
  return ledger === null ? undefined : ledgers.open({ ledger, settlement: settlement ?? undefined });
}

/** Rejection for an error of a ledger; undefined for other errors. A missing file may still be written or restored. */
export function ledgerRefusal(error: unknown): Rejection | undefined {
  if (error instanceof LedgerMissing) return ledgerUnavailableRejection(error);
  if (error instanceof LedgerInvalid || error instanceof ContentDamaged) return ledgerCorruptRejection(error);
  return undefined;
}

export interface LedgerServices {
  readonly runLedgers: Ledgers;
  /** Base URL of the service, without a trailing slash. */
  readonly publicUrl: () => string;
}
