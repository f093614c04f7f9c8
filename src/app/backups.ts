/** Backups of a running service: one at a time, slow enough not to be noticed. */

import type { BlobStore } from '../kernel/ports/blob-store.ts';
import { type EventStore, START } from '../kernel/ports/event-store.ts';
import type { ImageStore } from '../kernel/ports/image-store.ts';
import type { Logger } from '../kernel/ports/logger.ts';
import type { Clock } from '../kernel/runtime/clock.ts';
import { messageOf } from '../kernel/runtime/message-of.ts';
import { readLog } from '../kernel/runtime/read-log.ts';
import { framesOf } from '../operations/archive/frames.ts';
import { createPace } from '../operations/archive/pace.ts';
import { type CopyChain, takeBackup } from '../operations/archive/take-backup.ts';
import { VERSION } from './version.ts';

export interface BackupsOptions {
  readonly store: EventStore;
  readonly blobs: BlobStore;
  readonly images: ImageStore;
  /** Where the chain is the service's own. */
  readonly copyChain: CopyChain | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Gives the bytes of a backup; undefined while another one is being taken. */
export function createBackups(options: BackupsOptions): () => AsyncIterable<Uint8Array> | undefined {
  const { store, blobs, images, copyChain, clock, logger } = options;
  let isTaken = false;
  return () => {
    if (isTaken) return undefined;
    isTaken = true;
    const source = {
      head: () => store.head(),
      events: () => readLog(store),
      unit: store.extentOf(START).unit,
      blobs,
      images,
      copyChain,
      holdCuts: () => store.holdCuts?.() ?? (() => undefined),
    };
    const frames = framesOf(takeBackup(source, { version: VERSION, now: clock.now, pace: createPace() }));
    const end = (outcome: string, details: object = {}) => {
      if (isTaken) logger.info(details, outcome);
      isTaken = false;
    };
    // By hand: of a generator that was never begun, nothing is run when it is left.
    return {
      [Symbol.asyncIterator]: () => ({
        async next() {
          try {
            const result = await frames.next();
            if (result.done === true) end('backup taken');
            return result;
          } catch (error) {
            end('backup failed', { error: messageOf(error) });
            throw error;
          }
        },
        async return() {
          const result = await frames.return();
          end('backup left by its caller');
          return result;
        },
      }),
    };
  };
}
