/**
 * Removes images that no token and no open draft has used for some time.
 *
 * A draft calls `retain` for its image right before it is recorded, and a removal takes only images without a recent
 * `retain` (see the port). So a new draft either has its image, or fails because the image is gone. Earlier drafts
 * are in the read model.
 *
 * Images that are not in the log are never removed: the log may be the wrong one or an older copy, and a token's
 * image cannot be restored.
 */
import type { EventStore } from '../../kernel/ports/event-store.ts';
import type { Logger } from '../../kernel/ports/logger.ts';
import type { ReadModel } from '../../kernel/ports/read-model.ts';
import type { Clock } from '../../kernel/runtime/clock.ts';
import type { Projector } from '../../kernel/runtime/projector.ts';
import { type Repetition, startRepetition } from '../../kernel/runtime/repeat.ts';
import { images as known } from '../../projections/images.ts';
import type { Images } from './images.ts';

/** Longest wait for a lagging read model, in milliseconds. */
const TIMEOUT = 5_000;
/** Longest pause between two rounds in milliseconds; otherwise a quarter of `unusedFor`. */
const MAX_PAUSE = 3_600_000;

export interface ImageCleanupOptions {
  readonly images: Pick<Images, 'leftAlone' | 'retain' | 'remove'>;
  readonly store: Pick<EventStore, 'head'>;
  readonly readModel: ReadModel;
  readonly projector: Pick<Projector, 'waitFor' | 'status'>;
  readonly clock: Clock;
  /** Milliseconds after which an unused image is removed. */
  readonly unusedFor: number;
  /** Ends a round early. */
  readonly signal: AbortSignal;
}

export function createImageCleanup(options: ImageCleanupOptions) {
  const { images, store, readModel, projector, clock, unusedFor, signal } = options;

  async function isCaughtUp(): Promise<boolean> {
    const head = await store.head();
    await projector.waitFor(head, TIMEOUT);
    return projector
      .status()
      .some(({ name, state, position }) => name === known.name && state === 'live' && position >= head);
  }

  return {
    /**
     * Runs one round over all images. Resolves with the number removed: 0 while the read model lags, because it may
     * miss a token.
     */
    async tidy() {
      const since = new Date(clock.now().getTime() - unusedFor);
      if (!(await isCaughtUp())) return 0;
      let removed = 0;
      for await (const cid of images.leftAlone(since)) {
        if (signal.aborted) break;
        if ((await readModel.get(known, cid)) === undefined) continue;
        const isUsed = (await readModel.count(known, 'use', cid)) > 0;
        // After `retain`, the image is not checked again until `unusedFor` has passed.
        if (isUsed) await images.retain(cid);
        else if (await images.remove(cid, since)) removed += 1;
      }
      return removed;
    },
  };
}

/** Runs rounds repeatedly. `removed` is called after each round that removed images. */
export function startImageCleanup(
  options: Omit<ImageCleanupOptions, 'signal'> & {
    readonly logger: Logger;
    readonly removed: (images: number) => void;
  },
): Repetition {
  const { clock, unusedFor, logger, removed } = options;
  const stopping = new AbortController();
  const cleanup = createImageCleanup({ ...options, signal: stopping.signal });
  const repetition = startRepetition({
    name: 'image-cleanup',
    clock,
    logger,
    async work() {
      const images = await cleanup.tidy();
      if (images > 0) removed(images);
      return Math.min(MAX_PAUSE, unusedFor / 4);
    },
  });
  return {
    ...repetition,
    stop() {
      stopping.abort();
      return repetition.stop();
    },
  };
}
