/** The store of ledgers, opened once for every role of the process that needs it, and read for the read models. */
import { createLedgers, type Ledgers } from '../distribution/ledger/open-ledgers.ts';
import { walletSharesIn } from '../distribution/ledger/wallet-shares-in.ts';
import type { BlobStore } from '../kernel/ports/blob-store.ts';
import type { ClientMeter } from '../kernel/ports/client-meter.ts';
import type { Logger } from '../kernel/ports/logger.ts';
import type { ReadFiles } from '../kernel/runtime/define-projection.ts';
import type { Recorded } from '../kernel/runtime/event-codec.ts';
import type { WatchedStore } from '../kernel/runtime/watched-store.ts';
import type { Configuration } from '../operations/config/configuration.ts';
import type { DistributionEvent } from '../streams/distribution.ts';
import { openFileStore } from './stores.ts';

interface OpenedLedgers {
  readonly ledgers: BlobStore;
  /** What keeps ledgers from being stored. */
  readonly ledgersTrouble: WatchedStore<BlobStore>['trouble'];
  readonly runLedgers: Ledgers;
}

interface LedgerFiles {
  /** Opened when it is first asked for. Rejects with `OperatorError` where that fails, and tries again the next time. */
  readonly ledgerFiles: () => Promise<OpenedLedgers>;
  /** For the read models that come from ledgers. */
  readonly filesOf: ReadFiles;
}

/** To be called before what reads ledgers is opened: it is closed after that. */
export function createLedgerFiles(options: {
  readonly configuration: Configuration;
  readonly logger: Logger;
  readonly meter: ClientMeter;
  readonly whenClosing: (close: () => Promise<void>) => void;
}): LedgerFiles {
  const { configuration, logger, meter, whenClosing } = options;
  let opening: Promise<OpenedLedgers> | undefined;
  whenClosing(async () => (await opening?.catch(() => undefined))?.ledgers.close());

  async function open(): Promise<OpenedLedgers> {
    const { store: ledgers, trouble: ledgersTrouble } = await openFileStore('ledgers', configuration, {
      service: { logger: logger.child({ part: 'ledgers' }), meter },
    });
    return { ledgers, ledgersTrouble, runLedgers: createLedgers(ledgers) };
  }

  function ledgerFiles(): Promise<OpenedLedgers> {
    opening ??= open().catch((error: unknown) => {
      opening = undefined;
      throw error;
    });
    return opening;
  }

  return {
    ledgerFiles,
    async *filesOf(event) {
      // No other event names files that a read model comes from.
      const { data } = event as Recorded<Extract<DistributionEvent, { type: 'RunClosed' }>>;
      const { runLedgers } = await ledgerFiles().catch((cause: unknown) => {
        // Anybody may read why a read model waits, and the cause names folders.
        throw new Error('the store of ledgers cannot be opened', { cause });
      });
      yield* walletSharesIn(runLedgers, data);
    },
  };
}
