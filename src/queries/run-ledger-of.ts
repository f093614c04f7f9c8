/** Opens the ledger of a run for the queries that read its payments. */

import type { Ledgers } from '../distribution/ledger/open-ledgers.ts';
import { LedgerInvalid } from '../distribution/ledger/read-range.ts';
import type { RunLedger } from '../distribution/ledger/run-ledger.ts';
import type { DistributionRunDocument } from '../projections/distribution-runs.ts';
import { rejection } from '../streams/rejections.ts';

/** The SHA-256 of both files: everything that is said of a run's payments follows from them. */
export interface NamedFiles {
  readonly ledger: string;
  readonly settlement: string | undefined;
}

/** Undefined while nothing is allotted. */
export function filesOf({ allotted, closed }: DistributionRunDocument): NamedFiles | undefined {
  return allotted === null
    ? undefined
    : { ledger: allotted.sha256, settlement: closed?.settlementSha256 ?? undefined };
}

/** Rejects with `STORE_UNAVAILABLE` where a file is missing or damaged: it may still be on its way, or be put back. */
export async function readingLedger<Result>(
  ledgers: Ledgers,
  files: NamedFiles,
  read: (ledger: RunLedger) => Promise<Result>,
): Promise<Result> {
  try {
    return await read(await ledgers.open(files));
  } catch (error) {
    if (!(error instanceof LedgerInvalid)) throw error;
    throw rejection(
      'STORE_UNAVAILABLE',
      "A file of the run's ledger cannot be read at the moment; try again.",
      {
        retryAfterSeconds: 60,
        cause: error,
      },
    );
  }
}
