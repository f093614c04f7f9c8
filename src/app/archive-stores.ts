/** Opens the stores that backups and copies read and write, without a service around them. */

import type { BlobStore } from '../kernel/ports/blob-store.ts';
import { START } from '../kernel/ports/event-store.ts';
import type { ImageStore } from '../kernel/ports/image-store.ts';
import type { Logger } from '../kernel/ports/logger.ts';
import type { BackupSource } from '../operations/archive/take-backup.ts';
import type { Configuration } from '../operations/config/configuration.ts';
import { createMetrics } from '../operations/metrics/metrics.ts';
import { stoppedChain } from './chain-copy.ts';
import { openBlobStore, openImageStore } from './open-files.ts';
import { openLog } from './open-log.ts';
import { VERSION } from './version.ts';

export interface ArchiveFiles {
  readonly blobs: BlobStore;
  readonly images: ImageStore;
  close(): Promise<void>;
}

export async function openArchiveFiles(configuration: Configuration, logger: Logger): Promise<ArchiveFiles> {
  const meter = createMetrics({ version: VERSION }).clients;
  const { store: blobs } = await openBlobStore(configuration, { logger, meter });
  try {
    const { store: images } = await openImageStore(configuration, { logger, meter });
    return {
      blobs,
      images,
      async close() {
        await blobs.close();
        await images.close();
      },
    };
  } catch (error) {
    await blobs.close();
    throw error;
  }
}

/** The stores of a service that is stopped, or whose log is on a server. */
export async function openBackupSource(
  configuration: Configuration,
  { env, logger }: { readonly env: NodeJS.ProcessEnv; readonly logger: Logger },
): Promise<BackupSource & { close(): Promise<void> }> {
  const log = await openLog({}, { env, logger });
  try {
    const files = await openArchiveFiles(configuration, logger);
    return {
      head: () => log.head(),
      events: () => log.events(),
      unit: log.extentOf(START).unit,
      ...files,
      copyChain: stoppedChain(configuration),
      async close() {
        await files.close();
        await log.close();
      },
    };
  } catch (error) {
    await log.close();
    throw error;
  }
}
