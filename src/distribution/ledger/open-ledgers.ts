/** Keeps the ledgers open that are asked for again and again: what it reads at the opening need not be read twice. */
import { LRUCache } from 'lru-cache';
import type { BlobStore } from '../../kernel/ports/blob-store.ts';
import type { CarriedOver } from '../../streams/distribution.ts';
import { openRunLedger, type RunFiles, type RunLedger } from './run-ledger.ts';

const KEPT_BYTES = 32 * 1024 * 1024;
/** What a reader takes whatever its size. */
const LEAST_BYTES = 4_096;

export interface Ledgers {
  /** Rejects with `LedgerInvalid` where a file is missing or damaged, and looks again the next time. */
  open(files: RunFiles): Promise<RunLedger>;
}

export function createLedgers(blobs: Pick<BlobStore, 'read'>): Ledgers {
  const kept = new LRUCache<string, RunLedger>({
    maxSize: KEPT_BYTES,
    sizeCalculation: ({ weight }) => LEAST_BYTES + weight,
  });
  const opening = new Map<string, Promise<RunLedger>>();
  return {
    open(files) {
      const key = `${files.ledger}/${files.settlement ?? ''}`;
      const known = kept.get(key);
      if (known !== undefined) return Promise.resolve(known);
      const underWay =
        opening.get(key) ??
        openRunLedger(blobs, files)
          .then((ledger) => {
            kept.set(key, ledger);
            return ledger;
          })
          .finally(() => opening.delete(key));
      opening.set(key, underWay);
      return underWay;
    },
  };
}

/** That of the run before; undefined in the first run. Rejects as `open`. */
export async function previousLedger(
  ledgers: Ledgers,
  { ledger, settlement }: Pick<CarriedOver, 'ledger' | 'settlement'>,
): Promise<RunLedger | undefined> {
  return ledger === null ? undefined : ledgers.open({ ledger, settlement: settlement ?? undefined });
}
