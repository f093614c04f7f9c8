/** What queries need to read the ledgers of runs. */
import type { Ledgers } from './open-ledgers.ts';

export interface LedgerServices {
  readonly runLedgers: Ledgers;
  /** The service's base address, without a slash at its end. */
  readonly publicUrl: () => string;
}
