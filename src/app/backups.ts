/** Backups of a running service: one at a time, slow enough not to be noticed. */
import { statSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from '../kernel/ports/logger.ts';
import type { Clock } from '../kernel/runtime/clock.ts';
import { messageOf } from '../kernel/runtime/message-of.ts';
import { createPace } from '../operations/archive/pace.ts';
import { type BackupSource, takeBackup } from '../operations/archive/take-backup.ts';
import { tarOf } from '../operations/archive/tar.ts';
import { freeSpace } from '../operations/free-space.ts';
import { rejection } from '../streams/rejections.ts';
import { dataLayout } from './data-layout.ts';
import { VERSION } from './version.ts';

export interface BackupsOptions {
  readonly source: BackupSource;
  /** For the copies of the log and of the embedded chain while they are sent. */
  readonly dataDirectory: string;
  /** The files of those on this machine, if they are files. */
  readonly copied: readonly string[];
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Bytes that a backup leaves free for the service. */
const SPARE = 64 * 1024 * 1024;
const MEBIBYTE = 1024 * 1024;

/** Resolves with a backup as a tar stream. Rejects while another one is being taken, and where the disk has too little space. */
export function createBackups(options: BackupsOptions): () => Promise<AsyncIterable<Uint8Array>> {
  const { source, dataDirectory, copied, clock, logger } = options;
  const scratch = join(dataDirectory, 'backup.partial');
  let isTaken = false;

  async function release(): Promise<void> {
    await rm(scratch, { recursive: true, force: true });
    isTaken = false;
  }

  async function* taken(): AsyncGenerator<Uint8Array, void> {
    let outcome = 'backup left by its caller';
    let details = {};
    const pace = createPace();
    const taking = { layout: dataLayout, scratch, version: VERSION, now: clock.now, pace };
    try {
      yield* tarOf(takeBackup(source, taking));
      outcome = 'backup taken';
    } catch (error) {
      outcome = 'backup failed';
      details = { error: messageOf(error) };
      throw error;
    } finally {
      await release();
      logger.info(details, outcome);
    }
  }

  async function prepare(): Promise<void> {
    // A killed process may have left it.
    await rm(scratch, { recursive: true, force: true });
    await mkdir(scratch, { recursive: true, mode: 0o700 });
    const sizes = copied.map((file) => statSync(file, { throwIfNoEntry: false })?.size ?? 0);
    const needed = sizes.reduce((sum, size) => sum + size, SPARE);
    const [free] = await freeSpace(new Map([['data', dataDirectory]]));
    if (free === undefined || free.bytes >= needed) return;
    throw rejection(
      'BACKUP_LACKS_SPACE',
      `A backup needs ${Math.ceil(needed / MEBIBYTE)} MiB free in DATA_DIR for a while, and there are ${Math.floor(free.bytes / MEBIBYTE)}.`,
    );
  }

  return async () => {
    if (isTaken)
      throw rejection('BACKUP_UNDER_WAY', 'Another backup is being taken; try again when it has ended.', {
        retryAfterSeconds: 30,
      });
    isTaken = true;
    try {
      await prepare();
    } catch (error) {
      isTaken = false;
      throw error;
    }
    const pieces = taken();
    let isBegun = false;
    return {
      [Symbol.asyncIterator]: () => ({
        next() {
          isBegun = true;
          return pieces.next();
        },
        async return() {
          // Leaving a generator that was never begun runs none of it.
          if (!isBegun) await release();
          return pieces.return();
        },
      }),
    };
  };
}
