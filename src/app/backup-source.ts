/** Opens what a backup is taken from: the stores of a running service, or those of a stopped one. */
import { existsSync } from 'node:fs';
import { copyStoppedChain, type LocalChain, LocalChainUnavailable } from 'levy-local-chain';
import pTimeout from 'p-timeout';
import type { BlobStore } from '../kernel/ports/blob-store.ts';
import type { EventStore } from '../kernel/ports/event-store.ts';
import type { ImageStore } from '../kernel/ports/image-store.ts';
import type { Logger } from '../kernel/ports/logger.ts';
import { OperatorError } from '../kernel/ports/operator-error.ts';
import { readLog } from '../kernel/runtime/read-log.ts';
import type { BackupSource } from '../operations/archive/take-backup.ts';
import type { Configuration } from '../operations/config/configuration.ts';
import { createMetrics } from '../operations/metrics/metrics.ts';
import { adapterFor } from './adapters.ts';
import { chainFileOf, chainFolderOf } from './open-chain.ts';
import { openBlobStore, openImageStore } from './open-files.ts';
import { openLog } from './open-log.ts';
import { VERSION } from './version.ts';

/** The longest time in milliseconds for which the chain is paused. */
const STANDSTILL = 5_000;

export function runningSource(options: {
  readonly store: EventStore;
  readonly blobs: BlobStore;
  readonly images: ImageStore;
  readonly localChain: Pick<LocalChain, 'copyTo'> | undefined;
  readonly logger: Logger;
}): BackupSource {
  const { store, blobs, images, localChain, logger } = options;
  return {
    head: () => store.head(),
    events: () => readLog(store),
    extentOf: store.extentOf,
    blobs,
    images,
    holdCuts: () => store.holdCuts?.() ?? (() => undefined),
    openCopy: openCopyWith(logger),
    copyChain:
      localChain &&
      ((target, atThatMoment) =>
        localChain.copyTo(target, () =>
          pTimeout(atThatMoment(), {
            milliseconds: STANDSTILL,
            message: `the event log did not answer for ${STANDSTILL / 1_000} s, and the chain waits no longer: try again`,
          }),
        )),
  };
}

/** The stores of a service that is stopped, or whose log is on a server. */
export async function openStoppedSource(
  configuration: Configuration,
  { env, logger }: { readonly env: NodeJS.ProcessEnv; readonly logger: Logger },
): Promise<BackupSource & { close(): Promise<void> }> {
  const opened: (() => Promise<void>)[] = [];
  const close = async () => {
    for (const closeOne of opened.splice(0).reverse()) await closeOne();
  };
  try {
    const log = await openLog({}, { env, logger });
    opened.push(log.close);
    const { clients: meter } = createMetrics({ version: VERSION });
    const { store: blobs } = await openBlobStore(configuration, { logger, meter });
    opened.push(() => blobs.close());
    const { store: images } = await openImageStore(configuration, { logger, meter });
    opened.push(() => images.close());
    const { head, events, extentOf } = log;
    const copyChain = stoppedChain(configuration);
    return { head, events, extentOf, blobs, images, copyChain, openCopy: openCopyWith(logger), close };
  } catch (error) {
    await close();
    throw error;
  }
}

function openCopyWith(logger: Logger): BackupSource['openCopy'] {
  return (file, positions) => {
    const url = `sqlite:${file}`;
    const { openForCopying } = adapterFor('event-store', url);
    if (openForCopying === undefined) throw new Error('logs in SQLite can be written');
    return openForCopying({ url, prefix: '', logger }, positions);
  };
}

/** Undefined where the service's chain is elsewhere, or was never started. */
function stoppedChain(configuration: Configuration): BackupSource['copyChain'] {
  if (!configuration.chain.isEmbedded || !existsSync(chainFileOf(configuration))) return undefined;
  return async (target, atThatMoment) => {
    await atThatMoment();
    try {
      copyStoppedChain(chainFolderOf(configuration), target);
    } catch (error) {
      if (!(error instanceof LocalChainUnavailable)) throw error;
      throw new OperatorError(`${error.message}: stop the service first, or ask it (--service)`, {
        cause: error,
      });
    }
  };
}
