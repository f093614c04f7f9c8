/** Opens the ledger of a run for queries of its payments. */

import { type Ledgers, ledgerRefusal } from '../distribution/ledger/open-ledgers.ts';
import type { RunLedger } from '../distribution/ledger/run-ledger.ts';
import type { DistributionRunDocument } from '../projections/distribution-runs.ts';

/** SHA-256 of a run's ledger files, from which every response about its payments is derived. */
export interface NamedFiles {
  readonly ledger: string;
  readonly settlement: string | undefined;
}

/** Undefined before the allotment. */
export function filesOf({ records, closed }: DistributionRunDocument): NamedFiles | undefined {
  return (
    records.allotted && {
      ledger: records.allotted.ledger,
      settlement: closed?.settlementSha256 ?? undefined,
    }
  );
}

/** Rejects with `LEDGER_UNAVAILABLE` if a file is missing, and with `LEDGER_CORRUPT` if it is damaged. */
export async function readingLedger<Result>(
  ledgers: Ledgers,
  files: NamedFiles,
  read: (ledger: RunLedger) => Promise<Result>,
): Promise<Result> {
  return orLedgerRejection(ledgers.open(files).then(read));
}

/** The result of reading a ledger. Rejects like `readingLedger`. */
export async function orLedgerRejection<Result>(reading: Promise<Result>): Promise<Result> {
  try {
    return await reading;
  } catch (error) {
    throw ledgerRefusal(error) ?? error;
  }
}
