/** Opens the ledger of a run for the queries that read its payments. */

import { type Ledgers, ledgerRefusal } from '../distribution/ledger/open-ledgers.ts';
import type { RunLedger } from '../distribution/ledger/run-ledger.ts';
import type { DistributionRunDocument } from '../projections/distribution-runs.ts';

/** The SHA-256 of both files: every answer about a run's payments follows from them. */
export interface NamedFiles {
  readonly ledger: string;
  readonly settlement: string | undefined;
}

/** Undefined while nothing is allotted. */
export function filesOf({ records, closed }: DistributionRunDocument): NamedFiles | undefined {
  return (
    records.allotted && {
      ledger: records.allotted.ledger,
      settlement: closed?.settlementSha256 ?? undefined,
    }
  );
}

/** Rejects with `LEDGER_UNAVAILABLE` where a file is missing, with `LEDGER_CORRUPT` where it is damaged. */
export async function readingLedger<Result>(
  ledgers: Ledgers,
  files: NamedFiles,
  read: (ledger: RunLedger) => Promise<Result>,
): Promise<Result> {
  try {
    return await read(await ledgers.open(files));
  } catch (error) {
    throw ledgerRefusal(error) ?? error;
  }
}
