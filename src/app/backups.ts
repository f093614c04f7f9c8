/** Backups of a running service, one at a time, throttled so that callers are not affected. */
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { LocalChain } from 'levy-local-chain';
import type { BlobStore } from '../kernel/ports/blob-store.ts';
import type { EventStore } from '../kernel/ports/event-store.ts';
import type { Logger } from '../kernel/ports/logger.ts';
import type { Clock } from '../kernel/runtime/clock.ts';
import { errorMessage } from '../kernel/runtime/error-message.ts';
import { readLog } from '../kernel/runtime/read-log.ts';
import { createPace } from '../operations/archive/background-pace.ts';
import { type BackupSource, takeBackup } from '../operations/archive/take-backup.ts';
import { tarOf } from '../operations/archive/tar.ts';
import { dataLayout } from './data-folder.ts';
import { VERSION } from './version.ts';

interface BackupsOptions {
  readonly source: BackupSource;
  /** Folder for the copy of the embedded chain while it is sent. */
  readonly dataDirectory: string;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Returns a backup as a tar stream; undefined while another one is being taken. */
export function createBackups(options: BackupsOptions): () => AsyncIterable<Uint8Array> | undefined {
  const { source, dataDirectory, clock, logger } = options;
  const scratch = join(dataDirectory, 'backup.partial');
  let isTaken = false;

  async function* taken(): AsyncGenerator<Uint8Array, void> {
    let outcome = 'backup cancelled by its caller';
    let details = {};
    const removeScratch = () => rm(scratch, { recursive: true, force: true });
    try {
      // A killed process may have left the folder.
      await removeScratch();
      if (source.copyChain !== undefined) await mkdir(scratch, { recursive: true, mode: 0o700 });
      const pace = createPace();
      yield* tarOf(
        takeBackup(source, { layout: dataLayout, scratch, version: VERSION, now: clock.now, pace }),
      );
      outcome = 'backup taken';
    } catch (error) {
      outcome = 'backup failed';
      details = { error: errorMessage(error) };
      throw error;
    } finally {
      await removeScratch();
      isTaken = false;
      logger.info(details, outcome);
    }
  }

  return () => {
    if (isTaken) return undefined;
    isTaken = true;
    const pieces = taken();
    let isBegun = false;
    return {
      [Symbol.asyncIterator]: () => ({
        next() {
          isBegun = true;
          return pieces.next();
        },
        return() {
          // Returning from a generator that was never started does not run its `finally` block.
          if (!isBegun) isTaken = false;
          return pieces.return();
        },
      }),
    };
  };
}

export function runningSource(
  store: EventStore,
  { blobs, images }: Readonly<Record<'blobs' | 'images', BlobStore>>,
  localChain: Pick<LocalChain, 'copyTo'> | undefined,
): BackupSource {
  const { head, extentOf, holdCuts } = store;
  const events = () => readLog(store);
  return { head, events, extentOf, blobs, images, holdCuts, copyChain: localChain?.copyTo };
}
